// SPDX-License-Identifier: Apache-2.0
//
// Permutations stand behind what looks at one element at a time, or puts parts
// together, where they move no more bytes there.

#ifndef MLI_LIB_TRANSFORMS_LEGALIZATION_PERMUTEREGION_H
#define MLI_LIB_TRANSFORMS_LEGALIZATION_PERMUTEREGION_H

#include "mli/IR/MLI.h"

#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// What takes `like` in the order of `permutation`.
mlir::Value createPermutedEmpty(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value like,
                                llvm::ArrayRef<int64_t> permutation);

/// `input` in the order of `permutation`.
mlir::Value createPermute(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value input,
                          llvm::ArrayRef<int64_t> permutation);

/// relu(permute(x)) -> permute(relu(x)), and so with all that permutations of
/// one kind meet in, as far as no byte more is moved. Whether there was any.
bool movePermutes(mlir::ModuleOp module);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LEGALIZATION_PERMUTEREGION_H
