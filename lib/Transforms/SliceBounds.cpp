// SPDX-License-Identifier: Apache-2.0
//
// Offsets and steps of slices that are known.

#include "LegalizeSubtensors.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mli;

/// Whether `slice`, what is known of `op`, is more than `op` has as attributes.
static bool isNew(const Slice &slice, OffsetSizeAndStrideOpInterface op) {
  return slice.offsets != op.getMixedOffsets() ||
         slice.steps != op.getMixedStrides();
}

static void foldBounds(IRRewriter &rewriter, tensor::ExtractSliceOp op) {
  Slice slice = *Slice::of(op);
  if (!isNew(slice, op))
    return;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
      op, op.getType(), op.getSource(), slice.offsets, slice.sizes,
      slice.steps);
}

static void foldBounds(IRRewriter &rewriter, tensor::InsertSliceOp op) {
  Slice slice = *Slice::of(op);
  if (!isNew(slice, op))
    return;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
      op, op.getSource(), op.getDest(), slice.offsets, slice.sizes,
      slice.steps);
}

void mli::foldConstantBounds(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](Operation *op) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      foldBounds(rewriter, slice);
    else if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
      foldBounds(rewriter, insertion);
  });
}
