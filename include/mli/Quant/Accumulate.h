// SPDX-License-Identifier: Apache-2.0
//
// Takes the accumulator of a convolution or matrix product to the output: bias,
// requantisation and activation. One description per output channel.

#ifndef MLI_QUANT_ACCUMULATE_H
#define MLI_QUANT_ACCUMULATE_H

#include "mli/Quant/Requantize.h"

#include <algorithm>

namespace mli::quant {

/// The part of input and output scales in every output channel.
struct ChannelBase {
  int16_t ratio;
  int shift;
};
ChannelBase channelBase(const QuantParams &in, const QuantParams &out,
                        Rounding rounding = Rounding::Up);

/// The full multiplier of one output channel: `multiplier * 2^-shift`, with the
/// multiplier in [2^30, 2^31) for positive scales.
struct ChannelScale {
  int32_t multiplier;
  int shift;
};
ChannelScale channelScale(ChannelBase base, const QuantParams &weights);

/// The multiplier that full accumulation applies: not normalised.
// K52
inline ChannelScale fullChannelScale(ChannelBase base,
                                     const QuantParams &weights) {
  return {base.ratio * weights.scale,
          std::min(base.shift + weights.fracBits, 63)};
}

/// The same in the form that convolutions and matrix products apply: the
/// accumulator is shifted by `preShift` to 16 bits and multiplied by the high
/// 16 bits of the multiplier, which convergent rounding may take to 2^15.
struct ChannelRequantization {
  int32_t multiplier;
  int preShift;
  int shift;
};
ChannelRequantization channelRequantization(const ChannelScale &scale,
                                            Rounding rounding = Rounding::Up);

inline ChannelRequantization channelRequantization(const QuantParams &in,
                                                   const QuantParams &weights,
                                                   const QuantParams &out) {
  return channelRequantization(channelScale(channelBase(in, out), weights));
}

/// Returns the sa8 value of an accumulator that includes the bias.
// K11
inline int32_t requantizeAccumulator(int32_t accumulator,
                                     const ChannelRequantization &channel,
                                     int16_t zeroPoint,
                                     Rounding rounding = Rounding::Up) {
  int64_t narrow = saturate<int16_t>(
      roundShiftRight(accumulator, channel.preShift, rounding));
  auto value = saturate<int16_t>(
      roundShiftRight(narrow * channel.multiplier, channel.shift, rounding));
  return saturate<int8_t>(saturate<int16_t>(value + zeroPoint));
}

/// The same with full accumulation: one product, one rounding.
// K52
inline int32_t requantizeAccumulator(int32_t accumulator,
                                     const ChannelScale &channel,
                                     int16_t zeroPoint,
                                     Rounding rounding = Rounding::Up) {
  auto value = saturate<int16_t>(roundShiftRight(
      int64_t{accumulator} * channel.multiplier, channel.shift, rounding));
  return saturate<int8_t>(saturate<int16_t>(value + zeroPoint));
}

/// The term of an sa32 bias: its 16 most significant bits.
// K12
inline int32_t biasTerm(int32_t bias) {
  int dropped = std::max(16 - norm(bias), 0);
  return static_cast<int32_t>(static_cast<uint32_t>(bias >> dropped)
                              << dropped);
}

/// The term of an fx bias in an accumulator of type `Acc`, `shift` being its
/// fraction bits short of the accumulator's. With 64 bits the result still
/// wraps to 32.
// K13
template <typename Acc>
constexpr Acc fixedPointBiasTerm(int16_t bias, int shift,
                                 Rounding rounding = Rounding::Up) {
  return wrap<int32_t>(roundShiftRight<Acc>(bias, -shift, rounding));
}

/// True if the scale of `bias` is that of `in` times `weights` to within one
/// unit of its mantissa. Kernels require it and never use the bias scale.
bool biasScaleMatches(const QuantParams &in, const QuantParams &weights,
                      const QuantParams &bias,
                      Rounding rounding = Rounding::Up);

} // namespace mli::quant

#endif // MLI_QUANT_ACCUMULATE_H
