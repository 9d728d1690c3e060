// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-tile-to-fit: drops batches of one, so that producers can
// fuse across the reshapes, decides which kernels of a function are tiled, how,
// and which producers are fused with them, and makes loops over the tiles.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_TILEDECISION_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_TILEDECISION_H

#include "TileSearch.h"

#include "mli/Transforms/Options.h"

#include "TileGroup.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mli::tiling {

/// Makes element-wise operations of `function` compute on feature maps of three
/// dimensions where all before these are 1, as convolutions and pooling do.
/// Reshapes from and to them go where nothing needs them.
void dropUnitBatches(mlir::FunctionOpInterface function);

/// The options that decisions follow.
struct DecisionRules {
  layout::Target target;
  /// Bytes of each NPU, at most all of it.
  int64_t capacity = 0;
  /// The most kernels of one group; 1 fuses none.
  unsigned maxGroup = 4;
  TileOverrides overrides;
  DoubleBuffering doubling = DoubleBuffering::Off;
  /// Whether decisions explain why they leave producers out.
  bool explains = false;
};

/// A producer that could be of a group, and why it is not.
struct UnfusedProducer {
  mlir::Operation *op;
  std::string key, reason;
};

/// One group of kernels, and how it is cut.
struct TileDecision {
  /// The last kernel, then those before it, the last one first.
  llvm::SmallVector<mlir::Operation *> kernels;
  TilePlan plan;
  /// The name of the last kernel in files, and the numbers of the others.
  std::string key;
  llvm::SmallVector<size_t> fused;
  llvm::SmallVector<UnfusedProducer> leftOut;
  /// Whether a file specifies the decision.
  bool isOverride = false;
};

/// Decides for all kernels of `function` that do not fit as a whole, and for
/// those that are to be computed with them. In the order of the function. Fails
/// with a diagnostic for each kernel of which not even the smallest tile fits,
/// and for what `rules` override with tiles that do not.
mlir::FailureOr<std::vector<TileDecision>>
decideTiles(mlir::FunctionOpInterface function, const DecisionRules &rules);

/// Replaces the kernels of `group` by what computes `tiles`, one after the
/// other: loops where several tiles are alike, and more than `unrolled` tiles
/// would be unrolled. All tiles have static sizes. Fails with a diagnostic.
mlir::LogicalResult applyTiles(mlir::RewriterBase &rewriter,
                               const TileGroup &group, const TileSizes &tiles,
                               int64_t unrolled);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_TILEDECISION_H
