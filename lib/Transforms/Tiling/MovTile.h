// SPDX-License-Identifier: Apache-2.0
//
// The tiling of mli.mov, whose configuration is attributes, so that that of a
// tile has to be static, for mli-tile-to-fit.

#ifndef MLI_LIB_TRANSFORMS_TILING_MOVTILE_H
#define MLI_LIB_TRANSFORMS_TILING_MOVTILE_H

#include "TileModel.h"

namespace mli::tiling {

/// How the dimensions of the source follow from the written block. A dimension
/// that is padded stays whole: its tiles differ in their configuration.
llvm::SmallVector<DimAccess> getMovSourceAccesses(MovOp op);

/// How dimension `p` of the source is read, if it is not padded.
WindowDim getMovWindowDim(mlir::OpBuilder &builder, MovOp op, unsigned p);

/// The shape of the written block.
llvm::SmallVector<mlir::OpFoldResult> movWrittenSizes(mlir::OpBuilder &builder,
                                                      MovOp op);

/// Checks that attributes can specify how `op` computes `tile`.
std::optional<MatchFailure> rejectMovTile(MovOp op, const Tile &tile);

/// Sets the configuration of `tiled`, a copy of `op` on the operands of `tile`,
/// which is not rejected.
void configureMovTile(MovOp tiled, MovOp op, const Tile &tile);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILING_MOVTILE_H
