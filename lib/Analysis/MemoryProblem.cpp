// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/MemoryProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

#include <numeric>

using namespace mlir;
using namespace mli;

std::optional<int64_t> mli::getAddress(Operation *op) {
  if (auto alloc = dyn_cast<AllocOp>(op)) {
    if (!alloc.getAddress())
      return std::nullopt;
    return static_cast<int64_t>(*alloc.getAddress());
  }
  return op->getNumResults() == 1 ? getArenaOffset(op->getResult(0))
                                  : std::nullopt;
}

int64_t
MemoryProblem::getStartNpu(size_t i,
                           const allocation::Placement &placement) const {
  return problem.memory.npus > 1 ? placement.startNpu
                                 : users[i].startNpus.front();
}

/// The first name in `loc`; empty if there is none.
static StringRef findName(Location loc) {
  StringRef name;
  loc->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    if (!named)
      return WalkResult::advance();
    name = named.getName();
    return WalkResult::interrupt();
  });
  return name;
}

std::string MemoryProblem::getName(size_t i) const {
  const MemoryUser &user = users[i];
  if (auto call = dyn_cast<func::CallOp>(user.op))
    return call.getCallee().str();
  StringRef name = findName(user.op->getLoc());
  if (name.empty() && user.range->firstUser)
    name = findName(user.range->firstUser->getLoc());
  return name.empty() ? "buffer " + std::to_string(i) : name.str();
}

/// Whether `op` computes each element of its result, or each slice, from that
/// of its inputs and from nothing that it has written before.
static bool mayComputeInPlace(Operation *op) {
  // K55
  return isa<ReluOp, LeakyReluOp, PreluOp, SigmOp, TanhOp, SoftmaxOp,
             L2NormalizeOp, ConvertOp, EltwiseAddOp, EltwiseSubOp, EltwiseMulOp,
             EltwiseMinOp, EltwiseMaxOp>(op);
}

/// `buffer`, or what it is another shape of.
static Value findWhole(Value buffer) {
  while (auto reshape = buffer.getDefiningOp<ReshapeOp>())
    buffer = reshape.getSource();
  return buffer;
}

/// Whether all elements of one are at the places of those of the other.
static bool haveEqualPlaces(MemRefType one, MemRefType other) {
  return one.getShape() == other.getShape() &&
         one.getLayout() == other.getLayout() &&
         elementWidth(one.getElementType()) ==
             elementWidth(other.getElementType());
}

namespace {

class ProblemBuilder {
public:
  ProblemBuilder(func::FuncOp function, const BufferLifetimes &lifetimes,
                 const MemoryRules &rules, const MemoryNeeds &needs)
      : function(function), lifetimes(lifetimes), rules(rules), needs(needs) {}

  FailureOr<MemoryProblem> build() {
    for (const LiveRange &range : lifetimes.ranges)
      if (isLocal(range.buffer.getType()) == (rules.space == Space::local) &&
          failed(addBuffer(range)))
        return failure();
    addCalls();
    if (failed(groupStarts()))
      return failure();
    if (rules.computesInPlace)
      shareInPlace();
    if (target)
      result.problem.memory = {target->npuBytes, plannedNpus(),
                               target->npuBytes / target->banks};
    result.target = target;
    return std::move(result);
  }

private:
  /// Whole block rows take the same bytes of each NPU.
  int32_t plannedNpus() const {
    return rules.reusesEmptyBlocks ? static_cast<int32_t>(target->npus) : 1;
  }

  allocation::Buffer &add(MemoryUser user, Interval live) {
    allocation::Buffer buffer;
    buffer.live = live;
    buffer.tag = static_cast<int64_t>(result.users.size());
    result.users.push_back(user);
    return result.problem.buffers.emplace_back(buffer);
  }

