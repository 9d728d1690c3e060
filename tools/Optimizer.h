// SPDX-License-Identifier: Apache-2.0
//
// Tools that run passes on a file and print what they leave.

#ifndef MLI_TOOLS_OPTIMIZER_H
#define MLI_TOOLS_OPTIMIZER_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mli {

struct Help;

/// The dialects that are loaded before passes run: those of the input and of
/// the passes, or all.
enum class Loading { WhatIsUsed, All };

/// Runs the passes that the command line names; returns the exit status. The
/// passes and the options of MLIR are no part of `help` yet.
int runOptimizer(int argc, char **argv, Help help,
                 mlir::DialectRegistry &registry,
                 Loading loading = Loading::WhatIsUsed);

} // namespace mli

#endif // MLI_TOOLS_OPTIMIZER_H
