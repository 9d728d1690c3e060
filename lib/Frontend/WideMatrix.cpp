// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/WideMatrix.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static int getFracBits(Value value) {
  return cast<Fx16Type>(getElementTypeOrSelf(value)).getFracBits();
}

Value mli::createWideMatrixProduct(TensorBuilder &tensors, Value left,
                                   Value right, const WideSteps &steps,
                                   Fx16Type element) {
  int64_t batch = getShape(left)[0], rows = getShape(left)[1],
          inner = getShape(left)[2], columns = getShape(right)[2];
  // A bias of the format of the sums is not shifted.
  int biasBits = std::min(getFracBits(left) + getFracBits(right), INT8_MAX);
  Value bias = tensors.createSplat(
      Fx16Type::get(tensors.getContext(), biasBits), {columns}, 0);
  Value maps = tensors.createReshape(left, {batch, rows, 1, inner});
  Value sums = tensors.createSliced(
      {maps, right}, steps.product, {batch, rows, 1, columns},
      [&](ValueRange slices, Value init) -> Value {
        Value weights =
            tensors.createReshape(slices[1], {1, 1, inner, columns});
        return createUnitConv<Conv2DOp>(tensors, slices[0], {weights, bias},
                                        init, ReluKind::none);
      });
  sums = tensors.createReshape(sums, {batch, rows, columns});
  if (steps.rest == 1 && steps.product == element)
    return sums;
  return createWideFactor(tensors, sums, steps.rest, element);
}
