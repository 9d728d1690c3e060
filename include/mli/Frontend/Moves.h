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

/// The maximum number of moves that take slices along an axis.
inline constexpr size_t maxTakes = 1024;

/// The number of moves that take slices at `indices` of `extent`: of runs of
/// neighbours, or of all slices at once where each is repeated.
size_t countTakes(llvm::ArrayRef<int64_t> indices, int64_t extent);

/// Takes the slices of `source` at `indices` along `axis`, which are in range,
/// in their order: [before, indices, after].
mlir::Value createTake(TensorBuilder &tensors, mlir::Value source, int64_t axis,
                       llvm::ArrayRef<int64_t> indices);

/// Takes those of each dimension in turn.
mlir::Value createTakes(TensorBuilder &tensors, mlir::Value source,
                        llvm::ArrayRef<llvm::SmallVector<int64_t>> indices);

} // namespace mli

#endif // MLI_FRONTEND_MOVES_H
