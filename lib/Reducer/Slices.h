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

/// Whether `type` is of static shape and has parameters for each index of its
/// axis: a slice by an operation of upstream has those of all indices of its
/// source.
bool isSliceable(mlir::ShapedType type);

/// The type of `block` of `source`, which is sliceable.
mlir::RankedTensorType getBlockType(mlir::Value source,
                                    const TensorBlock &block);

/// The block of a tensor that `op` takes; nothing if it is no slice, or one of
/// which not all is known.
std::optional<TensorBlock> getBlock(mlir::Operation *op);

/// `block` of `source`, a ranked tensor that is sliceable; `source` itself
/// where that is all of it.
mlir::Value createSlice(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value source, const TensorBlock &block);

/// The same, of what `source` is a slice of, if it is one that is known.
mlir::Value createMergedSlice(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value source, const TensorBlock &block);

/// Whether `op` has no effects, and all that uses its results is unused.
bool isUnused(mlir::Operation *op);

/// Computes, takes and holds no more than the slices of `func` that are not in
/// `others`, as far as patterns know how.
void pushSlices(mlir::PatternRewriter &rewriter, mlir::func::FuncOp func,
                const llvm::DenseSet<mlir::Operation *> &others);

/// The slices of `func`.
llvm::DenseSet<mlir::Operation *> findSlices(mlir::func::FuncOp func);

} // namespace mli::reducer

#endif // MLI_LIB_REDUCER_SLICES_H
