// SPDX-License-Identifier: Apache-2.0

#include "TosaEmitter.h"

#include "TosaConstants.h"
#include "TosaWeights.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

void Emitter::emit(const Group &group) {
  Operation *root = group.getRoot(), *subject = group.getSubject();
  loc = builder.getFusedLoc({subject->getLoc(), root->getLoc()});
  builder.setInsertionPoint(root);
  Value tensor = group.emit(*this);
  tensors[group.getResult()] = tensor;
}

Value Emitter::read(Value value) {
  Value &tensor = tensors[value];
  if (tensor)
    return tensor;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  Type element = scales.getElement(value);
  ElementsAttr codes = constantOf(value);
  if (codes && rawElements(codes))
    return tensor = constant(codes, element);
  auto type = cast<RankedTensorType>(value.getType()).clone(element);
  tensor =
      UnrealizedConversionCastOp::create(builder, value.getLoc(), type, value)
          .getResult(0);
  return tensor;
}

Value Emitter::read(Value value, ArrayRef<int64_t> shape) {
  Value tensor = read(value);
  // Views of views serve nobody; a view of an earlier block may not reach here.
  while (auto reshape = tensor.getDefiningOp<ReshapeOp>())
    tensor = reshape.getSource();
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  return ReshapeOp::create(builder, *loc, type.clone(shape), tensor);
}

Value Emitter::empty(Value value, ArrayRef<int64_t> shape) {
  return tensor::EmptyOp::create(builder, *loc, shape,
                                 scales.getElement(value));
}

Value Emitter::constant(ElementsAttr attribute, Type element) {
  auto type =
      RankedTensorType::get(attribute.getShapedType().getShape(), element);
  return ConstantOp::create(builder, loc.value_or(builder.getUnknownLoc()),
                            type, attribute);
}

Value Emitter::castBack(Value value) {
  loc = value.getLoc();
  builder.setInsertionPointAfterValue(value);
  auto type = cast<RankedTensorType>(value.getType());
  Value tensor = read(value, type.getShape());
  return UnrealizedConversionCastOp::create(builder, *loc, type, tensor)
      .getResult(0);
}
