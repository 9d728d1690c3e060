// SPDX-License-Identifier: Apache-2.0
//
// Creates functions of 8 bits, whatever they are: a kernel finds each quantised
// value of the result in a table.

#ifndef MLI_FRONTEND_CODETABLE_H
#define MLI_FRONTEND_CODETABLE_H

#include "mli/Frontend/TensorBuilder.h"
#include "mli/Quant/Requantize.h"

#include <array>

namespace mli {

/// The quantised value of the result for each of the operand's, -128 first.
using CodeTable = std::array<int8_t, 256>;

/// The numbers of quantised values: `scale` times what they are above the zero
/// point.
struct CodeScale {
  double scale;
  int32_t zeroPoint;

  double getNumber(int code) const { return scale * (code - zeroPoint); }
};

/// The table of `function` between the numbers of `in` and of `out`: the
/// nearest quantised values in `limits`, halves away from zero. Where the
/// function is no number it is 0.
CodeTable computeCodeTable(const CodeScale &in, const CodeScale &out,
                           const quant::Limits &limits,
                           llvm::function_ref<double(double)> function);

/// Creates the map of the quantised values of `source`, sa8, by `table`, as
/// `element`. It is exact.
// K38, E2
mlir::Value createCodeTable(TensorBuilder &tensors, mlir::Value source,
                            Sa8Type element, const CodeTable &table);

} // namespace mli

#endif // MLI_FRONTEND_CODETABLE_H
