// SPDX-License-Identifier: Apache-2.0
//
// The reduction patterns, by what they reduce.

#ifndef MLI_LIB_REDUCER_PATTERNS_H
#define MLI_LIB_REDUCER_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mli::reducer {

/// A pattern for operations of any kind.
struct AnyOpPattern : mlir::RewritePattern {
  explicit AnyOpPattern(mlir::MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
};

/// Constants become splats; lists, attributes and parameters along an axis
/// simpler ones.
void populateConstantPatterns(mlir::RewritePatternSet &patterns);
void populateAttributePatterns(mlir::RewritePatternSet &patterns);

/// Functions that nobody refers to, calls, results.
void populateFunctionPatterns(mlir::RewritePatternSet &patterns);

/// The first and the last layers of a function.
void populateCutPatterns(mlir::RewritePatternSet &patterns);

/// Layers in the middle of a function.
void populateReplacementPatterns(mlir::RewritePatternSet &patterns);

/// Loops, branches and engines at the same time.
void populateControlFlowPatterns(mlir::RewritePatternSet &patterns);

/// Slices of what need not be made whole.
void populateSlicePatterns(mlir::RewritePatternSet &patterns);

/// The sizes of tensors.
void populateShapePatterns(mlir::RewritePatternSet &patterns);

} // namespace mli::reducer

#endif // MLI_LIB_REDUCER_PATTERNS_H
