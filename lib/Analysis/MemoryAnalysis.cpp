// SPDX-License-Identifier: Apache-2.0
//
// Builds the problem of a function for the planner, and plans it.

#include "mli/Analysis/MemoryAnalysis.h"

#include "ProblemParts.h"

#include "mli/Analysis/LocalNeed.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/LayoutPolicy.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

/// A state stays from one call to the next, which the arena does not.
static bool isState(BlockArgument argument) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function.getArgAttr(argument.getArgNumber(), stateAttrName) != nullptr;
}

namespace {

class ProblemBuilder {
public:
  ProblemBuilder(func::FuncOp function, const BufferLifetimes &lifetimes,
                 const MemoryRules &rules, const FunctionMemories &callees)
      : function(function), lifetimes(lifetimes), rules(rules),
        callees(callees) {}

  FailureOr<MemoryProblem> build() {
    if (rules.plansArguments && rules.space == Space::system)
      for (const LiveRange &range : lifetimes.arguments)
        if (!isState(cast<BlockArgument>(range.buffer)))
          addSystem(range);
    if (rules.assumesLocal && rules.space == Space::local)
      if (failed(assumeArguments()))
        return failure();
    for (const LiveRange &range : lifetimes.ranges)
      if (failed(addBuffer(range)))
        return failure();
    if (failed(addKernelsAndCalls()))
      return failure();
    allocation::Memory &memory = result.problem.memory;
    if (!target) {
      memory.capacity = rules.arenaBytes;
      return finish();
    }
    result.target = target;
    memory.npus = plannedNpus();
    memory.bankBytes = target->npuBytes / target->banks;
    if (!rules.ignoresCapacity)
      memory.capacity = target->npuBytes;
    if (failed(chooseStartNpus(result, rules)))
      return failure();
    return finish();
  }

private:
  FailureOr<MemoryProblem> finish() {
    if (rules.computesInPlace)
      shareInPlace(result, lifetimes);
    return std::move(result);
  }

  /// Whole block rows take the same bytes of each NPU.
  int32_t plannedNpus() const {
    return rules.reusesEmptyBlocks ? static_cast<int32_t>(target->npus) : 1;
  }

  allocation::Buffer &add(MemoryUser user, Interval live) {
    allocation::Buffer buffer;
    buffer.live = live;
    buffer.tag = static_cast<int64_t>(result.users.size());
    result.users.push_back(std::move(user));
    return result.problem.buffers.emplace_back(buffer);
  }

  LogicalResult addBuffer(const LiveRange &range) {
    bool isInLocal = isLocal(range.buffer.getType());
    if (rules.space == Space::system) {
      if (!isInLocal)
        addSystem(range);
      return success();
    }
    if (!isInLocal && !rules.assumesLocal)
      return success();
    if (failed(findTargetOf(range.buffer.getDefiningOp())))
      return failure();
    if (isInLocal)
      return addLocal(range);
    if (MemRefType type = assumeLocal(range))
      addTyped(range, type).startNpus = {0};
    return success();
  }

  LogicalResult assumeArguments() {
    if (failed(findTargetOf(function)))
      return failure();
    for (const LiveRange &range : lifetimes.arguments)
      if (MemRefType type = assumeLocal(range))
        addTyped(range, type).startNpus = {0};
    return success();
  }

  MemoryUser &addTyped(const LiveRange &range, MemRefType type) {
    Operation *op = range.buffer.getDefiningOp();
    add({op ? op : function, &range, type}, range.live);
    return result.users.back();
  }

  void addSystem(const LiveRange &range) {
    Operation *op = range.buffer.getDefiningOp();
    auto type = cast<MemRefType>(range.buffer.getType());
    // Buffers on the stack stay there, those that are freed elsewhere on the
    // heap.
    if (!range.obstacle.empty() || isa_and_nonnull<memref::AllocaOp>(op) ||
        !type.getLayout().isIdentity() || !getDenseBytes(type))
      return;
    addTyped(range, type);
    allocation::Buffer &buffer = result.problem.buffers.back();
    buffer.size = range.bytes;
    buffer.pinned = getAddress(range.buffer);
    int64_t element =
        std::max<int64_t>(elementWidth(type.getElementType()) / 8, 1);
    // An address fixes its own alignment, but for that of an element.
    buffer.alignment =
        buffer.pinned ? element : std::max(element, rules.systemAlignment);
    if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
      buffer.alignment =
          std::max<int64_t>(buffer.alignment, alloc.getAlignment().value_or(1));
  }

  LogicalResult findTargetOf(Operation *op) {
    if (target)
      return success();
    FailureOr<TargetAttr> attr = getTarget(op);
    if (failed(attr))
      return failure();
    target = attr->getValue();
    // As large as addresses can be, since the actual size does not matter here.
    if (rules.assumesLocal)
      target->npuBytes = (int64_t(1) << 32) / target->npus / target->unit /
                         target->banks * target->unit * target->banks;
    // A31
    if (rules.reusesEmptyBlocks && target->npus > 64)
      return op->emitOpError("expected 'mli.target' to have at most 64 NPUs to "
                             "reuse empty blocks, but got ")
             << target->npus;
    return success();
  }

  LogicalResult addLocal(const LiveRange &range) {
    Operation *op = range.buffer.getDefiningOp();
    auto type = cast<MemRefType>(range.buffer.getType());
    // A30
    if (!range.obstacle.empty())
      return op->emitOpError("expected a buffer in local memory ")
             << range.obstacle;
    // A30
    if (!isa<LayoutAttr>(type.getLayout()) && target->npus != 1)
      return op->emitOpError("expected a buffer in local memory of ")
             << target->npus << " NPUs to have an mli layout, but got " << type;
    addTyped(range, type).startNpus = {mli::getStartNpu(type)};
    if (auto alloc = dyn_cast<AllocOp>(op))
      addChoice(alloc, result.problem.buffers.back());
    return success();
  }

