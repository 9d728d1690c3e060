// SPDX-License-Identifier: Apache-2.0

#include "DataMovement.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mli;

static bool isPadded(MovOp op) {
  auto isSome = [](int64_t padding) { return padding != 0; };
  return llvm::any_of(op.getPadLow(), isSome) ||
         llvm::any_of(op.getPadHigh(), isSome);
}

SmallVector<OpOperand *> mli::getMovedOperands(Operation *op) {
  if (auto mov = dyn_cast<MovOp>(op)) {
    // Padding adds elements that no operand has.
    if (isPadded(mov))
      return {};
    if (mov.isPartial())
      return {&mov.getInitMutable(), &mov.getInputMutable()};
    return {&mov.getInputMutable()};
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return {&insert.getDestMutable(), &insert.getSourceMutable()};
  if (isa<tensor::ConcatOp>(op))
    return llvm::map_to_vector(op->getOpOperands(),
                               [](OpOperand &operand) { return &operand; });
  if (isa<PermuteOp, ReshapeOp, SubtensorOp, tensor::ExtractSliceOp>(op))
    return {&op->getOpOperand(0)};
  return {};
}

SubtensorOp mli::getDestinationSlice(OpOperand &init) {
  auto slice = init.get().getDefiningOp<SubtensorOp>();
  auto kernel = dyn_cast<DestinationStyleOpInterface>(init.getOwner());
  bool isWritten =
      kernel && kernel.isDpsInit(&init) && !mli::detail::readsInit(init);
  return slice && isWritten && slice->hasOneUse() ? slice : SubtensorOp();
}

bool mli::isMovedOnce(Value value) {
  unsigned uses = 0;
  for (OpOperand &use : value.getUses()) {
    auto block = dyn_cast<SubtensorOp>(use.getOwner());
    bool isDestination = block && block->hasOneUse() &&
                         getDestinationSlice(*block->use_begin()) == block;
    if (!isDestination && ++uses > 1)
      return false;
  }
  return uses == 1;
}

DataMovement::DataMovement(Value value) {
  Block *block = value.getParentBlock();
  // Users come before producers, and sources before destinations.
  SmallVector<Value> found, open = {value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    found.push_back(next);
    Operation *op = next.getDefiningOp();
    SmallVector<OpOperand *> moved;
    if (op && op->getBlock() == block && isMovedOnce(next))
      moved = getMovedOperands(op);
    if (moved.empty())
      ++sources[next];
    for (OpOperand *operand : moved)
      open.push_back(operand->get());
  }
  values.insert(found.rbegin(), found.rend());
}

void DataMovement::eraseDead(RewriterBase &rewriter) const {
  auto erase = [&](Value value) {
    Operation *producer = value.getDefiningOp();
    if (producer && isOpTriviallyDead(producer))
      rewriter.eraseOp(producer);
  };
  for (Value value : llvm::reverse(values)) {
    auto kernel = value.getDefiningOp<DestinationStyleOpInterface>();
    Value init = kernel ? kernel.getDpsInitOperand(0)->get() : Value();
    bool isOther = init && !values.contains(init);
    erase(value);
    if (isOther)
      erase(init);
  }
}
