// SPDX-License-Identifier: Apache-2.0
//
// Where kernels of 8 bits look a function up.

#ifndef MLI_QUANT_TABLEARGUMENT_H
#define MLI_QUANT_TABLEARGUMENT_H

#include "mli/Quant/Arithmetic.h"
#include "mli/Quant/QuantParams.h"

namespace mli::quant {

/// The fraction bits of an argument behind those of the table.
inline constexpr int tableExtraBits = 8;

/// The argument at which kernels of sa8 evaluate a table for `code`, a
/// quantised value of `params`: in steps of the table, whose arguments have
/// `inFracBits` fraction bits, with `tableExtraBits` more.
// K38
constexpr int32_t tableArgument(int32_t code, const QuantParams &params,
                                int inFracBits,
                                Rounding rounding = Rounding::Up) {
  return roundShiftRight<int32_t>(
      wrap<int16_t>(code - params.zeroPoint) * params.scale,
      params.fracBits - (inFracBits + tableExtraBits), rounding);
}

} // namespace mli::quant

#endif // MLI_QUANT_TABLEARGUMENT_H
