// SPDX-License-Identifier: Apache-2.0

#include "BufferSliceCopies.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

FailureOr<MemRefType> BufferSliceCopies::getCopyType(BufferSlice &slice) {
  MemRefType source = slice.getSourceType();
  if (!slice.isLocal())
    return MemRefType::get(slice.getType().getShape(), source.getElementType(),
                           MemRefLayoutAttrInterface(),
                           source.getMemorySpace());
  auto layout = cast<LayoutAttr>(source.getLayout());
  ArrayRef<int64_t> shape = slice.sizes;
  const layout::Target &target = findTarget(slice.op).getValue();
  // A slice of a matrix keeps the columns for each channel.
  const auto *w = llvm::find(layout.getDims(), LayoutDim::w);
  int64_t columns =
      layout.getColumns() == 0
          ? 0
          : std::min(layout.getColumns(), shape[w - layout.getDims().begin()]);
  layout::TensorLayout wanted =
      *requestLayout(shape, elementWidth(source.getElementType()) / 8,
                     layout.getDims(), target, columns);
  wanted.mode = layout.getMode();
  if (layout.getKind() == layout::Kind::Compact)
    wanted.kind = layout::Kind::Compact;
  if (target.npus == 1 && columns == 0)
    wanted.kind = layout::Kind::Continuous;
  // A copy starts on the NPU of its first channel, so that it stays within it.
  wanted.startNpu = locate(source, slice.offsets, target).npu;
  layout::Result<layout::TensorLayout> made = layout::makeLayout(wanted);
  if (!made) {
    remarks.reject(slice.op,
                   {std::nullopt, layout::toString(made.violation()), ""});
    return failure();
  }
  return MemRefType::get(
      shape, source.getElementType(),
      LayoutAttr::get(source.getContext(), *made, layout.getDims()),
      source.getMemorySpace());
}

Value BufferSliceCopies::allocate(BufferSlice &slice, MemRefType type) {
  Location loc = slice.op.getLoc();
  if (slice.isLocal())
    return AllocOp::create(rewriter, loc, TypeRange(type), ValueRange());
  SmallVector<Value> sizes;
  for (OpFoldResult size : slice.slice.sizes)
    if (auto value = dyn_cast<Value>(size))
      sizes.push_back(value);
  return memref::AllocOp::create(rewriter, loc, type, sizes);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

void BufferSliceCopies::moveIn(OpBuilder &builder, BufferSlice &slice,
                               Value buffer, CopyReasonAttr reason) {
  Location loc = slice.op.getLoc();
  if (!slice.isLocal()) {
    MovOp::create(builder, loc, slice.op->getResult(0), buffer, reason);
    return;
  }
  auto mov = MovOp::create(builder, loc, slice.source, buffer, reason);
  SmallVector<int64_t> spans;
  for (auto [size, step] : llvm::zip_equal(slice.sizes, slice.steps))
    spans.push_back((size - 1) * step + 1);
  mov.setOffsets(slice.offsets);
  mov.setSizes(spans);
  mov.setSteps(slice.steps);
}

/// `mli.mov` has steps for its input only, so indices of dimensions with a step
/// are written by a move each.
void BufferSliceCopies::moveOut(OpBuilder &builder, BufferSlice &slice,
                                Value buffer, CopyReasonAttr reason) {
  Location loc = slice.op.getLoc();
  if (!slice.isLocal()) {
    MovOp::create(builder, loc, buffer, slice.op->getResult(0), reason);
    return;
  }
  ArrayRef<int64_t> steps = slice.steps;
  SmallVector<int64_t> counts, sizes(slice.sizes);
  for (auto [size, step] : llvm::zip_equal(sizes, steps)) {
    counts.push_back(step == 1 ? 1 : size);
    size = step == 1 ? size : 1;
  }
  SmallVector<int64_t> strides = computeStrides(counts);
  int64_t moves = computeProduct(counts);
  for (int64_t i = 0; i < moves; ++i) {
    SmallVector<int64_t> index = delinearize(i, strides);
    SmallVector<int64_t> to(slice.offsets);
    for (auto [at, k, step] : llvm::zip_equal(to, index, steps))
      at += k * step;
    auto mov = MovOp::create(builder, loc, buffer, slice.source, reason);
    if (moves > 1) {
      mov.setOffsets(index);
      mov.setSizes(sizes);
    }
    mov.setDstOffsets(to);
  }
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

void BufferSliceCopies::explainMove(OpOperand &use, const CopyCause &cause) {
  auto mov = dyn_cast<MovOp>(use.getOwner());
  if (!mov || mov.getReason())
    return;
  mov.setReasonAttr(getReasonAttr(mov.getContext(), cause));
  remarks.addCopy(mov->getLoc(), cause, cast<ShapedType>(use.get().getType()));
}

/// A reshape in local memory has the layout of its result, which a copy has
/// not.
bool BufferSliceCopies::isViewOfSlice(Operation *op, BufferSlice &slice) const {
  return followsViews &&
         (isa<SubtensorOp>(op) || (isa<ReshapeOp>(op) && !slice.isLocal()));
}

LogicalResult BufferSliceCopies::findUses(BufferSlice &slice,
                                          const CopyCause &cause, Value value,
                                          ArrayRef<Operation *> views,
                                          SmallVectorImpl<Use> &uses) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    bool isKernel = isa_and_nonnull<MLIDialect>(user->getDialect());
    if (!slice.isLocal() && (!isKernel || isa<MovOp, PermuteOp>(user))) {
      explainMove(use, cause);
      continue;
    }
    if (isViewOfSlice(user, slice)) {
      SmallVector<Operation *, 1> inner(views);
      inner.push_back(user);
      if (failed(findUses(slice, cause, user->getResult(0), inner, uses)))
        return failure();
      continue;
    }
    if (!isa<MemoryEffectOpInterface>(user) || isa<ViewLikeOpInterface>(user)) {
      remarks.reject(
          slice.op,
          {std::nullopt,
           "expected users of a slice that is copied to read or write it, "
           "but got '" +
               user->getName().getStringRef().str() + "'",
           ""});
      return failure();
    }
    uses.push_back({&use, SmallVector<Operation *, 1>(views)});
  }
  return success();
}

