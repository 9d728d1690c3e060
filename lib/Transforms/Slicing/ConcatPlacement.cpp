// SPDX-License-Identifier: Apache-2.0
//
// The parts of concatenations.

#include "LegalizeSubtensors.h"
#include "SlicePlacement.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace mli;

/// The parts of `op`, which are as large as `rewriter` finds them.
static SmallVector<TensorPart> partsOf(OpBuilder &builder,
                                       tensor::ConcatOp op) {
  SmallVector<TensorPart> parts;
  auto dim = static_cast<int64_t>(op.getDim());
  SmallVector<OpFoldResult> offsets(op.getRank(), builder.getIndexAttr(0));
  AffineExpr a = builder.getAffineSymbolExpr(0);
  AffineExpr b = builder.getAffineSymbolExpr(1);
  for (auto [i, value] : llvm::enumerate(op.getInputs())) {
    parts.push_back({value, offsets, static_cast<int64_t>(i)});
    OpFoldResult size = tensor::getMixedSize(builder, op.getLoc(), value, dim);
    offsets[dim] = affine::makeComposedFoldedAffineApply(
        builder, op.getLoc(), a + b, {offsets[dim], size});
  }
  return parts;
}

void Placement::place(tensor::ConcatOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  if (!isOfDialect(type))
    return;
  if (op.getInputs().size() == 1 && op.getInputs().front().getType() == type)
    return replaceByPart(op, op.getInputs().front());
  rewriter.setInsertionPoint(op);
  SmallVector<TensorPart> parts = partsOf(rewriter, op);
  SmallVector<OpFoldResult> sizes =
      type.hasStaticShape()
          ? getAsIndexOpFoldResult(op.getContext(), type.getShape())
          : SmallVector<OpFoldResult>();
  if (sizes.empty()) {
    sizes =
        tensor::getMixedSizes(rewriter, op.getLoc(), op.getInputs().front());
    AffineExpr a = rewriter.getAffineSymbolExpr(0);
    AffineExpr b = rewriter.getAffineSymbolExpr(1);
    int64_t dim = op.getDim();
    OpFoldResult last =
        tensor::getMixedSize(rewriter, op.getLoc(), parts.back().value, dim);
    sizes[dim] = affine::makeComposedFoldedAffineApply(
        rewriter, op.getLoc(), a + b, {parts.back().offsets[dim], last});
  }
  replace(op, build(op, type, sizes, parts));
}
