// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/KernelScales.h"

#include "mli/Quant/Accumulate.h"

#include <cmath>

namespace mli::quant {

std::optional<QuantParams> nearestParams(double scale, int16_t zeroPoint) {
  std::optional<QuantParams> params = fromRealScale(scale, zeroPoint);
  if (params && params->scale == 1 << 14 && params->fracBits >= INT8_MIN + 14) {
    params->scale = 1;
    params->fracBits = static_cast<int8_t>(params->fracBits - 14);
  }
  return params;
}

/// The factor that the kernel multiplies sums by.
static double kernelFactor(const QuantParams &in, const QuantParams &weights,
                           const QuantParams &out) {
  ChannelRequantization channel = channelRequantization(in, weights, out);
  return std::ldexp(channel.multiplier, -(channel.preShift + channel.shift));
}

std::optional<QuantParams>
weightsParams(const QuantParams &in, const QuantParams &out, double factor) {
  ChannelBase base = channelBase(in, out);
  std::optional<QuantParams> best =
      fromRealScale(std::ldexp(factor / base.ratio, base.shift));
  if (!best)
    return std::nullopt;
  // The product with the ratio is rounded once more: a neighbour may be nearer.
  const QuantParams middle = *best;
  double error = std::abs(kernelFactor(in, middle, out) - factor);
  for (int step : {-1, 1, -2, 2}) {
    QuantParams next = middle;
    next.scale = static_cast<int16_t>(std::min(middle.scale + step, INT16_MAX));
    double nextError = std::abs(kernelFactor(in, next, out) - factor);
    if (nextError < error) {
      error = nextError;
      best = next;
    }
  }
  return best;
}

std::optional<QuantParams> biasParams(const QuantParams &in,
                                      const QuantParams &weights) {
  std::optional<QuantParams> bias =
      nearestParams(realScale(in) * realScale(weights), 0);
  if (!bias || !biasScaleMatches(in, weights, *bias))
    return std::nullopt;
  return bias;
}

} // namespace mli::quant
