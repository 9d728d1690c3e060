// SPDX-License-Identifier: Apache-2.0
//
// Creates kernels of two operands, one of which may be broadcast.

#ifndef MLI_FRONTEND_BROADCAST_H
#define MLI_FRONTEND_BROADCAST_H

#include "mli/Frontend/TensorBuilder.h"

#include <optional>

namespace mli {

/// `shape` without its leading dimensions of 1.
llvm::ArrayRef<int64_t> dropLeadingOnes(llvm::ArrayRef<int64_t> shape);

/// The maximum number of elements of constants that are repeated in memory.
inline constexpr int64_t maxRepeatedElements = 1 << 22;

/// Broadcasts elements of `size` bytes from shape `from` to `shape`; nothing if
/// the shapes do not fit, or for more than `maxRepeatedElements` elements.
std::optional<llvm::SmallVector<char>>
repeatBytes(llvm::ArrayRef<char> bytes, llvm::ArrayRef<int64_t> from,
            llvm::ArrayRef<int64_t> shape, int64_t size = 1);

using BinaryFunction = llvm::function_ref<mlir::Value(
    mlir::Value left, mlir::Value right, mlir::Value init)>;

/// Creates a value of `shape` and `element` with `compute`, whose operands have
/// equal shapes or one element. Each of `left` and `right` has `shape`, its
/// last dimensions, over which a loop repeats it, or one element.
mlir::Value createBroadcast(TensorBuilder &tensors, mlir::Value left,
                            mlir::Value right, mlir::Type element,
                            llvm::ArrayRef<int64_t> shape,
                            BinaryFunction compute);

} // namespace mli

#endif // MLI_FRONTEND_BROADCAST_H
