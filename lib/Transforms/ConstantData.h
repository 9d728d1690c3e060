// SPDX-License-Identifier: Apache-2.0
//
// Moving elements of constants at compile time.

#ifndef MLI_LIB_TRANSFORMS_CONSTANTDATA_H
#define MLI_LIB_TRANSFORMS_CONSTANTDATA_H

#include "mli/IR/MLI.h"

namespace mli {

/// The constant of `type` whose element `i` is that of `source` at row-major
/// position `offset + sum(i[d] * strides[d])`.
mlir::Value gatherConstant(mlir::OpBuilder &builder, ConstantOp source,
                           mlir::RankedTensorType type, int64_t offset,
                           llvm::ArrayRef<int64_t> strides);

/// The constant that `parts`, constants of one element type, are along
/// dimension `dim`, one behind the other; null if one of them is none.
mlir::Value concatConstants(mlir::OpBuilder &builder, mlir::ValueRange parts,
                            int64_t dim);

/// What the runtime makes of the constant `value` in a conversion to `type`;
/// null if it is no constant.
mlir::Value convertConstant(mlir::OpBuilder &builder, mlir::Value value,
                            mlir::RankedTensorType type);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_CONSTANTDATA_H
