// SPDX-License-Identifier: Apache-2.0

#include "SlicePlacement.h"

#include "LegalizeSubtensors.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;

Value Placement::viewOf(Value whole, const TensorPart &part) {
  auto type = cast<RankedTensorType>(part.value.getType());
  return SubtensorOp::create(
      rewriter, part.value.getLoc(), whole, part.offsets,
      getAsIndexOpFoldResult(rewriter.getContext(), type.getShape()),
      type.getRank());
}

void Placement::redirect(const PartRoot &root, Value view) {
  for (OpOperand *operand : root.operands) {
    auto empty = operand->get().getDefiningOp<tensor::EmptyOp>();
    operand->set(view);
    if (empty)
      eraseIfDead(empty);
  }
  // It has its place: others that put it somewhere move it there.
  wholes.erase(root.value);
  log.addInPlace();
}

void Placement::hoistReshapes(Value part, Value value) {
  SmallVector<ReshapeOp> reshapes;
  for (; part != value; part = reshapes.back().getSource())
    reshapes.push_back(part.getDefiningOp<ReshapeOp>());
  Operation *last = value.getDefiningOp();
  for (ReshapeOp reshape : llvm::reverse(reshapes)) {
    rewriter.moveOpAfter(reshape, last);
    positions[reshape] = position(last);
    last = reshape;
  }
}

/// Why `part` of what `op` makes comes from elsewhere.
static CopyCause causeElsewhere(Operation *op, const TensorPart &part) {
  return {CopyReason::placed_elsewhere,
          ("expected part " + llvm::Twine(part.number) + " of '" +
           op->getName().getStringRef() +
           "' to be computed in its place, but got " +
           whyElsewhere(part.value, op->getBlock()))
              .str(),
          "a kernel that writes it there"};
}

Value Placement::build(Operation *op, RankedTensorType type,
                       ArrayRef<OpFoldResult> sizes,
                       ArrayRef<TensorPart> parts) {
  struct Placed {
    TensorPart part;
    PartRoot root;
  };
  SmallVector<Placed> placed;
  SmallVector<TensorPart> others;
  llvm::SmallPtrSet<Value, 8> roots;
  for (TensorPart part : parts) {
    if (!part.cause)
      part.cause = causeElsewhere(op, part);
    std::optional<PartRoot> root = findRoot(part.value, op->getBlock());
    if (root && takesView(*root, type, part, op) &&
        roots.insert(root->value).second)
      placed.push_back({part, *root});
    else
      others.push_back(part);
  }
  llvm::sort(placed, [&](const Placed &a, const Placed &b) {
    return position(a.root.first) < position(b.root.first);
  });

  rewriter.setInsertionPoint(placed.empty() ? op : placed.front().root.first);
  auto empty = tensor::EmptyOp::create(
      rewriter, op->getLoc(), sizes, type.getElementType(), type.getEncoding());
  positions[empty] = position(placed.empty() ? op : placed.front().root.first);
  Value whole = empty;
  int64_t last = -1;
  for (Placed &next : placed) {
    // One that begins before the last is complete would tie a knot.
    if (position(next.root.first) < last) {
      others.push_back(next.part);
      continue;
    }
    rewriter.setInsertionPoint(next.root.first);
    PartPlace place = placeOf(whole, next.part, next.root);
    redirect(next.root, place.view);
    hoistReshapes(place.part.value, next.root.value);
    Operation *producer = place.part.value.getDefiningOp();
    rewriter.setInsertionPointAfter(producer);
    whole = insert(whole, place.part, place.sizes);
    last = position(next.root.value.getDefiningOp());
    positions[whole.getDefiningOp()] = last;
  }
  rewriter.setInsertionPoint(op);
  for (const TensorPart &part : others) {
    tensor::InsertSliceOp insertion = insert(whole, part);
    moveIntoPlace(rewriter, insertion, op->getLoc(), *part.cause, log);
    whole = insertion;
  }
  wholes[whole] = empty;
  return whole;
}

tensor::InsertSliceOp Placement::insert(Value whole, const TensorPart &part,
                                        ArrayRef<OpFoldResult> taken) {
  Location loc = part.value.getLoc();
  SmallVector<OpFoldResult> sizes(taken);
  if (taken.empty())
    sizes = tensor::getMixedSizes(rewriter, loc, part.value);
  SmallVector<OpFoldResult> steps(sizes.size(), rewriter.getIndexAttr(1));
  return tensor::InsertSliceOp::create(rewriter, loc, part.value, whole,
                                       part.offsets, sizes, steps);
}

void mli::placeParts(ModuleOp module, CopyLog &log) {
  Placement placement(module, log);
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::PadOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      placement.place(concat);
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      placement.place(pad);
    else
      placement.place(cast<tensor::InsertSliceOp>(op));
  }
}
