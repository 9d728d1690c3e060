// SPDX-License-Identifier: Apache-2.0

#include "TileGroup.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

SmallVector<Interval> mli::tiling::cutLoop(int64_t size, int64_t count) {
  SmallVector<Interval> tiles;
  for (int64_t begin = 0; begin < size; begin += count)
    tiles.push_back({begin, std::min(size, begin + count)});
  return tiles;
}

/// Adds `kernel` after the members that it uses.
static void addAfter(const StaticKernel *kernel,
                     ArrayRef<const StaticKernel *> members,
                     SmallVectorImpl<const StaticKernel *> &order) {
  for (Value operand : kernel->op->getOperands()) {
    const auto *producer =
        llvm::find_if(members, [&](const StaticKernel *member) {
          return member->op == operand.getDefiningOp();
        });
    if (producer != members.end() && !llvm::is_contained(order, *producer))
      addAfter(*producer, members, order);
  }
  order.push_back(kernel);
}

TileGroup::TileGroup(ArrayRef<const StaticKernel *> members,
                     const layout::Target &target, IsResident isResident)
    : target(target) {
  addAfter(members.front(), members, kernels);
  std::reverse(kernels.begin(), kernels.end());
  lastUsers.assign(kernels.size(), 0);
  for (auto [k, kernel] : llvm::enumerate(kernels)) {
    SmallVector<int> &ofKernel = sources.emplace_back();
    lastBytes.emplace_back(kernel->operands.size());
    for (size_t i = 0; i < kernel->operands.size(); ++i) {
      Operation *producer = kernel->op->getOperand(i).getDefiningOp();
      auto *found = llvm::find_if(kernels, [&](const StaticKernel *member) {
        return member->op == producer;
      });
      ofKernel.push_back(found != kernels.end()   ? found - kernels.begin()
                         : isResident(*kernel, i) ? resident
                                                  : outside);
    }
    // Users precede it in the list, the last one first.
    for (size_t user = k; user-- > 0;)
      if (llvm::is_contained(sources[user], static_cast<int>(k)))
        lastUsers[k] = user;
  }
}

SmallVector<int64_t> TileGroup::getNumbers() const {
  SmallVector<int64_t> numbers = {static_cast<int64_t>(kernels.size())};
  for (auto [kernel, ofKernel] : llvm::zip_equal(kernels, sources)) {
    kernel->addNumbers(numbers);
    llvm::append_range(numbers, ofKernel);
  }
  return numbers;
}

/// The indices of a dimension that `tiles` of its loop read; nothing if some
/// read none of it.
static std::optional<DimTiles> findReadTiles(const DimRange &range,
                                             const DimTiles &loop) {
  DimTiles dim;
  dim.loop = loop.loop;
  // Where parameters, or which inputs there are, follow from the offset, the
  // tiles have nothing in common.
  bool isRegular = range.use.kind == DimAccess::Kind::Loop ||
                   range.use.kind == DimAccess::Kind::Window;
  dim.step = isRegular ? loop.step * range.stride : -1;
  dim.tiles.reserve(loop.tiles.size());
  for (Interval tile : loop.tiles) {
    dim.add(range.of(tile));
    if (dim.tiles.back().size() <= 0)
      return std::nullopt;
  }
  return dim;
}

const DimTiles *TileGroup::getLoopTiles(unsigned loop, int64_t count) const {
  auto [found, isNew] = loopTiles.try_emplace({loop, count});
  if (!isNew)
    return found->second;
  DimTiles &dim = dimTiles.emplace_back();
  for (Interval tile : cutLoop(root().sizes[loop], count))
    dim.add(tile);
  dim.step = count;
  if (count < root().sizes[loop])
    dim.loop = static_cast<int>(loop);
  return found->second = &dim;
}

const DimTiles *TileGroup::getReadTiles(const DimRange &range,
                                        const DimTiles *tiles) const {
  if (tiles && !tiles->isCut())
    tiles = nullptr;
  auto [found, isNew] = readTiles.try_emplace({&range, tiles});
  if (!isNew)
    return found->second;
  std::optional<DimTiles> dim;
  if (tiles)
    dim = findReadTiles(range, *tiles);
  else
    dim.emplace().add({0, range.size});
  if (dim)
    found->second = &dimTiles.emplace_back(std::move(*dim));
  return found->second;
}

