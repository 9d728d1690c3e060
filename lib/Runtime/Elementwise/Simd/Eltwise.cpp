// SPDX-License-Identifier: Apache-2.0

#include "Eltwise.h"

#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Elementwise/Simd/Eltwise.cpp"
#include "hwy/foreach_target.h"

#include "EltwiseSums-inl.h"
#include "Runtime/Simd/Rows-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// One vector of 32-bit lanes of an operation; 8-bit operands never reach the
/// saturation of intermediate results, except the 16-bit product.
template <EltwiseOp Op, class D>
class EltwiseOperation {
  using V = hn::Vec<D>;

public:
  explicit EltwiseOperation(const EltwiseFormat &format)
      : format(format), zero1(hn::Set(d, format.zero1)),
        zero2(hn::Set(d, format.zero2)), zeroOut(hn::Set(d, format.zeroOut)),
        multiplier1(hn::Set(d, format.multiplier1 & 0xffff)),
        multiplier2(hn::Set(d, format.multiplier2 & 0xffff)),
        half1(hn::Set(d, getRoundingHalf(format.shift1))),
        offset1(hn::Set(d, getRoundingHalf(format.shift1) -
                               format.zero1 * format.multiplier1)),
        offset2(hn::Set(d, getRoundingHalf(format.shift2) -
                               format.zero2 * format.multiplier2)) {}

  HWY_INLINE V operator()(V a, V b) const {
    V result;
    if constexpr (Op == EltwiseOp::Add || Op == EltwiseOp::Sub) {
      // The zero points are in the offsets.
      V left = hn::ShiftRightSame(hn::Add(times(a, multiplier1), offset1),
                                  format.shift1);
      V right = hn::ShiftRightSame(hn::Add(times(b, multiplier2), offset2),
                                   format.shift2);
      result =
          Op == EltwiseOp::Add ? hn::Add(left, right) : hn::Sub(left, right);
    } else {
      V x = hn::Sub(a, zero1);
      V y = hn::Sub(b, zero2);
      if constexpr (Op == EltwiseOp::Mul)
        result = rounded1(times(narrowProduct(x, y), multiplier1));
      else if constexpr (Op == EltwiseOp::Min)
        result =
            rounded1(hn::Min(times(x, multiplier1), times(y, multiplier1)));
      else
        result =
            rounded1(hn::Max(times(x, multiplier1), times(y, multiplier1)));
    }
    return hn::Add(result, zeroOut);
  }

private:
  /// The product of lanes of 16 bits.
  HWY_INLINE V times(V a, V multiplier) const {
    const Codes16<D> d16;
    return multiplyPairs(d, hn::BitCast(d16, a), hn::BitCast(d16, multiplier));
  }
  HWY_INLINE V rounded1(V product) const {
    return hn::ShiftRightSame(hn::Add(product, half1), format.shift1);
  }
  /// The product in 16 bits.
  HWY_INLINE V narrowProduct(V x, V y) const {
    V product = hn::ShiftRightSame(
        hn::Add(hn::Mul(x, y), hn::Set(d, getRoundingHalf(format.preShift))),
        format.preShift);
    return hn::Max(hn::Min(product, hn::Set(d, 32767)), hn::Set(d, -32768));
  }

  static constexpr D d = {};
  const EltwiseFormat &format;
  V zero1, zero2, zeroOut, multiplier1, multiplier2, half1, offset1, offset2;
};

/// Computes a row of operands, of which one may be a single element.
template <EltwiseOp Op>
void eltwiseRow(const EltwiseFormat &format, const int8_t *in1, int64_t step1,
                const int8_t *in2, int64_t step2, int8_t *out, int64_t count) {
  zipRows(in1, step1, in2, step2, out, count,
          EltwiseOperation<Op, hn::ScalableTag<int32_t>>(format));
}

/// Sums and differences, in lanes of 16 bits where those have room.
template <EltwiseOp Op>
void sumRow(const EltwiseFormat &format, const int8_t *in1, int64_t step1,
            const int8_t *in2, int64_t step2, int8_t *out, int64_t count) {
  constexpr bool isSum = Op == EltwiseOp::Add;
  EltwiseRow<EltwiseFormat, int8_t> row = eltwiseRow<Op>;
  if (hasCodeSums<false>(format))
    row = sumCodes<isSum, false>;
  else if (hasCodeSums<true>(format))
    row = sumCodes<isSum, true>;
  row(format, in1, step1, in2, step2, out, count);
}

inline constexpr EltwiseKernels<EltwiseFormat, int8_t> eltwise = {
    {sumRow<EltwiseOp::Add>, sumRow<EltwiseOp::Sub>, eltwiseRow<EltwiseOp::Mul>,
     eltwiseRow<EltwiseOp::Min>, eltwiseRow<EltwiseOp::Max>}};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const EltwiseKernels<EltwiseFormat, int8_t> *
eltwiseKernels(const EltwiseFormat &format, int8_t /*code*/) {
  using Kernels = EltwiseKernels<EltwiseFormat, int8_t>;
  auto isByte = [](int32_t value) { return value >= -128 && value <= 127; };
  auto isShift = [](int shift) { return shift >= 0 && shift <= 30; };
  bool suits = isByte(format.zero1) && isByte(format.zero2) &&
               isByte(format.zeroOut) && isShift(format.shift1) &&
               isShift(format.shift2);
  return suits ? MLI_SIMD_CHOOSE(Kernels, eltwise) : nullptr;
}

} // namespace mli::rt::simd
#endif
