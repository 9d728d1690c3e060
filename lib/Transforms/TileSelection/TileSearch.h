// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-tile-to-fit: searches the tiles of a group that fit and cost
// least.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_TILESEARCH_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_TILESEARCH_H

#include "TileGroup.h"

namespace mli::tiling {

/// Tiles and what comes with them.
struct TilePlan {
  TileSizes tiles;
  /// The bytes of each NPU.
  int64_t bytes = 0;
  /// Whether there is room to move the next tile while one is computed.
  bool isDoubled = false;
  TileCounts counts;
  double score = 0;
};

/// The largest tiles of `group` that take at most `capacity` bytes of each NPU,
/// of those the ones that cost least: the whole if that fits. All numbers of
/// tiles of the last dimension, whose tiles may read inputs again, are tried;
/// the others are cut from the first on, the inner ones only where a single
/// index of the outer ones does not fit. Nothing fits if there is none. With an
/// `overlap` they are doubled where that costs less, or, if `alwaysDoubles`,
/// wherever two fit. Only tiles that `isLegal` accepts count.
std::optional<TilePlan> searchTiles(
    const TileGroup &group, int64_t capacity, const CostModel &cost,
    bool alwaysDoubles = false,
    llvm::function_ref<bool(const TileSizes &)> isLegal =
        [](const TileSizes &) { return true; });

/// The plan of `tiles`, whether it fits or not; nothing if the group does not
/// compute them. With two of what each iteration moves if `isDoubled`.
std::optional<TilePlan> planTiles(const TileGroup &group,
                                  const TileSizes &tiles, const CostModel &cost,
                                  bool isDoubled = false);

/// The first of `count` numbers that `fits`, where all behind it do; `count` if
/// there is none. Fewer are looked at the nearer it is to `guess`, which is
/// below `count` unless that is 0.
size_t findFirst(size_t count, size_t guess,
                 llvm::function_ref<bool(size_t)> fits);

/// The smallest tile that `group` may be cut to, as far as the last kernel
/// allows: with kernels before it, channels stay whole.
TileSizes getSmallestTiles(const TileGroup &group);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_TILESEARCH_H
