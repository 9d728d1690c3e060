// SPDX-License-Identifier: Apache-2.0
//
// What patterns for slices have in common.

#ifndef MLI_LIB_REDUCER_SLICEPATTERNS_H
#define MLI_LIB_REDUCER_SLICEPATTERNS_H

#include "Patterns.h"
#include "Slices.h"

namespace mli::reducer {

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

/// Slices of what loops and branches give.
void populateRegionSlicePatterns(mlir::RewritePatternSet &patterns);

} // namespace mli::reducer

#endif // MLI_LIB_REDUCER_SLICEPATTERNS_H
