// SPDX-License-Identifier: Apache-2.0

#include "TosaWeights.h"

#include "TosaConstants.h"

#include "mli/IR/ConstantData.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

ElementsAttr raising::withShape(ElementsAttr weights, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, weights.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(weights))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  auto dense = cast<DenseElementsAttr>(weights);
  return dense.isSplat() ? dense.resizeSplat(type) : dense.reshape(type);
}

ElementsAttr raising::withOutputsLast(ElementsAttr weights,
                                      ArrayRef<int64_t> shape) {
  RawElements raw = *rawElements(weights);
  int64_t outputs = shape.back();
  int64_t inputs = weights.getShapedType().getNumElements() / outputs;
  if (raw.isSplat || inputs == 1 || outputs == 1)
    return withShape(weights, shape);
  SmallVector<char> bytes = mli::withOutputsLast(raw.bytes, outputs);
  auto type = RankedTensorType::get(shape, weights.getElementType());
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}