  /// Adds the constraints that `alloc` has of its place.
  void addChoice(AllocOp alloc, allocation::Buffer &buffer) {
    auto &starts = result.users.back().startNpus;
    if (auto choice = alloc.getStartNpus())
      starts.assign(choice->begin(), choice->end());
    if (auto banks = alloc.getAvoidBanks())
      for (int64_t bank : *banks)
        buffer.avoidBanks |= uint64_t(1) << bank;
    if (auto group = alloc.getStartGroup())
      buffer.startGroup =
          int32_t(groupOf.insert({*group, groupOf.size()}).first->second);
    std::optional<int64_t> address = getAddress(alloc.getResult());
    if (!address)
      return;
    // L2
    int64_t start = mli::getStartNpu(alloc.getType());
    buffer.pinned =
        *address - layout::getAddress({start, 0}, findTarget(alloc).getValue());
    starts = {start};
  }

  /// The type that the buffer of `range` would have in local memory; null if it
  /// could not be there.
  MemRefType assumeLocal(const LiveRange &range) const {
    auto type = cast<MemRefType>(range.buffer.getType());
    std::optional<layout::LocalTensorDesc> use = getLocalTensorDesc(
        type.getShape(), type.getElementType(), getOperandUsage(range.aliases));
    if (!range.obstacle.empty() || !use)
      return {};
    layout::Result<MemRefType> local = getLocalType(
        type, layout::chooseLayout(*use, *target, findLayoutPolicy(function)),
        *target);
    // One that is too large for any local memory has no layout attribute.
    return local ? *local : MemRefType();
  }

  /// Functions that are called, and kernels, have memory of their own.
  LogicalResult addKernelsAndCalls() {
    WalkResult walk = function.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        return WalkResult(addCall(call));
      return WalkResult(addScratch(op));
    });
    return failure(walk.wasInterrupted());
  }

  LogicalResult addCall(func::CallOp call) {
    FunctionMemory need = callees.lookup(call.getCallee());
    bool isSystem = rules.space == Space::system;
    int64_t bytes = isSystem ? need.arenaBytes : need.localBytes;
    if (bytes == 0)
      return success();
    if (!isSystem && failed(findTargetOf(call)))
      return failure();
    allocation::Buffer &buffer = add({call}, lifetimes.positions.lookup(call));
    buffer.size = bytes;
    if (isSystem) {
      buffer.alignment = need.arenaAlignment;
      return success();
    }
    // Local addresses are the same for all callers.
    buffer.pinned = 0;
    buffer.npuSpan = plannedNpus();
    return success();
  }

  /// Tables and scratch memory are where the results of the kernel are.
  LogicalResult addScratch(Operation *op) {
    int64_t bytes = getScratchBytes(op);
    if (bytes == 0)
      return success();
    auto kernel = cast<DestinationStyleOpInterface>(op);
    bool isLocalPlanned = rules.space == Space::local;
    bool isThere =
        isLocal(kernel.getDpsInits().front().getType()) == isLocalPlanned;
    if (!isThere && !(isLocalPlanned && rules.assumesLocal))
      return success();
    if (isLocalPlanned && failed(findTargetOf(op)))
      return failure();
    allocation::Buffer &buffer = add({op}, lifetimes.positions.lookup(op));
    buffer.size = bytes;
    // K56
    buffer.alignment = std::max(scratchElementBytes, rules.systemAlignment);
    if (auto address = op->getAttrOfType<IntegerAttr>(scratchAttrName);
        address && isThere)
      buffer.pinned = address.getInt();
    if (isLocalPlanned) {
      buffer.alignment = layout::wordAlignment(*target);
      buffer.npuSpan = plannedNpus();
    }
    return success();
  }

  func::FuncOp function;
  const BufferLifetimes &lifetimes;
  const MemoryRules &rules;
  const FunctionMemories &callees;
  MemoryProblem result;
  std::optional<layout::Target> target;
  llvm::SmallDenseMap<uint64_t, size_t> groupOf;
};

} // namespace

MemoryAnalysis::MemoryAnalysis(Operation *function)
    : function(cast<func::FuncOp>(function)),
      lifetimes(getBufferLifetimes(this->function)) {}

FailureOr<MemoryProblem>
MemoryAnalysis::getProblem(const MemoryRules &rules,
                           const FunctionMemories &callees) const {
  return ProblemBuilder(function, lifetimes, rules, callees).build();
}

FailureOr<MemoryPlan>
MemoryAnalysis::makePlan(const MemoryRules &rules,
                         const allocation::PlannerOptions &options,
                         const FunctionMemories &callees) const {
  FailureOr<MemoryProblem> problem = getProblem(rules, callees);
  if (failed(problem))
    return failure();
  InPlacePlan found = planInPlace(*problem, options);
  return MemoryPlan{std::move(*problem), std::move(found)};
}

FunctionMemory mli::getFunctionMemory(const MemoryPlan &system,
                                      const MemoryPlan &local) {
  FunctionMemory memory;
  memory.arenaBytes = system.getPlan().peak;
  memory.localBytes = local.getPlan().peak;
  for (const allocation::Buffer &buffer : system.problem.problem.buffers)
    memory.arenaAlignment = std::max(memory.arenaAlignment, buffer.alignment);
  return memory;
}
