// SPDX-License-Identifier: Apache-2.0
//
// What a module asks of the policy of layouts.

#ifndef MLI_IR_LAYOUTPOLICY_H
#define MLI_IR_LAYOUTPOLICY_H

#include "mli/Layout/Policy.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mli {

/// What the closest module around `op` that says something asks. Everyone who
/// sizes, moves or places tensors of `op` gets the same.
layout::PolicyOptions findLayoutPolicy(mlir::Operation *op);

/// The storage mode that an option calls `text`: none, 4N or 2N. Others fail,
/// diagnosed at `op`.
mlir::FailureOr<layout::Mode> parseMapMode(mlir::Operation *op,
                                           llvm::StringRef text);

} // namespace mli

#endif // MLI_IR_LAYOUTPOLICY_H
