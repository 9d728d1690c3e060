// SPDX-License-Identifier: Apache-2.0
//
// Operations that still verify with other types and attributes.

#ifndef MLI_LIB_REDUCER_RETYPING_H
#define MLI_LIB_REDUCER_RETYPING_H

#include "mlir/IR/PatternMatch.h"

namespace mli::reducer {

/// Whether `op` without its regions verifies. Says nothing of what is wrong.
bool isValid(mlir::Operation *op);

/// Sets attribute `name` of `op`, or removes it where `value` is null, if `op`
/// then verifies and is another.
mlir::LogicalResult setAttribute(mlir::RewriterBase &rewriter,
                                 mlir::Operation *op, mlir::StringAttr name,
                                 mlir::Attribute value);

/// Replaces `op` by the same on `operands`, with results of `types`, that
/// `adjust` completes, if that verifies. Where types of results change, all
/// that uses these is the return of its function, whose type follows. Without
/// success, leaves what is unused.
mlir::LogicalResult replaceRetyped(
    mlir::PatternRewriter &rewriter, mlir::Operation *op,
    mlir::ValueRange operands, mlir::TypeRange types,
    llvm::function_ref<void(mlir::Operation *)> adjust = [](mlir::Operation *) {
    });

} // namespace mli::reducer

#endif // MLI_LIB_REDUCER_RETYPING_H
