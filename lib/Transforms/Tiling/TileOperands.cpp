// SPDX-License-Identifier: Apache-2.0

#include "TileOperands.h"

#include "IndexMath.h"
#include "LoopIndex.h"
#include "Tile.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

std::optional<GroupCut> mli::tiling::getGroupCut(const Groups &groups,
                                                 OpFoldResult offset,
                                                 OpFoldResult size) {
  if (groups.filters == 0)
    return std::nullopt;
  int64_t aligned = std::gcd(knownDivisor(offset), groups.filters);
  if (aligned == groups.filters && knownDivisor(size) % groups.filters == 0)
    return GroupCut::WholeGroups;
  // No multiple of a divisor of the group's filters within it is passed.
  std::optional<int64_t> known = knownIndex(size);
  std::optional<int64_t> first = knownIndex(offset);
  if (known && *known <= aligned)
    return GroupCut::PartOfOne;
  if (known && first &&
      *first / groups.filters == (*first + *known - 1) / groups.filters)
    return GroupCut::PartOfOne;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ranges of dimensions
//===----------------------------------------------------------------------===//

namespace {

/// A range of a dimension, and how far the window reads beyond its ends.
struct Part {
  OpFoldResult offset, size, before, after;
};

/// Computes the ranges of the operands of one kernel.
class Parts {
public:
  Parts(OpBuilder &builder, const KernelModel &model, const Tile &tile)
      : builder(builder), op(model.dps()), model(model), tile(tile) {}

  /// The range of a dimension of `size` that is used as `use`; nothing if it is
  /// all of it.
  std::optional<Part> part(DimAccess use, OpFoldResult size, bool isInit);

private:
  Part loopPart(DimAccess use, bool isInit);
  Part windowPart(DimAccess use, OpFoldResult size);
  Part spreadPart(DimAccess use, OpFoldResult size);
  std::pair<bool, bool> readsOutside(DimAccess use, const WindowDim &window,
                                     OpFoldResult size) const;
  Part groupsPart(DimAccess use);

  OpBuilder &builder;
  DestinationStyleOpInterface op;
  const KernelModel &model;
  const Tile &tile;
};

} // namespace

Part Parts::loopPart(DimAccess use, bool isInit) {
  OpFoldResult offset = tile.offsets[use.loop];
  if (isInit)
    offset = blockOffset(builder, model, use.loop, offset);
  return {offset, tile.sizes[use.loop], {}, {}};
}

/// Whether the window of some tile may read before `size` elements, and after
/// them.
std::pair<bool, bool> Parts::readsOutside(DimAccess use,
                                          const WindowDim &window,
                                          OpFoldResult size) const {
  std::optional<IndexRange> offset = knownRange(tile.offsets[use.loop]);
  std::optional<int64_t> count = knownIndex(tile.sizes[use.loop]);
  std::optional<int64_t> taps = getConstantIntValue(window.taps);
  std::optional<int64_t> before = getConstantIntValue(window.before);
  std::optional<int64_t> known = getConstantIntValue(size);
  if (!offset || !count || !taps || !before || !known)
    return {true, true};
  int64_t extent =
      (*count - 1) * window.stride + (*taps - 1) * window.dilation + 1;
  return {
      offset->least *
      window.stride<*before, offset->most * window.stride - *before + extent> *
      known};
}

/// Padding is what the window of the tile reads outside of the input: none in
/// the interior. Where sizes are known, the verifier has seen that the last
/// window ends within the padding; where not, padding stays at most what it
/// was, so that the kernel rejects a tile where it rejects the whole.
// N7
Part Parts::windowPart(DimAccess use, OpFoldResult size) {
  WindowDim window = getWindowDim(builder, op, use.windowDim);
  auto init = cast<ShapedType>(op.getDpsInits().back().getType());
  bool isKnown = getConstantIntValue(size) && !init.isDynamicDim(use.loop) &&
                 getConstantIntValue(window.taps);
  std::optional<int64_t> before = getConstantIntValue(window.before);
  std::optional<int64_t> after = getConstantIntValue(window.after);
  IndexMath math(builder, op.getLoc());
  AffineExpr offset = math.operand(tile.offsets[use.loop]);
  AffineExpr count = math.operand(tile.sizes[use.loop]);
  AffineExpr pad = math.operand(window.before);
  AffineExpr extent = (count - 1) * window.stride +
                      (math.operand(window.taps) - 1) * window.dilation + 1;
  AffineExpr first = offset * window.stride - pad, end = first + extent;
  OpFoldResult none = builder.getIndexAttr(0);
  auto [isBefore, isAfter] = readsOutside(use, window, size);
  bool isCutBefore = (!before || *before > 0) && isBefore;
  bool isCutAfter = (!isKnown || !after || *after > 0) && isAfter;
  Part part{none, none, none, none};
  part.offset =
      isCutBefore ? math.max({math.constant(0), first}) : math.apply(first);
  AffineExpr partOffset = isCutBefore ? math.operand(part.offset) : first;
  AffineExpr partEnd = end;
  if (isCutBefore)
    part.before = math.apply(partOffset - first);
  if (isCutAfter) {
    OpFoldResult last = math.min({math.operand(size), end});
    partEnd = math.operand(last);
    if (isKnown)
      part.after = math.apply(end - partEnd);
    else if (after != 0)
      part.after = math.min({math.operand(window.after), end - partEnd});
  }
  part.size = math.apply(partEnd - partOffset);
  return part;
}

/// The inputs whose windows reach the tile. What lies outside of it is cut off
/// as padding.
// N7
Part Parts::spreadPart(DimAccess use, OpFoldResult size) {
  WindowDim window = getWindowDim(builder, op, use.windowDim);
  IndexMath math(builder, op.getLoc());
  AffineExpr first =
      math.operand(tile.offsets[use.loop]) + math.operand(window.before);
  AffineExpr count = math.operand(tile.sizes[use.loop]);
  AffineExpr taps = math.operand(window.taps);
  OpFoldResult start =
      math.max({math.constant(0), (first - taps + 1).ceilDiv(window.stride)});
  OpFoldResult end = math.min(
      {math.operand(size), (first + count - 1).floorDiv(window.stride) + 1});
  AffineExpr partStart = math.operand(start), partEnd = math.operand(end);
  Part part;
  part.offset = start;
  part.size = math.apply(partEnd - partStart);
  part.before = math.apply(first - partStart * window.stride);
  part.after = math.apply((partEnd - 1) * window.stride + taps - first - count);
  return part;
}

Part Parts::groupsPart(DimAccess use) {
  OpFoldResult offset = tile.offsets[use.loop], size = tile.sizes[use.loop];
  auto [filters, channels] = model.groups;
  IndexMath math(builder, op.getLoc());
  Part part;
  part.offset = math.apply(math.operand(offset).floorDiv(filters) * channels);
  part.size = getGroupCut(model.groups, offset, size) == GroupCut::WholeGroups
                  ? math.apply(math.operand(size).floorDiv(filters) * channels)
                  : OpFoldResult(builder.getIndexAttr(channels));
  return part;
}

std::optional<Part> Parts::part(DimAccess use, OpFoldResult size, bool isInit) {
  bool isPart = use.isPart || (isInit && !model.blockOffsets.empty());
  if (use.kind == DimAccess::Kind::Full || (tile.isWhole[use.loop] && !isPart))
    return std::nullopt;
  switch (use.kind) {
  case DimAccess::Kind::Full:
    break;
  case DimAccess::Kind::Loop:
    return loopPart(use, isInit);
  case DimAccess::Kind::Window:
    return windowPart(use, size);
  case DimAccess::Kind::Spread:
    return spreadPart(use, size);
  case DimAccess::Kind::Groups:
    return groupsPart(use);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// A block of an operand, all of it but for what is added.
class Slice {
public:
  explicit Slice(Value source) : source(source) {}

  /// Adds the next dimension: `part`, or all of `size`.
  void add(OpBuilder &builder, const std::optional<Part> &part,
           OpFoldResult size) {
    isCut.push_back(part.has_value());
    offsets.push_back(part ? part->offset : builder.getIndexAttr(0));
    sizes.push_back(part ? part->size : size);
  }
  bool isWhole() const { return !llvm::is_contained(isCut, true); }

  Operation *make(OpBuilder &builder, Location loc);

private:
  bool fixAxis(OpBuilder &builder);

  Value source;
  SmallVector<bool> isCut;
  SmallVector<OpFoldResult> offsets, sizes;
};
} // namespace

/// Makes offset and size of the quantised axis attributes, which a cut is not
/// rejected without. Returns whether there is one.
bool Slice::fixAxis(OpBuilder &builder) {
  auto type = cast<ShapedType>(source.getType());
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  if (!quantized || !quantized.isPerAxis())
    return false;
  int32_t axis = quantized.getAxis();
  int64_t offset = 0, size = quantized.getNumParams();
  if (isCut[axis]) {
    offset = *knownIndex(offsets[axis]);
    size = *knownIndex(sizes[axis]);
  }
  offsets[axis] = builder.getIndexAttr(offset);
  sizes[axis] = builder.getIndexAttr(size);
  return isCut[axis];
}

/// Creates the slice of a tensor as upstream passes know it, unless that cuts a
/// quantised axis, whose parameters are cut with it; that of a buffer as a view
/// of this dialect, which has any layout.
Operation *Slice::make(OpBuilder &builder, Location loc) {
  SmallVector<OpFoldResult> allSizes(sizes);
  bool isAxisCut = fixAxis(builder);
  if (isAxisCut || isa<MemRefType>(source.getType()))
    return SubtensorOp::create(builder, loc, source, offsets, sizes);
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, source, offsets, allSizes,
                                        strides);
}

TileOperands mli::tiling::makeTileOperands(OpBuilder &builder,
                                           const KernelModel &model,
                                           const Tile &tile) {
  DestinationStyleOpInterface op = model.dps();
  Location loc = op.getLoc();
  Parts parts(builder, model, tile);
  TileOperands result;
  result.padding = getPadding(op);
  for (auto [i, uses] : llvm::enumerate(model.operands)) {
    OpOperand &operand = op->getOpOperand(i);
    bool isInit = op.isDpsInit(&operand);
    Slice slice(operand.get());
    for (auto [dim, use] : llvm::enumerate(uses)) {
      auto getDimSize = isInit ? getInitSize : getSize;
      OpFoldResult size =
          getDimSize(builder, loc, operand.get(), static_cast<int64_t>(dim));
      std::optional<Part> part = parts.part(use, size, isInit);
      slice.add(builder, part, size);
      if (part && part->before && !result.padding.empty()) {
        size_t edge = size_t{2} * use.windowDim;
        result.padding[edge] = part->before;
        result.padding[edge + 1] = part->after;
      }
    }
    result.values.push_back(operand.get());
    if (slice.isWhole())
      continue;
    Operation *made = slice.make(builder, loc);
    result.values.back() = made->getResult(0);
    // Loops that compute a block of the result keep the rest of what it was:
    // who fuses what gives that into them would have their tiles alone.
    if (!isInit || model.blockOffsets.empty())
      result.slices.push_back(made);
  }
  return result;
}
