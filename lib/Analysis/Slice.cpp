// SPDX-License-Identifier: Apache-2.0
//
// What the slicing operations of all dialects take.

#include "mli/Analysis/SliceView.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

/// Whether the result of a block of the sizes of `slice` keeps other dimensions
/// than it.
static bool dropsOthers(const Slice &slice) {
  SmallVector<int64_t> kept = slice.getKeptDims();
  return SubtensorOp::getKeptDims(decomposeMixedValues(slice.sizes).first,
                                  static_cast<int64_t>(kept.size())) != kept;
}

/// Bounds that are values of constants become attributes, unless they are
/// wrong, or sizes of 1 that would be dropped instead of others. Sizes of what
/// is inserted are those of its type.
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
}

std::optional<Slice> Slice::of(Operation *op) {
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  if (!slice)
    return std::nullopt;
  Slice result{slice.getMixedOffsets(),
               slice.getMixedSizes(),
               slice.getMixedStrides(),
               {}};
  using Dropped = std::optional<llvm::SmallBitVector>;
  Dropped dropped =
      llvm::TypeSwitch<Operation *, Dropped>(op)
          .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp,
                memref::SubViewOp>([](auto op) { return op.getDroppedDims(); })
          .Case([](SubtensorOp op) {
            llvm::SmallBitVector all(op.getStaticSizes().size(), true);
            for (int64_t kept : op.getKeptDims())
              all.reset(kept);
            return all;
          })
          .Default([](Operation *) { return std::nullopt; });
  if (!dropped)
    return std::nullopt;
  result.dropped = *dropped;
  if (auto subtensor = dyn_cast<SubtensorOp>(op))
    result.steps.assign(result.sizes.size(),
                        Builder(op->getContext()).getIndexAttr(1));
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
