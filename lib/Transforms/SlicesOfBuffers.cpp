// SPDX-License-Identifier: Apache-2.0
//
// Slices of buffers: views, or copies around each kernel that uses them.

#include "LegalizeSubtensors.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;

/// The layout of `type` in the memory of NPUs, if it has one.
static LayoutAttr layoutOf(MemRefType type) {
  return dyn_cast<LayoutAttr>(type.getLayout());
}

/// Whether `op` takes its operands in any layout.
static bool followsLayouts(Operation *op) {
  return isa<MLIDialect>(op->getDialect()) ||
         isa<memref::SubViewOp, memref::CopyOp, memref::LoadOp, memref::StoreOp,
             memref::DimOp>(op);
}

namespace {

class BufferSlices {
public:
  BufferSlices(MLIRContext *context, CopyLog &log)
      : rewriter(context), log(log) {}

  void legalize(memref::SubViewOp op);

private:
  void replaceByView(memref::SubViewOp op, const SliceView &view);
  void copyAround(memref::SubViewOp op, const Slice &slice,
                  const CopyCause &cause);
  /// Has the move `use` say why it is one.
  void explainMove(OpOperand &use, const CopyCause &cause);
  /// Memory for what `op` is copied to; nothing if there is no layout for it.
  FailureOr<MemRefType> bufferType(memref::SubViewOp op, const Slice &slice);
  /// Moves between `buffer` and the slice itself.
  void move(memref::SubViewOp op, const Slice &slice, Value buffer, bool isBack,
            CopyReasonAttr reason);

  IRRewriter rewriter;
  CopyLog &log;
};

} // namespace

void BufferSlices::replaceByView(memref::SubViewOp op, const SliceView &view) {
  rewriter.setInsertionPoint(op);
  Value block = createView(rewriter, op.getLoc(), op.getSource(), view);
  Type type = block.getType();
  if (type != op.getType() && !llvm::all_of(op->getUsers(), followsLayouts)) {
    if (!memref::CastOp::areCastCompatible(type, op.getType()))
      return log.refuse(op,
                        {std::nullopt,
                         "expected users of a slice in local memory to take "
                         "any layout, but got one of a fixed type",
                         ""});
    block = memref::CastOp::create(rewriter, op.getLoc(), op.getType(), block);
  }
  log.addView();
  rewriter.replaceAllUsesWith(op.getResult(), block);
  rewriter.eraseOp(op);
}

FailureOr<MemRefType> BufferSlices::bufferType(memref::SubViewOp op,
                                               const Slice &slice) {
  MemRefType source = op.getSourceType();
  LayoutAttr layout = layoutOf(source);
  if (!layout)
    return MemRefType::get(op.getType().getShape(), source.getElementType(),
                           MemRefLayoutAttrInterface(),
                           source.getMemorySpace());
  SmallVector<int64_t> shape(op.getStaticSizes()), first(op.getStaticOffsets());
  const layout::Target &target = findTarget(op).getValue();
  // What is no matrix has a request for every shape.
  layout::TensorLayout wanted =
      *requestLayout(shape, elementWidth(source.getElementType()) / 8,
                     layout.getDims(), target);
  wanted.mode = layout.getMode();
  if (layout.getKind() == layout::Kind::Compact)
    wanted.kind = layout::Kind::Compact;
  // Where its first channel is: copies stay within their NPU.
  wanted.startNpu = locate(source, first, target).npu;
  layout::Result<layout::TensorLayout> made = layout::makeLayout(wanted);
  if (!made) {
    log.refuse(op, {std::nullopt, layout::toString(made.problem()), ""});
    return failure();
  }
  return MemRefType::get(
      shape, source.getElementType(),
      LayoutAttr::get(op.getContext(), *made, layout.getDims()),
      source.getMemorySpace());
}

void BufferSlices::move(memref::SubViewOp op, const Slice &slice, Value buffer,
                        bool isBack, CopyReasonAttr reason) {
  bool isLocal = layoutOf(op.getSourceType()) != nullptr;
  Value place = isLocal ? op.getSource() : op.getResult();
  auto mov = isBack
                 ? MovOp::create(rewriter, op.getLoc(), buffer, place, reason)
                 : MovOp::create(rewriter, op.getLoc(), place, buffer, reason);
  if (!isLocal)
    return;
  if (isBack) {
    mov.setDstOffsets(op.getStaticOffsets());
    return;
  }
  SmallVector<int64_t> spans;
  for (auto [size, step] :
       llvm::zip_equal(op.getStaticSizes(), op.getStaticStrides()))
    spans.push_back((size - 1) * step + 1);
  mov.setOffsets(op.getStaticOffsets());
  mov.setSizes(spans);
  mov.setSteps(op.getStaticStrides());
}

