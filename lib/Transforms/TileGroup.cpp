// SPDX-License-Identifier: Apache-2.0

#include "TileGroup.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

int64_t DimTiles::most() const {
  int64_t most = 0;
  for (Span tile : tiles)
    most = std::max(most, tile.size());
  return most;
}

int64_t DimTiles::total() const {
  int64_t total = 0;
  for (Span tile : tiles)
    total += tile.size();
  return total;
}

SmallVector<Span> mli::tiling::cutLoop(int64_t size, int64_t count) {
  SmallVector<Span> tiles;
  for (int64_t begin = 0; begin < size; begin += count)
    tiles.push_back({begin, std::min(size, begin + count)});
  return tiles;
}

TileGroup::TileGroup(ArrayRef<const StaticKernel *> kernels,
                     ArrayRef<unsigned> operands, const layout::Target &target)
    : kernels(kernels), operands(operands), target(target) {}

SmallVector<int64_t> TileGroup::getNumbers() const {
  SmallVector<int64_t> numbers(operands.begin(), operands.end());
  for (const StaticKernel *kernel : kernels)
    kernel->addNumbers(numbers);
  return numbers;
}

/// Whether the operand is what the next kernel of the list makes.
bool TileGroup::isInside(size_t kernel, size_t operand) const {
  return kernel < operands.size() && operands[kernel] == operand;
}

bool TileGroup::isResult(size_t kernel, size_t operand) const {
  return operand + 1 == kernels[kernel]->operands.size();
}

/// What the tiles of the loops `loops` read of a dimension; nothing if some
/// read nothing of it.
static std::optional<DimTiles> readTiles(const DimRange &range,
                                         ArrayRef<DimTiles> loops) {
  DimTiles dim;
  if (range.use.kind == DimUse::Kind::Whole || !loops[range.use.loop].isCut()) {
    dim.tiles.push_back({0, range.size});
    return dim;
  }
  dim.loop = loops[range.use.loop].loop;
  // Where parameters, or which inputs there are, follow from the offset, the
  // tiles have nothing in common.
  bool isRegular = range.use.kind == DimUse::Kind::Loop ||
                   range.use.kind == DimUse::Kind::Window;
  dim.step = isRegular ? loops[range.use.loop].step * range.stride : -1;
  for (Span tile : loops[range.use.loop].tiles) {
    dim.tiles.push_back(range.of(tile));
    if (dim.tiles.back().size() <= 0)
      return std::nullopt;
  }
  return dim;
}

/// Whether the kernel computes each of the tiles.
static bool areLegal(const StaticKernel &kernel, ArrayRef<DimTiles> loops) {
  for (auto [i, loop] : llvm::enumerate(loops)) {
    if (!loop.isCut())
      continue;
    int64_t grain = kernel.grains[i];
    for (Span tile : loop.tiles) {
      bool isOneGroup =
          grain != 0 && tile.begin / grain == (tile.end - 1) / grain;
      bool areGroups =
          grain != 0 && tile.begin % grain == 0 && tile.end % grain == 0;
      if (!isOneGroup && !areGroups)
        return false;
    }
  }
  return true;
}

std::optional<SmallVector<SmallVector<SmallVector<DimTiles>>>>
TileGroup::getOperandTiles(const TileSizes &tiles) const {
  SmallVector<DimTiles> loops;
  for (auto [i, size] : llvm::enumerate(root().sizes)) {
    DimTiles loop;
    loop.tiles = cutLoop(size, tiles.sizes[i]);
    loop.step = tiles.sizes[i];
    if (tiles.sizes[i] < size)
      loop.loop = static_cast<int>(i);
    loops.push_back(std::move(loop));
  }
  SmallVector<SmallVector<OperandTiles>> all;
  for (auto [k, kernel] : llvm::enumerate(kernels)) {
    if (!areLegal(*kernel, loops))
      return std::nullopt;
    SmallVector<OperandTiles> &ofKernel = all.emplace_back();
    for (const LocalOperand &operand : kernel->operands) {
      OperandTiles &dims = ofKernel.emplace_back();
      for (const DimRange &range : operand.dims) {
        std::optional<DimTiles> dim = readTiles(range, loops);
        if (!dim)
          return std::nullopt;
        dims.push_back(std::move(*dim));
      }
    }
    if (k >= operands.size())
      break;
    loops = ofKernel[operands[k]];
    bool isCut = llvm::any_of(loops, [](auto &loop) { return loop.isCut(); });
    if (!isCut && !tiles.order.empty())
      return std::nullopt;
  }
  return all;
}

