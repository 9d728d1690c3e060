// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations on rows of sa8 and of fx codes.

#ifndef MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISE_H
#define MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISE_H

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

/// `step1` and `step2` are 1, or 0 of an operand that is one code.
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
const EltwiseKernels<EltwiseFormat, int8_t> *
eltwiseKernels(const EltwiseFormat &format, int8_t code);
const EltwiseKernels<FixedEltwiseFormat, int8_t> *
eltwiseKernels(const FixedEltwiseFormat &format, int8_t code);
const EltwiseKernels<FixedEltwiseFormat, int16_t> *
eltwiseKernels(const FixedEltwiseFormat &format, int16_t code);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISE_H
