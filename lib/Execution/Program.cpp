// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Program.h"

#include "LayerTaps.h"
#include "RuntimeLibrary.h"

#include "mli/Analysis/BankUses.h"
#include "mli/Analysis/MemoryAnalysis.h"
#include "mli/Analysis/MoveBound.h"
#include "mli/Analysis/MovedBytes.h"
#include "mli/Analysis/PartRecord.h"
#include "mli/IR/ComputingModes.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/PackedAttr.h"
#include "mli/Transforms/ScheduleCost.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static FailureOr<std::vector<CompiledFunction>>
describeEntries(ModuleOp module, const CompileOptions &options) {
  std::vector<CompiledFunction> functions;
  auto add = [&](func::FuncOp function) -> LogicalResult {
    FailureOr<CompiledFunction> compiled = describeFunction(function);
    if (succeeded(compiled))
      functions.push_back(std::move(*compiled));
    return compiled;
  };
  for (const std::string &name : options.entries) {
    FailureOr<func::FuncOp> function = selectEntry(module, name);
    if (failed(function) || failed(add(*function)))
      return failure();
  }
  if (!options.entries.empty())
    return functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal() && failed(add(function)))
      return failure();
  return functions;
}

static LogicalResult
runPipeline(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build) {
  PassManager passes(module->getName());
  build(passes);
  return passes.run(module);
}

LogicalResult mli::raise(ModuleOp module) {
  // Again after it, since constants fold.
  return success(succeeded(checkModule(module)) &&
                 succeeded(runPipeline(module, buildTensorPipeline)) &&
                 succeeded(checkModule(module)));
}

/// What moves at least for `function`, on tensors in system memory.
static MoveLimits findMoveLimits(func::FuncOp function, Placement placement) {
  MoveLimits limits;
  limits.least = getMinMovedBytes(function);
  TargetAttr target = findTarget(function);
  if (placement == Placement::Local && target) {
    limits.capacity = target.getValue().totalBytes();
    limits.bound = boundMovedBytes(function, target.getValue());
  }
  return limits;
}

/// Bytes of each NPU up to the last that a buffer of `function` has.
static int64_t getLocalPeak(func::FuncOp function) {
  int64_t peak = 0;
  function.walk([&](AllocOp alloc) {
    auto type = cast<MemRefType>(alloc.getType());
    if (!isLocal(type))
      return;
    const layout::Target &target = findTarget(alloc).getValue();
    int64_t start = mli::getStartNpu(type);
    int64_t offset = static_cast<int64_t>(*alloc.getAddress()) -
                     layout::getAddress({start, 0}, target);
    peak =
        std::max(peak, offset + getLocalFootprint(type, target, start)->bytes);
  });
  return peak;
}

/// Measures the local memory of `function`, which has its addresses.
static void measureLocal(func::FuncOp function, const MemoryAnalysis &analysis,
                         MemoryStatistics &memory) {
  MemoryRules rules;
  rules.space = Space::local;
  FailureOr<MemoryProblem> problem = analysis.getProblem(rules);
  if (failed(problem))
    return;
  allocation::Plan plan = allocation::plan(problem->problem);
  if (plan.placements.empty())
    return;
  memory.liveLocalBytes = plan.liveBound;
  if (problem->target->banks > 1)
    memory.bankConflicts = countBankConflicts(problem->problem, plan.placements,
                                              findBankUses(function, *problem));
}

