// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Program.h"

#include "RuntimeLibrary.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/TargetSelect.h"

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

static LogicalResult runPipeline(ModuleOp module,
                                 void (*build)(OpPassManager &)) {
  PassManager passes(module->getName());
  build(passes);
  return passes.run(module);
}

LogicalResult mli::raise(ModuleOp module) {
  // Again behind it, since constants fold.
  return success(succeeded(checkModule(module)) &&
                 succeeded(runPipeline(module, buildTensorPipeline)) &&
                 succeeded(checkModule(module)));
}

static MemoryStatistics measureMemory(func::FuncOp function) {
  BufferLifetimes lifetimes = getBufferLifetimes(function);
  MemoryStatistics memory;
  memory.constantBytes = lifetimes.constantBytes;
  memory.argumentBytes = lifetimes.argumentBytes;
  memory.bufferBytes = lifetimes.getTotalBytes();
  memory.peakBytes = lifetimes.getPeakBytes();
  memory.arenaBytes =
      cast<MemRefType>(findArena(function).getType()).getNumElements();
  memory.arenaAlignment = getArenaAlignment(function->getParentOp());
  return memory;
}

static llvm::Expected<std::unique_ptr<ExecutionEngine>>
createEngine(ModuleOp module, const CompileOptions &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  if (llvm::Error error = loadRuntimeLibrary(options.runtimeLibrary))
    return error;
  auto transformer = makeOptimizingTransformer(
      options.optLevel, /*sizeLevel=*/0, /*targetMachine=*/nullptr);
  StringRef libraries[] = {options.runtimeLibrary};
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = transformer;
  engineOptions.jitCodeGenOptLevel =
      static_cast<llvm::CodeGenOptLevel>(options.optLevel);
  engineOptions.sharedLibPaths = libraries;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  return ExecutionEngine::create(module, engineOptions);
}

/// What the pipeline calls the function that takes addresses of descriptors.
static std::string wrapperName(const CompiledFunction &function) {
  return "_mlir_ciface_" + function.name;
}

Program::Program() = default;
Program::Program(Program &&) noexcept = default;
Program &Program::operator=(Program &&) noexcept = default;
Program::~Program() = default;

FailureOr<Program> Program::compile(ModuleOp module,
                                    const CompileOptions &options) {
  if (options.optLevel > 3)
    return emitError(module.getLoc(),
                     "expected the optimisation level to be 0 to 3, "
                     "but got ")
           << options.optLevel;
  if (failed(raise(module)))
    return failure();
  Program program;
  auto functions = describeEntries(module, options);
  if (failed(functions))
    return failure();
  program.functions = std::move(*functions);

  if (failed(runPipeline(module, buildBufferPipeline)))
    return failure();
  for (CompiledFunction &function : program.functions)
    function.memory =
        measureMemory(module.lookupSymbol<func::FuncOp>(function.name));
  if (failed(runPipeline(module, buildCallPipeline)))
    return failure();

  auto engine = createEngine(module, options);
  if (!engine)
    return emitError(module.getLoc(), llvm::toString(engine.takeError()));
  program.engine = std::move(*engine);
  // The engine compiles at the first look-up: now, and not in the first run.
  for (const CompiledFunction &function : program.functions)
    if (auto code = program.engine->lookupPacked(wrapperName(function)); !code)
      return emitError(module.getLoc(), llvm::toString(code.takeError()));
  return program;
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

llvm::Expected<std::vector<HostTensor>>
Program::run(const CompiledFunction &function,
             ArrayRef<HostTensor> inputs) const {
  if (inputs.size() != function.inputs.size())
    return llvm::createStringError("expected " + Twine(function.inputs.size()) +
                                   " inputs of '" + function.name +
                                   "', but got " + Twine(inputs.size()));
  for (auto [i, type, input] : llvm::enumerate(function.inputs, inputs))
    if (llvm::Error error =
            checkTensor(("input " + Twine(i)).str(), type, input))
      return error;

  std::vector<HostTensor> results;
  for (RankedTensorType type : function.results)
    results.push_back(allocate(type));
  std::vector<std::vector<int64_t>> descriptors;
  for (const HostTensor &input : inputs)
    descriptors.push_back(describeMemory(input.data.data(), input.shape));
  for (const HostTensor &result : results)
    descriptors.push_back(describeMemory(result.data.data(), result.shape));
  const MemoryStatistics &memory = function.memory;
  auto space = std::make_unique<std::byte[]>(memory.arenaBytes +
                                             memory.arenaAlignment - 1);
  std::byte *arena =
      space.get() + llvm::offsetToAlignedAddr(
                        space.get(), llvm::Align(memory.arenaAlignment));
  descriptors.push_back(describeMemory(arena, memory.arenaBytes));

  // The wrapper takes addresses of its arguments, which are addresses of
  // descriptors, and at last where to write the status.
  std::vector<int64_t *> arguments;
  arguments.reserve(descriptors.size());
  for (std::vector<int64_t> &descriptor : descriptors)
    arguments.push_back(descriptor.data());
  SmallVector<void *> packed;
  for (int64_t *&argument : arguments)
    packed.push_back(static_cast<void *>(&argument));
  int32_t status = 0;
  packed.push_back(&status);

  FailureLog log;
  if (llvm::Error error = engine->invokePacked(wrapperName(function), packed))
    return error;
  if (status != 0)
    return llvm::createStringError(log.getText());
  return results;
}
