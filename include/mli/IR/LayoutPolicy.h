// SPDX-License-Identifier: Apache-2.0
//
// The options that a module sets for the policy of layouts.

#ifndef MLI_IR_LAYOUTPOLICY_H
#define MLI_IR_LAYOUTPOLICY_H

#include "mli/Layout/Policy.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mli {

/// The options of the closest module around `op` that sets any. Passes that
/// size, move or place tensors of `op` all use these.
layout::PolicyOptions findLayoutPolicy(mlir::Operation *op);

/// The storage mode that an option calls `text`: none, 4N or 2N. Others fail,
/// diagnosed at `op`.
mlir::FailureOr<layout::Mode> parseMapMode(mlir::Operation *op,
                                           llvm::StringRef text);

} // namespace mli

#endif // MLI_IR_LAYOUTPOLICY_H
