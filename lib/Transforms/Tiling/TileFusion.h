// SPDX-License-Identifier: Apache-2.0
//
// The tiles of the iteration space that compute a tile of the result or use one
// of an operand, by which mli-tile-to-fit fuses producers and consumers.

#ifndef MLI_LIB_TRANSFORMS_TILING_TILEFUSION_H
#define MLI_LIB_TRANSFORMS_TILING_TILEFUSION_H

#include "TileModel.h"

namespace mli::tiling {

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

/// A block of iterations that follows from tiles of operands or results. The
/// loops that these say nothing about are open, which means all iterations;
/// they have a null offset and size.
struct LoopTile {
  explicit LoopTile(size_t count) : offsets(count), sizes(count) {}
  bool isOpen(size_t loop) const { return !offsets[loop]; }

  Sizes offsets, sizes;
};

/// The iterations that compute the tile of result `number` and no more; fails
/// if there are none.
mlir::FailureOr<LoopTile>
loopsOfResult(const KernelModel &model, unsigned number,
              llvm::ArrayRef<mlir::OpFoldResult> offsets,
              llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The iterations that use the tiles of operands `numbers` and nothing else of
/// these operands; fails if there are none, or tiles do not agree.
mlir::FailureOr<LoopTile> loopsOfOperands(const KernelModel &model,
                                          llvm::ArrayRef<unsigned> numbers,
                                          llvm::ArrayRef<Sizes> allOffsets,
                                          llvm::ArrayRef<Sizes> allSizes);

/// Whether the kernel computes `loops`. Adds no operations.
bool isComputed(const KernelModel &model, const LoopTile &loops);

/// Gives open loops all their iterations.
void closeLoops(mlir::OpBuilder &builder, const KernelModel &model,
                LoopTile &loops);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILING_TILEFUSION_H
