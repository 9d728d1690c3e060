// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-double-buffer: transfers of rows in parallel with the kernels
// of a loop, each under conditions of its own.

#include "DoubleBuffer.h"

#include "EngineCost.h"

#include "mli/IR/MLIParallel.h"

using namespace mlir;
using namespace mli;

namespace {

/// An operation of the body of a loop, with all that is in it.
struct RowItem {
  Operation *op;
  /// Whether it is transfers, not kernels.
  bool isMove;
  SmallVector<BufferUse, 8> uses;
  int64_t transfers = 0;
};

} // namespace

/// Whether `buffer` is allocated in `op`.
static bool isInside(Value buffer, Operation *op) {
  return op->isAncestor(buffer.getParentBlock()->getParentOp());
}

/// `op` as an item of its loop; nothing if it is neither transfers nor kernels,
/// or both.
static std::optional<RowItem> getItem(Operation *op) {
  RowItem item = {op, false, {}};
  bool hasKernels = false;
  WalkResult walk = op->walk([&](Operation *inner) {
    if (inner->getNumRegions() > 0)
      return isa<scf::IfOp, scf::ForOp>(inner) && inner->getNumResults() == 0
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    if (inner->hasTrait<OpTrait::IsTerminator>() || isPure(inner) ||
        isa<AllocOp>(inner))
      return WalkResult::advance();
    if (!isTransfer(inner) && !isLocalCompute(inner))
      return WalkResult::interrupt();
    llvm::append_range(item.uses, *findBufferUses(inner));
    item.transfers += isTransfer(inner) ? 1 : 0;
    hasKernels |= isLocalCompute(inner);
    return WalkResult::advance();
  });
  item.isMove = item.transfers > 0;
  if (walk.wasInterrupted() || item.isMove == hasKernels)
    return std::nullopt;
  // V16
  if (item.isMove && llvm::any_of(item.uses, [&](const BufferUse &use) {
        return isInside(use.buffer, op);
      }))
    return std::nullopt;
  return item;
}

/// Whether one moves and the other computes what it uses.
static bool isDependent(const RowItem &one, const RowItem &other) {
  if (one.isMove == other.isMove)
    return false;
  for (const BufferUse &use : one.uses)
    for (const BufferUse &its : other.uses)
      if ((use.isWritten || its.isWritten) && mayAlias(use.buffer, its.buffer))
        return true;
  return false;
}

/// Puts `items`, which follow each other, into an `mli.parallel` if they are
/// transfers and kernels. What is between them only makes memory, views and
/// indices.
static void makeParallel(ArrayRef<RowItem> items, OverlapCounts &counts) {
  auto isMove = [](const RowItem &item) { return item.isMove; };
  if (llvm::all_of(items, isMove) || llvm::none_of(items, isMove))
    return;
  Operation *first = items.front().op;
  for (Operation *op = first; op != items.back().op;) {
    Operation *next = op->getNextNode();
    if (llvm::none_of(items,
                      [&](const RowItem &item) { return item.op == op; }))
      op->moveBefore(first);
    op = next;
  }
  OpBuilder builder(first);
  auto parallel = ParallelOp::create(builder, first->getLoc());
  builder.createBlock(&parallel.getBody());
  auto end = ParallelEndOp::create(builder, first->getLoc());
  for (const RowItem &item : items) {
    item.op->moveBefore(end);
    counts.moves += item.transfers;
  }
  ++counts.parallels;
}

// ST10
void mli::overlapRows(scf::ForOp loop, OverlapCounts &counts) {
  // Tiles are for software pipelines: their buffers end with each iteration.
  auto isRing = [&](const BufferUse &use) {
    return isLocal(use.buffer.getType()) && !isInside(use.buffer, loop);
  };
  SmallVector<RowItem> items;
  bool hasRows = false;
  auto end = [&] {
    if (hasRows)
      makeParallel(items, counts);
    items.clear();
    hasRows = false;
  };
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    bool isAround =
        op.getNumRegions() == 0 && (isPure(&op) || isa<AllocOp>(op));
    if (isAround)
      continue;
    std::optional<RowItem> item = getItem(&op);
    if (!item || llvm::any_of(items, [&](const RowItem &other) {
          return isDependent(*item, other);
        }))
      end();
    if (!item)
      continue;
    hasRows |= item->isMove && llvm::any_of(item->uses, isRing);
    items.push_back(std::move(*item));
  }
  end();
}