static MemoryStatistics measureMemory(func::FuncOp function) {
  MemoryAnalysis analysis(function);
  const BufferLifetimes &lifetimes = analysis.getLifetimes();
  MemoryStatistics memory;
  memory.constantBytes = lifetimes.constantBytes;
  llvm::DenseSet<Attribute> layers;
  function.walk([&](Operation *op) {
    ElementsAttr layer = getPackedLayer(op);
    if (!layer || !layers.insert(layer).second)
      return;
    memory.packedBytes += layer.getShapedType().getNumElements();
    ++memory.packedLayers;
  });
  memory.argumentBytes = lifetimes.argumentBytes;
  memory.bufferBytes = lifetimes.getTotalBytes();
  memory.peakBytes = lifetimes.getPeakBytes();
  memory.arenaBytes =
      cast<MemRefType>(findArena(function).getType()).getNumElements();
  memory.arenaAlignment = getArenaAlignment(function->getParentOp());
  if (std::optional<ArenaRecord> streams = ArenaRecord::get(function)) {
    llvm::raw_string_ostream os(memory.streams);
    streams->print(os);
  }
  if (std::optional<PartsRecord> parts = PartsRecord::get(function)) {
    llvm::raw_string_ostream os(memory.parts);
    parts->print(os);
    llvm::raw_string_ostream table(memory.partTable);
    parts->printTable(table);
  }
  MovedBytes moved = countMovedBytes(function);
  memory.movedInBytes = moved.in;
  memory.movedOutBytes = moved.out;
  memory.shiftedBytes = countShiftedBytes(function);
  memory.localBytes = getLocalPeak(function);
  if (memory.localBytes == 0)
    return memory;
  measureLocal(function, analysis, memory);
  return memory;
}

/// Adds what is known of `compiled` when it has become `function`, on buffers.
static LogicalResult describeRun(CompiledFunction &compiled,
                                 func::FuncOp function,
                                 const NetworkKernels &kernels,
                                 const CompileOptions &options) {
  MemoryStatistics &memory = compiled.memory;
  memory = measureMemory(function);
  RunEstimate estimate;
  if (memory.localBytes > 0) {
    FailureOr<RunEstimate> found =
        estimateRun(function, options.local.overrides, options.findsEstimate);
    if (failed(found))
      return failure();
    estimate = std::move(*found);
  }
  memory.moveCost = estimate.cost.moves;
  memory.kernelCost = estimate.cost.kernels;
  memory.overlappedCost = estimate.cost.overlapped;
  if (options.findsLayers)
    compiled.layers = findLayers(function, kernels, estimate.schedule);
  return success();
}

/// Sets the modes of `module` that `options` have, those of its pipeline last.
static void attachModes(ModuleOp module, const CompileOptions &options) {
  setComputingModes(module, options.modes);
  AttachModesOptions pipeline = options.placement == Placement::Local
                                    ? options.local.getAttachModes()
                                    : options.packing.getAttachModes();
  setComputingModes(module, {pipeline.rounding, pipeline.accumulation});
}

/// Lowers `module`, on tensors, to buffers with their addresses.
static LogicalResult placeBuffers(ModuleOp module,
                                  const CompileOptions &options) {
  return runPipeline(module, [&](OpPassManager &passes) {
    if (options.placement == Placement::Local)
      buildLocalBufferPipeline(passes, options.local);
    else
      buildBufferPipeline(passes, options.packing);
  });
}

/// The code generator of this machine. The engine's own one always optimises,
/// which takes minutes for thousands of calls.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(unsigned optLevel) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(static_cast<llvm::CodeGenOptLevel>(optLevel));
  return builder->createTargetMachine();
}

static llvm::Expected<std::unique_ptr<ExecutionEngine>>
createEngine(ModuleOp module, const ComputingModes &modes,
             const CompileOptions &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  if (llvm::Error error = loadRuntimeLibrary(options.runtimeLibrary))
    return error;
  setRuntimeModes(modes);
  auto machine = createMachine(options.optLevel);
  if (!machine)
    return machine.takeError();
  auto transformer = makeOptimizingTransformer(
      options.optLevel, /*sizeLevel=*/0, /*targetMachine=*/nullptr);
  StringRef libraries[] = {options.runtimeLibrary};
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = transformer;
  engineOptions.sharedLibPaths = libraries;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  engineOptions.enableObjectDump = options.measuresCode;
  return ExecutionEngine::create(module, engineOptions, std::move(*machine));
}