static bool follows(ArrayRef<DimTiles> dims, unsigned loop) {
  return llvm::any_of(dims, [&](const DimTiles &dim) {
    return dim.loop == static_cast<int>(loop);
  });
}

int64_t TileGroup::getOperandBytes(size_t kernel, size_t operand,
                                   ArrayRef<DimTiles> dims) const {
  SmallVector<int64_t, 6> key = {static_cast<int64_t>(kernel),
                                 static_cast<int64_t>(operand)};
  for (const DimTiles &dim : dims)
    key.push_back(dim.most());
  auto [found, isNew] = knownBytes.try_emplace(key);
  if (isNew)
    found->second =
        kernels[kernel]->getBytes(operand, ArrayRef(key).drop_front(2), target);
  return found->second;
}

SmallVector<int64_t>
TileGroup::getMovingBytes(const TileSizes &tiles,
                          ArrayRef<SmallVector<OperandTiles>> all) const {
  SmallVector<int64_t> bytes(kernels.size(), 0);
  for (auto [k, ofKernel] : llvm::enumerate(all))
    for (auto [i, dims] : llvm::enumerate(ofKernel))
      if (!isBetween(k, i) && !tiles.order.empty() &&
          follows(dims, tiles.order.back()))
        bytes[k] += getOperandBytes(k, i, dims);
  return bytes;
}

// Z9
std::optional<int64_t> TileGroup::getBytes(const TileSizes &tiles,
                                           int64_t copies) const {
  auto all = getOperandTiles(tiles);
  if (!all)
    return std::nullopt;
  SmallVector<int64_t> moving = getMovingBytes(tiles, *all);
  int64_t staying = 0, most = 0;
  for (auto [k, kernel] : llvm::enumerate(kernels)) {
    int64_t own = kernel->scratchBytes + (copies == 1 ? moving[k] : 0);
    for (auto [i, dims] : llvm::enumerate((*all)[k])) {
      int64_t bytes = getOperandBytes(k, i, dims);
      if (isBetween(k, i) || tiles.order.empty())
        own += bytes;
      else if (!follows(dims, tiles.order.back()))
        staying += bytes;
    }
    most = std::max(most, own);
  }
  // Z11
  if (copies > 1)
    for (int64_t bytes : moving)
      staying += copies * bytes;
  return staying + most;
}

int64_t TileGroup::getBesideBytes(size_t kernel, const TileSizes &tiles) const {
  auto all = getOperandTiles(tiles);
  SmallVector<int64_t> moving = getMovingBytes(tiles, *all);
  int64_t bytes = -moving[kernel];
  for (int64_t ofKernel : moving)
    bytes += 2 * ofKernel;
  return bytes;
}

/// Whether tile `i` of `dim` is the one in front of it, moved by a step.
static bool isMoved(const DimTiles &dim, size_t i) {
  return dim.tiles[i].size() == dim.tiles[i - 1].size() &&
         dim.tiles[i].begin - dim.tiles[i - 1].begin == dim.step;
}

// Z6
SmallVector<SmallVector<TileRun>>
TileGroup::getRuns(const TileSizes &tiles) const {
  auto all = getOperandTiles(tiles);
  SmallVector<SmallVector<TileRun>> runs;
  for (unsigned loop : tiles.order) {
    // What has parameters of its own for each index.
    bool isUnrolled = false;
    SmallVector<const DimTiles *> dims;
    for (auto [k, ofKernel] : llvm::enumerate(*all)) {
      for (const OperandTiles &operand : ofKernel)
        for (const DimTiles &dim : operand)
          if (dim.loop == static_cast<int>(loop))
            dims.push_back(&dim);
      for (auto [i, dim] : llvm::enumerate(ofKernel.back()))
        isUnrolled |=
            dim.loop == static_cast<int>(loop) && kernels[k]->isUnrolled[i];
    }
    SmallVector<TileRun> &ofLoop = runs.emplace_back();
    SmallVector<Span> cuts = cutLoop(root().sizes[loop], tiles.sizes[loop]);
    for (auto [i, cut] : llvm::enumerate(cuts)) {
      bool isSame = i > 0 && !isUnrolled &&
                    llvm::all_of(dims, [i = i](const DimTiles *dim) {
                      return isMoved(*dim, i);
                    });
      if (isSame)
        ++ofLoop.back().count;
      else
        ofLoop.push_back({cut.begin, cut.size(), 1});
    }
  }
  return runs;
}

