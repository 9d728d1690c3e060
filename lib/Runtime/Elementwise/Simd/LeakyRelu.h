// SPDX-License-Identifier: Apache-2.0
//
// Leaky and parametric ReLU on rows of codes.

#ifndef MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_LEAKYRELU_H
#define MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_LEAKYRELU_H

#include "Runtime/Simd/Ratios.h"

namespace mli::rt::simd {

/// The function of codes: less `zeroIn`, times one ratio from 0 on and another
/// one below, plus `zeroOut`, saturated. Codes of 16 bits are fx: from 0 on
/// they stay as they are.
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
  /// With one for each code.
  void (*zip)(const Code *in, const LeakyFormat &format,
              const LaneRatios &slopes, Code *out, int64_t count);
};

/// The kernels if this format suits them, else null. Slopes have to suit lanes,
/// too.
const LeakyKernels<int8_t> *leakyKernels(const LeakyFormat &format,
                                         int8_t code);
const LeakyKernels<int16_t> *leakyKernels(const LeakyFormat &format,
                                          int16_t code);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_LEAKYRELU_H
