// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/MovedBytes.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Analysis/RunCounts.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

/// The elements that `op`, with static operands, writes.
static int64_t countWritten(MovOp op) {
  ArrayRef<int64_t> shape = op.getInit().getType().getShape();
  if (!op.isPartial())
    return ShapedType::getNumElements(shape);
  int64_t elements = 1;
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i) {
    int64_t p = op.getPermutation().empty() ? i : op.getPermutation()[i];
    int64_t size = op.getSizes().empty() ? 0 : op.getSizes()[p];
    int64_t step = op.getSteps().empty() ? 1 : op.getSteps()[p];
    int64_t offset = op.getOffsets().empty() ? 0 : op.getOffsets()[p];
    if (size == 0)
      size = op.getInput().getType().getDimSize(p) - offset;
    elements *= llvm::divideCeil(size, step);
  }
  return elements;
}

int64_t mli::getMovedBytes(MovOp op) {
  return countWritten(op) *
         (elementWidth(op.getInit().getType().getElementType()) / 8);
}

MovedBytes mli::getTransferredBytes(Operation *op) {
  MovedBytes moved;
  auto add = [&](Type from, Type to, int64_t bytes) {
    if (isLocal(from) != isLocal(to))
      (isLocal(to) ? moved.in : moved.out) = bytes;
  };
  if (auto mov = dyn_cast<MovOp>(op))
    add(mov.getInput().getType(), mov.getInit().getType(), getMovedBytes(mov));
  else if (auto copy = dyn_cast<memref::CopyOp>(op))
    add(copy.getSource().getType(), copy.getTarget().getType(),
        getDenseBytes(cast<ShapedType>(copy.getTarget().getType()))
            .value_or(0));
  return moved;
}

MovedBytes mli::countMovedBytes(func::FuncOp function) {
  MovedBytes moved;
  RunCounts counts(function);
  function.walk([&](Operation *op) {
    MovedBytes each = getTransferredBytes(op);
    moved.in += each.in * counts.of(op);
    moved.out += each.out * counts.of(op);
  });
  return moved;
}

int64_t mli::getShiftedBytes(AdvanceOp op) {
  ShapedType ring = op.getInit().getType();
  int64_t size = ring.getDimSize(static_cast<int64_t>(op.getDim()));
  return ring.getNumElements() / size *
         (size - static_cast<int64_t>(op.getRows())) *
         (elementWidth(ring.getElementType()) / 8);
}

int64_t mli::countShiftedBytes(func::FuncOp function) {
  int64_t bytes = 0;
  RunCounts counts(function);
  function.walk(
      [&](AdvanceOp op) { bytes += getShiftedBytes(op) * counts.of(op); });
  return bytes;
}

int64_t mli::getMinMovedBytes(func::FuncOp function) {
  int64_t bytes = 0;
  auto add = [&](Type type) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      bytes += getDenseBytes(shaped).value_or(0);
  };
  for (BlockArgument argument : function.getArguments())
    if (!argument.use_empty())
      add(argument.getType());
  llvm::for_each(function.getResultTypes(), add);
  llvm::SmallDenseSet<Attribute> constants;
  function.walk([&](ConstantOp constant) {
    if (constants.insert(constant.getValue()).second)
      add(constant.getType());
  });
  return bytes;
}
