// SPDX-License-Identifier: Apache-2.0
//
// The last step of mli-tile-to-fit: kernels become loops over tiles.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_TILEAPPLY_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_TILEAPPLY_H

#include "TileGroup.h"

#include "mlir/IR/PatternMatch.h"

namespace mli::tiling {

/// Replaces the kernels of `group` by what computes `tiles`, one after the
/// other: loops where several tiles are alike, and more than `unrolled` tiles
/// would be written out. All tiles have static sizes. Fails with a diagnostic.
mlir::LogicalResult applyTiles(mlir::RewriterBase &rewriter,
                               const TileGroup &group, const TileSizes &tiles,
                               int64_t unrolled);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_TILEAPPLY_H
