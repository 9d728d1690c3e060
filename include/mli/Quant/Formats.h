// SPDX-License-Identifier: Apache-2.0
//
// Formats that follow from a kernel, whatever its tensors have: the verifiers
// query them, and the runtime computes in them.

#ifndef MLI_QUANT_FORMATS_H
#define MLI_QUANT_FORMATS_H

#include "mli/Contract/Kernels.h"
#include "mli/Quant/Arithmetic.h"
#include "mli/Quant/QuantParams.h"

namespace mli::contract {

/// Whether kernels of `family` have a table, which fixes the format of what
/// they give.
constexpr bool hasTableFormat(Family family) {
  Format format = findTensor(family, OperandKind::Init)->format;
  return format == Format::Positive || format == Format::Signed;
}

/// The format of the results, of `width` bits, of kernels of `family`, which
/// have a table: numbers from 0 on take all values of an asymmetric type.
// E2
constexpr quant::QuantParams tableFormat(Family family, int width,
                                         bool isAsymmetric) {
  if (!isAsymmetric)
    return {1, static_cast<int8_t>(width - 1), 0};
  bool isPositive =
      findTensor(family, OperandKind::Init)->format == Format::Positive;
  return isPositive ? quant::QuantParams{1, 8, -128}
                    : quant::QuantParams{1, 7, 0};
}

/// The fraction bits of fixed-point products; bias and result have no more.
// C2
constexpr int productFracBits(const quant::QuantParams &input,
                              const quant::QuantParams &weights) {
  return input.fracBits + weights.fracBits;
}

/// The format of the gates of cells of `family` before their functions. `input`
/// and `weights` are those of the product that the bias counts with.
// K49, K50
constexpr quant::QuantParams gateFormat(Family family, bool isAsymmetric,
                                        const quant::QuantParams &input,
                                        const quant::QuantParams &weights) {
  bool isLstm = family == Family::LstmCell;
  if (isAsymmetric)
    return isLstm ? quant::QuantParams{1, 4, 0} : quant::QuantParams{21, 9, 0};
  int most = isLstm ? 10 : 11;
  int bits = productFracBits(input, weights);
  return {1, static_cast<int8_t>(bits < most ? bits : most), 0};
}

/// The parameters that the new gate of a GRU uses for weights of `params`, per
/// tensor and of an asymmetric type: the reference advances the values as if
/// they were pointers to those of gates.
// K51
constexpr quant::QuantParams newGateParams(const quant::QuantParams &params) {
  return {quant::wrap<int16_t>(params.scale + 4),
          quant::wrap<int8_t>(params.fracBits + 2), params.zeroPoint};
}

} // namespace mli::contract

#endif // MLI_QUANT_FORMATS_H
