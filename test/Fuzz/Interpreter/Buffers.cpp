// SPDX-License-Identifier: Apache-2.0
//
// What an interpreter makes of operations on buffers. All memory is alike:
// layouts and memory spaces change nothing.

#include "Interpreter.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

/// What `block` is of `whole`, without the dimensions `dropped`.
static View makeBlock(const View &whole, const TensorBlock &block,
                      const llvm::SmallBitVector &dropped) {
  View part;
  part.whole = whole.whole;
  part.offset = whole.offset;
  for (auto [i, stride] : llvm::enumerate(whole.strides)) {
    part.offset += block.offsets[i] * stride;
    if (dropped.test(i))
      continue;
    part.shape.push_back(block.sizes[i]);
    part.strides.push_back(stride * block.steps[i]);
  }
  return part;
}

/// The elements of `source` in another shape: those that are there or, where
/// they have gaps, copies of them.
static View reshape(const View &source, ArrayRef<int64_t> shape) {
  View dense = source.isDense() ? source : View(source.load());
  View result(Tensor(
      RankedTensorType::get(shape, source.whole->type.getElementType()), 0));
  result.whole = dense.whole;
  result.offset = dense.offset;
  return result;
}

llvm::Error Interpreter::executeView(Operation *op, Results &results) {
  const View &whole = view(op->getOperand(0));
  TensorBlock block;
  if (llvm::Error error = getBlock(op, whole.shape, block))
    return error;
  llvm::SmallBitVector dropped(block.sizes.size(), true);
  if (auto subview = dyn_cast<memref::SubViewOp>(op))
    dropped = subview.getDroppedDims();
  else
    for (int64_t dim : cast<SubtensorOp>(op).getKeptDims())
      dropped.reset(dim);
  results.emplace_back(makeBlock(whole, block, dropped));
  return llvm::Error::success();
}

bool Interpreter::executeBuffer(Operation *op, Results &results,
                                llvm::Error &error) {
  auto isBuffer = [](Type type) { return isa<MemRefType>(type); };
  if (!llvm::any_of(op->getOperandTypes(), isBuffer) &&
      !llvm::any_of(op->getResultTypes(), isBuffer))
    return false;
  if (isa<memref::SubViewOp, SubtensorOp>(op)) {
    error = executeView(op, results);
  } else if (isa<memref::AllocOp, AllocOp>(op)) {
    auto type = cast<MemRefType>(op->getResult(0).getType());
    results.emplace_back(View(makeTensor(
        RankedTensorType::get(type.getShape(), type.getElementType()),
        numbers(op->getOperands()))));
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    view(copy.getTarget()).store(view(copy.getSource()).load());
  } else if (isa<memref::CastOp>(op)) {
    results.push_back(data.at(op->getOperand(0)));
  } else if (auto shape = dyn_cast<ReshapeOp>(op)) {
    results.emplace_back(reshape(view(shape.getSource()),
                                 cast<ShapedType>(shape.getType()).getShape()));
  } else if (auto buffer = dyn_cast<bufferization::ToBufferOp>(op)) {
    // Who only reads it does not see whether it is a copy.
    results.emplace_back(View(tensor(buffer.getTensor())));
  } else if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op)) {
    results.emplace_back(view(tensor.getBuffer()).load());
  } else if (!isa<memref::DeallocOp>(op)) {
    return false;
  }
  return true;
}
