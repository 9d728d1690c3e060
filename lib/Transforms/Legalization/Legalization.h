// SPDX-License-Identifier: Apache-2.0
//
// Rewrites of mli-legalize-conversions and mli-legalize-layouts.

#ifndef MLI_LIB_TRANSFORMS_LEGALIZATION_LEGALIZATION_H
#define MLI_LIB_TRANSFORMS_LEGALIZATION_LEGALIZATION_H

#include "mli/IR/MLI.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mli {

//===----------------------------------------------------------------------===//
// mli-legalize-conversions
//===----------------------------------------------------------------------===//

/// Whether `op` is a concatenation or inserts a value into a tensor.
bool isConcatOrInsertion(mlir::Operation *op);

/// concat(convert(slice), convert(slice)) -> convert(slice)
///
/// Merges the converts of adjacent slices of one tensor that `op`, a
/// concatenation or the last of a chain of insertions, puts together in the
/// same order, and that have no other use. The merged slice is a view as they
/// were, so that no element is moved, and no buffer lives longer. Returns the
/// merged convert; null if there is none.
ConvertOp mergeConverts(mlir::IRRewriter &rewriter, mlir::Operation *op);

//===----------------------------------------------------------------------===//
// mli-legalize-layouts
//===----------------------------------------------------------------------===//

/// Creates an empty tensor with the dimensions of `like` in the order of
/// `permutation`.
mlir::Value createPermutedEmpty(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value like,
                                llvm::ArrayRef<int64_t> permutation);

/// Creates an `mli.permute` of `input` with the order of `permutation`.
mlir::Value createPermute(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value input,
                          llvm::ArrayRef<int64_t> permutation);

/// relu(permute(x)) -> permute(relu(x)), and so with all elementwise operations
/// and concatenations where equal permutations meet, if that moves no more
/// bytes. Returns whether it moved any.
bool movePermutes(mlir::ModuleOp module);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LEGALIZATION_LEGALIZATION_H
