// SPDX-License-Identifier: Apache-2.0
//
// Where quantised tensors meet plain ones: casts that raising leaves.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSABOUNDARY_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSABOUNDARY_H

#include "TosaGroup.h"

#include "mlir/IR/BuiltinOps.h"

namespace mli::raising {

/// The cast that gives `value`, if it takes a quantised tensor; else null.
mlir::UnrealizedConversionCastOp quantisedSource(mlir::Value value);

/// Reports each cast in `module` as an error at what stays plain: its users, or
/// its operand. Returns whether there is any.
bool reportBoundaries(mlir::ModuleOp module);

/// What functions of `module` hand to each other: operands of calls and
/// arguments, results and what is returned. Only where all callers are known.
llvm::SmallVector<Link> findLinks(mlir::ModuleOp module);

/// Joins casts of quantised tensors to plain ones and back, and makes arguments
/// and results of functions quantised that are cast in one way only.
void convertSignatures(mlir::ModuleOp module);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSABOUNDARY_H
