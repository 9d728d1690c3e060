// SPDX-License-Identifier: Apache-2.0
//
// The errors of mli-tile-to-fit on kernels of which no tile fits local memory,
// and on tiles of an override file that can not be.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_TILEFAILURES_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_TILEFAILURES_H

#include "TileSearch.h"

namespace mli::tiling {

/// Why `op`, a kernel, has no size that is known before it runs.
std::string explainDynamic(mlir::Operation *op);

/// The same as an error. Fails, as all of these.
mlir::LogicalResult rejectDynamic(mlir::Operation *op);

/// A kernel of which not even the smallest tile fits.
struct LargeKernel {
  StaticKernel kernel;
  /// The bytes of each NPU that are free for it.
  int64_t capacity;
};

/// The bytes of each NPU that the operands and tables of the smallest tile of
/// `kernel` take.
int64_t getSmallestBytes(const StaticKernel &kernel,
                         const layout::Target &target);

/// The fewest bytes of each NPU that a target like `target` has to have for
/// `kernel`, which finds `capacity` of them free.
int64_t getLeastNpuBytes(const StaticKernel &kernel,
                         const layout::Target &target, int64_t capacity);

/// That not even the smallest tiles of `kernels`, one at least, fit: what would
/// do for all and for which of them, then for each by how much, and what would
/// do for it.
mlir::LogicalResult rejectLarge(llvm::ArrayRef<LargeKernel> kernels,
                                const layout::Target &target);

/// Rejects the fusion of kernels `asked`, by their numbers, into `op`: they
/// form no group with it.
mlir::LogicalResult rejectFused(mlir::Operation *op,
                                llvm::ArrayRef<size_t> asked);

/// The reason, for reports, why no tiles of `group` fit `capacity`.
std::string explainNoTiles(const TileGroup &group, int64_t capacity);

/// The plan of the tiles that a file specifies; fails with a diagnostic if
/// `group` has no such tiles or they do not fit.
mlir::FailureOr<TilePlan> checkTiles(const TileGroup &group,
                                     const TileOverride &tile, int64_t capacity,
                                     const CostModel &cost);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_TILEFAILURES_H
