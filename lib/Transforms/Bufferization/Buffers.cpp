// SPDX-License-Identifier: Apache-2.0
//
// The buffers of tensors.

#include "Bufferize.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

Attribute mli::getBufferSpace(RankedTensorType type) {
  return dyn_cast_or_null<SpaceAttr>(type.getEncoding());
}

MemRefType mli::makeBufferType(RankedTensorType type) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         MemRefLayoutAttrInterface(), getBufferSpace(type));
}

Operation *mli::createOnBuffers(OpBuilder &builder, Operation *op,
                                ValueRange operands, TypeRange types) {
  OperationState onBuffers(op->getLoc(), op->getName(), operands, types,
                           op->getAttrs());
  return builder.create(onBuffers);
}

Value mli::createReadOnlyBuffer(Value tensor) {
  OpBuilder builder(tensor.getContext());
  builder.setInsertionPointAfterValue(tensor);
  auto type = cast<RankedTensorType>(tensor.getType());
  return bufferization::ToBufferOp::create(builder, tensor.getLoc(),
                                           makeBufferType(type), tensor,
                                           /*read_only=*/true);
}
