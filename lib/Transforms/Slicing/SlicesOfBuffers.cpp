// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-legalize-subtensors: slices of buffers become views, or copies
// around each kernel that uses them.

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
  BufferSlices(MLIRContext *context, CopyRemarks &remarks)
      : rewriter(context), remarks(remarks),
        copies(rewriter, remarks, /*followsViews=*/true) {}

  void run(ModuleOp module);

private:
  void legalize(OffsetSizeAndStrideOpInterface op);
  void replaceByView(memref::SubViewOp op, const SliceView &view);

  IRRewriter rewriter;
  CopyRemarks &remarks;
  BufferSliceCopies copies;
  /// All slices of the module; new views of copies are added at the end.
  SmallVector<OffsetSizeAndStrideOpInterface> slices;
  /// Slices that may have no users any more, sources first.
  SmallVector<Operation *> copied;
};

} // namespace

void BufferSlices::replaceByView(memref::SubViewOp op, const SliceView &view) {
  rewriter.setInsertionPoint(op);
  Value block = createView(rewriter, op.getLoc(), op.getSource(), view);
  Type type = block.getType();
  if (type != op.getType() && !llvm::all_of(op->getUsers(), followsLayouts)) {
    if (!memref::CastOp::areCastCompatible(type, op.getType()))
      return remarks.reject(
          op, {std::nullopt,
               "expected users of a slice in local memory to take "
               "any layout, but got one of a fixed type",
               ""});
    block = memref::CastOp::create(rewriter, op.getLoc(), op.getType(), block);
  }
  remarks.addView();
  rewriter.replaceAllUsesWith(op.getResult(), block);
  rewriter.eraseOp(op);
}

void BufferSlices::legalize(OffsetSizeAndStrideOpInterface op) {
  BufferSlice slice(op);
  if (!isOfDialect(slice.getSourceType()) || !isOfDialect(slice.getType()))
    return;
  if (slice.isLocal() && failed(getTarget(op)))
    return remarks.fail();
  SliceView view =
      getSliceView(slice.getSourceType(), slice.slice, findTarget(op));
  if (!view.isView() && !view.cause->reason)
    return remarks.reject(op, *view.cause);
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
  // Copying a slice adds the views of the copy at the end.
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

void mli::legalizeBufferSlices(ModuleOp module, CopyRemarks &remarks) {
  BufferSlices(module.getContext(), remarks).run(module);
}

void mli::copySlice(OffsetSizeAndStrideOpInterface op, const CopyCause &cause,
                    CopyRemarks &remarks) {
  IRRewriter rewriter(op.getContext());
  BufferSlice slice(op);
  BufferSliceCopies(rewriter, remarks, /*followsViews=*/false)
      .copySlice(slice, cause);
  if (op->use_empty())
    rewriter.eraseOp(op);
}