/// Whether the kernel computes each of the tiles.
static bool areLegal(const StaticKernel &kernel,
                     ArrayRef<const DimTiles *> loops) {
  for (auto [loop, grain] : llvm::zip_equal(loops, kernel.grains)) {
    if (!loop->isCut() || grain == 1)
      continue;
    if (grain == 0)
      return false;
    for (Interval tile : loop->tiles) {
      bool isOneGroup = tile.lower / grain == (tile.upper - 1) / grain;
      bool areGroups = tile.lower % grain == 0 && tile.upper % grain == 0;
      if (!isOneGroup && !areGroups)
        return false;
    }
  }
  return true;
}

/// Whether both are the same tiles of a value.
static bool areEqual(ArrayRef<const DimTiles *> some,
                     ArrayRef<const DimTiles *> others) {
  return llvm::all_of_zip(some, others,
                          [](const DimTiles *one, const DimTiles *other) {
                            return one == other || *one == *other;
                          });
}

TileGroup::AllTiles
TileGroup::findOperandTiles(const TileSizes &tiles,
                            const StaticKernel **disputed) const {
  // The tiles of the result of each kernel.
  SmallVector<OperandTiles> asked(kernels.size());
  for (auto [i, count] : llvm::enumerate(tiles.sizes))
    asked.front().push_back(getLoopTiles(i, count));
  SmallVector<SmallVector<OperandTiles>> all;
  all.reserve(kernels.size());
  for (auto [k, kernel] : llvm::enumerate(kernels)) {
    if (!areLegal(*kernel, asked[k]))
      return std::nullopt;
    SmallVector<OperandTiles> &ofKernel = all.emplace_back();
    ofKernel.reserve(kernel->operands.size());
    for (auto [operand, source] :
         llvm::zip_equal(kernel->operands, sources[k])) {
      OperandTiles &dims = ofKernel.emplace_back();
      dims.reserve(operand.dims.size());
      for (const DimRange &range : operand.dims) {
        bool isFull = range.use.kind == DimAccess::Kind::Full;
        const DimTiles *dim =
            getReadTiles(range, isFull ? nullptr : asked[k][range.use.loop]);
        if (!dim)
          return std::nullopt;
        dims.push_back(dim);
      }
      if (source < 0)
        continue;
      if (!areCut(dims) && !tiles.order.empty())
        return std::nullopt;
      if (asked[source].empty())
        asked[source] = dims;
      // Z15
      if (areEqual(asked[source], dims))
        continue;
      if (disputed)
        *disputed = kernels[source];
      return std::nullopt;
    }
  }
  return all;
}

const TileGroup::AllTiles &
TileGroup::getOperandTiles(const TileSizes &tiles) const {
  // Which loop is the innermost one makes no difference.
  if (lastSizes.sizes != tiles.sizes ||
      lastSizes.order.empty() != tiles.order.empty() ||
      lastSizes.sizes.empty()) {
    lastSizes = tiles;
    lastTiles = findOperandTiles(tiles, nullptr);
    for (SmallVector<std::optional<int64_t>> &bytes : lastBytes)
      llvm::fill(bytes, std::nullopt);
  }
  return lastTiles;
}

bool TileGroup::isCutOnce(unsigned loop, int64_t count) const {
  TileSizes tiles{root().sizes, {loop}};
  tiles.sizes[loop] = count;
  const AllTiles &all = getOperandTiles(tiles);
  return all && llvm::all_of(*all, [&](ArrayRef<OperandTiles> ofKernel) {
           return llvm::any_of(ofKernel.back(), [&](const DimTiles *dim) {
             return dim->loop == static_cast<int>(loop) &&
                    dim->total <= root().sizes[loop];
           });
         });
}

