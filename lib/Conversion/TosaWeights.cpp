// SPDX-License-Identifier: Apache-2.0

#include "TosaWeights.h"

#include "TosaConstants.h"
#include "TosaScales.h"

#include "mli/Quant/Accumulate.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>

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
  SmallVector<char> bytes(raw.bytes.size());
  for (int64_t o = 0; o < outputs; ++o)
    for (int64_t i = 0; i < inputs; ++i)
      bytes[i * outputs + o] = raw.bytes[o * inputs + i];
  auto type = RankedTensorType::get(shape, weights.getElementType());
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

/// What the kernel multiplies sums by.
static double kernelFactor(const mli::quant::QuantParams &in,
                           const mli::quant::QuantParams &weights,
                           const mli::quant::QuantParams &out) {
  mli::quant::ChannelRequantization channel =
      mli::quant::channelRequantization(in, weights, out);
  return std::ldexp(channel.multiplier, -(channel.preShift + channel.shift));
}

std::optional<mli::quant::QuantParams>
raising::weightsParams(const mli::quant::QuantParams &in,
                       const mli::quant::QuantParams &out, double factor) {
  mli::quant::ChannelBase base = mli::quant::channelBase(in, out);
  std::optional<mli::quant::QuantParams> best =
      mli::quant::fromRealScale(std::ldexp(factor / base.ratio, base.shift));
  if (!best)
    return std::nullopt;
  // The product with the ratio is rounded once more: a neighbour may be nearer.
  const mli::quant::QuantParams middle = *best;
  double error = std::abs(kernelFactor(in, middle, out) - factor);
  for (int step : {-1, 1, -2, 2}) {
    mli::quant::QuantParams next = middle;
    next.scale = static_cast<int16_t>(std::min(middle.scale + step, INT16_MAX));
    double nextError = std::abs(kernelFactor(in, next, out) - factor);
    if (nextError < error) {
      error = nextError;
      best = next;
    }
  }
  return best;
}

std::optional<mli::quant::QuantParams>
raising::biasParams(const mli::quant::QuantParams &in,
                    const mli::quant::QuantParams &weights) {
  std::optional<mli::quant::QuantParams> bias = nearestParams(
      mli::quant::realScale(in) * mli::quant::realScale(weights), 0);
  if (!bias || !mli::quant::biasScaleMatches(in, weights, *bias))
    return std::nullopt;
  return bias;
}