void BufferSlices::explainMove(OpOperand &use, const CopyCause &cause) {
  auto mov = dyn_cast<MovOp>(use.getOwner());
  if (!mov || mov.getReason())
    return;
  mov.setReasonAttr(getReasonAttr(mov.getContext(), cause));
  log.addCopy(mov, cause, cast<ShapedType>(use.get().getType()));
}

/// The uses of a slice that a copy serves; those of a move of any strides get
/// along without.
void BufferSlices::copyAround(memref::SubViewOp op, const Slice &slice,
                              const CopyCause &cause) {
  bool isLocal = layoutOf(op.getSourceType()) != nullptr;
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    bool isKernel = isa<MLIDialect>(user->getDialect());
    if (!isLocal && (!isKernel || isa<MovOp, PermuteOp>(user))) {
      explainMove(use, cause);
      continue;
    }
    if (!isa<MemoryEffectOpInterface>(user) || isa<ViewLikeOpInterface>(user))
      return log.refuse(
          op, {std::nullopt,
               "expected users of a slice that is copied to read or write it, "
               "but got '" +
                   user->getName().getStringRef().str() + "'",
               ""});
    uses.push_back(&use);
  }
  if (uses.empty())
    return;
  FailureOr<MemRefType> type = bufferType(op, slice);
  if (failed(type))
    return;
  CopyReasonAttr reason = getReasonAttr(op.getContext(), cause);
  for (OpOperand *use : llvm::reverse(uses)) {
    auto user = cast<MemoryEffectOpInterface>(use->getOwner());
    SmallVector<MemoryEffects::EffectInstance> effects;
    user.getEffectsOnValue(op.getResult(), effects);
    bool isRead = false, isWritten = false;
    for (const MemoryEffects::EffectInstance &effect : effects) {
      isRead |= isa<MemoryEffects::Read>(effect.getEffect());
      isWritten |= isa<MemoryEffects::Write>(effect.getEffect());
    }
    if (isWritten && isLocal && cause.reason == CopyReason::strided_step)
      return log.refuse(op, cause);
    rewriter.setInsertionPoint(user);
    SmallVector<Value> sizes;
    for (OpFoldResult size : op.getMixedSizes())
      if (auto value = dyn_cast<Value>(size))
        sizes.push_back(value);
    Value buffer = isLocal ? AllocOp::create(rewriter, op.getLoc(),
                                             TypeRange(*type), ValueRange())
                                 .getResult()
                           : memref::AllocOp::create(rewriter, op.getLoc(),
                                                     *type, ValueRange(sizes))
                                 .getResult();
    log.addCopy(op, cause, *type);
    if (isRead)
      move(op, slice, buffer, /*isBack=*/false, reason);
    Value seen = buffer;
    if (isLocal && slice.dropped.any()) {
      SmallVector<OpFoldResult> zeros(op.getSourceType().getRank(),
                                      rewriter.getIndexAttr(0));
      seen =
          SubtensorOp::create(rewriter, op.getLoc(), buffer, zeros, slice.sizes,
                              op.getType().getRank(), findTarget(op));
    }
    use->set(seen);
    rewriter.setInsertionPointAfter(user);
    if (isWritten)
      move(op, slice, buffer, /*isBack=*/true, reason);
  }
  if (op->use_empty())
    rewriter.eraseOp(op);
}

void BufferSlices::legalize(memref::SubViewOp op) {
  if (!isOfDialect(op.getSourceType()) || !isOfDialect(op.getType()))
    return;
  if (layoutOf(op.getSourceType()) && failed(getTarget(op)))
    return log.fail();
  Slice slice = *Slice::of(op);
  SliceView view = getSliceView(op.getSourceType(), slice, findTarget(op));
  if (view.isView())
    return replaceByView(op, view);
  if (!view.cause->reason)
    return log.refuse(op, *view.cause);
  copyAround(op, slice, *view.cause);
}

void mli::legalizeBufferSlices(ModuleOp module, CopyLog &log) {
  BufferSlices slices(module.getContext(), log);
  SmallVector<memref::SubViewOp> ops;
  module.walk([&](memref::SubViewOp op) { ops.push_back(op); });
  for (memref::SubViewOp op : ops)
    slices.legalize(op);
}
