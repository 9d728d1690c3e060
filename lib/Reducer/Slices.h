// SPDX-License-Identifier: Apache-2.0
//
// Slices of tensors that are known, and where they go to.

#ifndef MLI_LIB_REDUCER_SLICES_H
#define MLI_LIB_REDUCER_SLICES_H

#include "Patterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

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
/// `others`, as far as patterns know how. Returns whether there was something
/// to do.
bool pushSlices(mlir::PatternRewriter &rewriter, mlir::func::FuncOp func,
                const llvm::DenseSet<mlir::Operation *> &others);

/// The slices of `func`.
llvm::DenseSet<mlir::Operation *> findSlices(mlir::func::FuncOp func);

/// A slice of what can be made smaller itself.
struct SlicePattern : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op,
                  mlir::PatternRewriter &rewriter) const override;

  /// `block` of `source`, made without all of it; null if that is not possible.
  virtual mlir::Value makeBlock(mlir::PatternRewriter &rewriter,
                                mlir::Value source,
                                const TensorBlock &block) const = 0;
};

/// A slice of what is made anew for each slice.
struct SliceOfLeaf : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op,
                  mlir::PatternRewriter &rewriter) const override;

  virtual mlir::Value makeBlock(mlir::PatternRewriter &rewriter,
                                mlir::Operation *source,
                                const TensorBlock &block,
                                mlir::RankedTensorType type) const = 0;
};

/// Patterns for slices of one thing each, and for those of what loops and
/// branches give.
void populateSourcePatterns(mlir::RewritePatternSet &patterns);
void populateRegionSlicePatterns(mlir::RewritePatternSet &patterns);

} // namespace mli::reducer

#endif // MLI_LIB_REDUCER_SLICES_H
