// SPDX-License-Identifier: Apache-2.0

#include "DimTiles.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

bool mli::tiling::areCut(ArrayRef<const DimTiles *> dims) {
  return llvm::any_of(dims, [](const DimTiles *dim) { return dim->isCut(); });
}

bool mli::tiling::follows(ArrayRef<const DimTiles *> dims, unsigned loop) {
  return llvm::any_of(dims, [&](const DimTiles *dim) {
    return dim->loop == static_cast<int>(loop);
  });
}

DimTilesTable::DimTilesTable(ArrayRef<int64_t> sizes,
                             std::vector<const DimRange *> ranges)
    : ranges(std::move(ranges)) {
  for (int64_t size : sizes)
    loops.emplace_back(size);
  uncut.resize(this->ranges.size());
  for (auto [whole, range] : llvm::zip_equal(uncut, this->ranges))
    whole.add({0, range->size});
}

DimTiles &DimTilesTable::add(DimTiles dim) {
  dim.number = tiles.size();
  reads.emplace_back();
  return tiles.emplace_back(std::move(dim));
}

const DimTiles *DimTilesTable::getLoop(unsigned loop, int64_t count) {
  Loop &cut = loops[loop];
  if (cut.last && cut.last->step == count)
    return cut.last;
  const DimTiles *&found = cut.byCount[count];
  if (!found) {
    DimTiles dim;
    for (int64_t begin = 0; begin < cut.size; begin += count)
      dim.add({begin, std::min(cut.size, begin + count)});
    dim.step = count;
    if (count < cut.size)
      dim.loop = static_cast<int>(loop);
    found = &add(std::move(dim));
  }
  cut.last = found;
  return found;
}

const DimTiles *DimTilesTable::findRead(size_t number, const DimTiles &loop) {
  const DimRange &range = *ranges[number];
  bool isLoop = range.use.kind == DimAccess::Kind::Loop;
  if (isLoop && range.size == range.iterations)
    return &loop;
  DimTiles dim;
  dim.loop = loop.loop;
  // Where parameters, or which inputs there are, follow from the offset, the
  // tiles have nothing in common.
  bool isRegular = isLoop || range.use.kind == DimAccess::Kind::Window;
  dim.step = isRegular ? loop.step * range.stride : -1;
  dim.tiles.reserve(loop.tiles.size());
  for (Interval tile : loop.tiles) {
    dim.add(range.of(tile));
    if (dim.tiles.back().size() <= 0)
      return nullptr;
  }
  return &add(std::move(dim));
}

const DimTiles *DimTilesTable::getRead(size_t range, const DimTiles &loop) {
  if (!loop.isCut())
    return &uncut[range];
  if (reads[loop.number].empty())
    reads[loop.number].resize(ranges.size());
  if (!reads[loop.number][range]) {
    const DimTiles *read = findRead(range, loop);
    reads[loop.number][range] = read;
  }
  return *reads[loop.number][range];
}
