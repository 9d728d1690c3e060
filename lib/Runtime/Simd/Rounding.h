// SPDX-License-Identifier: Apache-2.0
//
// Shifts that round halves up.

#ifndef MLI_LIB_RUNTIME_SIMD_ROUNDING_H
#define MLI_LIB_RUNTIME_SIMD_ROUNDING_H

#include <cstdint>

namespace mli::rt::simd {

/// What is added before a shift to the right by up to 31 so that it rounds; 0
/// if it goes left.
inline int32_t halfOf(int shift) {
  return shift <= 0 ? 0 : int32_t{1} << (shift - 1);
}

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_ROUNDING_H
