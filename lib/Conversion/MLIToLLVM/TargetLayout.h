// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm sets here the data layout of the machine that a module is
// compiled for.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_TARGETLAYOUT_H
#define MLI_LIB_CONVERSION_MLITOLLVM_TARGETLAYOUT_H

#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// Refuses a machine that the structs of calls are not laid out for, whether a
/// module says its data layout or its name.
llvm::LogicalResult verifyTargetLayout(mlir::Operation *op);

/// Makes `module` carry the data layout that its calls are for, unless it has
/// one.
void attachTargetLayout(mlir::ModuleOp module);

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_TARGETLAYOUT_H
