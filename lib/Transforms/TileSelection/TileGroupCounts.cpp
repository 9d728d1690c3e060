// SPDX-License-Identifier: Apache-2.0
//
// Counts the work of the tiles of a group, of which those that are alike count
// once.

#include "TileGroup.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

/// Whether tile `i` of `dim` is the one before it, moved by a step.
static bool isMoved(const DimTiles &dim, size_t i) {
  return dim.tiles[i].size() == dim.tiles[i - 1].size() &&
         dim.tiles[i].lower - dim.tiles[i - 1].lower == dim.step;
}

// Z6
SmallVector<SmallVector<TileRun>>
TileGroup::getRuns(const TileSizes &tiles) const {
  const AllTiles *all = getOperandTiles(tiles);
  SmallVector<SmallVector<TileRun>> runs;
  for (unsigned loop : tiles.order) {
    // Whether each index has parameters of its own.
    bool isUnrolled = false;
    SmallVector<const DimTiles *> dims;
    for (auto [k, ofKernel] : llvm::enumerate(*all)) {
      for (const OperandTiles &operand : ofKernel)
        for (const DimTiles *dim : operand)
          if (dim->loop == static_cast<int>(loop) &&
              !llvm::is_contained(dims, dim))
            dims.push_back(dim);
      for (auto [i, dim] : llvm::enumerate(ofKernel.back()))
        isUnrolled |=
            dim->loop == static_cast<int>(loop) && kernels[k]->isUnrolled[i];
    }
    SmallVector<TileRun> &ofLoop = runs.emplace_back();
    const DimTiles *cuts = last->table.getLoop(loop, tiles.sizes[loop]);
    for (auto [i, cut] : llvm::enumerate(cuts->tiles)) {
      bool isSame = i > 0 && !isUnrolled &&
                    llvm::all_of(dims, [i = i](const DimTiles *dim) {
                      return isMoved(*dim, i);
                    });
      if (isSame)
        ++ofLoop.back().count;
      else
        ofLoop.push_back({cut.lower, cut.size(), 1});
    }
  }
  return runs;
}

void mli::tiling::unroll(SmallVectorImpl<SmallVector<TileRun>> &runs,
                         int64_t unrolled) {
  int64_t count = 1;
  for (ArrayRef<TileRun> ofLoop : runs) {
    int64_t tiles = 0;
    for (const TileRun &run : ofLoop)
      tiles += run.count;
    count *= tiles;
  }
  if (count > unrolled)
    return;
  for (SmallVector<TileRun> &ofLoop : runs) {
    SmallVector<TileRun> single;
    for (const TileRun &run : ofLoop)
      for (int64_t i = 0; i < run.count; ++i)
        single.push_back({run.begin + i * run.size, run.size, 1});
    ofLoop = std::move(single);
  }
}

/// How often the tiles of `dims` are moved: once for each iteration of loops
/// around the innermost one that they follow, if they do not follow these.
static int64_t countRounds(ArrayRef<const DimTiles *> dims,
                           const TileSizes &tiles, ArrayRef<int64_t> loopSizes,
                           bool areComputed) {
  int64_t rounds = 1, all = 1;
  for (unsigned loop : tiles.order) {
    if (follows(dims, loop))
      rounds = all;
    else
      all *= llvm::divideCeil(loopSizes[loop], tiles.sizes[loop]);
  }
  return areComputed ? all : rounds;
}

static int64_t getTotal(ArrayRef<const DimTiles *> dims) {
  int64_t total = 1;
  for (const DimTiles *dim : dims)
    total *= dim->total;
  return total;
}

int64_t TileGroup::getMovedBytes(size_t kernel, size_t operand,
                                 ArrayRef<const DimTiles *> dims,
                                 const TileSizes &tiles) const {
  if (isBetween(kernel, operand) || isResident(kernel, operand))
    return 0;
  return getTotal(dims) * kernels[kernel]->operands[operand].elementBytes *
         countRounds(dims, tiles, root().sizes, false);
}

