// SPDX-License-Identifier: Apache-2.0
//
// Slices of tensors that are known, and where they go to.

#ifndef MLI_LIB_REDUCER_SLICES_H
#define MLI_LIB_REDUCER_SLICES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mli::reducer {

/// A block of a tensor.
struct TensorBlock {
  llvm::SmallVector<int64_t> offsets, sizes;
};

/// `block` of `source`, a ranked tensor of static shape; `source` itself where
/// that is all of it.
mlir::Value createSlice(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value source, const TensorBlock &block);

/// Whether neither results of `op` nor its effects are used.
bool isUnused(mlir::Operation *op);

/// Computes, takes and holds no more than the slices of `func` that are not in
/// `others`, as far as patterns know how.
void pushSlices(mlir::PatternRewriter &rewriter, mlir::func::FuncOp func,
                const llvm::DenseSet<mlir::Operation *> &others);

/// The slices of `func`.
llvm::DenseSet<mlir::Operation *> findSlices(mlir::func::FuncOp func);

} // namespace mli::reducer

#endif // MLI_LIB_REDUCER_SLICES_H
