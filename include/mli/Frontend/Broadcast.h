// SPDX-License-Identifier: Apache-2.0
//
// Kernels of two operands, one of which may be repeated.

#ifndef MLI_FRONTEND_BROADCAST_H
#define MLI_FRONTEND_BROADCAST_H

#include "mli/Frontend/TensorBuilder.h"

#include <optional>

namespace mli {

/// A shape without the dimensions of 1 in front.
llvm::ArrayRef<int64_t> withoutLeadingOnes(llvm::ArrayRef<int64_t> shape);

/// Larger constants are not repeated in memory.
inline constexpr int64_t maxRepeatedElements = 1 << 22;

/// Elements of `size` bytes, of shape `from`, repeated to `shape` as
/// broadcasting does; nothing if the shapes do not fit, or for more than the
/// above.
std::optional<llvm::SmallVector<char>>
repeatBytes(llvm::ArrayRef<char> bytes, llvm::ArrayRef<int64_t> from,
            llvm::ArrayRef<int64_t> shape, int64_t size = 1);

using BinaryFunction = llvm::function_ref<mlir::Value(
    mlir::Value left, mlir::Value right, mlir::Value init)>;

/// A value of `shape`, of `element`, that `compute` makes of operands of equal
/// shapes or with one of one element. Each of `left` and `right` has `shape`,
/// its last dimensions, which meet all others in a loop, or one element.
mlir::Value createBroadcast(TensorBuilder &tensors, mlir::Value left,
                            mlir::Value right, mlir::Type element,
                            llvm::ArrayRef<int64_t> shape,
                            BinaryFunction compute);

} // namespace mli

#endif // MLI_FRONTEND_BROADCAST_H
