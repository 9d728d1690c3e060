// SPDX-License-Identifier: Apache-2.0
//
// One element of a function by its table, as the kernels and the recurrent
// cells compute it.

#ifndef MLI_LIB_RUNTIME_TABLES_ACTIVATION_H
#define MLI_LIB_RUNTIME_TABLES_ACTIVATION_H

#include "Lut.h"
#include "Runtime/Core/Types.h"
#include "Runtime/Tables/Simd/Tables.h"
#include "mli/Quant/Formats.h"
#include "mli/Quant/Requantize.h"
#include "mli/Quant/TableArgument.h"

#include <algorithm>

namespace mli::rt {

/// The fixed quantisation of the results of kernels of `family`.
template <typename Type>
constexpr quant::QuantParams activationParams(contract::Family family) {
  return contract::tableFormat(family, 8 * sizeof(typename Type::Code),
                               Type::isAsymmetric);
}

/// A function by its table, of quantised values with given parameters.
template <typename Type>
class Activation {
public:
  using Code = typename Type::Code;

  Activation(contract::Family family, const mli_lut &lut,
             const quant::QuantParams &in)
      : table(lut), in(in), out(activationParams<Type>(family)) {
    if (Type::rounding == quant::Rounding::Up && setFast())
      kernels = simd::tableKernels<Code>(Type::isAsymmetric);
  }

  /// Maps `count` contiguous values, which may be where the results go.
  void operator()(const Code *codes, int64_t count, Code *results) const {
    if (kernels) {
      kernels->map(fast, result, codes, count, results);
      return;
    }
    for (int64_t i = 0; i < count; ++i)
      results[i] = (*this)(codes[i]);
  }

  // K38
  Code operator()(Code code) const {
    if constexpr (Type::isAsymmetric) {
      int32_t argument =
          quant::tableArgument(code, in, table.inFracBits, Type::rounding);
      int32_t value =
          evaluateLut(table, argument, quant::tableExtraBits, Type::rounding);
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
  /// Prepares the fast code; false if it would not be exact.
  bool setFast() {
    result = {1, 0, 0, 0};
    if constexpr (!Type::isAsymmetric)
      return simd::fixedPointFunction(table, in, fast);
    int shift = table.outFracBits - out.fracBits;
    if (!simd::asymmetricFunction(table, in, in.zeroPoint, fast) || shift < 0 ||
        shift > 30)
      return false;
    result = {1, simd::getRoundingHalf(shift), shift, out.zeroPoint};
    return true;
  }

  Table table;
  quant::QuantParams in;
  quant::QuantParams out;
  simd::TableFunction fast = {};
  simd::TableResult result = {};
  const simd::TableKernels<Code> *kernels = nullptr;
};

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_TABLES_ACTIVATION_H
