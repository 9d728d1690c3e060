// SPDX-License-Identifier: Apache-2.0
//
// Sums and differences of sa8 values in lanes of 16 bits. Included once per
// target.

#if defined(MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISESUMS_INL_H) ==             \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISESUMS_INL_H
#undef MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISESUMS_INL_H
#else
#define MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISESUMS_INL_H
#endif

#include "Eltwise.h"
#include "Runtime/Simd/Requantize-inl.h"
#include "Runtime/Simd/Rows-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// An operand, less its zero point, times its multiplier, and shifted. It has 9
/// bits: shifted to the left by so many as 16 leave room for, one product with
/// rounding, which loses 15 bits, is all of that where the shift is 8 to 15.
/// Where it is 10 to 23, `IsFar`, the high half of the product is what a second
/// one with a power of two rounds.
template <bool IsFar>
class SumOperand {
public:
  using D8 = hn::ScalableTag<int8_t>;
  using D16 = hn::Repartition<int16_t, D8>;
  using V16 = hn::Vec<D16>;

  static constexpr int minShift = IsFar ? 10 : 8;
  static constexpr int maxShift = IsFar ? 23 : 15;

  SumOperand(int32_t zeroPoint, int32_t multiplier, int shift)
      : down(IsFar ? 1 : shift - 7),
        zero(hn::Set(D16(), static_cast<int16_t>(zeroPoint * (256 >> down)))),
        multiplier(hn::Set(D16(), static_cast<int16_t>(multiplier))),
        power(hn::Set(D16(),
                      static_cast<int16_t>(IsFar ? 1 << (24 - shift) : 0))) {}

  /// `codes` are in the upper bytes of lanes.
  HWY_INLINE V16 operator()(V16 codes) const {
    auto value = hn::Sub(hn::ShiftRightSame(codes, down), zero);
    if constexpr (IsFar)
      return hn::MulFixedPoint15(hn::MulHigh(value, multiplier), power);
    else
      return hn::MulFixedPoint15(value, multiplier);
  }

private:
  int down;
  V16 zero, multiplier, power;
};

template <bool IsSum, bool IsFar>
class CodeSums {
public:
  using Operand = SumOperand<IsFar>;
  using D8 = typename Operand::D8;
  using V8 = hn::Vec<D8>;

  explicit CodeSums(const EltwiseFormat &format)
      : left(format.zero1, format.multiplier1, format.shift1),
        right(format.zero2, format.multiplier2, format.shift2),
        zeroOut(hn::Set(D16(), static_cast<int16_t>(format.zeroOut))) {}

  HWY_INLINE V8 operator()(V8 a, V8 b) const {
    const D8 d;
    const auto none = hn::Zero(d);
    return narrowCodes(
        sum(hn::InterleaveLower(d, none, a), hn::InterleaveLower(d, none, b)),
        sum(hn::InterleaveUpper(d, none, a), hn::InterleaveUpper(d, none, b)));
  }

private:
  using D16 = typename Operand::D16;

  HWY_INLINE hn::Vec<D16> sum(V8 a, V8 b) const {
    auto x = left(hn::BitCast(D16(), a));
    auto y = right(hn::BitCast(D16(), b));
    return hn::SaturatedAdd(
        IsSum ? hn::SaturatedAdd(x, y) : hn::SaturatedSub(x, y), zeroOut);
  }

  Operand left, right;
  hn::Vec<D16> zeroOut;
};

/// Steps as for EltwiseRow.
template <bool IsSum, bool IsFar>
HWY_NOINLINE void sumCodes(const EltwiseFormat &format, const int8_t *in1,
                           int64_t step1, const int8_t *in2, int64_t step2,
                           int8_t *out, int64_t count) {
  const hn::ScalableTag<int8_t> d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  const CodeSums<IsSum, IsFar> sums(format);
  auto load = [&](const int8_t *in, int64_t step, int64_t i) HWY_ATTR {
    return step == 0 ? hn::Set(d, *in) : hn::LoadU(d, in + i);
  };
  auto loadRest = [&](const int8_t *in, int64_t step, int64_t i) HWY_ATTR {
    return step == 0 ? hn::Set(d, *in) : loadN(d, in + i, count - i);
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(sums(load(in1, step1, i), load(in2, step2, i)), d, out + i);
  if (i < count)
    storeN(d, sums(loadRest(in1, step1, i), loadRest(in2, step2, i)), out + i,
           count - i);
}

/// Whether `sumCodes` computes sums of this format.
template <bool IsFar>
HWY_INLINE bool hasCodeSums(const EltwiseFormat &format) {
  using Operand = SumOperand<IsFar>;
  auto isOperand = [](int32_t multiplier, int shift) {
    return multiplier >= 0 && multiplier <= 32767 &&
           shift >= Operand::minShift && shift <= Operand::maxShift;
  };
  return isOperand(format.multiplier1, format.shift1) &&
         isOperand(format.multiplier2, format.shift2);
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISESUMS_INL_H
