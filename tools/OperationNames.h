// SPDX-License-Identifier: Apache-2.0
//
// The names that a network in MLIR text gives its operations.

#ifndef MLI_TOOLS_OPERATIONNAMES_H
#define MLI_TOOLS_OPERATIONNAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mli {

/// Adds to the location of each operation of `module` what the text `source`,
/// from which it was read, calls its result: `conv`, and `%5` where that is a
/// number. Operations that have a name, or are not from there, stay as they
/// are.
void nameOperations(mlir::ModuleOp module, llvm::MemoryBufferRef source);

} // namespace mli

#endif // MLI_TOOLS_OPERATIONNAMES_H