/// The bytes of code in the object file at `path`.
static llvm::Expected<int64_t> countCodeBytes(StringRef path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file)
    return file.takeError();
  int64_t bytes = 0;
  for (const llvm::object::SectionRef &section : file->getBinary()->sections())
    if (section.isText())
      bytes += static_cast<int64_t>(section.getSize());
  return bytes;
}

/// The bytes of code of `engine`, which gives its object to files only.
static llvm::Expected<int64_t> countCodeBytes(ExecutionEngine &engine) {
  SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("mli-code", "o", path))
    return llvm::errorCodeToError(error);
  llvm::FileRemover remover(path);
  engine.dumpToObjectFile(path);
  return countCodeBytes(path.str());
}

/// The name of the function that takes addresses of descriptors.
static std::string wrapperName(const CompiledFunction &function) {
  return "_mlir_ciface_" + function.name;
}

Program::Program() = default;
Program::Program(Program &&) noexcept = default;
Program &Program::operator=(Program &&) noexcept = default;
Program::~Program() = default;

LogicalResult mli::raise(ModuleOp module, const CompileOptions &options) {
  attachModes(module, options);
  if (failed(runPipeline(module, [&](OpPassManager &passes) {
        buildTargetPipeline(passes, options.local);
      })))
    return failure();
  return raise(module);
}

FailureOr<std::vector<CompiledFunction>>
mli::placeEntries(ModuleOp module, const CompileOptions &options) {
  auto functions = describeEntries(module, options);
  if (failed(functions))
    return failure();
  auto lookup = [&](const CompiledFunction &function) {
    return module.lookupSymbol<func::FuncOp>(function.name);
  };
  std::vector<MoveLimits> limits;
  std::vector<NetworkKernels> kernels;
  for (CompiledFunction &function : *functions) {
    limits.push_back(findMoveLimits(lookup(function), options.placement));
    if (options.recordsLayers)
      function.recordedLayers = numberLayers(lookup(function));
    // By the locations that the numbers are in.
    kernels.emplace_back(lookup(function));
  }
  if (failed(placeBuffers(module, options)))
    return failure();
  if (options.inspectBuffers && failed(options.inspectBuffers(module)))
    return failure();
  for (auto [function, moves, whole] :
       llvm::zip_equal(*functions, limits, kernels)) {
    if (failed(describeRun(function, lookup(function), whole, options)))
      return failure();
    function.memory.moveLimits = moves;
    // Last, so that nothing else of the program depends on it.
    if (options.recordsLayers)
      tapLayers(lookup(function), function.recordedLayers);
  }
  return functions;
}

FailureOr<Program> Program::compile(ModuleOp module,
                                    const CompileOptions &options) {
  if (options.optLevel > 3)
    return emitError(module.getLoc(),
                     "expected the optimisation level to be 0 to 3, "
                     "but got ")
           << options.optLevel;
  if (failed(raise(module, options)))
    return failure();
  // Lowering drops them.
  const ComputingModes modes = findComputingModes(module);
  auto functions = placeEntries(module, options);
  if (failed(functions))
    return failure();
  Program program;
  program.functions = std::move(*functions);
  if (failed(runPipeline(module, buildCallPipeline)))
    return failure();

  auto engine = createEngine(module, modes, options);
  if (!engine)
    return emitError(module.getLoc(), llvm::toString(engine.takeError()));
  program.engine = std::move(*engine);
  // The engine compiles at the first look-up: now, and not in the first run.
  for (const CompiledFunction &function : program.functions) {
    auto code = program.engine->lookupPacked(wrapperName(function));
    if (!code)
      return emitError(module.getLoc(), llvm::toString(code.takeError()));
    program.codes.push_back(*code);
  }
  if (!options.measuresCode)
    return program;
  auto bytes = countCodeBytes(*program.engine);
  if (!bytes)
    return emitError(module.getLoc(), llvm::toString(bytes.takeError()));
  for (CompiledFunction &function : program.functions)
    function.memory.codeBytes = *bytes;
  return program;
}

ComputingModes mli::attachComputingModes(ModuleOp module,
                                         const CompileOptions &options) {
  attachModes(module, options);
  return findComputingModes(module);
}

