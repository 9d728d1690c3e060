// SPDX-License-Identifier: Apache-2.0
//
// One element of sigmoid and tanh, as the kernels and the recurrent cells
// compute it.

#ifndef MLI_LIB_RUNTIME_ACTIVATION_H
#define MLI_LIB_RUNTIME_ACTIVATION_H

#include "Runtime/Lut.h"
#include "Runtime/Types.h"
#include "mli/Quant/Requantize.h"

#include <algorithm>

namespace mli::rt {

/// The names are those in kernel names.
enum class ActivationFunction { sigm, tanh };

/// The fixed quantisation of the results.
template <typename Type>
constexpr quant::QuantParams activationParams(ActivationFunction function) {
  if (!Type::isAsymmetric)
    return quant::fixedPoint(Type::type == MLI_EL_FX_16 ? 15 : 7);
  return function == ActivationFunction::sigm ? quant::QuantParams{1, 8, -128}
                                              : quant::QuantParams{1, 7, 0};
}

/// A function by its table, of codes with given parameters.
template <typename Type>
class Activation {
public:
  using Code = typename Type::Code;

  Activation(ActivationFunction function, const mli_lut &lut,
             const quant::QuantParams &in)
      : table(lut), in(in), out(activationParams<Type>(function)) {}

  // K38
  Code operator()(Code code) const {
    if constexpr (Type::isAsymmetric) {
      int32_t argument = quant::roundShiftRight<int32_t>(
          quant::wrap<int16_t>(code - in.zeroPoint) * in.scale,
          in.fracBits - (table.inFracBits + 8), Type::rounding);
      int32_t value = evaluateLut(table, argument, 8, Type::rounding);
      return quant::saturate<Code>(
          quant::roundShiftRight(value, table.outFracBits - out.fracBits,
                                 Type::rounding) +
          int64_t{out.zeroPoint});
    } else {
      int16_t value = evaluateLut(table, code, in.fracBits - table.inFracBits,
                                  Type::rounding);
      // Not derived from the table: its values are taken to have 15 bits.
      return quant::saturate<Code>(quant::roundShiftRight(
          value, sizeof(Code) == 2 ? 0 : 8, Type::rounding));
    }
  }

private:
  Table table;
  quant::QuantParams in;
  quant::QuantParams out;
};

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_ACTIVATION_H
