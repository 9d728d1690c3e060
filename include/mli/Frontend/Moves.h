// SPDX-License-Identifier: Apache-2.0
//
// Moves of blocks: into a border, and one behind the other.

#ifndef MLI_FRONTEND_MOVES_H
#define MLI_FRONTEND_MOVES_H

#include "mli/Frontend/TensorBuilder.h"

namespace mli {

/// A shape seen as [before, axis, behind].
struct Parts {
  int64_t before, extent, behind;

  Parts(llvm::ArrayRef<int64_t> shape, int64_t axis);
};

/// A tensor of `shape` whose elements are `code`, but for those of `source`
/// from `low` on.
mlir::Value createPadded(TensorBuilder &tensors, mlir::Value source,
                         llvm::ArrayRef<int64_t> low,
                         llvm::ArrayRef<int64_t> shape, int64_t code);

/// A tensor of `shape`, in [before, axis, behind], of `element`: all of `parts`
/// one behind the other along `axis`.
mlir::Value createJoined(TensorBuilder &tensors,
                         llvm::ArrayRef<mlir::Value> parts, mlir::Type element,
                         llvm::ArrayRef<int64_t> shape, int64_t axis);

} // namespace mli

#endif // MLI_FRONTEND_MOVES_H
