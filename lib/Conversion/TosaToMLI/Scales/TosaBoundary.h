// SPDX-License-Identifier: Apache-2.0
//
// Boundaries between quantised and plain tensors: the casts that legalization
// leaves, and the signatures of functions, which become quantised with their
// users.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSABOUNDARY_H
#define MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSABOUNDARY_H

#include "TosaCluster.h"

#include "mlir/IR/BuiltinOps.h"

namespace mli::raising {

/// The cast that defines `value`, if its operand is a quantised tensor; else
/// null.
mlir::UnrealizedConversionCastOp getQuantizedCast(mlir::Value value);

/// Reports each cast in `module` as an error at the side that stays plain: its
/// users, or the producer of its operand. Returns whether there is any cast.
bool reportBoundaries(mlir::ModuleOp module);

/// Finds the pairs of values that functions of `module` pass to each other:
/// operands of calls with arguments, returned values with results. Functions
/// with unknown callers have none.
llvm::SmallVector<Link> findInsertions(mlir::ModuleOp module);

/// Folds casts of quantised tensors to plain ones and back, and changes
/// arguments and results of functions to the quantised type that all their
/// casts have.
void convertSignatures(mlir::ModuleOp module);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSABOUNDARY_H
