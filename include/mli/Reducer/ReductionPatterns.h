// SPDX-License-Identifier: Apache-2.0
//
// The patterns by which mli-reduce makes programs smaller.

#ifndef MLI_REDUCER_REDUCTIONPATTERNS_H
#define MLI_REDUCER_REDUCTIONPATTERNS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mli {

/// Gives `registry`'s contexts the reduction patterns of the dialect, for
/// `mli-reduce-by-patterns` and upstream's `reduction-tree`.
///
/// A pattern leaves a valid program but does not keep what it computes. It
/// erases no operation but the one that it matches, and leaves others unused.
void registerReductionPatterns(mlir::DialectRegistry &registry);

} // namespace mli

#endif // MLI_REDUCER_REDUCTIONPATTERNS_H