  LogicalResult addBuffer(const LiveRange &range) {
    if (rules.space == Space::local)
      return addLocal(range);
    Operation *op = range.buffer.getDefiningOp();
    auto type = cast<MemRefType>(range.buffer.getType());
    // What is on the stack stays there, what is freed elsewhere on the heap.
    if (!range.obstacle.empty() || isa<memref::AllocaOp>(op) ||
        !type.getLayout().isIdentity() || !getDenseBytes(type))
      return success();
    allocation::Buffer &buffer = add({op, &range}, range.live);
    indexOf[range.buffer] = result.users.size() - 1;
    buffer.size = range.bytes;
    buffer.alignment = rules.systemAlignment;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      buffer.alignment =
          std::max<int64_t>(buffer.alignment, alloc.getAlignment().value_or(1));
    buffer.pinned = getAddress(op);
    // An address says its own alignment.
    if (buffer.pinned)
      buffer.alignment = 1;
    return success();
  }

  LogicalResult addLocal(const LiveRange &range) {
    Operation *op = range.buffer.getDefiningOp();
    auto type = cast<MemRefType>(range.buffer.getType());
    // A30
    if (!range.obstacle.empty())
      return op->emitOpError("expected a buffer in local memory ")
             << range.obstacle;
    if (!target) {
      FailureOr<TargetAttr> attr = getTarget(op);
      if (failed(attr))
        return failure();
      target = attr->getValue();
    }
    // A31
    if (rules.reusesEmptyBlocks && target->npus > 64)
      return op->emitOpError("expected 'mli.target' to have at most 64 NPUs to "
                             "reuse empty blocks, but got ")
             << target->npus;
    // A30
    if (!isa<LayoutAttr>(type.getLayout()) && target->npus != 1)
      return op->emitOpError("expected a buffer in local memory of ")
             << target->npus << " NPUs to have an mli layout, but got " << type;
    allocation::Buffer &buffer = add({op, &range}, range.live);
    indexOf[range.buffer] = result.users.size() - 1;
    result.users.back().startNpus = {mli::getStartNpu(type)};
    if (auto alloc = dyn_cast<AllocOp>(op))
      return addChoice(alloc, buffer);
    return success();
  }

  /// What `alloc` says of its place.
  LogicalResult addChoice(AllocOp alloc, allocation::Buffer &buffer) {
    auto &starts = result.users.back().startNpus;
    if (auto choice = alloc.getStartNpus())
      starts.assign(choice->begin(), choice->end());
    if (auto banks = alloc.getAvoidBanks())
      for (int64_t bank : *banks)
        buffer.avoidBanks |= uint64_t(1) << bank;
    if (auto group = alloc.getStartGroup())
      buffer.startGroup =
          int32_t(groupOf.insert({*group, groupOf.size()}).first->second);
    std::optional<int64_t> address = getAddress(alloc);
    if (!address)
      return success();
    int64_t npu = *address / target->npuBytes;
    // A4
    if (npu != mli::getStartNpu(alloc.getType()))
      return alloc.emitOpError("expected 'address' to be on start NPU ")
             << mli::getStartNpu(alloc.getType())
             << " of its layout, but got NPU " << npu;
    buffer.pinned = *address % target->npuBytes;
    starts = {npu};
    return success();
  }

  /// Functions that are called have memory of their own.
  void addCalls() {
    function.walk([&](func::CallOp call) {
      MemoryNeed need = needs.lookup(call.getCallee());
      bool isSystem = rules.space == Space::system;
      int64_t bytes = isSystem ? need.arenaBytes : need.localBytes;
      if (bytes == 0)
        return;
      if (!isSystem && !target)
        target = findTarget(call).getValue();
      allocation::Buffer &buffer =
          add({call, nullptr}, lifetimes.positions.lookup(call));
      buffer.size = bytes;
      if (isSystem) {
        buffer.alignment = need.arenaAlignment;
        return;
      }
      // Local addresses are the same for all callers.
      buffer.pinned = 0;
      buffer.npuSpan = plannedNpus();
    });
  }

