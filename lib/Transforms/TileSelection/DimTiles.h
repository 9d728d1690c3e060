// SPDX-License-Identifier: Apache-2.0
//
// The tiles of one dimension of an operand.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_DIMTILES_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_DIMTILES_H

#include "StaticKernel.h"

#include <deque>

namespace mli::tiling {

/// The tiles of one dimension: what each of them has of it, and the loop of the
/// last kernel that they follow.
struct DimTiles {
  static constexpr int whole = -1;

  bool isCut() const { return loop != whole; }
  void add(Interval tile) {
    tiles.push_back(tile);
    most = std::max(most, tile.size());
    total += tile.size();
  }
  bool operator==(const DimTiles &other) const {
    return loop == other.loop && step == other.step && tiles == other.tiles;
  }

  int loop = whole;
  llvm::SmallVector<Interval> tiles;
  /// From the start of one tile to that of the next, where nothing is cut off.
  int64_t step = 0;
  /// The size of the largest tile, and of all.
  int64_t most = 0, total = 0;
  /// Its index in the table.
  size_t number = 0;
};

/// The tiles of all dimensions of an operand.
using OperandTiles = llvm::SmallVector<const DimTiles *, 4>;

/// Whether `dims` are cut.
bool areCut(llvm::ArrayRef<const DimTiles *> dims);

/// Whether tiles of `dims` follow `loop` of the last kernel.
bool follows(llvm::ArrayRef<const DimTiles *> dims, unsigned loop);

/// The tiles of the dimensions of all operands of a group, each found once: a
/// search combines those of few sizes.
class DimTilesTable {
public:
  /// For a last kernel of loops of `sizes`, and operands of the dimensions
  /// `ranges`, which are kept by their addresses.
  DimTilesTable(llvm::ArrayRef<int64_t> sizes,
                std::vector<const DimRange *> ranges);
  /// Its tiles point into it.
  DimTilesTable(const DimTilesTable &) = delete;
  DimTilesTable &operator=(const DimTilesTable &) = delete;

  /// The tiles of `loop`, of `count` iterations.
  const DimTiles *getLoop(unsigned loop, int64_t count);
  /// All of dimension `range`.
  const DimTiles *getWhole(size_t range) { return &uncut[range]; }
  /// The indices of dimension `range` that the tiles of `loop`, which it
  /// follows, read; null if some read none of it.
  const DimTiles *getRead(size_t range, const DimTiles &loop);

private:
  /// The tiles of one loop by their sizes; most searches change another one.
  struct Loop {
    explicit Loop(int64_t size) : size(size) {}

    int64_t size;
    const DimTiles *last = nullptr;
    llvm::DenseMap<int64_t, const DimTiles *> byCount;
  };

  DimTiles &add(DimTiles dim);
  const DimTiles *findRead(size_t number, const DimTiles &loop);

  llvm::SmallVector<Loop, 4> loops;
  std::vector<const DimRange *> ranges;
  std::vector<DimTiles> uncut;
  std::deque<DimTiles> tiles;
  /// For each of `tiles` what each of `ranges` reads of it, once it was asked
  /// for.
  std::vector<std::vector<std::optional<const DimTiles *>>> reads;
};

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_DIMTILES_H
