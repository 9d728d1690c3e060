// SPDX-License-Identifier: Apache-2.0
//
// Gives buffers the addresses that mli-assign-addresses has planned.

#include "Addresses.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// System memory
//===----------------------------------------------------------------------===//

Value mli::createArenaView(OpBuilder &builder, Location loc, MemRefType type,
                           Value arena, int64_t offset, int64_t number) {
  Value start = arith::ConstantIndexOp::create(builder, loc, offset);
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  auto view = memref::ViewOp::create(builder, loc, plain, arena, start,
                                     /*sizes=*/ValueRange());
  view->setAttr(bufferAttrName, builder.getI64IntegerAttr(number));
  if (plain == type)
    return view;
  return memref::MemorySpaceCastOp::create(builder, loc, type, view);
}

/// Erases the deallocations of a buffer that has an address.
static void eraseDeallocs(const LiveRange &range) {
  for (Value alias : range.aliases)
    for (Operation *user : llvm::make_early_inc_range(alias.getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
}

/// Applies the address of the memory of `op` itself: the arena of a call, or
/// the scratch memory of a kernel.
static void applyOwn(Operation *op, int64_t address,
                     llvm::DenseMap<Operation *, int64_t> &frames) {
  if (isa<func::CallOp>(op))
    frames[op] = address;
  else
    op->setAttr(scratchAttrName, Builder(op).getI64IntegerAttr(address));
}

void mli::applySystem(const MemoryPlan &memory, Value arena,
                      llvm::DenseMap<Operation *, int64_t> &frames) {
  for (auto [i, user, placement] :
       llvm::enumerate(memory.problem.users, memory.getPlan().placements)) {
    OpBuilder builder(user.op);
    if (!user.range) {
      applyOwn(user.op, placement.offset, frames);
      continue;
    }
    Value buffer = user.range->buffer;
    if (auto argument = dyn_cast<BlockArgument>(buffer)) {
      cast<func::FuncOp>(user.op).setArgAttr(
          argument.getArgNumber(), addressAttrName,
          builder.getI64IntegerAttr(placement.offset));
      continue;
    }
    eraseDeallocs(*user.range);
    if (!buffer.use_empty())
      buffer.replaceAllUsesWith(createArenaView(
          builder, user.op->getLoc(), cast<MemRefType>(buffer.getType()), arena,
          placement.offset, int64_t(i)));
    user.op->erase();
  }
}

//===----------------------------------------------------------------------===//
// Local memory
//===----------------------------------------------------------------------===//

/// The operation in the block of the allocation in which `range` begins; the
/// allocation itself if nothing uses it.
static Operation *findStart(const LiveRange &range) {
  Operation *alloc = range.buffer.getDefiningOp();
  return range.firstUser
             ? alloc->getBlock()->findAncestorOpInBlock(*range.firstUser)
             : alloc;
}

/// The buffers of `memory` that begin to live while another buffer lives at the
/// same address, and those that are allocated before they begin to live.
static llvm::SmallDenseSet<size_t>
findShared(const MemoryPlan &memory, const BufferLifetimes &lifetimes) {
  const std::vector<allocation::Buffer> &buffers =
      memory.problem.problem.buffers;
  SmallVector<size_t> order =
      llvm::to_vector(llvm::seq<size_t>(buffers.size()));
  llvm::sort(order, [&](size_t left, size_t right) {
    return std::pair(buffers[left].live.lower, left) <
           std::pair(buffers[right].live.lower, right);
  });
  llvm::SmallDenseSet<size_t> shared;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> endAt;
  for (size_t i : order) {
    const LiveRange *range = memory.problem.users[i].range;
    if (!range)
      continue;
    const allocation::Placement &placement = memory.getPlan().placements[i];
    int64_t &end =
        endAt[{memory.problem.getStartNpu(i, placement), placement.offset}];
    int64_t start = lifetimes.positions.lookup(findStart(*range)).lower;
    if (end > buffers[i].live.lower || start < buffers[i].live.lower)
      shared.insert(i);
    end = std::max(end, buffers[i].live.upper);
  }
  return shared;
}

/// Moves the views of `range` that stand before `planned` after it.
static void moveViews(const LiveRange &range, Operation *planned,
                      const BufferLifetimes &lifetimes) {
  int64_t start = lifetimes.positions.lookup(findStart(range)).lower;
  auto getPosition = [&](Operation *op) {
    return lifetimes.positions.lookup(op).lower;
  };
  SmallVector<Operation *> views;
  for (Value alias : range.aliases)
    if (auto view = alias.getDefiningOp<ViewLikeOpInterface>())
      if (view->getBlock() == planned->getBlock() && getPosition(view) < start)
        views.push_back(view);
  llvm::sort(views, [&](Operation *left, Operation *right) {
    return getPosition(left) < getPosition(right);
  });
  for (Operation *view : llvm::reverse(views))
    view->moveAfter(planned);
}

void mli::applyLocal(const MemoryPlan &memory,
                     const BufferLifetimes &lifetimes) {
  llvm::DenseMap<Operation *, int64_t> frames;
  llvm::SmallDenseSet<size_t> shared = findShared(memory, lifetimes);
  llvm::SmallDenseSet<Value> moved;
  for (auto [i, user, placement] :
       llvm::enumerate(memory.problem.users, memory.getPlan().placements)) {
    if (!user.range) {
      applyOwn(user.op, placement.offset, frames);
      continue;
    }
    eraseDeallocs(*user.range);
    Value buffer = user.range->buffer;
    MemRefType type = user.type;
    const layout::Target &target = *memory.problem.target;
    int64_t npu = memory.problem.getStartNpu(i, placement);
    for (Value alias : user.range->aliases)
      if (npu != getStartNpu(type) && alias != buffer &&
          moved.insert(alias).second)
        alias.setType(
            moveStartNpu(cast<MemRefType>(alias.getType()), type, npu, target));
    OpBuilder builder(findStart(*user.range));
    auto planned = AllocOp::create(
        builder, user.op->getLoc(), moveStartNpu(type, type, npu, target),
        layout::getAddress({npu, placement.offset}, target));
    if (shared.contains(i))
      planned->setAttr(sharedAttrName, builder.getUnitAttr());
    moveViews(*user.range, planned, lifetimes);
    buffer.replaceAllUsesWith(planned.getResult());
    user.op->erase();
  }
}