void TileGroup::forEachResidentPart(
    const TileSizes &tiles, int64_t unrolled,
    llvm::function_ref<void(const StaticKernel &, size_t, ArrayRef<int64_t>,
                            ArrayRef<int64_t>)>
        visit) const {
  const AllTiles &all = getOperandTiles(tiles);
  SmallVector<bool> isLoop(root().sizes.size(), false);
  SmallVector<SmallVector<TileRun>> runs = getRuns(tiles);
  unroll(runs, unrolled);
  for (auto [loop, ofLoop] : llvm::zip_equal(tiles.order, runs))
    isLoop[loop] =
        llvm::any_of(ofLoop, [](const TileRun &run) { return run.count > 1; });
  for (auto [k, kernel] : llvm::enumerate(kernels))
    for (auto [i, dims] : llvm::enumerate((*all)[k])) {
      if (!isResident(k, i) || !areCut(dims))
        continue;
      SmallVector<int64_t> offsets(dims.size(), 0), sizes;
      for (const DimTiles *dim : dims)
        sizes.push_back(dim->most);
      // Each dimension by itself: views in all of them are views in each.
      for (auto [d, dim] : llvm::enumerate(dims)) {
        SmallVector<int64_t> starts = {ShapedType::kDynamic};
        if (!dim->isCut() || !isLoop[dim->loop])
          starts = llvm::map_to_vector(
              dim->tiles, [](Interval tile) { return tile.lower; });
        for (auto [t, start] : llvm::enumerate(starts)) {
          offsets[d] = start;
          sizes[d] = dim->tiles[t].size();
          visit(*kernel, i, offsets, sizes);
        }
        offsets[d] = 0;
        sizes[d] = dim->most;
      }
    }
}

const StaticKernel *
TileGroup::findInconsistentlyTiledProducer(const TileSizes &tiles) const {
  const StaticKernel *disputed = nullptr;
  findOperandTiles(tiles, &disputed);
  return disputed;
}

bool mli::tiling::areCut(ArrayRef<const DimTiles *> dims) {
  return llvm::any_of(dims, [](const DimTiles *dim) { return dim->isCut(); });
}

bool mli::tiling::follows(ArrayRef<const DimTiles *> dims, unsigned loop) {
  return llvm::any_of(dims, [&](const DimTiles *dim) {
    return dim->loop == static_cast<int>(loop);
  });
}

int64_t TileGroup::getOperandBytes(size_t kernel, size_t operand) const {
  std::optional<int64_t> &bytes = lastBytes[kernel][operand];
  if (bytes)
    return *bytes;
  SmallVector<int64_t, 6> key = {static_cast<int64_t>(kernel),
                                 static_cast<int64_t>(operand)};
  for (const DimTiles *dim : (*lastTiles)[kernel][operand])
    key.push_back(dim->most);
  auto [found, isNew] = knownBytes.try_emplace(key);
  if (isNew)
    found->second =
        kernels[kernel]->getBytes(operand, ArrayRef(key).drop_front(2), target);
  bytes = found->second;
  return *bytes;
}

SmallVector<int64_t>
TileGroup::getMovingBytes(const TileSizes &tiles,
                          ArrayRef<SmallVector<OperandTiles>> all) const {
  SmallVector<int64_t> bytes(kernels.size(), 0);
  for (auto [k, ofKernel] : llvm::enumerate(all))
    for (auto [i, dims] : llvm::enumerate(ofKernel))
      if (!isBetween(k, i) && !isResident(k, i) && !tiles.order.empty() &&
          follows(dims, tiles.order.back()))
        bytes[k] += getOperandBytes(k, i);
  return bytes;
}

int64_t TileGroup::getWaitingBytes(size_t kernel) const {
  int64_t bytes = 0;
  for (size_t other = kernel + 1; other < kernels.size(); ++other) {
    bool isUsed = llvm::is_contained(sources[kernel], static_cast<int>(other));
    if (lastUsers[other] < kernel && !isUsed)
      bytes += getOperandBytes(other, sources[other].size() - 1);
  }
  return bytes;
}

// Z9
std::optional<int64_t> TileGroup::getBytes(const TileSizes &tiles,
                                           int64_t copies) const {
  const AllTiles &all = getOperandTiles(tiles);
  if (!all)
    return std::nullopt;
  SmallVector<int64_t> moving = getMovingBytes(tiles, *all);
  int64_t staying = 0, most = 0;
  for (auto [k, kernel] : llvm::enumerate(kernels)) {
    int64_t own = kernel->scratchBytes + (copies == 1 ? moving[k] : 0) +
                  getWaitingBytes(k);
    for (auto [i, dims] : llvm::enumerate((*all)[k])) {
      if (isResident(k, i))
        continue;
      int64_t bytes = getOperandBytes(k, i);
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

int64_t TileGroup::getOtherBufferBytes(size_t kernel,
                                       const TileSizes &tiles) const {
  const AllTiles &all = getOperandTiles(tiles);
  SmallVector<int64_t> moving = getMovingBytes(tiles, *all);
  int64_t bytes = -moving[kernel];
  for (int64_t ofKernel : moving)
    bytes += 2 * ofKernel;
  return bytes;
}
