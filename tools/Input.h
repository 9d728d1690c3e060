// SPDX-License-Identifier: Apache-2.0
//
// Checks the input of drivers of MLIR before they parse it.

#ifndef MLI_TOOLS_INPUT_H
#define MLI_TOOLS_INPUT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mli {

/// Runs all of a tool on a stack that is enough for 50,000 levels of nesting,
/// which takes no memory where it is not used: what is read before anything can
/// be checked has no limit. Returns the exit status.
int runOnLargeStack(llvm::function_ref<int()> tool);

/// Fails if something in `input`, text or bytecode of `dialects`, is nested
/// more than `maxNesting` deep. A `separator` that is not empty divides inputs
/// of their own. The tool reports input that cannot be read.
llvm::Error checkInput(llvm::MemoryBufferRef input,
                       const mlir::DialectRegistry &dialects,
                       llvm::StringRef separator = {});

} // namespace mli

#endif // MLI_TOOLS_INPUT_H
