// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/BufferLifetimes.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/MLIParallel.h"
#include "mli/IR/PackedAttr.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

int64_t BufferLifetimes::getTotalBytes() const {
  int64_t bytes = 0;
  for (const LiveRange &range : ranges)
    bytes += range.bytes;
  return bytes;
}

int64_t BufferLifetimes::getPeakBytes() const {
  // The changes of size by position; at one position ends come first, since
  // ranges are half-open and negative changes sort before positive ones.
  SmallVector<std::pair<int64_t, int64_t>> changes;
  for (const LiveRange &range : ranges) {
    changes.push_back({range.live.lower, range.bytes});
    changes.push_back({range.live.upper, -range.bytes});
  }
  llvm::sort(changes);
  int64_t live = 0, peak = 0;
  for (auto [position, change] : changes)
    peak = std::max(peak, live += change);
  return peak;
}

Value mli::stripReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getSource();
  return value;
}

//===----------------------------------------------------------------------===//
// Arena
//===----------------------------------------------------------------------===//

BlockArgument mli::findArena(func::FuncOp function) {
  if (!function.isExternal())
    for (BlockArgument argument : function.getArguments())
      if (function.getArgAttr(argument.getArgNumber(), arenaAttrName))
        return argument;
  return {};
}

int64_t mli::getArenaAlignment(Operation *module) {
  auto attr = module->getAttrOfType<IntegerAttr>(arenaAlignmentAttrName);
  return attr ? attr.getInt() : 1;
}

std::optional<int64_t> mli::getArenaOffset(Value buffer) {
  auto view = buffer.getDefiningOp<memref::ViewOp>();
  if (!view)
    return std::nullopt;
  auto arena = dyn_cast<BlockArgument>(view.getSource());
  auto function = arena
                      ? dyn_cast<func::FuncOp>(arena.getOwner()->getParentOp())
                      : func::FuncOp();
  APInt offset;
  if (!function || findArena(function) != arena ||
      !matchPattern(view.getByteShift(), m_ConstantInt(&offset)))
    return std::nullopt;
  return offset.getSExtValue();
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// Numbers the operations of `region` from `next` on.
static void numberOperations(Region &region, int64_t &next,
                             llvm::DenseMap<Operation *, Interval> &positions) {
  for (Operation &op : region.getOps()) {
    int64_t begin = next++;
    for (Region &inner : op.getRegions())
      numberOperations(inner, next, positions);
    positions[&op] = {begin, next};
  }
}

/// Whether control flow within `region` is not just from top to bottom.
static bool hasBranches(Region *region) {
  return !llvm::hasSingleElement(*region);
}

/// Whether the body of `op` may run more than once.
static bool isRepeated(Operation *op, Region *region) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return branch.isRepetitiveRegion(region->getRegionNumber());
  return isa<LoopLikeOpInterface>(op);
}

/// Whether what `user` uses lives all through `op`, around it. One engine runs
/// kernels in their order, those in conditions as well.
// V16
static bool holdsAll(Operation *op, Operation *user) {
  return isa<ParallelOp>(op) &&
         (ParallelOp::isMove(user) || user->getParentOp() == op);
}

//===----------------------------------------------------------------------===//
// Live ranges
//===----------------------------------------------------------------------===//

namespace {

/// Finds out about one buffer after the other.
class RangeFinder {
public:
  RangeFinder(const BufferViewFlowAnalysis &flow,
              const llvm::DenseMap<Operation *, Interval> &positions)
      : flow(flow), positions(positions) {}

  LiveRange find(Value buffer) {
    LiveRange range;
    range.buffer = buffer;
    home = buffer.getParentBlock();
    live = std::nullopt;
    firstUser = nullptr;
    auto aliases = flow.resolve(buffer);
    range.aliases.assign(aliases.begin(), aliases.end());
    for (Value alias : range.aliases) {
      if (range.obstacle.empty())
        range.obstacle = getObstacle(alias, buffer);
      for (OpOperand &use : alias.getUses())
        if (isAccess(use.getOwner()))
          extend(use);
    }
    Operation *op = buffer.getDefiningOp();
    int64_t unused = op ? positions.lookup(op).lower : 0;
    range.firstUser = firstUser;
    range.live = live.value_or(Interval{unused, unused});
    return range;
  }

  /// The same of an argument of the function, which ends at `end`. The caller
  /// writes an input before, whether anything reads it or not.
  LiveRange findArgument(Value argument, int64_t end) {
    LiveRange range = find(argument);
    if (!firstUser || !isOverwritten(firstUser, argument)) {
      range.live.lower = 0;
      range.live.upper = std::max<int64_t>(range.live.upper, 1);
    }
    if (isWritten(range.aliases))
      range.live.upper = end;
    return range;
  }

private:
  /// Views and branches hand data on and look at none of it.
  static bool isAccess(Operation *user) {
    return !isa<ViewLikeOpInterface, memref::DeallocOp,
                RegionBranchTerminatorOpInterface, BranchOpInterface,
                RegionBranchOpInterface, arith::SelectOp>(user) ||
           isa<func::ReturnOp>(user);
  }

