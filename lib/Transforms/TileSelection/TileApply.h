// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-tile-to-fit that change the program: batches of one go, so
// that producers can fuse across the reshapes, recurrent cells become kernels
// that can be cut, and kernels become loops over tiles.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_TILEAPPLY_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_TILEAPPLY_H

#include "TileGroup.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mli::tiling {

/// Makes element-wise operations of `function` compute on feature maps of three
/// dimensions where all before these are 1, as convolutions and pooling do.
/// Reshapes from and to them go where nothing needs them.
void dropUnitBatches(mlir::FunctionOpInterface function);

/// What decides how recurrent cells are computed.
struct CellRules {
  const layout::Target &target;
  const CostModel &cost;
  /// Whether two tiles are in local memory wherever they fit.
  bool alwaysDoubles;
  /// The bytes of each NPU that are free for a kernel.
  llvm::function_ref<int64_t(mlir::Operation *)> getRoom;
};

/// Replaces each recurrent cell of `function` that takes more than is free for
/// it by the kernels of its steps, in a loop through which weights stay in
/// local memory as far as they fit. Cells stay where no kernels compute the
/// same. Returns how many are replaced.
size_t expandCells(mlir::FunctionOpInterface function, const CellRules &rules);

/// Replaces the kernels of `group` by what computes `tiles`, one after the
/// other: loops where several tiles are alike, and more than `unrolled` tiles
/// would be unrolled. All tiles have static sizes. Fails with a diagnostic.
mlir::LogicalResult applyTiles(mlir::RewriterBase &rewriter,
                               const TileGroup &group, const TileSizes &tiles,
                               int64_t unrolled);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_TILEAPPLY_H
