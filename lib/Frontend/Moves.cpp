// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Moves.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

AxisView::AxisView(ArrayRef<int64_t> shape, int64_t axis)
    : before(llvm::product_of(shape.take_front(axis))), extent(shape[axis]),
      after(llvm::product_of(shape.drop_front(axis + 1))) {}

Value mli::createPadded(TensorBuilder &tensors, Value source,
                        ArrayRef<int64_t> low, ArrayRef<int64_t> shape,
                        int64_t padding) {
  Value init =
      tensors.createSplat(getElementTypeOrSelf(source), shape, padding);
  auto mov =
      MovOp::create(tensors.getBuilder(), tensors.getLoc(), source, init);
  mov.setDstOffsets(low);
  return mov.getResult(0);
}

Value mli::createConcat(TensorBuilder &tensors, ArrayRef<Value> operands,
                        Type element, ArrayRef<int64_t> shape, int64_t axis) {
  AxisView view(shape, axis);
  Value result =
      tensors.createEmpty(element, {view.before, view.extent, view.after});
  int64_t offset = 0;
  for (Value operand : operands) {
    int64_t size = cast<RankedTensorType>(operand.getType()).getNumElements() /
                   (view.before * view.after);
    Value source =
        tensors.createReshape(operand, {view.before, size, view.after});
    auto mov = MovOp::create(tensors.getBuilder(), tensors.getLoc(),
                             tensors.createConvert(source, element), result);
    mov.setDstOffsets({0, offset, 0});
    result = mov.getResult(0);
    offset += size;
  }
  return result;
}
