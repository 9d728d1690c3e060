// SPDX-License-Identifier: Apache-2.0
//
// Windows of HWC feature maps reduced to one pixel.

#ifndef MLI_LIB_RUNTIME_POOLING_SIMD_POOLING_H
#define MLI_LIB_RUNTIME_POOLING_SIMD_POOLING_H

#include "Runtime/Simd/Profile.h"

#include <cstddef>
#include <cstdint>

namespace mli::rt::simd {

/// A window that has samples; steps are in elements.
struct PoolWindow {
  int64_t rows;
  int64_t columns;
  ptrdiff_t rowStep;
  ptrdiff_t columnStep;
  int64_t channels;
};

/// Neighbouring pixels of a row, whose windows have as many columns. Steps from
/// one to the next are in elements, those of the input `stride` columns.
struct PoolRow {
  PoolWindow window;
  int64_t pixels;
  int64_t stride;
  ptrdiff_t outStep;
};

/// (start + multiplier * sum) * 2^-shift, rounded up; shift is 0 to 31. For
/// 16-bit values start is 0, the multiplier is positive, and the result fits 32
/// bits.
struct PoolScale {
  int32_t start;
  int32_t multiplier;
  int shift;
};

struct PoolKernels {
  void (*max8)(const int8_t *in, const PoolRow &row, int8_t *out);
  void (*max16)(const int16_t *in, const PoolRow &row, int16_t *out);
  void (*average8)(const int8_t *in, const PoolWindow &window,
                   const PoolScale &scale, int8_t *out);
  /// Takes at most 65535 samples.
  void (*average16)(const int16_t *in, const PoolWindow &window,
                    const PoolScale &scale, int16_t *out);
};

/// The kernels of the target of this moment, or null.
MLI_FAST_KERNEL(const PoolKernels *poolKernels())

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_POOLING_SIMD_POOLING_H
