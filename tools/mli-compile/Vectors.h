// SPDX-License-Identifier: Apache-2.0
//
// mli-compile computes what a program without files compares with.

#ifndef MLI_TOOLS_MLI_COMPILE_VECTORS_H
#define MLI_TOOLS_MLI_COMPILE_VECTORS_H

#include "mli/Execution/Program.h"
#include "mli/Target/C.h"

namespace mli {

/// Runs the function `options.entries`, whose arguments are called `names`, on
/// the .npy files of `--vectors`, as mli-run does. Leaves `module` as it is.
llvm::Expected<CVectors> computeVectors(mlir::ModuleOp module,
                                        llvm::ArrayRef<std::string> names,
                                        llvm::ArrayRef<std::string> files,
                                        const CompileOptions &options);

} // namespace mli

#endif // MLI_TOOLS_MLI_COMPILE_VECTORS_H
