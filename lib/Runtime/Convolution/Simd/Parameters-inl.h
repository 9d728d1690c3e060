// SPDX-License-Identifier: Apache-2.0
//
// The parameters of 16 output channels of sa8 at once: K10 to K12 in lanes of
// 32 bits. Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PARAMETERS_INL_H) ==              \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PARAMETERS_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PARAMETERS_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PARAMETERS_INL_H
#endif

#include "Matrix.h"
#include "Runtime/Simd/Dot-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// The number of significant bits of what is not negative; 0 or less for 0.
template <class D>
HWY_INLINE hn::Vec<D> getBits(D d, hn::Vec<D> value) {
  const hn::RebindToFloat<D> df;
  // Without its second bit no number is rounded up to the next power.
  auto rounded = hn::AndNot(hn::ShiftRight<1>(value), value);
  auto exponent =
      hn::ShiftRight<23>(hn::BitCast(d, hn::ConvertTo(df, rounded)));
  return hn::Sub(exponent, hn::Set(d, 126));
}

/// Some lanes of a block. False if one of them needs the scalar code.
template <class D>
HWY_INLINE bool fillLanes(D d, const BlockInputs &inputs, int64_t lane,
                          ChannelBlock &block) {
  const auto zero = hn::Zero(d);
  const auto one = hn::Set(d, 1);
  auto scale = hn::PromoteTo(
      d, hn::LoadU(hn::Rebind<int16_t, D>(), inputs.scales + lane));
  auto product = hn::Mul(scale, hn::Set(d, inputs.ratio));
  auto norm = hn::Sub(hn::Set(d, 31), getBits(d, product));
  auto isBad = hn::Lt(product, one);
  auto multiplier = hn::Shl(product, hn::Max(norm, zero));
  // Rounded to 16 bits, saturated: unsigned, it cannot overflow.
  const hn::RebindToUnsigned<D> du;
  auto narrow =
      hn::BitCast(d, hn::ShiftRight<16>(hn::Add(hn::BitCast(du, multiplier),
                                                hn::Set(du, 0x8000U))));
  narrow = hn::Min(narrow, hn::Set(d, 32767));
  auto shift =
      hn::Add(hn::Add(hn::PromoteTo(d, hn::LoadU(hn::Rebind<int8_t, D>(),
                                                 inputs.fracBits + lane)),
                      norm),
              hn::Set(d, inputs.shift - 16));
  auto preShift =
      hn::Min(hn::Max(hn::Sub(shift, hn::Set(d, 21)), zero), hn::Set(d, 8));
  shift = hn::Sub(shift, preShift);
  isBad = hn::Or(isBad, hn::Or(hn::Lt(shift, hn::Set(d, 15)),
                               hn::Lt(hn::Set(d, 29), shift)));
  auto bias = hn::LoadU(d, inputs.bias + lane);
  auto magnitude = hn::Xor(bias, hn::ShiftRight<31>(bias));
  isBad = hn::Or(isBad, hn::Lt(hn::Set(d, inputs.biasLimit), magnitude));
  if (!hn::AllFalse(d, isBad))
    return false;
  auto dropped = hn::Max(hn::Sub(getBits(d, magnitude), hn::Set(d, 15)), zero);
  bias = hn::Shl(hn::Shr(bias, dropped), dropped);
  auto rounding = hn::ShiftRight<1>(hn::Shl(one, preShift));
  auto share = hn::Mul(hn::LoadU(d, inputs.weightSums + lane),
                       hn::Set(d, inputs.offset));
  hn::StoreU(hn::Sub(hn::Add(bias, rounding), share), d, block.start + lane);
  const hn::Rebind<int16_t, D> d16;
  const hn::Rebind<int8_t, D> d8;
  ChannelScales &scales = block.scales;
  hn::StoreU(hn::DemoteTo(d16, narrow), d16, scales.multiplier + lane);
  hn::StoreU(hn::DemoteTo(d8, preShift), d8, scales.preShift + lane);
  hn::StoreU(hn::DemoteTo(d8, shift), d8, scales.shift + lane);
  return true;
}

inline bool fillBlock(const BlockInputs &inputs, ChannelBlock &block) {
  const hn::ScalableTag<int32_t> d;
  bool isExact = true;
  for (int64_t lane = 0; lane < panelChannels && isExact;
       lane += hn::MaxLanes(d))
    isExact = fillLanes(d, inputs, lane, block);
  return isExact;
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PARAMETERS_INL_H
