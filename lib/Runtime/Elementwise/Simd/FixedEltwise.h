// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations on rows of fx codes.

#ifndef MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_FIXEDELTWISE_H
#define MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_FIXEDELTWISE_H

#include <cstdint>

namespace mli::rt::simd {

/// Operands of add and sub are shifted left, results right with rounding; left
/// if the shift is negative.
struct FixedEltwiseFormat {
  int left1;
  int left2;
  int shift;
};

/// `step1` and `step2` are 1, or 0 of an operand that is one code.
template <typename Code>
using FixedEltwiseRow = void (*)(const FixedEltwiseFormat &format,
                                 const Code *in1, int64_t step1,
                                 const Code *in2, int64_t step2, Code *out,
                                 int64_t count);

/// In the order of mli::rt::EltwiseOp.
template <typename Code>
struct FixedEltwiseKernels {
  FixedEltwiseRow<Code> rows[5];
};

/// The kernels if this format suits them, else null.
const FixedEltwiseKernels<int8_t> *
fixedEltwiseKernels(const FixedEltwiseFormat &format, int8_t code);
const FixedEltwiseKernels<int16_t> *
fixedEltwiseKernels(const FixedEltwiseFormat &format, int16_t code);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_FIXEDELTWISE_H