void TileGroup::forEachMove(
    const TileSizes &tiles,
    llvm::function_ref<void(const StaticKernel &, size_t, int64_t, bool)> visit)
    const {
  const AllTiles *all = getOperandTiles(tiles);
  for (auto [k, kernel] : llvm::enumerate(kernels))
    for (auto [i, dims] : llvm::enumerate((*all)[k]))
      if (int64_t bytes = getMovedBytes(k, i, dims, tiles))
        visit(*kernel, i, bytes, !areCut(dims));
}

/// The elements of all tiles in the busiest of `npus`, over which the last
/// dimension is scattered.
static int64_t totalPerNpu(ArrayRef<const DimTiles *> dims, int64_t npus) {
  if (dims.empty())
    return 1;
  int64_t channels = 0;
  for (Interval tile : dims.back()->tiles)
    channels += static_cast<int64_t>(llvm::divideCeil(tile.size(), npus));
  return getTotal(dims.drop_back()) * channels;
}

/// The kernels that `run` writes out: those of a software pipeline are before
/// its loop and after it as well.
static int64_t countWritten(const TileRun &run, bool isPipeline) {
  if (!isPipeline || run.count == 1)
    return 1;
  return run.count < 4 ? run.count : 4 + run.count % 2;
}

TileCounts TileGroup::count(const TileSizes &tiles, bool isDoubled) const {
  const AllTiles *all = getOperandTiles(tiles);
  TileCounts counts;
  const layout::Target &target = getTarget();
  ArrayRef<int64_t> loopSizes = root().sizes;
  int64_t bankBytes = target.npuBytes / target.banks;
  int64_t calls = 1;
  for (unsigned loop : tiles.order)
    calls *= llvm::divideCeil(loopSizes[loop], tiles.sizes[loop]);
  counts.unrolled = static_cast<int64_t>(kernels.size());
  SmallVector<SmallVector<TileRun>> runs = getRuns(tiles);
  for (auto [depth, ofLoop] : llvm::enumerate(runs)) {
    int64_t written = 0;
    for (const TileRun &run : ofLoop)
      written += countWritten(run, isDoubled && depth + 1 == runs.size());
    counts.unrolled *= written;
  }
  if (!tiles.order.empty())
    counts.tiles = static_cast<int64_t>(llvm::divideCeil(
        loopSizes[tiles.order.back()], tiles.sizes[tiles.order.back()]));
  for (auto [k, kernel] : llvm::enumerate(kernels)) {
    int64_t banks = 0;
    for (auto [i, dims] : llvm::enumerate((*all)[k])) {
      if (isResident(k, i))
        continue;
      int64_t elements = 1, elementBytes = kernel->operands[i].elementBytes;
      for (const DimTiles *dim : dims)
        elements *= dim->most;
      int64_t bytes = getOperandBytes(k, i);
      counts.wastedBytes +=
          std::max<int64_t>(0, bytes * target.npus - elements * elementBytes);
      bool isStreamed = !isBetween(k, i) && !tiles.order.empty() &&
                        follows(dims, tiles.order.back());
      // The other tile is moved to or from banks as well.
      banks += (isDoubled && isStreamed ? 2 : 1) *
               static_cast<int64_t>(llvm::divideCeil(bytes, bankBytes));
      int64_t moved = getMovedBytes(k, i, dims, tiles);
      counts.bytesMoved += moved;
      counts.bytesStreamed += isStreamed ? moved : 0;
    }
    ArrayRef<const DimTiles *> result = (*all)[k].back();
    counts.macsPerNpu += totalPerNpu(result, target.npus) * kernel->work *
                         countRounds(result, tiles, loopSizes, true);
    // Every bank that one operand too many begins in is shared.
    if (target.banks > 1)
      counts.bankConflicts +=
          calls * std::max<int64_t>(0, banks - target.banks);
    counts.calls += calls;
  }
  return counts;
}
