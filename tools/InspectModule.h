// SPDX-License-Identifier: Apache-2.0
//
// Inspects networks that are MLIR, for the tools that read networks.

#ifndef MLI_TOOLS_INSPECTMODULE_H
#define MLI_TOOLS_INSPECTMODULE_H

#include "mli/Frontend/Inspection.h"

#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// Lists what becomes of the operations of `module`, in TOSA or mli on tensors,
/// and says whether it runs, by its function `entry`: it is compiled up to its
/// buffers, and changed.
Inspection inspectModule(mlir::ModuleOp module, llvm::StringRef entry = "");

/// Says what to do for `argument`, whose first dimension is open.
std::string describeOpenBatch(mlir::BlockArgument argument);

} // namespace mli

#endif // MLI_TOOLS_INSPECTMODULE_H
