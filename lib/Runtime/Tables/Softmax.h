// SPDX-License-Identifier: Apache-2.0
//
// The last step of softmax: what exponentials are multiplied with.

#ifndef MLI_LIB_RUNTIME_TABLES_SOFTMAX_H
#define MLI_LIB_RUNTIME_TABLES_SOFTMAX_H

#include "Runtime/Core/Types.h"
#include "mli/Quant/Requantize.h"

#include <algorithm>

namespace mli::rt {

/// 1/sum as `multiplier * 2^-shift`, where fx8 gets no more than the 8 bits
/// that make its multiplier -1.
template <typename Type>
quant::Ratio reciprocalOfSum(int32_t sum, int lutFracBits) {
  constexpr bool narrow = Type::type == MLI_EL_FX_8;
  int sumNorm = quant::norm(sum);
  int32_t mantissa = quant::roundShiftRight(sum, 16 - sumNorm, Type::rounding);
  mantissa = narrow ? quant::saturate<int8_t>(mantissa)
                    : quant::saturate<int16_t>(mantissa);
  int32_t inverse =
      std::min<int32_t>(quant::divide(1 << 29, mantissa), INT16_MAX);
  int outBits = Type::type == MLI_EL_FX_16 ? 15 : narrow ? 7 : 8;
  int shift =
      std::min(2 * lutFracBits + 15 - sumNorm - outBits, narrow ? 15 : 31);
  return {static_cast<int16_t>(narrow ? quant::wrap<int8_t>(inverse) : inverse),
          shift};
}

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_TABLES_SOFTMAX_H
