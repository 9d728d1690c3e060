// SPDX-License-Identifier: Apache-2.0
//
// Changing the arguments and results of functions.

#ifndef MLI_LIB_REDUCER_SIGNATURE_H
#define MLI_LIB_REDUCER_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mli::reducer {

/// The function around `op` that may get other arguments and results: it has
/// one block and no symbol refers to it. Null if there is none, or `op` is in a
/// region between that sees no values from outside.
mlir::func::FuncOp getFreeFunction(mlir::Operation *op);

/// The operation that `op` is in and that is in no other.
mlir::Operation *getRoot(mlir::Operation *op);

/// The operation that returns from `func`, which has one block.
mlir::func::ReturnOp getReturn(mlir::func::FuncOp func);

/// A new last argument of `func`.
mlir::Value appendArgument(mlir::RewriterBase &rewriter,
                           mlir::func::FuncOp func, mlir::Type type,
                           mlir::Location loc);

/// A new argument of `func` behind `argument`, with the attributes of that.
mlir::Value insertArgumentAfter(mlir::RewriterBase &rewriter,
                                mlir::func::FuncOp func,
                                mlir::BlockArgument argument, mlir::Type type);

/// Lets `func` return `values` and nothing else.
void setReturned(mlir::RewriterBase &rewriter, mlir::func::FuncOp func,
                 mlir::ValueRange values);

/// Gives the results of `func` the types of what it returns now, as many values
/// as before.
void updateResultTypes(mlir::RewriterBase &rewriter, mlir::func::FuncOp func);

/// Lets `func` have no results where `isDropped` is set.
void dropReturned(mlir::RewriterBase &rewriter, mlir::func::FuncOp func,
                  const llvm::BitVector &isDropped);

} // namespace mli::reducer

#endif // MLI_LIB_REDUCER_SIGNATURE_H
