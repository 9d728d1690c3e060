// SPDX-License-Identifier: Apache-2.0
//
// The parameters of one signed asymmetric (sa) quantisation, as the kernels
// take them. Dialect types, passes and runtime share this one definition.

#ifndef MLI_QUANT_QUANTPARAMS_H
#define MLI_QUANT_QUANTPARAMS_H

#include <cstdint>
#include <optional>
#include <string>

namespace mli::quant {

/// `real = (code - zeroPoint) * scale * 2^-fracBits`. The scale is the
/// `mli_element_params.sa.scale` mantissa: positive for every valid tensor.
struct QuantParams {
  int16_t scale = 1;
  int8_t fracBits = 0;
  int16_t zeroPoint = 0;

  bool operator==(const QuantParams &other) const {
    return scale == other.scale && fracBits == other.fracBits &&
           zeroPoint == other.zeroPoint;
  }
  bool operator!=(const QuantParams &other) const { return !(*this == other); }
};

/// The real scale `scale * 2^-fracBits`, exactly.
double realScale(const QuantParams &params);

/// The nearest parameters with a full mantissa, `2^14 <= scale < 2^15`, rounded
/// half up; nothing if `scale` is not positive and finite or if its exponent
/// leaves the int8 range of `fracBits`.
std::optional<QuantParams> fromRealScale(double scale, int16_t zeroPoint = 0);

/// `5:3:-128`, as the element types spell it (scale, frac bits, zero point).
std::string toString(const QuantParams &params);

} // namespace mli::quant

#endif // MLI_QUANT_QUANTPARAMS_H
