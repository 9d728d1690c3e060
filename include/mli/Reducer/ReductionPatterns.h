// SPDX-License-Identifier: Apache-2.0
//
// The patterns by which mli-reduce makes programs smaller.

#ifndef MLI_REDUCER_REDUCTIONPATTERNS_H
#define MLI_REDUCER_REDUCTIONPATTERNS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mli {

/// The patterns of `mli-reduce-by-patterns`. Each leaves a valid program but
/// does not keep what it computes. It erases no operation but the one that it
/// matches, and leaves others unused.
void populateReductionPatterns(mlir::RewritePatternSet &patterns);

} // namespace mli

#endif // MLI_REDUCER_REDUCTIONPATTERNS_H
