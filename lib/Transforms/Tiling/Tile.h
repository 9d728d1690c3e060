// SPDX-License-Identifier: Apache-2.0
//
// Tiles of the iteration space of a kernel, and whether the kernel can compute
// them, for mli-tile-to-fit.

#ifndef MLI_LIB_TRANSFORMS_TILING_TILE_H
#define MLI_LIB_TRANSFORMS_TILING_TILE_H

#include "TileModel.h"

namespace mli::tiling {

/// Whether `size` is known to be that of dimension `dim` of `value`, a tensor
/// or buffer.
bool isSizeOf(mlir::OpFoldResult size, mlir::Value value, int64_t dim);

/// The size of dimension `dim` of `init` as every tile finds it: that of what
/// loops took up, so that a tile is known to go back to where it was cut from.
/// It is an attribute only where the type has it.
mlir::OpFoldResult getInitSize(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value init, int64_t dim);

/// The block of `sizes` iterations from `offsets` on; null for all of a loop.
Tile makeTile(const KernelModel &model,
              llvm::ArrayRef<mlir::OpFoldResult> offsets,
              llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Why the kernel does not compute `tile`; nothing if it does.
std::optional<MatchFailure> rejectTile(const KernelModel &model,
                                       const Tile &tile);

/// The same for putting the result of `tile`, which is computed, into result
/// `number`.
std::optional<MatchFailure> rejectInsertion(const KernelModel &model,
                                            const Tile &tile, unsigned number);

/// Reports on the kernel why `tile` is rejected.
mlir::InFlightDiagnostic diagnose(const KernelModel &model,
                                  const MatchFailure &failure,
                                  const Tile &tile);

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

/// A block of iterations that follows from tiles of operands or results. The
/// loops that these do not determine are open, which means all iterations; they
/// have a null offset and size.
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

#endif // MLI_LIB_TRANSFORMS_TILING_TILE_H
