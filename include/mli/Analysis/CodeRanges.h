// SPDX-License-Identifier: Apache-2.0
//
// What codes a tensor can hold, and how its elements are stored.

#ifndef MLI_ANALYSIS_CODERANGES_H
#define MLI_ANALYSIS_CODERANGES_H

#include "mli/Quant/CodeConversion.h"

#include "mlir/IR/Value.h"

namespace mli {

/// How elements of `type`, quantised or f32, are stored at `index` of the
/// quantised axis.
quant::NumberFormat getNumberFormat(mlir::Type type, size_t index = 0);

/// The codes that elements of `value`, a tensor of quantised elements, can
/// have: of constants those that they have, behind activations those that are
/// left, and otherwise all.
quant::CodeRange getCodeRange(mlir::Value value);

} // namespace mli

#endif // MLI_ANALYSIS_CODERANGES_H
