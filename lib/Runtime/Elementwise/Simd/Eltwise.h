// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations on rows of sa8 codes.

#ifndef MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISE_H
#define MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISE_H

#include <cstdint>

namespace mli::rt::simd {

/// An operation: (code - zero) * multiplier * 2^-shift of each operand, or of
/// the product, whose first shift is `preShift`.
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

/// `step1` and `step2` are 1, or 0 of an operand that is one code.
using EltwiseRow = void (*)(const EltwiseFormat &format, const int8_t *in1,
                            int64_t step1, const int8_t *in2, int64_t step2,
                            int8_t *out, int64_t count);

/// In the order of mli::rt::EltwiseOp.
struct EltwiseKernels {
  EltwiseRow add;
  EltwiseRow sub;
  EltwiseRow mul;
  EltwiseRow min;
  EltwiseRow max;
};

/// The kernels if this format suits them, else null.
const EltwiseKernels *eltwiseKernels(const EltwiseFormat &format);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_ELTWISE_H
