// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/Accumulate.h"

#include <cstdlib>

namespace mli::quant {

// K10
ChannelBase channelBase(const QuantParams &in, const QuantParams &out,
                        Rounding rounding) {
  Ratio ratio = normalizedRatio(in.scale, out.scale, rounding);
  return {ratio.multiplier, ratio.shift + in.fracBits - out.fracBits};
}

ChannelScale channelScale(ChannelBase base, const QuantParams &weights) {
  int32_t product = base.ratio * weights.scale;
  int count = norm(product);
  return {wrap<int32_t>(product * (int64_t{1} << count)),
          base.shift + weights.fracBits + count};
}

ChannelRequantization channelRequantization(const ChannelScale &scale,
                                            Rounding rounding) {
  int32_t multiplier = roundShiftRight(scale.multiplier, 16, rounding);
  int shift = scale.shift - 16;
  int preShift = std::clamp(shift - 21, 0, 8);
  return {multiplier, preShift, std::min(shift - preShift, 63)};
}

// K14
bool biasScaleMatches(const QuantParams &in, const QuantParams &weights,
                      const QuantParams &bias, Rounding rounding) {
  int shift = in.fracBits + weights.fracBits - bias.fracBits;
  int32_t product = in.scale * weights.scale;
  int64_t expected = shift > 0 ? roundShiftRight(product, shift, rounding)
                               : shiftLeft<int64_t>(product, -shift);
  return std::abs(saturate<int32_t>(expected) - int64_t{bias.scale}) <= 1;
}

} // namespace mli::quant
