// SPDX-License-Identifier: Apache-2.0
//
// Functions whose arguments and results become quantised with what uses them.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSASIGNATURES_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSASIGNATURES_H

#include "TosaScales.h"

#include "mlir/IR/BuiltinOps.h"

namespace mli::raising {

/// What functions of `module` hand to each other: operands of calls and
/// arguments, results and what is returned. Only where all callers are known.
llvm::SmallVector<Scales::Link> findLinks(mlir::ModuleOp module);

/// Joins casts of quantised tensors to plain ones and back, and makes arguments
/// and results of functions quantised that are cast in one way only.
void convertSignatures(mlir::ModuleOp module);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSASIGNATURES_H