Value BufferSliceCopies::createViewOfCopy(Value buffer, const Use &use,
                                          BufferSlice &slice) {
  Location loc = slice.op.getLoc();
  TargetAttr target = findTarget(slice.op);
  Value view = buffer;
  if (slice.isLocal() && slice.slice.dropped.any()) {
    SmallVector<OpFoldResult> zeros(slice.slice.sizes.size(),
                                    rewriter.getIndexAttr(0));
    view = SubtensorOp::create(rewriter, loc, buffer, zeros, slice.slice.sizes,
                               slice.getType().getRank(), target);
  }
  for (Operation *old : use.views) {
    if (auto reshape = dyn_cast<ReshapeOp>(old)) {
      auto type = cast<MemRefType>(reshape.getType());
      view = ReshapeOp::create(
          rewriter, old->getLoc(),
          ReshapeOp::inferViewType(cast<MemRefType>(view.getType()),
                                   type.getShape(), type.getElementType()),
          view);
      continue;
    }
    auto block = cast<SubtensorOp>(old);
    auto bounds = cast<OffsetSizeAndStrideOpInterface>(old);
    newViews.push_back(SubtensorOp::create(
        rewriter, old->getLoc(), view, bounds.getMixedOffsets(),
        bounds.getMixedSizes(), block.getType().getRank(), target));
    view = newViews.back();
  }
  return view;
}

void BufferSliceCopies::rewriteUse(const Use &use, BufferSlice &slice,
                                   MemRefType type, const CopyCause &cause) {
  Access access = getAccess(*use.operand);
  // The elements outside of a view are copied out as well.
  bool isFilled = access.writes && !access.reads && !use.views.empty();
  bool isBoth = access.writes && (access.reads || isFilled);
  // An operation that only reads the type copies nothing.
  if (access.reads || access.writes)
    remarks.addCopy(slice.op->getLoc(), cause, type, isBoth ? 2 : 1);
  CopyReasonAttr reason = getReasonAttr(slice.op.getContext(), cause);
  rewriter.setInsertionPoint(use.operand->getOwner());
  Value buffer = allocate(slice, type);
  if (isFilled)
    moveIn(rewriter, slice, buffer, reason);
  copyInCopyOut(
      *use.operand, createViewOfCopy(buffer, use, slice),
      [&](OpBuilder &builder) { moveIn(builder, slice, buffer, reason); },
      [&](OpBuilder &builder) { moveOut(builder, slice, buffer, reason); });
}

SmallVector<SubtensorOp> BufferSliceCopies::copySlice(BufferSlice &slice,
                                                      const CopyCause &cause) {
  SmallVector<Use> uses;
  newViews.clear();
  if (failed(findUses(slice, cause, slice.op->getResult(0), {}, uses)) ||
      uses.empty())
    return {};
  FailureOr<MemRefType> type = getCopyType(slice);
  if (failed(type))
    return {};
  for (const Use &use : llvm::reverse(uses))
    rewriteUse(use, slice, *type, cause);
  return newViews;
}
