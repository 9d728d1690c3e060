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
  SmallVector<TensorPart> parts = partsOf(rewriter, op), others;
  struct Placed {
    TensorPart part;
    PartRoot root;
  };
  SmallVector<Placed> placed;
  for (TensorPart &part : parts) {
    std::optional<PartRoot> root = findRoot(part.value, op->getBlock());
    if (root && takesView(*root, type, part))
      placed.push_back({part, *root});
    else
      others.push_back(part);
  }
  llvm::sort(placed, [&](const Placed &a, const Placed &b) {
    return position(a.root.first) < position(b.root.first);
  });

  if (!placed.empty())
    rewriter.setInsertionPoint(placed.front().root.first);
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
  auto empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(), sizes, type.getElementType(), type.getEncoding());
  positions[empty] =
      placed.empty() ? position(op) : position(placed.front().root.first);
  Value whole = empty;
  int64_t last = -1;
  for (Placed &next : placed) {
    // One that begins before the last is complete would tie a knot.
    if (position(next.root.first) < last) {
      others.push_back(next.part);
      continue;
    }
    rewriter.setInsertionPoint(next.root.first);
    redirect(next.root, viewOf(whole, next.part));
    Operation *producer = next.part.value.getDefiningOp();
    rewriter.setInsertionPointAfter(producer);
    whole = insert(whole, next.part);
    last = position(producer);
    positions[whole.getDefiningOp()] = last;
  }
  rewriter.setInsertionPoint(op);
  for (const TensorPart &part : others)
    whole = moveIn(op, whole, part);
  wholes[whole] = empty;
  replace(op, whole);
}
