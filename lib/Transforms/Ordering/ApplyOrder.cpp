// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-order: moves the operations of a block into an order.

#include "Order.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mli;

namespace {

/// The new sequence of the operations of a block.
class Sequence {
public:
  explicit Sequence(Block &block) : block(block) {}

  /// Adds `op`, behind what it uses.
  void add(Operation *op) {
    if (sequence.contains(op))
      return;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && source->getBlock() == &block)
          add(source);
    });
    sequence.insert(op);
  }
  /// Whether all that `op` uses is there.
  bool isReady(Operation *op) const {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return !source || source->getBlock() != &block ||
             sequence.contains(source);
    });
  }
  void apply() {
    for (Operation *op : sequence)
      op->moveBefore(&block, block.end());
  }

private:
  Block &block;
  llvm::SetVector<Operation *> sequence;
};

} // namespace

void BlockGraph::relinkAll(ArrayRef<int32_t> order) {
  SmallVector<size_t> positions(order.size());
  for (auto [position, step] : llvm::enumerate(order))
    positions[step] = position;
  for (const Concatenation &operands : concatenations) {
    SmallVector<size_t> sorted =
        llvm::to_vector(llvm::seq<size_t>(0, operands.size()));
    llvm::sort(sorted, [&](size_t a, size_t b) {
      auto position = [&](size_t i) {
        return positions[stepNumbers.lookup(getWriter(operands[i]))];
      };
      return position(a) < position(b);
    });
    relink(operands, sorted);
  }
}

void BlockGraph::apply(ArrayRef<int32_t> order) {
  // What is in front of each step, and the insertion of what it writes.
  llvm::DenseMap<Operation *, SmallVector<Operation *>> before;
  llvm::DenseMap<Operation *, Operation *> insertion;
  for (const Concatenation &operands : concatenations)
    for (const InsertedOperand &operand : operands)
      insertion[getWriter(operand)] = operand.insert;
  SmallVector<Operation *> movable;
  for (Operation &op : block) {
    if (stepNumbers.contains(&op))
      before[&op] = std::exchange(movable, {});
    else
      movable.push_back(&op);
  }
  relinkAll(order);
  Sequence sequence(block);
  for (int32_t step : order) {
    Operation *op = steps[step].op;
    if (!op)
      continue;
    for (Operation *other : before[op])
      if (sequence.isReady(other))
        sequence.add(other);
    sequence.add(op);
    if (Operation *insert = insertion.lookup(op))
      sequence.add(insert);
  }
  sequence.apply();
}
