// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/WideSum.h"

#include "mli/IR/MLI.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Creates pairs of elements of two tensors as channels: [elements, 1, 2].
static Value createPairs(TensorBuilder &tensors, ArrayRef<Value> operands,
                         Fx16Type element) {
  auto type = cast<RankedTensorType>(operands.front().getType());
  int64_t count = type.getNumElements();
  Value pairs = tensors.createEmpty(element, {count, 1, 2});
  for (auto [i, operand] : llvm::enumerate(operands)) {
    auto mov =
        MovOp::create(tensors.getBuilder(), tensors.getLoc(),
                      tensors.createReshape(operand, {count, 1, 1}), pairs);
    mov.setDstOffsets({0, 0, static_cast<int64_t>(i)});
    pairs = mov.getResult(0);
  }
  return pairs;
}

Value mli::createPairSum(TensorBuilder &tensors, Value left, Value right,
                         const LayerOperands &operands, Fx16Type element) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(left.getType()).getShape();
  int64_t count = llvm::product_of(shape);
  Value pairs = createPairs(tensors, {left, right}, element);
  Value sum =
      createSum(tensors, operands, tensors.createEmpty(element, {count, 1, 1}),
                [&](const KernelOperands &each, Value into) {
                  return createUnitConv<Conv2DOp>(tensors, pairs, each, into,
                                                  ReluKind::none);
                });
  return tensors.createReshape(sum, shape);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

FailureOr<WideSteps> mli::splitFactor(Fx16Type left, Fx16Type right,
                                      double factor, std::string &reason) {
  int shift = std::clamp(-std::ilogb(factor), 0, maxWideShift);
  int fracBits = left.getFracBits() + right.getFracBits() - shift;
  if (llvm::isInt<8>(fracBits))
    return WideSteps{Fx16Type::get(left.getContext(), fracBits),
                     std::ldexp(factor, shift)};
  llvm::raw_string_ostream(reason)
      << "expected the product of both scales to be at least 2^-127 and at "
         "most 2^128, but got 2^"
      << -fracBits;
  return failure();
}

Value mli::createWideProduct(TensorBuilder &tensors, Value left, Value right,
                             const WideSteps &steps, Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  auto element = cast<Fx16Type>(type.getElementType());
  if (steps.rest == 1 && steps.product == element)
    return tensors.createOp<EltwiseMulOp>(left, right, init);
  Value whole = tensors.createOp<EltwiseMulOp>(
      left, right, tensors.createEmpty(steps.product, type.getShape()));
  return createWideFactor(tensors, whole, steps.rest, element);
}
