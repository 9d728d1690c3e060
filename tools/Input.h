// SPDX-License-Identifier: Apache-2.0
//
// Drivers of MLIR read their input with these functions.

#ifndef MLI_TOOLS_INPUT_H
#define MLI_TOOLS_INPUT_H

#include "mli/Pipelines/InputDepth.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mli {

/// Runs all of a tool on a stack that is enough for 50,000 levels of nesting,
/// which takes no memory where it is not used: what is read before anything can
/// be checked has no limit. Returns the exit status.
int runOnLargeStack(llvm::function_ref<int()> tool);

} // namespace mli

#endif // MLI_TOOLS_INPUT_H
