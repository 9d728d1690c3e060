// SPDX-License-Identifier: Apache-2.0
//
// The slices of operands that a tile is computed from, for mli-tile-to-fit.

#ifndef MLI_LIB_TRANSFORMS_TILING_TILEOPERANDS_H
#define MLI_LIB_TRANSFORMS_TILING_TILEOPERANDS_H

#include "TileModel.h"

namespace mli::tiling {

/// Slices of operands, and the padding that is left to a tile.
struct TileOperands {
  /// In the order of the kernel's operands.
  llvm::SmallVector<mlir::Value> values;
  /// Those of them that are slices, by the operation that makes them, but for
  /// destinations of which the loops compute a block alone.
  llvm::SmallVector<mlir::Operation *> slices;
  /// Top, bottom, left, right; empty if the kernel has no padding.
  llvm::SmallVector<mlir::OpFoldResult> padding;
};

/// Adds the slices of `op` that `tile` needs; `tile` is not rejected.
TileOperands makeTileOperands(mlir::OpBuilder &builder,
                              const KernelModel &model, const Tile &tile);

/// Whether filters of `tile` are whole groups (with `isWholeGroups`), or all of
/// one group; nothing if that is not known.
enum class GroupCut { WholeGroups, PartOfOne };
std::optional<GroupCut> getGroupCut(const Groups &groups,
                                    mlir::OpFoldResult offset,
                                    mlir::OpFoldResult size);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILING_TILEOPERANDS_H
