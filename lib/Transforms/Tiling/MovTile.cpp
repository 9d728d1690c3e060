// SPDX-License-Identifier: Apache-2.0

#include "MovTile.h"

#include "IndexMath.h"
#include "LoopIndex.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

namespace {
/// The configuration of a move along one dimension of its source.
struct SourceDim {
  SourceDim(MovOp op, unsigned p) {
    auto entry = [p](ArrayRef<int64_t> list, int64_t absent) {
      return list.empty() ? absent : list[p];
    };
    offset = entry(op.getOffsets(), 0);
    step = entry(op.getSteps(), 1);
    low = entry(op.getPadLow(), 0);
    high = entry(op.getPadHigh(), 0);
    int64_t source = op.getInput().getType().getDimSize(p);
    size = entry(op.getSizes(), ShapedType::kDynamic);
    saysSize = ShapedType::isStatic(size);
    if (!saysSize && ShapedType::isStatic(source))
      size = source + low + high - offset;
    isPart = offset != 0 || (saysSize && size != source);
  }

  bool isPadded() const { return low != 0 || high != 0; }

  int64_t offset, step, low, high;
  int64_t size;  ///< with padding; dynamic if it follows from a dynamic source
  bool saysSize; ///< as an attribute
  bool isPart;   ///< of the source, if that is not padded
};
} // namespace

/// The dimension of the source that loop `i` is.
static unsigned getSourceDim(MovOp op, unsigned i) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  return permutation.empty() ? i : permutation[i];
}

static unsigned getRank(MovOp op) { return op.getInput().getType().getRank(); }

SmallVector<DimAccess> mli::tiling::getMovSourceAccesses(MovOp op) {
  SmallVector<DimAccess> uses(getRank(op));
  for (unsigned i = 0; i < getRank(op); ++i) {
    unsigned p = getSourceDim(op, i);
    SourceDim dim(op, p);
    if (dim.isPadded())
      continue;
    uses[p] = DimAccess::window(i, p);
    uses[p].isPart = dim.isPart;
  }
  return uses;
}

WindowDim mli::tiling::getMovWindowDim(OpBuilder &builder, MovOp op,
                                       unsigned p) {
  SourceDim dim(op, p);
  WindowDim window;
  window.stride = dim.step;
  window.taps = builder.getIndexAttr(1);
  window.before = builder.getIndexAttr(-dim.offset);
  window.after = builder.getIndexAttr(0);
  return window;
}

SmallVector<OpFoldResult> mli::tiling::movWrittenSizes(OpBuilder &builder,
                                                       MovOp op) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned i = 0; i < getRank(op); ++i) {
    unsigned p = getSourceDim(op, i);
    SourceDim dim(op, p);
    IndexMath math(builder, op.getLoc());
    AffineExpr size =
        ShapedType::isStatic(dim.size)
            ? math.constant(dim.size)
            : math.operand(getSize(builder, op.getLoc(), op.getInput(), p)) +
                  (dim.low + dim.high - dim.offset);
    sizes.push_back(math.apply(size.ceilDiv(dim.step)));
  }
  return sizes;
}

/// Whether a tile has to specify sizes: those of a padded dimension, where they
/// are not the rest of the source.
static bool saysSizes(MovOp op, const Tile &tile) {
  for (unsigned i = 0; i < getRank(op); ++i) {
    SourceDim dim(op, getSourceDim(op, i));
    if (dim.isPadded() && (dim.saysSize || !tile.isWhole[i]))
      return true;
  }
  return false;
}

std::optional<MatchFailure> mli::tiling::rejectMovTile(MovOp op,
                                                       const Tile &tile) {
  bool needsSizes = saysSizes(op, tile);
  for (unsigned i = 0; i < getRank(op); ++i) {
    SourceDim dim(op, getSourceDim(op, i));
    bool isCut = !tile.isWhole[i];
    // N4
    if (isCut && dim.isPadded() && !knownIndex(tile.offsets[i]))
      return MatchFailure{i, "have a constant offset, as the move pads it"};
    bool isKnown = isCut ? knownIndex(tile.sizes[i]).has_value()
                         : ShapedType::isStatic(dim.size);
    // N5
    if (needsSizes && !isKnown)
      return MatchFailure{i,
                          "have a constant size, as the move says its sizes"};
  }
  return std::nullopt;
}

void mli::tiling::configureMovTile(MovOp tiled, MovOp op, const Tile &tile) {
  SmallVector<int64_t> offsets(getRank(op)), sizes(getRank(op));
  for (unsigned i = 0; i < getRank(op); ++i) {
    unsigned p = getSourceDim(op, i);
    SourceDim dim(op, p);
    // The operand is the slice that is read, unless that is padded.
    offsets[p] = dim.isPadded() ? dim.offset : 0;
    sizes[p] = dim.size;
    // A slice ends with the last element that is read, which steps may not.
    if (ShapedType::isStatic(dim.size))
      sizes[p] =
          (llvm::divideCeilSigned(dim.size, dim.step) - 1) * dim.step + 1;
    if (tile.isWhole[i])
      continue;
    if (dim.isPadded())
      offsets[p] += *knownIndex(tile.offsets[i]) * dim.step;
    if (std::optional<int64_t> count = knownIndex(tile.sizes[i]))
      sizes[p] = (*count - 1) * dim.step + 1;
  }
  auto orNothing = [](ArrayRef<int64_t> list, bool isSaid) {
    return isSaid ? list : ArrayRef<int64_t>();
  };
  bool hasOffsets = llvm::any_of(offsets, [](int64_t i) { return i != 0; });
  tiled.setOffsets(orNothing(offsets, hasOffsets));
  tiled.setSizes(orNothing(sizes, saysSizes(op, tile)));
  // The operand is the block that is written.
  tiled.setDstOffsets({});
}
