// SPDX-License-Identifier: Apache-2.0
//
// How the operands of a kernel are indexed by its loops: the one description of
// each kernel family that the tiling in mli-tile-to-fit is computed from.

#ifndef MLI_LIB_TRANSFORMS_TILING_TILEMODEL_H
#define MLI_LIB_TRANSFORMS_TILING_TILEMODEL_H

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

namespace mli::tiling {

/// How a tile reads or writes one dimension of an operand.
struct DimAccess {
  enum class Kind {
    Full,   ///< all of it, whatever the tile
    Loop,   ///< the indices that the tile has of a loop
    Window, ///< what a window reads that moves along a loop
    Spread, ///< what a transposed window spreads over a loop
    Groups, ///< the channels of the groups that the tile has filters of
  };

  static DimAccess full() { return {}; }
  static DimAccess ofLoop(unsigned loop) { return {Kind::Loop, loop}; }
  static DimAccess window(unsigned loop, unsigned windowDim) {
    return {Kind::Window, loop, windowDim};
  }
  static DimAccess spread(unsigned loop, unsigned windowDim) {
    return {Kind::Spread, loop, windowDim};
  }
  static DimAccess groups(unsigned loop) { return {Kind::Groups, loop}; }

  bool follows(unsigned other) const {
    return kind != Kind::Full && loop == other;
  }

  Kind kind = Kind::Full;
  unsigned loop = 0;
  /// Which dimension of the window, see `getWindowDim`.
  unsigned windowDim = 0;
  /// Whether all iterations together use only some of the dimension.
  bool isPart = false;
};

/// The filters and channels of each group of a convolution; 0 where unknown.
struct Groups {
  int64_t filters = 0, channels = 0;
};

/// The loops of a kernel and how its operands follow from them.
struct KernelModel {
  /// `parallel` where tiles may be cut, `reduction` where not. There is one for
  /// each dimension of the last init.
  llvm::SmallVector<mlir::utils::IteratorType> loops;
  /// For each tensor or memref operand, in order, the use of its dimensions.
  llvm::SmallVector<llvm::SmallVector<DimAccess>> operands;
  Groups groups;
  /// Where the loops start in the result, which they are only a block of; empty
  /// where they cover it.
  llvm::ArrayRef<int64_t> blockOffsets;
  mlir::Operation *op = nullptr;

  mlir::DestinationStyleOpInterface dps() const {
    return llvm::cast<mlir::DestinationStyleOpInterface>(op);
  }
};

/// A block of the iterations.
struct Tile {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes;
  /// Per loop: whether the tile has all of its iterations.
  llvm::SmallVector<bool> isWhole;
};

/// Why a kernel does not compute a tile: "tile of dimension `loop`" has to
/// `condition`.
struct MatchFailure {
  unsigned loop;
  std::string condition;
};

/// The model of `op`, a kernel operation.
KernelModel getKernelModel(mlir::Operation *op);

/// One dimension of a window: index `o` of its loop reads indices `o * stride -
/// before + k * dilation` of the input for each `k` below `taps`.
struct WindowDim {
  int64_t stride = 1, dilation = 1;
  mlir::OpFoldResult taps, before, after;
};

/// Dimension `windowDim` of the window of `op`: 0 rows and 1 columns, or the
/// dimension of the source of a move. May add operations that query sizes.
WindowDim getWindowDim(mlir::OpBuilder &builder, mlir::Operation *op,
                       unsigned windowDim);

/// Padding [top, bottom, left, right] of `op`; empty where it has none.
llvm::SmallVector<mlir::OpFoldResult> getPadding(mlir::Operation *op);

/// The iterations of the loops .
llvm::SmallVector<mlir::OpFoldResult> getLoopSizes(mlir::OpBuilder &builder,
                                                   const KernelModel &model);

/// The index in the result that iteration `offset` of `loop` writes.
mlir::OpFoldResult blockOffset(mlir::OpBuilder &builder,
                               const KernelModel &model, unsigned loop,
                               mlir::OpFoldResult offset);

/// Size of dimension `dim` of `value`, a tensor or memref.
mlir::OpFoldResult getSize(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, int64_t dim);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILING_TILEMODEL_H