  /// Start NPUs on which buffers of one group are smallest together, and what
  /// they take there.
  LogicalResult groupStarts() {
    // Buffers that have a view in common move together.
    llvm::IntEqClasses together(result.users.size());
    llvm::SmallDenseMap<Value, unsigned> firstOf;
    llvm::SmallDenseMap<int32_t, unsigned> firstOfGroup;
    for (auto [i, user] : llvm::enumerate(result.users)) {
      if (!target || !user.range)
        continue;
      auto index = static_cast<unsigned>(i);
      for (Value alias : user.range->aliases)
        together.join(index, firstOf.try_emplace(alias, index).first->second);
      int32_t group = result.problem.buffers[i].startGroup;
      if (group >= 0)
        together.join(index,
                      firstOfGroup.try_emplace(group, index).first->second);
    }
    together.compress();
    llvm::MapVector<unsigned, SmallVector<size_t, 1>> members;
    for (size_t i = 0; i < result.users.size(); ++i)
      if (target && result.users[i].range)
        members[together[static_cast<unsigned>(i)]].push_back(i);
    for (auto &[group, indices] : members)
      if (failed(chooseStarts(static_cast<int32_t>(group), indices)))
        return failure();
    return success();
  }

  LogicalResult chooseStarts(int32_t group, ArrayRef<size_t> members) {
    SmallVector<int64_t, 1> allowed = result.users[members.front()].startNpus;
    for (size_t i : members)
      llvm::erase_if(allowed, [&](int64_t npu) {
        return !llvm::is_contained(result.users[i].startNpus, npu);
      });
    Operation *first = result.users[members.front()].op;
    // A10
    if (allowed.empty())
      return first->emitOpError("expected buffers of one start group to have a "
                                "start NPU in common, but got none");
    SmallVector<int64_t, 1> best;
    int64_t fewest = std::numeric_limits<int64_t>::max();
    for (int64_t npu : allowed) {
      std::optional<int64_t> bytes = bytesOf(members, npu);
      if (!bytes || *bytes > fewest)
        continue;
      if (*bytes < fewest)
        best.clear();
      fewest = *bytes;
      best.push_back(npu);
    }
    // A30
    if (best.empty())
      return first->emitOpError("expected a buffer in local memory to have a "
                                "layout that is legal there, but got ")
             << first->getResult(0).getType();
    for (size_t i : members)
      setStarts(i, best, members.size() > 1 ? group : -1);
    return success();
  }

  std::optional<LocalFootprint> footprintOf(size_t i, int64_t npu) const {
    return getLocalFootprint(
        cast<MemRefType>(result.users[i].range->buffer.getType()), *target, npu,
        rules.reusesEmptyBlocks);
  }

  /// What buffers that all start on `npu` take of all NPUs; nothing if one can
  /// not.
  std::optional<int64_t> bytesOf(ArrayRef<size_t> members, int64_t npu) const {
    int64_t bytes = 0;
    for (size_t i : members) {
      std::optional<LocalFootprint> footprint = footprintOf(i, npu);
      if (!footprint)
        return std::nullopt;
      bytes += footprint->bytes * footprint->npus;
    }
    return bytes;
  }

  void setStarts(size_t i, ArrayRef<int64_t> starts, int32_t group) {
    allocation::Buffer &buffer = result.problem.buffers[i];
    result.users[i].startNpus.assign(starts.begin(), starts.end());
    if (rules.reusesEmptyBlocks) {
      buffer.startNpus = 0;
      buffer.startGroup = group;
    }
    for (int64_t npu : starts) {
      LocalFootprint footprint = *footprintOf(i, npu);
      buffer.size = std::max(buffer.size, footprint.bytes);
      buffer.alignment = footprint.alignment;
      if (!rules.reusesEmptyBlocks)
        continue;
      buffer.startNpus |= uint64_t(1) << npu;
      buffer.npuSpan =
          std::max(buffer.npuSpan, static_cast<int32_t>(footprint.npus));
    }
  }

