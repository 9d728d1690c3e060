// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-order: finds operands of concatenations that may be computed in
// any order, and changes the order of their insertions.

#include "Order.h"

#include "Transforms/Bufferization/InsertionChain.h"

#include "mli/Analysis/BufferLifetimes.h"

using namespace mlir;
using namespace mli;

Operation *mli::getWriter(const InsertedOperand &operand) {
  tensor::InsertSliceOp insert = operand.insert;
  return operand.slice ? stripReshapes(insert.getSource()).getDefiningOp()
                       : insert.getOperation();
}

/// The insertion that follows `insert` in its block, if nothing else uses the
/// tensor in between.
static std::optional<InsertedOperand> findNext(tensor::InsertSliceOp insert) {
  tensor::InsertSliceOp next;
  for (OpOperand &use : insert->getUses())
    if (auto user = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
        user && user->getBlock() == insert->getBlock() &&
        &use == &user.getDestMutable())
      next = user;
  if (!next)
    return std::nullopt;
  InsertedOperand operand = {next, findDestination(next)};
  bool isOnlyUser = llvm::all_of(insert->getUsers(), [&](Operation *user) {
    return user == next || user == operand.slice;
  });
  if (!isOnlyUser || next.getSource() == insert.getResult())
    return std::nullopt;
  return operand;
}

/// The concatenation that begins with `first`; nothing if it does not.
static std::optional<Concatenation> follow(tensor::InsertSliceOp first) {
  auto empty = first.getDest().getDefiningOp<tensor::EmptyOp>();
  if (!empty || empty->getBlock() != first->getBlock())
    return std::nullopt;
  Concatenation operands = {{first, findDestination(first)}};
  if (llvm::any_of(empty->getUsers(), [&](Operation *user) {
        return user != first && user != operands.front().slice;
      }))
    return std::nullopt;
  while (std::optional<InsertedOperand> next = findNext(operands.back().insert))
    operands.push_back(*next);
  SmallVector<SliceBox> boxes;
  for (const InsertedOperand &operand : operands) {
    std::optional<SliceBox> box = SliceBox::get(operand.insert);
    if (!box)
      return std::nullopt;
    boxes.push_back(std::move(*box));
  }
  if (operands.size() < 2 || !areDisjoint(boxes))
    return std::nullopt;
  return operands;
}

SmallVector<Concatenation> mli::findConcatenations(Block &block) {
  SmallVector<Concatenation> found;
  for (auto insert : block.getOps<tensor::InsertSliceOp>())
    if (std::optional<Concatenation> operands = follow(insert))
      found.push_back(std::move(*operands));
  return found;
}

void mli::relink(const Concatenation &operands, ArrayRef<size_t> order) {
  tensor::InsertSliceOp first = operands.front().insert;
  Value destination = first.getDest();
  Value complete = operands.back().insert->getResult(0);
  Value last = operands[order.back()].insert->getResult(0);
  if (last != complete)
    complete.replaceAllUsesWith(last);
  for (size_t i : order) {
    InsertedOperand operand = operands[i];
    operand.insert.getDestMutable().assign(destination);
    if (operand.slice)
      operand.slice->setOperand(0, destination);
    destination = operand.insert.getResult();
  }
}
