// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Similarity.h"

#include "mli/IR/MLI.h"

#include <cassert>
#include <cmath>

using namespace mlir;
using namespace mli;

double mli::getRealValue(RankedTensorType type, const HostTensor &tensor,
                         size_t index) {
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  double code = tensor.get(index);
  if (!quantized)
    return code;
  size_t set = 0;
  if (quantized.isPerAxis()) {
    ArrayRef<int64_t> shape = type.getShape();
    size_t inner = 1;
    for (int64_t extent : shape.drop_front(quantized.getAxis() + 1))
      inner *= extent;
    set = index / inner % shape[quantized.getAxis()];
  }
  quant::QuantParams params = quantized.getParam(set);
  return (code - params.zeroPoint) * quant::realScale(params);
}

Similarity mli::measureSimilarity(RankedTensorType type,
                                  const HostTensor &tensor,
                                  RankedTensorType referenceType,
                                  const HostTensor &reference) {
  size_t size = tensor.getNumElements();
  assert(size == reference.getNumElements() && "of other sizes");
  double signal = 0, other = 0, product = 0, noise = 0;
  for (size_t i = 0; i < size; ++i) {
    double got = getRealValue(type, tensor, i);
    double expected = getRealValue(referenceType, reference, i);
    signal += expected * expected;
    other += got * got;
    product += expected * got;
    // Infinities that are equal have no distance, which is not NaN.
    if (got != expected)
      noise += (got - expected) * (got - expected);
  }
  Similarity similarity;
  similarity.sqnr = noise == 0 ? std::numeric_limits<double>::infinity()
                               : 10 * std::log10(signal / noise);
  if (signal == 0 || other == 0)
    similarity.cosine = signal == other ? 1 : 0;
  else
    similarity.cosine = product / (std::sqrt(signal) * std::sqrt(other));
  return similarity;
}