  /// Returns where `alias`, which may be the buffer, would meet it in a later
  /// iteration of a loop, or outside of the function.
  StringRef getObstacle(Value alias, Value buffer) const {
    for (Operation *user : alias.getUsers())
      if (isa<func::ReturnOp>(user))
        return "to stay in its function, but got a result";
    Operation *owner = alias.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(alias)) {
      Region *region = argument.getOwner()->getParent();
      owner = region->getParentOp();
      if (alias != buffer && hasBranches(region) &&
          region->isAncestor(home->getParent()))
        return "to stay in its block, but got a branch";
    }
    for (Region *region = home->getParent();
         owner && region && owner->isAncestor(region->getParentOp());
         region = region->getParentRegion())
      if (owner == region->getParentOp() && isRepeated(owner, region))
        return "to end with each round of its loop, but got one that is "
               "carried on";
    return "";
  }

  /// Whether `user` reads nothing of `buffer`, and writes all of it.
  static bool isOverwritten(Operation *user, Value buffer) {
    auto kernel = dyn_cast<DestinationStyleOpInterface>(user);
    return kernel &&
           llvm::all_of(user->getOpOperands(),
                        [&](OpOperand &use) {
                          return stripReshapes(use.get()) != buffer ||
                                 (kernel.isDpsInit(&use) &&
                                  !mli::detail::readsInit(use));
                        }) &&
           llvm::is_contained(
               llvm::map_range(user->getOperands(), mli::stripReshapes),
               buffer);
  }

  /// Whether `use` may write.
  static bool mayWrite(OpOperand &use) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(use.getOwner());
    return !effects ||
           effects.getEffectOnValue<MemoryEffects::Write>(use.get());
  }

  /// Whether anything may write one of `aliases`.
  static bool isWritten(ArrayRef<Value> aliases) {
    return llvm::any_of(aliases, [](Value alias) {
      return llvm::any_of(alias.getUses(), [](OpOperand &use) {
        return isAccess(use.getOwner()) && mayWrite(use);
      });
    });
  }

  /// Whether operations of `region` may run again after later ones.
  bool mayRepeat(Region *region) {
    auto [known, isNew] = repeated.try_emplace(region);
    if (isNew)
      known->second =
          isRepeated(region->getParentOp(), region) || hasBranches(region);
    return known->second;
  }

  /// The buffer is used by `operand`, and in all of the loops around that.
  void extend(OpOperand &operand) {
    Operation *user = operand.getOwner();
    Interval use = positions.lookup(user);
    if (!firstUser || use.lower < positions.lookup(firstUser).lower)
      firstUser = user;
    Region *region = user->getParentRegion();
    for (; !region->isAncestor(home->getParent());
         region = region->getParentRegion()) {
      Operation *around = region->getParentOp();
      if (mayRepeat(region) || holdsAll(around, user))
        use = positions.lookup(around);
    }
    if (hasBranches(region) &&
        findIn(region, user) != region->findAncestorBlockInRegion(*home))
      use = {positions.lookup(&region->front().front()).lower,
             positions.lookup(&region->back().back()).upper};
    if (!live)
      live = use;
    live->extend(use);
  }

  /// The block of `region` that `op` is in.
  static Block *findIn(Region *region, Operation *op) {
    return region->findAncestorOpInRegion(*op)->getBlock();
  }

  const BufferViewFlowAnalysis &flow;
  const llvm::DenseMap<Operation *, Interval> &positions;
  Block *home = nullptr;
  Operation *firstUser = nullptr;
  std::optional<Interval> live;
  /// What `mayRepeat` answers of each region.
  llvm::DenseMap<Region *, bool> repeated;
};

} // namespace

Attribute mli::findConstantData(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return isPackedOnly(constant) ? Attribute() : constant.getValue();
  auto read = dyn_cast<memref::GetGlobalOp>(op);
  if (!read)
    return {};
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, read.getNameAttr());
  return global ? global.getInitialValueAttr() : Attribute();
}

BufferLifetimes mli::getBufferLifetimes(func::FuncOp function) {
  BufferLifetimes lifetimes;
  auto getBytes = [&](Type type) {
    std::optional<int64_t> bytes = getDenseBytes(cast<ShapedType>(type));
    lifetimes.areSizesKnown &= bytes.has_value();
    return bytes.value_or(0);
  };

  int64_t next = 0;
  numberOperations(function.getBody(), next, lifetimes.positions);
  const BufferViewFlowAnalysis flow(function);
  RangeFinder finder(flow, lifetimes.positions);
  BlockArgument arena = findArena(function);
  for (BlockArgument argument : function.getArguments()) {
    if (argument == arena || !isa<MemRefType>(argument.getType()))
      continue;
    LiveRange &range =
        lifetimes.arguments.emplace_back(finder.findArgument(argument, next));
    range.bytes = getBytes(argument.getType());
    lifetimes.argumentBytes += range.bytes;
  }
  llvm::SmallDenseSet<Attribute> constants;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp, AllocOp>(op) ||
        (isa<memref::ViewOp>(op) && getArenaOffset(op->getResult(0)))) {
      LiveRange range = finder.find(op->getResult(0));
      range.bytes = getBytes(range.buffer.getType());
      if (!cast<MemRefType>(range.buffer.getType()).hasStaticShape())
        range.obstacle = "to have a static shape, but got dynamic dimensions";
      lifetimes.ranges.push_back(std::move(range));
    } else if (Attribute data = findConstantData(op)) {
      if (constants.insert(data).second)
        lifetimes.constantBytes += getBytes(op->getResult(0).getType());
    }
  });
  return lifetimes;
}
