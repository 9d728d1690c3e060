// SPDX-License-Identifier: Apache-2.0
//
// The range of quantised values that the elements of a tensor can have.

#ifndef MLI_ANALYSIS_CODERANGES_H
#define MLI_ANALYSIS_CODERANGES_H

#include "mli/Quant/CodeConversion.h"

#include "mlir/IR/Value.h"

namespace mli {

/// Returns the quantised values that elements of `value`, a tensor of quantised
/// elements, can have: those of a constant, those that an activation leaves,
/// and otherwise all.
quant::CodeRange getCodeRange(mlir::Value value);

} // namespace mli

#endif // MLI_ANALYSIS_CODERANGES_H
