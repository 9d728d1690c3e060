// SPDX-License-Identifier: Apache-2.0
//
// Creates moves of blocks and of slices: pads, concatenations and what takes
// slices in an order that is known.

#ifndef MLI_FRONTEND_MOVES_H
#define MLI_FRONTEND_MOVES_H

#include "mli/Frontend/TensorBuilder.h"

#include <optional>

namespace mli {

/// A shape as [before, axis, after], with the extents before and after
/// multiplied.
struct AxisView {
  int64_t before, extent, after;

  AxisView(llvm::ArrayRef<int64_t> shape, int64_t axis);
};

/// A block of a tensor: where it begins in each dimension, and how far it goes,
/// in which steps.
struct TensorBlock {
  llvm::SmallVector<int64_t> offsets, sizes;
  llvm::SmallVector<int64_t> steps = {}; ///< all are 1 if it is empty

  int64_t getStep(size_t dim) const { return steps.empty() ? 1 : steps[dim]; }
  /// The number of elements in each dimension.
  llvm::SmallVector<int64_t> getShape() const;
};

/// Takes `block` of `source`, seen in `shape`. The result has the shape of the
/// block, unless that has more dimensions than kernels. It is a slice, which
/// may be a view, or with `isCopied` a move.
mlir::Value createBlock(TensorBuilder &tensors, mlir::Value source,
                        llvm::ArrayRef<int64_t> shape, const TensorBlock &block,
                        bool isCopied = false);

/// Pads `source`, which becomes `block` of `shape` without steps, with the
/// quantized value `padding`. The result has that shape, unless it has more
/// dimensions than kernels.
mlir::Value createPadded(TensorBuilder &tensors, mlir::Value source,
                         const TensorBlock &block,
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

/// Takes the slices of `source`, seen in `shape`, at `indices` along `axis`,
/// which are in range, in their order: [before, indices, after].
mlir::Value createTake(TensorBuilder &tensors, mlir::Value source,
                       llvm::ArrayRef<int64_t> shape, int64_t axis,
                       llvm::ArrayRef<int64_t> indices);

/// Takes those of each dimension in turn, or all where the list is empty. The
/// result has the shape of what is taken, unless that has more dimensions than
/// kernels.
mlir::Value createTakes(TensorBuilder &tensors, mlir::Value source,
                        llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<llvm::SmallVector<int64_t>> indices);

/// The indices of each dimension with which slices of a tensor of `own`, whose
/// dimensions are 1 or the last ones of `shape`, are repeated to that; nothing
/// if they are others.
std::optional<llvm::SmallVector<llvm::SmallVector<int64_t>>>
findRepeats(llvm::ArrayRef<int64_t> own, llvm::ArrayRef<int64_t> shape);

/// The number of moves that put the slices at `from` to those at `to`: of runs
/// of neighbours.
size_t countPuts(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// `into`, seen in `shape`, with the slices of `source` along `axis` at `from`
/// put at `to`. All are in range: [before, extent, after].
mlir::Value createPut(TensorBuilder &tensors, mlir::Value source,
                      mlir::Value into, llvm::ArrayRef<int64_t> shape,
                      int64_t axis, llvm::ArrayRef<int64_t> from,
                      llvm::ArrayRef<int64_t> to);

} // namespace mli

#endif // MLI_FRONTEND_MOVES_H
