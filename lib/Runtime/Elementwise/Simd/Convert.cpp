// SPDX-License-Identifier: Apache-2.0

#include "Convert.h"

#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Elementwise/Simd/Convert.cpp"
#include "hwy/foreach_target.h"

#include "Runtime/Simd/Rows-inl.h"

#include <cstring>

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

using D = hn::ScalableTag<int32_t>;
using DF = hn::Rebind<float, D>;
using V = hn::Vec<D>;

/// A sum with a constant of at most 17 bits, saturated to 32.
class SaturatedSum {
public:
  explicit SaturatedSum(int32_t term)
      : term(hn::Set(d, term)),
        low(hn::Set(d, term < 0 ? INT32_MIN - term : INT32_MIN)),
        high(hn::Set(d, term > 0 ? INT32_MAX - term : INT32_MAX)) {}
  HWY_INLINE V operator()(V value) const {
    return hn::Add(hn::Min(hn::Max(value, low), high), term);
  }

private:
  static constexpr D d = {};
  V term, low, high;
};

/// Converts between 8 and 16 bits, in lanes of 16: products are those of pairs,
/// of which the second one is the rounding constant. False where that has no 16
/// bits, and where saturation to 16 bits before the zero point of the result is
/// added could be seen.
template <typename From, typename To>
bool convertNarrow(const From *in, const RowConversion &conversion, To *out,
                   int64_t count) {
  if (conversion.shift > 29 ||
      conversion.outZero != (sizeof(To) == 1 ? int8_t(conversion.outZero) : 0))
    return false;
  const D d;
  const Codes16<D> d16;
  const int up = HWY_MIN(conversion.shift - 1, 14);
  const auto one = hn::Set(d16, static_cast<int16_t>(1 << up));
  const int32_t half = getRoundingHalf(conversion.shift) >> up;
  const auto factors = hn::BitCast(
      d16, hn::Set(d, half << 16 | (conversion.multiplier & 0xffff)));
  const auto zero = hn::Set(d16, static_cast<int16_t>(conversion.zeroPoint));
  const auto outZero = hn::Set(d16, static_cast<int16_t>(conversion.outZero));
  auto scale = [&](auto pairs) HWY_ATTR {
    return hn::ShiftRightSame(multiplyPairs(d, pairs, factors),
                              conversion.shift);
  };
  mapLanes(d16, in, out, count, [&](auto codes, int64_t /*at*/) HWY_ATTR {
    auto value = hn::SaturatedSub(codes, zero);
    auto scaled =
        hn::ReorderDemote2To(d16, scale(hn::InterleaveLower(d16, value, one)),
                             scale(hn::InterleaveUpper(d16, value, one)));
    return hn::SaturatedAdd(scaled, outZero);
  });
  return true;
}

