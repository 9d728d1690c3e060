// SPDX-License-Identifier: Apache-2.0
//
// Passes of the pipelines that visit less than upstream's.

#ifndef MLI_LIB_PIPELINES_PASSES_H
#define MLI_LIB_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mli {

/// A pass `name` that runs the pipeline of `build` on modules with an operation
/// that `isInput` holds for. Others are left as they are, and not verified
/// again, which takes longer than to look for one.
std::unique_ptr<mlir::Pass>
createRunWhere(llvm::StringLiteral name, bool (*isInput)(mlir::Operation *),
               void (*build)(mlir::OpPassManager &));

/// A pass that lowers operations of affine as upstream's lower-affine does,
/// which also visits, and tries to fold, all others: of a network, most.
std::unique_ptr<mlir::Pass> createLowerAffineOps();

} // namespace mli

#endif // MLI_LIB_PIPELINES_PASSES_H
