// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/QuantParams.h"

#include <cmath>

namespace mli::quant {

double realScale(const QuantParams &params) {
  return std::ldexp(static_cast<double>(params.scale), -params.fracBits);
}

std::optional<QuantParams> fromRealScale(double scale, int16_t zeroPoint) {
  if (!(scale > 0) || !std::isfinite(scale))
    return std::nullopt;
  int exponent = 0;
  double mantissa =
      std::floor(std::ldexp(std::frexp(scale, &exponent), 15) + 0.5);
  if (mantissa == 32768) { // Rounded up to the next power of two.
    mantissa = 16384;
    ++exponent;
  }
  int fracBits = 15 - exponent;
  if (fracBits < INT8_MIN || fracBits > INT8_MAX)
    return std::nullopt;
  QuantParams params;
  params.scale = static_cast<int16_t>(mantissa);
  params.fracBits = static_cast<int8_t>(fracBits);
  params.zeroPoint = zeroPoint;
  return params;
}

} // namespace mli::quant
