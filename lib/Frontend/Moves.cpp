// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Moves.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

Parts::Parts(ArrayRef<int64_t> shape, int64_t axis)
    : before(llvm::product_of(shape.take_front(axis))), extent(shape[axis]),
      behind(llvm::product_of(shape.drop_front(axis + 1))) {}

Value mli::createPadded(TensorBuilder &tensors, Value source,
                        ArrayRef<int64_t> low, ArrayRef<int64_t> shape,
                        int64_t code) {
  Value init = tensors.createSplat(getElementTypeOrSelf(source), shape, code);
  auto mov =
      MovOp::create(tensors.getBuilder(), tensors.getLoc(), source, init);
  mov.setDstOffsets(low);
  return mov.getResult(0);
}

Value mli::createJoined(TensorBuilder &tensors, ArrayRef<Value> parts,
                        Type element, ArrayRef<int64_t> shape, int64_t axis) {
  Parts whole(shape, axis);
  Value joined =
      tensors.createEmpty(element, {whole.before, whole.extent, whole.behind});
  int64_t offset = 0;
  for (Value part : parts) {
    int64_t size = cast<RankedTensorType>(part.getType()).getNumElements() /
                   (whole.before * whole.behind);
    Value source =
        tensors.createReshape(part, {whole.before, size, whole.behind});
    auto mov = MovOp::create(tensors.getBuilder(), tensors.getLoc(),
                             tensors.createConvert(source, element), joined);
    mov.setDstOffsets({0, offset, 0});
    joined = mov.getResult(0);
    offset += size;
  }
  return joined;
}
