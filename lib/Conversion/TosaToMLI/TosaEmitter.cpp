// SPDX-License-Identifier: Apache-2.0

#include "TosaEmitter.h"

#include "TosaConstants.h"

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
  Type element = getElement(value);
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
  return createReshape(read(value), shape);
}

Value Emitter::constant(ElementsAttr attribute, Type element) {
  auto type =
      RankedTensorType::get(attribute.getShapedType().getShape(), element);
  return ConstantOp::create(builder, loc, type, attribute);
}

Value Emitter::createSlices(Value input, ArrayRef<int64_t> inputShape,
                            Value result, ArrayRef<int64_t> resultShape,
                            MapFunction compute) {
  if (inputShape.front() == 1)
    return compute(read(input, inputShape.drop_front()),
                   empty(result, resultShape.drop_front()));
  return createSliced(read(input, inputShape), getElement(result), resultShape,
                      [&](ValueRange slices, Value init) {
                        return compute(slices.front(), init);
                      });
}

Value Emitter::createMaps(Value input, Value result, MapFunction compute) {
  return createSlices(input, shapeOf(input), result, shapeOf(result), compute);
}

Value Emitter::castBack(Value value) {
  loc = value.getLoc();
  builder.setInsertionPointAfterValue(value);
  auto type = cast<RankedTensorType>(value.getType());
  Value tensor = read(value, type.getShape());
  return UnrealizedConversionCastOp::create(builder, loc, type, tensor)
      .getResult(0);
}