  /// Makes one of an input that dies in a kernel and a result that begins
  /// there, where the kernel may write over what it reads.
  void shareInPlace() {
    llvm::IntEqClasses shared(result.users.size());
    for (auto [i, user] : llvm::enumerate(result.users))
      if (user.range)
        if (std::optional<size_t> input = findInputToReplace(i))
          shared.join(static_cast<unsigned>(i), static_cast<unsigned>(*input));
    shared.compress();
    SmallVector<unsigned> sizes(shared.getNumClasses(), 0);
    for (unsigned i = 0; i < result.users.size(); ++i)
      ++sizes[shared[i]];
    for (unsigned i = 0; i < result.users.size(); ++i)
      if (sizes[shared[i]] > 1)
        result.problem.buffers[i].aliasSet = static_cast<int32_t>(shared[i]);
  }

  /// The buffer that `i` may lie on: an input of the kernel that writes it
  /// first, and nobody's any more afterwards.
  std::optional<size_t> findInputToReplace(size_t i) const {
    const allocation::Buffer &buffer = result.problem.buffers[i];
    Value value = result.users[i].range->buffer;
    for (Operation *user : value.getUsers()) {
      if (!mayComputeInPlace(user) ||
          lifetimes.positions.lookup(user).lower != buffer.live.lower)
        continue;
      auto kernel = cast<DestinationStyleOpInterface>(user);
      if (kernel.getDpsInits().size() != 1 ||
          kernel.getDpsInits().front() != value)
        continue;
      for (OpOperand *operand : kernel.getDpsInputOperands()) {
        auto input = indexOf.find(findWhole(operand->get()));
        if (input != indexOf.end() &&
            mayReplace(i, input->second, operand->get()))
          return input->second;
      }
    }
    return std::nullopt;
  }

  bool mayReplace(size_t i, size_t input, Value operand) const {
    const allocation::Buffer &after = result.problem.buffers[i];
    const allocation::Buffer &before = result.problem.buffers[input];
    auto type = cast<MemRefType>(result.users[i].range->buffer.getType());
    return i != input && before.live.upper == after.live.lower + 1 &&
           haveEqualPlaces(cast<MemRefType>(operand.getType()), type) &&
           before.size == after.size && before.pinned == after.pinned &&
           result.users[i].startNpus == result.users[input].startNpus;
  }

  func::FuncOp function;
  const BufferLifetimes &lifetimes;
  const MemoryRules &rules;
  const MemoryNeeds &needs;
  MemoryProblem result;
  std::optional<layout::Target> target;
  llvm::DenseMap<Value, size_t> indexOf;
  llvm::SmallDenseMap<uint64_t, size_t> groupOf;
};

} // namespace

FailureOr<MemoryProblem>
mli::buildMemoryProblem(func::FuncOp function, const BufferLifetimes &lifetimes,
                        const MemoryRules &rules, const MemoryNeeds &needs) {
  return ProblemBuilder(function, lifetimes, rules, needs).build();
}

allocation::Plan mli::planMemory(const MemoryProblem &problem,
                                 const allocation::PlannerOptions &options) {
  allocation::Plan shared = allocation::plan(problem.problem, options);
  bool isPlaced = shared.status == allocation::PlanStatus::Placed;
  if (isPlaced && shared.peak == shared.liveBound)
    return shared;
  allocation::Problem apart = problem.problem;
  for (allocation::Buffer &buffer : apart.buffers)
    buffer.aliasSet = -1;
  allocation::Plan separate = allocation::plan(apart, options);
  bool isBetter = separate.status == allocation::PlanStatus::Placed &&
                  (!isPlaced || separate.peak < shared.peak);
  return isBetter ? separate : shared;
}
