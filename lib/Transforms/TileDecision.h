// SPDX-License-Identifier: Apache-2.0
//
// Which kernels of a function are cut into tiles, how, and which producers are
// computed in the tiles of their user.

#ifndef MLI_LIB_TRANSFORMS_TILEDECISION_H
#define MLI_LIB_TRANSFORMS_TILEDECISION_H

#include "TileSearch.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mli::tiling {

/// The attributes that say what is decided: of the last kernel of a group a
/// dictionary of `sizes`, `order` and, if so, `double_buffer`; of those that
/// are computed in its tiles a unit.
inline constexpr llvm::StringLiteral tileAttrName = "mli.tile";
inline constexpr llvm::StringLiteral fusedAttrName = "mli.tile_fused";

/// Of a kernel of which two tiles fit: what of each NPU the tiles beside one
/// that is computed take.
inline constexpr llvm::StringLiteral doubledAttrName = "mli.double_buffer";

/// Whether tiles leave room for a second one.
enum class DoubleBuffering { Off, Auto, On };

/// What decisions follow.
struct DecisionRules {
  layout::Target target;
  /// Of each NPU, at most all of it.
  int64_t capacity = 0;
  /// Kernels of one group; 1 fuses none.
  unsigned maxChain = 4;
  TileOverrides overrides;
  DoubleBuffering doubling = DoubleBuffering::Off;
};

/// One group of kernels, and how it is cut.
struct TileDecision {
  /// The last kernel, then its producers, the nearest first.
  llvm::SmallVector<mlir::Operation *> kernels;
  TilePlan plan;
  /// What files call the last kernel.
  std::string key;
  /// Whether a file says it.
  bool isOverride = false;
};

/// Decides for all kernels of `function` that do not fit as a whole, and for
/// those that are to be computed with them. In the order of the function. Fails
/// with a diagnostic for each kernel of which not even the smallest tile fits,
/// and for what `rules` override with tiles that do not.
mlir::FailureOr<std::vector<TileDecision>>
decideTiles(mlir::FunctionOpInterface function, const DecisionRules &rules);

/// The group that starts with `kernels`, the last kernel first; each makes an
/// operand of the one in front of it.
TileGroup makeGroup(llvm::ArrayRef<const StaticKernel *> kernels,
                    const layout::Target &target);

/// Whether `op` is a kernel on tensors that local memory has to hold: moves go
/// from system memory to system memory where they have to.
bool isTileable(mlir::Operation *op);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILEDECISION_H
