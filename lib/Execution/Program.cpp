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
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mli;

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

/// The bytes that `function`, on buffers with their addresses, takes and moves.
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
static void describeRun(CompiledFunction &compiled, func::FuncOp function,
                        const NetworkKernels &kernels,
                        const CompileOptions &options) {
  MemoryStatistics &memory = compiled.memory;
  memory = measureMemory(function);
  RunEstimate estimate;
  if (memory.localBytes > 0)
    estimate = estimateRun(function, *compiled.costs, options.findsEstimate);
  memory.moveCost = estimate.cost.moves;
  memory.kernelCost = estimate.cost.kernels;
  memory.overlappedCost = estimate.cost.overlapped;
  if (options.findsLayers)
    compiled.layers = findLayers(function, kernels, estimate.schedule);
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
  ConvertQuantToMLIOptions quant = options.placement == Placement::Local
                                       ? options.local.getConvertQuantToMLI()
                                       : options.packing.getConvertQuantToMLI();
  if (failed(runPipeline(module, [&](OpPassManager &passes) {
        buildTargetPipeline(passes, options.local);
        buildQuantPipeline(passes, quant);
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
  auto costs = readCosts(module, options.local.overrides);
  if (failed(costs))
    return failure();
  for (auto [function, moves, whole] :
       llvm::zip_equal(*functions, limits, kernels)) {
    function.costs = *costs;
    describeRun(function, lookup(function), whole, options);
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
