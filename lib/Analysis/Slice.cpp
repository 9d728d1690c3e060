// SPDX-License-Identifier: Apache-2.0
//
// Reads the slices of the slicing operations of all dialects.

#include "mli/Analysis/SliceView.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;

/// Whether the result of a block of the sizes of `slice` keeps other dimensions
/// than it.
static bool dropsOthers(const Slice &slice) {
  SmallVector<int64_t> kept = slice.getKeptDims();
  return SubtensorOp::getKeptDims(decomposeMixedValues(slice.sizes).first,
                                  static_cast<int64_t>(kept.size())) != kept;
}

/// The dimensions that `op` drops. Upstream looks for the strides of the
/// source, which steps change.
static llvm::SmallBitVector getDroppedDims(memref::SubViewOp op) {
  bool hasSteps = !areAllConstantIntValue(op.getMixedStrides(), 1);
  if (!hasSteps || isa<LayoutAttr>(op.getSourceType().getLayout()))
    return op.getDroppedDims();
  SmallVector<int64_t> sizes = decomposeMixedValues(op.getMixedSizes()).first;
  int64_t rank = op.getSourceType().getRank();
  MemRefType whole = memref::SubViewOp::inferResultType(
      op.getSourceType(), op.getMixedOffsets(), op.getMixedSizes(),
      op.getMixedStrides());
  SmallVector<int64_t> from = whole.getStridesAndOffset().first;
  SmallVector<int64_t> kept = op.getType().getStridesAndOffset().first;
  llvm::SmallBitVector dropped(rank);
  int64_t toDrop = rank - op.getType().getRank();
  for (int64_t i = rank; i-- > 0;) {
    bool isKept = sizes[i] != 1 || toDrop == 0 ||
                  (!kept.empty() && kept.back() == from[i]);
    if (isKept) {
      kept.pop_back();
      continue;
    }
    dropped.set(i);
    --toDrop;
  }
  return dropped;
}

/// Bounds that are values of constants become attributes, unless they are
/// wrong, or sizes of 1 that would be dropped instead of others. Sizes of what
/// is inserted are those of its type. A step over one index is never taken, and
/// becomes 1.
static void foldConstants(Slice &slice, Operation *op) {
  auto insertion = dyn_cast<tensor::InsertSliceOp>(op);
  Value whole = insertion ? insertion.getDest() : op->getOperand(0);
  Slice known = slice;
  (void)foldDynamicOffsetSizeList(known.offsets);
  if (!insertion)
    (void)foldDynamicOffsetSizeList(known.sizes);
  (void)foldDynamicStrideList(known.steps);
  if (dropsOthers(known))
    known.sizes = slice.sizes;
  if (verifyInBoundsSlice(cast<ShapedType>(whole.getType()).getShape(),
                          known.offsets, known.sizes, known.steps)
          .isValid)
    slice = known;
  for (auto [size, step] : llvm::zip_equal(slice.sizes, slice.steps))
    if (isConstantIntValue(size, 1))
      step = Builder(op->getContext()).getIndexAttr(1);
}

std::optional<Slice> Slice::of(Operation *op) {
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  if (!slice)
    return std::nullopt;
  Slice result{slice.getMixedOffsets(),
               slice.getMixedSizes(),
               slice.getMixedStrides(),
               {}};
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    result.dropped = extract.getDroppedDims();
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    result.dropped = insert.getDroppedDims();
  } else if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    result.dropped = getDroppedDims(view);
  } else if (auto subtensor = dyn_cast<SubtensorOp>(op)) {
    result.dropped.resize(subtensor.getStaticSizes().size(), true);
    for (int64_t kept : subtensor.getKeptDims())
      result.dropped.reset(kept);
    result.steps.assign(result.sizes.size(),
                        Builder(op->getContext()).getIndexAttr(1));
  } else {
    return std::nullopt;
  }
  foldConstants(result, op);
  return result;
}

SmallVector<int64_t> Slice::getKeptDims() const {
  SmallVector<int64_t> kept;
  for (int64_t i = 0, e = sizes.size(); i < e; ++i)
    if (!dropped.test(i))
      kept.push_back(i);
  return kept;
}

//===----------------------------------------------------------------------===//
// Adjacent slices
//===----------------------------------------------------------------------===//

bool mli::isBlock(OffsetSizeAndStrideOpInterface op, int64_t dim) {
  return !op.isDynamicOffset(dim) && !op.isDynamicSize(dim) &&
         !op.isDynamicStride(dim) && op.getStaticStride(dim) == 1;
}

static bool dropsDims(Operation *slice) {
  return cast<ShapedType>(slice->getResult(0).getType()).getRank() !=
         cast<ShapedType>(slice->getOperand(0).getType()).getRank();
}

bool mli::areAdjacent(OffsetSizeAndStrideOpInterface last,
                      OffsetSizeAndStrideOpInterface next, int64_t dim) {
  if (last->getOperand(0) != next->getOperand(0) || dropsDims(last) ||
      dropsDims(next) || !isBlock(last, dim) || !isBlock(next, dim) ||
      last.getStaticOffset(dim) + last.getStaticSize(dim) !=
          next.getStaticOffset(dim))
    return false;
  auto sameElsewhere = [&](ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(a, b)))
      if (static_cast<int64_t>(i) != dim &&
          std::get<0>(pair) != std::get<1>(pair))
        return false;
    return true;
  };
  return sameElsewhere(last.getMixedOffsets(), next.getMixedOffsets()) &&
         sameElsewhere(last.getMixedSizes(), next.getMixedSizes()) &&
         sameElsewhere(last.getMixedStrides(), next.getMixedStrides());
}
