// SPDX-License-Identifier: Apache-2.0
//
// Products that are shifted to the right and rounded, halves up; also by ratios
// that differ from element to element of a row.

#ifndef MLI_LIB_RUNTIME_SIMD_RATIOS_H
#define MLI_LIB_RUNTIME_SIMD_RATIOS_H

#include "Runtime/Simd/Profile.h"

#include <cstdint>

namespace mli::rt::simd {

/// The constant to add before a shift to the right by up to 31 so that it
/// rounds; 0 if it goes left.
inline int32_t getRoundingHalf(int shift) {
  return shift <= 0 ? 0 : int32_t{1} << (shift - 1);
}

/// `multiplier * 2^-shift` of each element: multipliers of 16 bits, shifts from
/// 0 to 30. `padding` entries after the last are read, but do not matter.
struct LaneRatios {
  static constexpr int64_t padding = 16;

  const int32_t *multipliers;
  const int32_t *shifts;
};

/// Whether a product of 16-bit values is scaled by a ratio inside 32 bits.
inline bool suitsLanes(int32_t multiplier, int shift) {
  return multiplier >= INT16_MIN && multiplier <= INT16_MAX && shift >= 0 &&
         shift <= 30;
}

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_RATIOS_H
