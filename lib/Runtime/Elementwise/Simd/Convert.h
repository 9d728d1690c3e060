// SPDX-License-Identifier: Apache-2.0
//
// Conversions of rows of quantised values and of fp32.

#ifndef MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_CONVERT_H
#define MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_CONVERT_H

#include "Runtime/Simd/Profile.h"

#include <cstdint>
#include <type_traits>

namespace mli::rt::simd {

/// The parameters of the conversion of a row. Quantised: (code - zeroPoint) *
/// multiplier * 2^-shift + outZero, saturated. From fp32: value * scale,
/// rounded to the nearest, plus outZero, saturated. To fp32: (code - zeroPoint)
/// * scale.
struct RowConversion {
  int32_t zeroPoint;
  int32_t outZero;
  int32_t multiplier;
  int shift;
  float scale;
};

/// False, with nothing written, if the row takes the scalar code.
template <typename From, typename To>
using ConvertRow = bool (*)(const From *in, const RowConversion &conversion,
                            To *out, int64_t count);

/// The results may be the row itself where elements are of one size.
template <typename From>
struct ConvertKernels {
  ConvertRow<From, int8_t> to8;
  ConvertRow<From, int16_t> to16;
  ConvertRow<From, int32_t> to32;
  ConvertRow<From, float> toFloat;

  template <typename To>
  ConvertRow<From, To> row() const {
    if constexpr (std::is_same_v<To, float>)
      return toFloat;
    else if constexpr (sizeof(To) == 1)
      return to8;
    else if constexpr (sizeof(To) == 2)
      return to16;
    else
      return to32;
  }
};

/// The kernels of the target of this moment, or null.
template <typename From>
const ConvertKernels<From> *convertKernels();
template <>
MLI_FAST_KERNEL(const ConvertKernels<int8_t> *convertKernels<int8_t>())
template <>
MLI_FAST_KERNEL(const ConvertKernels<int16_t> *convertKernels<int16_t>())
template <>
MLI_FAST_KERNEL(const ConvertKernels<int32_t> *convertKernels<int32_t>())
template <>
MLI_FAST_KERNEL(const ConvertKernels<float> *convertKernels<float>())

/// Whether the kernels may be called: not with shifts that need more than their
/// lanes have.
template <typename From, typename To>
bool suitsConversion(const RowConversion &conversion) {
  if constexpr (std::is_same_v<From, float> || std::is_same_v<To, float>)
    return true;
  // Products have 31 bits: with shifts in between, sums do not saturate.
  if constexpr (sizeof(From) < 4 && sizeof(To) < 4)
    return conversion.shift >= 1 && conversion.shift <= 30;
  // The multiplier is a mantissa: with 15 bits and no sign.
  return conversion.multiplier >= 1 << 14 && conversion.shift >= -13 &&
         conversion.shift <= 62;
}

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_ELEMENTWISE_SIMD_CONVERT_H
