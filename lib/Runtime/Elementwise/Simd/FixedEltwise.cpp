// SPDX-License-Identifier: Apache-2.0

#include "Eltwise.h"

#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Elementwise/Simd/FixedEltwise.cpp"
#include "hwy/foreach_target.h"

#include "Runtime/Simd/Rows-inl.h"

#include <limits>

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// One vector of 32-bit lanes of an operation. No step before the last reaches
/// the limits of 32 bits.
template <EltwiseOp Op, typename Code>
class FixedOperation {
  using D = hn::ScalableTag<int32_t>;
  using V = hn::Vec<D>;
  static constexpr bool isComparison =
      Op == EltwiseOp::Min || Op == EltwiseOp::Max;

public:
  explicit FixedOperation(const FixedEltwiseFormat &format)
      : format(format), half(hn::Set(d, getRoundingHalf(format.shift))),
        low(hn::Set(d, std::numeric_limits<Code>::min())),
        high(hn::Set(d, std::numeric_limits<Code>::max())) {}

  HWY_INLINE V operator()(V a, V b) const {
    V result = combine(a, b);
    if (HWY_UNLIKELY(format.shift < 0)) {
      // Beyond the limits of the element type it saturates anyway.
      return hn::ShiftLeftSame(hn::Max(hn::Min(result, high), low),
                               -format.shift);
    }
    result = hn::Add(result, half);
    // Comparisons are rounded in the width of the elements.
    if constexpr (isComparison)
      result = hn::Min(result, high);
    return hn::ShiftRightSame(result, format.shift);
  }

private:
  HWY_INLINE V combine(V a, V b) const {
    if constexpr (Op == EltwiseOp::Mul) {
      return hn::Mul(a, b);
    } else if constexpr (isComparison) {
      return Op == EltwiseOp::Min ? hn::Min(a, b) : hn::Max(a, b);
    } else {
      V x = hn::ShiftLeftSame(a, format.left1);
      V y = hn::ShiftLeftSame(b, format.left2);
      return Op == EltwiseOp::Add ? hn::Add(x, y) : hn::Sub(x, y);
    }
  }

  static constexpr D d = {};
  FixedEltwiseFormat format;
  V half, low, high;
};

template <EltwiseOp Op, typename Code>
void fixedRow(const FixedEltwiseFormat &format, const Code *in1, int64_t step1,
              const Code *in2, int64_t step2, Code *out, int64_t count) {
  zipRows(in1, step1, in2, step2, out, count, FixedOperation<Op, Code>(format));
}

template <typename Code>
inline constexpr EltwiseKernels<FixedEltwiseFormat, Code> fixedEltwise = {
    {fixedRow<EltwiseOp::Add, Code>, fixedRow<EltwiseOp::Sub, Code>,
     fixedRow<EltwiseOp::Mul, Code>, fixedRow<EltwiseOp::Min, Code>,
     fixedRow<EltwiseOp::Max, Code>}};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

/// No intermediate result leaves 32 bits: sums of two shifted values and
/// products have at most 31, which leaves room for half of 2^30.
template <typename Code>
static bool suits(const FixedEltwiseFormat &format) {
  constexpr int width = 8 * sizeof(Code);
  auto isLeft = [](int shift) { return shift >= 0 && shift <= 30 - width; };
  return isLeft(format.left1) && isLeft(format.left2) && format.shift <= 30 &&
         -format.shift <= 31 - width;
}

const EltwiseKernels<FixedEltwiseFormat, int8_t> *
eltwiseKernels(const FixedEltwiseFormat &format, int8_t /*code*/) {
  using Kernels = EltwiseKernels<FixedEltwiseFormat, int8_t>;
  return suits<int8_t>(format) ? MLI_SIMD_CHOOSE(Kernels, fixedEltwise<int8_t>)
                               : nullptr;
}

const EltwiseKernels<FixedEltwiseFormat, int16_t> *
eltwiseKernels(const FixedEltwiseFormat &format, int16_t /*code*/) {
  using Kernels = EltwiseKernels<FixedEltwiseFormat, int16_t>;
  return suits<int16_t>(format)
             ? MLI_SIMD_CHOOSE(Kernels, fixedEltwise<int16_t>)
             : nullptr;
}

} // namespace mli::rt::simd
#endif
