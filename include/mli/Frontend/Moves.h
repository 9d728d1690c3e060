// SPDX-License-Identifier: Apache-2.0
//
// Creates moves of blocks: pads and concatenations.

#ifndef MLI_FRONTEND_MOVES_H
#define MLI_FRONTEND_MOVES_H

#include "mli/Frontend/TensorBuilder.h"

namespace mli {

/// A shape as [before, axis, after], with the extents before and after
/// multiplied.
struct AxisView {
  int64_t before, extent, after;

  AxisView(llvm::ArrayRef<int64_t> shape, int64_t axis);
};

/// Pads `source` to `shape` with the quantized value `padding`; `low` is the
/// padding before it in each dimension.
mlir::Value createPadded(TensorBuilder &tensors, mlir::Value source,
                         llvm::ArrayRef<int64_t> low,
                         llvm::ArrayRef<int64_t> shape, int64_t padding);

/// Concatenates `operands` along `axis` to a tensor of `shape`, returned as
/// [before, axis, after], of `element`.
mlir::Value createConcat(TensorBuilder &tensors,
                         llvm::ArrayRef<mlir::Value> operands,
                         mlir::Type element, llvm::ArrayRef<int64_t> shape,
                         int64_t axis);

} // namespace mli

#endif // MLI_FRONTEND_MOVES_H
