// SPDX-License-Identifier: Apache-2.0

#include "TileGroup.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

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

/// `members`, the last kernel first: the reverse of the order in which they
/// run.
static SmallVector<const StaticKernel *>
orderKernels(ArrayRef<const StaticKernel *> members) {
  SmallVector<const StaticKernel *> kernels;
  addAfter(members.front(), members, kernels);
  std::reverse(kernels.begin(), kernels.end());
  return kernels;
}

/// The dimensions of all operands of `kernels`.
static std::vector<const DimRange *>
collectRanges(ArrayRef<const StaticKernel *> kernels) {
  std::vector<const DimRange *> ranges;
  for (const StaticKernel *kernel : kernels)
    for (const LocalOperand &operand : kernel->operands)
      for (const DimRange &range : operand.dims)
        ranges.push_back(&range);
  return ranges;
}

TileGroup::TileGroup(ArrayRef<const StaticKernel *> members,
                     std::shared_ptr<OperandBytes> bytes, IsResident isResident)
    : kernels(orderKernels(members)), operandBytes(std::move(bytes)) {
  lastUsers.assign(kernels.size(), 0);
  for (auto [k, kernel] : llvm::enumerate(kernels)) {
    SmallVector<int> &ofKernel = sources.emplace_back();
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

TileGroup::LastTiles::LastTiles(ArrayRef<const StaticKernel *> kernels)
    : table(kernels.front()->sizes, collectRanges(kernels)) {
  for (const StaticKernel *kernel : kernels) {
    SmallVector<OperandTiles> &tiles = all.emplace_back();
    SmallVector<LastBytes> &ofKernel = bytes.emplace_back();
    for (const LocalOperand &operand : kernel->operands) {
      tiles.emplace_back(operand.dims.size());
      ofKernel.emplace_back().shape.resize(operand.dims.size());
    }
  }
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

bool TileGroup::findOperandTiles(const TileSizes &tiles) const {
  // The tiles of the result of each kernel.
  SmallVector<ArrayRef<const DimTiles *>> asked(kernels.size());
  OperandTiles loops;
  for (auto [i, count] : llvm::enumerate(tiles.sizes))
    loops.push_back(last->table.getLoop(i, count));
  asked.front() = loops;
  size_t number = 0;
  for (auto [k, kernel] : llvm::enumerate(kernels)) {
    if (!areLegal(*kernel, asked[k]))
      return false;
    for (auto [i, source] : llvm::enumerate(sources[k])) {
      OperandTiles &dims = last->all[k][i];
      for (auto [dim, range] :
           llvm::zip_equal(dims, kernel->operands[i].dims)) {
        bool isFull = range.use.kind == DimAccess::Kind::Full;
        dim = isFull ? last->table.getWhole(number)
                     : last->table.getRead(number, *asked[k][range.use.loop]);
        if (!dim)
          return false;
        ++number;
      }
      if (source < 0)
        continue;
      if (!areCut(dims) && !tiles.order.empty())
        return false;
      if (asked[source].empty())
        asked[source] = dims;
      // Z15
      if (areEqual(asked[source], dims))
        continue;
      last->disputed = kernels[source];
      return false;
    }
  }
  return true;
}

const TileGroup::AllTiles *
TileGroup::getOperandTiles(const TileSizes &tiles) const {
  if (!last)
    last = std::make_unique<LastTiles>(kernels);
  // Which loop is the innermost one makes no difference.
  if (last->sizes.sizes != tiles.sizes ||
      last->sizes.order.empty() != tiles.order.empty() ||
      last->sizes.sizes.empty()) {
    last->sizes = tiles;
    last->disputed = nullptr;
    last->areComputed = findOperandTiles(tiles);
  }
  return last->areComputed ? &last->all : nullptr;
}

bool TileGroup::isCutOnce(unsigned loop, int64_t count) const {
  TileSizes tiles{root().sizes, {loop}};
  tiles.sizes[loop] = count;
  const AllTiles *all = getOperandTiles(tiles);
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
  const AllTiles *all = getOperandTiles(tiles);
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
  getOperandTiles(tiles);
  return last->disputed;
}

int64_t TileGroup::getOperandBytes(size_t kernel, size_t operand) const {
  LastBytes &known = last->bytes[kernel][operand];
  bool isKnown = known.bytes.has_value();
  for (auto [size, dim] :
       llvm::zip_equal(known.shape, last->all[kernel][operand])) {
    isKnown &= size == dim->most;
    size = dim->most;
  }
  if (!isKnown)
    known.bytes = operandBytes->get(*kernels[kernel], operand, known.shape);
  return *known.bytes;
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
  const AllTiles *all = getOperandTiles(tiles);
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
  const AllTiles *all = getOperandTiles(tiles);
  SmallVector<int64_t> moving = getMovingBytes(tiles, *all);
  int64_t bytes = -moving[kernel];
  for (int64_t ofKernel : moving)
    bytes += 2 * ofKernel;
  return bytes;
}