/// The bits that any of the values has besides its sign.
template <typename From>
HWY_INLINE int32_t getBits(const From *in, const SaturatedSum &centre,
                           int64_t count) {
  const D d;
  const hn::Rebind<From, D> from;
  constexpr int64_t lanes = hn::MaxLanes(d);
  auto bits = hn::Zero(d);
  auto add = [&](auto codes) HWY_ATTR {
    auto value = centre(widen(d, codes));
    bits = hn::Or(bits, hn::Xor(value, hn::BroadcastSignBit(value)));
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    add(hn::LoadU(from, in + i));
  // The first one takes the place of what is missing.
  From rest[lanes];
  for (From &code : rest)
    code = in[0];
  std::memcpy(rest, in + i, static_cast<size_t>(count - i) * sizeof(From));
  add(hn::LoadU(from, rest));
  HWY_ALIGN int32_t all[lanes];
  hn::Store(bits, d, all);
  int32_t any = 0;
  for (int32_t lane : all)
    any |= lane;
  return any;
}

/// Converts from or to 32 bits. The scalar code drops the low half of a
/// normalised product before it rounds. That makes no difference where the
/// shift that is left is positive: for values of at most 14 + shift bits.
template <typename From, typename To>
bool convertWide(const From *in, const RowConversion &conversion, To *out,
                 int64_t count) {
  const int valueBits = 14 + conversion.shift;
  const SaturatedSum centre(-conversion.zeroPoint);
  // 16-bit values less a zero point have 17.
  if (valueBits < (sizeof(From) == 4 ? 31 : 17) &&
      getBits(in, centre, count) >> valueBits != 0)
    return false;
  const int left = conversion.shift < 0 ? -conversion.shift : 0;
  const int shift = conversion.shift + left;
  constexpr uint64_t offset = uint64_t{1} << 63;
  const WideScale<D> scale(conversion.multiplier << left, shift, offset);
  const auto outZero = hn::Set(
      D(), static_cast<int32_t>(conversion.outZero - (offset >> shift)));
  mapRow(in, out, count, [&](auto codes) HWY_ATTR {
    return hn::Add(scale(centre(codes)), outZero);
  });
  return true;
}

/// A value beyond 32 bits, and NaN, becomes INT32_MIN before the zero point is
/// added.
template <typename To>
bool quantizeRow(const float *in, const RowConversion &conversion, To *out,
                 int64_t count) {
  const D d;
  const DF df;
  const auto scale = hn::Set(df, conversion.scale);
  const SaturatedSum addZero(conversion.outZero);
  mapRow(in, out, count, [&](auto values) HWY_ATTR {
    auto isPositive = hn::Gt(values, hn::Zero(df));
    auto half =
        hn::IfThenElse(isPositive, hn::Set(df, 0.5F), hn::Set(df, -0.5F));
    auto rounded = hn::Add(hn::Mul(values, scale), half);
    auto fits = hn::RebindMask(d, hn::Lt(rounded, hn::Set(df, 2147483648.0F)));
    return addZero(
        hn::IfThenElse(fits, hn::ConvertTo(d, rounded), hn::Set(d, INT32_MIN)));
  });
  return true;
}

template <typename From>
bool dequantizeRow(const From *in, const RowConversion &conversion, float *out,
                   int64_t count) {
  const DF df;
  const auto scale = hn::Set(df, conversion.scale);
  const SaturatedSum centre(-conversion.zeroPoint);
  mapRow(in, out, count, [&](auto codes) HWY_ATTR {
    return hn::Mul(hn::ConvertTo(df, centre(codes)), scale);
  });
  return true;
}

bool copyRow(const float *in, const RowConversion & /*conversion*/, float *out,
             int64_t count) {
  std::memmove(out, in, static_cast<size_t>(count) * sizeof(float));
  return true;
}

template <typename From>
inline constexpr ConvertKernels<From> conversion = {
    convertNarrow<From, int8_t>, convertNarrow<From, int16_t>,
    convertWide<From, int32_t>, dequantizeRow<From>};
template <>
inline constexpr ConvertKernels<int32_t> conversion<int32_t> = {
    convertWide<int32_t, int8_t>, convertWide<int32_t, int16_t>,
    convertWide<int32_t, int32_t>, dequantizeRow<int32_t>};
template <>
inline constexpr ConvertKernels<float> conversion<float> = {
    quantizeRow<int8_t>, quantizeRow<int16_t>, quantizeRow<int32_t>, copyRow};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

template <>
const ConvertKernels<int8_t> *convertKernels<int8_t>() {
  return MLI_SIMD_CHOOSE(ConvertKernels<int8_t>, conversion<int8_t>);
}

template <>
const ConvertKernels<int16_t> *convertKernels<int16_t>() {
  return MLI_SIMD_CHOOSE(ConvertKernels<int16_t>, conversion<int16_t>);
}

template <>
const ConvertKernels<int32_t> *convertKernels<int32_t>() {
  return MLI_SIMD_CHOOSE(ConvertKernels<int32_t>, conversion<int32_t>);
}

template <>
const ConvertKernels<float> *convertKernels<float>() {
  return MLI_SIMD_CHOOSE(ConvertKernels<float>, conversion<float>);
}

} // namespace mli::rt::simd
#endif
