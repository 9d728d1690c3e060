// SPDX-License-Identifier: Apache-2.0
//
// Networks in TOSA whose batch is open, as tensor<?x96x96x1xi8>.

#ifndef MLI_CONVERSION_TOSABATCH_H
#define MLI_CONVERSION_TOSABATCH_H

#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// The first argument whose first dimension is open, of a function of `module`
/// that has operations in TOSA; null if there is none.
mlir::BlockArgument findOpenBatch(mlir::ModuleOp module);

/// Makes the first dimension of all such arguments `batch`, and infers the
/// shapes of what depends on them, and of results.
mlir::LogicalResult setBatch(mlir::ModuleOp module, int64_t batch);

} // namespace mli

#endif // MLI_CONVERSION_TOSABATCH_H
