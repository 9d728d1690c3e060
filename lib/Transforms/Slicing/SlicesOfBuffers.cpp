// SPDX-License-Identifier: Apache-2.0
//
// Slices of buffers: views, or copies around each kernel that uses them.

#include "BufferSliceCopies.h"
#include "LegalizeSubtensors.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

/// Whether `op` takes its operands in any layout.
static bool followsLayouts(Operation *op) {
  return isa_and_nonnull<MLIDialect>(op->getDialect()) ||
         isa<memref::SubViewOp, memref::CopyOp, memref::LoadOp, memref::StoreOp,
             memref::DimOp>(op);
}

namespace {

class BufferSlices {
public:
  BufferSlices(MLIRContext *context, CopyLog &log)
      : rewriter(context), log(log),
        copies(rewriter, log, /*followsViews=*/true) {}

  void run(ModuleOp module);

private:
  void legalize(OffsetSizeAndStrideOpInterface op);
  void replaceByView(memref::SubViewOp op, const SliceView &view);

  IRRewriter rewriter;
  CopyLog &log;
  BufferSliceCopies copies;
  /// All of them; views of copies are added to the end.
  SmallVector<OffsetSizeAndStrideOpInterface> slices;
  /// Those that copies may have left without a user, sources first.
  SmallVector<Operation *> copied;
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

void BufferSlices::legalize(OffsetSizeAndStrideOpInterface op) {
  BufferSlice slice(op);
  if (!isOfDialect(slice.getSourceType()) || !isOfDialect(slice.getType()))
    return;
  if (slice.isLocal() && failed(getTarget(op)))
    return log.fail();
  SliceView view =
      getSliceView(slice.getSourceType(), slice.slice, findTarget(op));
  if (!view.isView() && !view.cause->reason)
    return log.refuse(op, *view.cause);
  if (!view.isView()) {
    llvm::append_range(slices, copies.copySlice(slice, *view.cause));
    return copied.push_back(op);
  }
  if (auto subview = dyn_cast<memref::SubViewOp>(op.getOperation()))
    replaceByView(subview, view);
}

void BufferSlices::run(ModuleOp module) {
  module.walk([&](OffsetSizeAndStrideOpInterface op) {
    if (isa<memref::SubViewOp, SubtensorOp>(op) &&
        isa<MemRefType>(op->getResult(0).getType()))
      slices.push_back(op);
  });
  // Copying a slice adds the slices of its parts at the end.
  for (size_t next = 0; next < slices.size();) {
    OffsetSizeAndStrideOpInterface slice = slices[next++];
    if (isa<SubtensorOp>(slice) && slice->use_empty())
      copied.push_back(slice);
    else
      legalize(slice);
  }
  for (Operation *slice : llvm::reverse(copied))
    if (slice->use_empty())
      rewriter.eraseOp(slice);
}

void mli::legalizeBufferSlices(ModuleOp module, CopyLog &log) {
  BufferSlices(module.getContext(), log).run(module);
}

void mli::copySlice(OffsetSizeAndStrideOpInterface op, const CopyCause &cause,
                    CopyLog &log) {
  IRRewriter rewriter(op.getContext());
  BufferSlice slice(op);
  BufferSliceCopies(rewriter, log, /*followsViews=*/false)
      .copySlice(slice, cause);
  if (op->use_empty())
    rewriter.eraseOp(op);
}
