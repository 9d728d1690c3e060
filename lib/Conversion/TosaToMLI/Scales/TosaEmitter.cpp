// SPDX-License-Identifier: Apache-2.0

#include "TosaEmitter.h"

#include "TosaConstants.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

void Emitter::emit(const Cluster &cluster) {
  Operation *root = cluster.getRoot(), *subject = cluster.getSubject();
  loc = builder.getFusedLoc({subject->getLoc(), root->getLoc()});
  builder.setInsertionPoint(root);
  Value tensor = cluster.emit(*this);
  tensors[cluster.getResult()] = tensor;
}

Value Emitter::read(Value value) {
  Value &tensor = tensors[value];
  if (tensor)
    return tensor;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  Type element = getElement(value);
  ElementsAttr elements = getConstant(value);
  if (elements && getRawElements(elements))
    return tensor = constant(elements, element);
  auto type = cast<RankedTensorType>(value.getType()).clone(element);
  tensor =
      UnrealizedConversionCastOp::create(builder, value.getLoc(), type, value)
          .getResult(0);
  return tensor;
}

Value Emitter::read(Value value, ArrayRef<int64_t> shape) {
  return createReshape(read(value), shape);
}

/// `attribute` in `shape`, which has as many elements.
static ElementsAttr reshapeConstant(ElementsAttr attribute,
                                    ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, attribute.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return cast<DenseElementsAttr>(attribute).reshape(type);
}

Value Emitter::constant(ElementsAttr attribute, Type element) {
  ArrayRef<int64_t> shape = attribute.getShapedType().getShape();
  SmallVector<int64_t> merged = mergeDims(shape);
  if (shape != ArrayRef(merged))
    attribute = reshapeConstant(attribute, merged);
  return ConstantOp::create(builder, loc,
                            RankedTensorType::get(merged, element), attribute);
}

Value Emitter::createSlices(Value input, ArrayRef<int64_t> inputShape,
                            Value result, ArrayRef<int64_t> resultShape,
                            UnaryFunction compute) {
  if (inputShape.front() == 1)
    return compute(read(input, inputShape.drop_front()),
                   empty(result, resultShape.drop_front()));
  return createSliced(read(input, inputShape), getElement(result), resultShape,
                      [&](ValueRange slices, Value init) {
                        return compute(slices.front(), init);
                      });
}

Value Emitter::createFeatureMaps(Value input, Value result,
                                 UnaryFunction compute) {
  return createSlices(input, getShape(input), result, getShape(result),
                      compute);
}

Value Emitter::castBack(Value value) {
  loc = value.getLoc();
  builder.setInsertionPointAfterValue(value);
  auto type = cast<RankedTensorType>(value.getType());
  Value tensor = read(value, type.getShape());
  return createOp<UnrealizedConversionCastOp>(type, tensor);
}
