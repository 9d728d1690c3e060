// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations on rows of sa8 and of fx values.

#ifndef MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISE_H
#define MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISE_H

#include "Runtime/Simd/Ratios.h"
#include <cstdint>

namespace mli::rt {

enum class EltwiseOp { Add, Sub, Mul, Min, Max };

} // namespace mli::rt

namespace mli::rt::simd {

/// An operation on sa8: (code - zero) * multiplier * 2^-shift of each operand,
/// or of the product, whose first shift is `preShift`.
struct EltwiseFormat {
  int32_t zero1;
  int32_t zero2;
  int32_t zeroOut;
  int32_t multiplier1;
  int32_t multiplier2;
  int shift1;
  int shift2;
  int preShift;
};

/// An operation on fx: operands of add and sub are shifted left, results right
/// with rounding; left if the shift is negative.
struct FixedEltwiseFormat {
  int left1;
  int left2;
  int shift;
};

/// `step1` and `step2` are 1, or 0 for an operand of one element.
template <typename Format, typename Code>
using EltwiseRow = void (*)(const Format &format, const Code *in1,
                            int64_t step1, const Code *in2, int64_t step2,
                            Code *out, int64_t count);

/// One row for each EltwiseOp, in their order.
template <typename Format, typename Code>
struct EltwiseKernels {
  EltwiseRow<Format, Code> rows[5];
};

/// The kernels if this format suits them, else null.
using Sa8EltwiseKernels = EltwiseKernels<EltwiseFormat, int8_t>;
using Fx8EltwiseKernels = EltwiseKernels<FixedEltwiseFormat, int8_t>;
using Fx16EltwiseKernels = EltwiseKernels<FixedEltwiseFormat, int16_t>;
MLI_FAST_KERNEL(const Sa8EltwiseKernels *eltwiseKernels(const EltwiseFormat &,
                                                        int8_t))
MLI_FAST_KERNEL(
    const Fx8EltwiseKernels *eltwiseKernels(const FixedEltwiseFormat &, int8_t))
MLI_FAST_KERNEL(const Fx16EltwiseKernels *eltwiseKernels(
    const FixedEltwiseFormat &, int16_t))

/// The function of quantised values: less `zeroIn`, times one ratio from 0 on
/// and another one below, plus `zeroOut`, saturated. 16-bit values are fx: from
/// 0 on they stay as they are.
struct LeakyFormat {
  int32_t zeroIn;
  int32_t zeroOut;
  int32_t multiplier;
  int shift;
};

/// The result may be the row itself.
template <typename Code>
struct LeakyKernels {
  /// With one ratio below 0.
  void (*row)(const Code *in, const LeakyFormat &format, int32_t slope,
              int slopeShift, Code *out, int64_t count);
  /// The same, with one slope for each element.
  void (*zip)(const Code *in, const LeakyFormat &format,
              const LaneRatios &slopes, Code *out, int64_t count);
};

/// The kernels if this format suits them, else null. Slopes have to suit lanes,
/// too.
MLI_FAST_KERNEL(const LeakyKernels<int8_t> *leakyKernels(const LeakyFormat &,
                                                         int8_t))
MLI_FAST_KERNEL(const LeakyKernels<int16_t> *leakyKernels(const LeakyFormat &,
                                                          int16_t))

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISE_H