/// How often the tiles of `dims` are moved: once for each iteration of loops
/// around the innermost one that they follow, if they do not follow these.
static int64_t countRounds(ArrayRef<DimTiles> dims, const TileSizes &tiles,
                           ArrayRef<int64_t> loopSizes, bool areComputed) {
  int64_t rounds = 1, all = 1;
  for (unsigned loop : tiles.order) {
    if (follows(dims, loop))
      rounds = all;
    else
      all *= llvm::divideCeil(loopSizes[loop], tiles.sizes[loop]);
  }
  return areComputed ? all : rounds;
}

static int64_t totalOf(ArrayRef<DimTiles> dims) {
  int64_t total = 1;
  for (const DimTiles &dim : dims)
    total *= dim.total();
  return total;
}

/// The elements of all tiles in the busiest of `npus`, over which the last
/// dimension is scattered.
static int64_t totalPerNpu(ArrayRef<DimTiles> dims, int64_t npus) {
  if (dims.empty())
    return 1;
  int64_t channels = 0;
  for (Span tile : dims.back().tiles)
    channels += static_cast<int64_t>(llvm::divideCeil(tile.size(), npus));
  return totalOf(dims.drop_back()) * channels;
}

/// The kernels that `run` writes out: those of a software pipeline are in front
/// of its loop and behind it as well.
static int64_t countWritten(const TileRun &run, bool isPipeline) {
  if (!isPipeline || run.count == 1)
    return 1;
  return run.count < 4 ? run.count : 4 + run.count % 2;
}

TileCounts TileGroup::count(const TileSizes &tiles, bool isDoubled) const {
  auto all = getOperandTiles(tiles);
  TileCounts counts;
  ArrayRef<int64_t> loopSizes = root().sizes;
  int64_t bankBytes = target.npuBytes / target.banks;
  int64_t calls = 1;
  for (unsigned loop : tiles.order)
    calls *= llvm::divideCeil(loopSizes[loop], tiles.sizes[loop]);
  counts.writtenOut = static_cast<int64_t>(kernels.size());
  SmallVector<SmallVector<TileRun>> runs = getRuns(tiles);
  for (auto [depth, ofLoop] : llvm::enumerate(runs)) {
    int64_t written = 0;
    for (const TileRun &run : ofLoop)
      written += countWritten(run, isDoubled && depth + 1 == runs.size());
    counts.writtenOut *= written;
  }
  if (!tiles.order.empty())
    counts.tiles = static_cast<int64_t>(llvm::divideCeil(
        loopSizes[tiles.order.back()], tiles.sizes[tiles.order.back()]));
  for (auto [k, kernel] : llvm::enumerate(kernels)) {
    int64_t banks = 0;
    for (auto [i, dims] : llvm::enumerate((*all)[k])) {
      int64_t elements = 1, elementBytes = kernel->operands[i].elementBytes;
      for (const DimTiles &dim : dims)
        elements *= dim.most();
      int64_t bytes = getOperandBytes(k, i, dims);
      counts.wastedBytes +=
          std::max<int64_t>(0, bytes * target.npus - elements * elementBytes);
      bool isStreamed = !isBetween(k, i) && !tiles.order.empty() &&
                        follows(dims, tiles.order.back());
      // The other tile is moved to or from banks as well.
      banks += (isDoubled && isStreamed ? 2 : 1) *
               static_cast<int64_t>(llvm::divideCeil(bytes, bankBytes));
      if (isBetween(k, i))
        continue;
      int64_t moved = totalOf(dims) * elementBytes *
                      countRounds(dims, tiles, loopSizes, false);
      counts.bytesMoved += moved;
      counts.bytesStreamed += isStreamed ? moved : 0;
    }
    ArrayRef<DimTiles> result = (*all)[k].back();
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