const CompiledFunction *Program::lookup(StringRef name) const {
  const auto *function = llvm::find_if(
      getFunctions(), [&](const auto &entry) { return entry.name == name; });
  return function == getFunctions().end() ? nullptr : function;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// A memref descriptor: two pointers, offset, sizes, strides.
static std::vector<int64_t> describeMemory(const void *data,
                                           ArrayRef<int64_t> shape) {
  auto address = reinterpret_cast<intptr_t>(data);
  size_t rank = shape.size();
  std::vector<int64_t> words = {address, address, /*offset=*/0};
  words.resize(3 + 2 * rank, 1);
  llvm::copy(shape, words.begin() + 3);
  for (size_t dim = rank; dim-- > 1;)
    words[3 + rank + dim - 1] = words[3 + rank + dim] * shape[dim];
  return words;
}

static HostTensor allocate(RankedTensorType type) {
  HostTensor tensor;
  tensor.element = *getHostElement(type.getElementType());
  tensor.shape = type.getShape().vec();
  tensor.data.resize(type.getNumElements() * getElementBytes(tensor.element));
  return tensor;
}

llvm::Error Program::checkInputs(const CompiledFunction &function,
                                 ArrayRef<HostTensor> inputs) {
  if (inputs.size() != function.inputs.size())
    return llvm::createStringError("expected " + Twine(function.inputs.size()) +
                                   " inputs of '" + function.name +
                                   "', but got " + Twine(inputs.size()));
  for (auto [i, type, input] : llvm::enumerate(function.inputs, inputs))
    if (llvm::Error error =
            checkTensor(("input " + Twine(i)).str(), type, input))
      return error;
  return llvm::Error::success();
}

void Invocation::describe(const void *data, ArrayRef<int64_t> shape) {
  descriptors.push_back(describeMemory(data, shape));
}

Invocation::Invocation(const Program &program, const CompiledFunction &function,
                       ArrayRef<HostTensor> inputs)
    : code(program.codes[program.lookup(function.name) -
                         program.functions.data()]) {
  for (RankedTensorType type : function.results)
    results.push_back(allocate(type));
  for (const HostTensor &input : inputs)
    describe(input.data.data(), input.shape);
  for (const HostTensor &result : results)
    describe(result.data.data(), result.shape);
  const MemoryStatistics &memory = function.memory;
  // The program reads only what it has written: no need to clear the arena.
  spaceBytes = memory.arenaBytes + memory.arenaAlignment - 1;
  space.reset(new std::byte[spaceBytes]);
  std::byte *arena =
      space.get() + llvm::offsetToAlignedAddr(
                        space.get(), llvm::Align(memory.arenaAlignment));
  describe(arena, memory.arenaBytes);
  for (const RecordedLayer &layer : function.recordedLayers)
    if (layer.obstacle.empty())
      layers.push_back(allocate(layer.type));
  for (const HostTensor &layer : layers)
    describe(layer.data.data(), layer.shape);
  // The wrapper takes addresses of its arguments, which are addresses of
  // descriptors.
  for (std::vector<int64_t> &descriptor : descriptors)
    addresses.push_back(descriptor.data());
  for (int64_t *&address : addresses)
    arguments.push_back(static_cast<void *>(&address));
  arguments.push_back(&status);
}

void Invocation::fill(char byte) {
  std::memset(space.get(), byte, spaceBytes);
  for (HostTensor &layer : layers)
    llvm::fill(layer.data, byte);
}

llvm::Error Invocation::run() {
  FailureLog log;
  code(arguments.data());
  if (status != 0)
    return llvm::createStringError(log.getText());
  return llvm::Error::success();
}

llvm::Expected<std::vector<HostTensor>>
Program::run(const CompiledFunction &function,
             ArrayRef<HostTensor> inputs) const {
  if (llvm::Error error = checkInputs(function, inputs))
    return error;
  Invocation invocation(*this, function, inputs);
  if (llvm::Error error = invocation.run())
    return error;
  return invocation.takeResults();
}
