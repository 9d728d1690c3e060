// SPDX-License-Identifier: Apache-2.0

#include "SlicePlacement.h"

#include "LegalizeSubtensors.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;

std::optional<PartRoot> Placement::findRoot(Value part, Block *block) {
  Operation *op = part.getDefiningOp();
  if (!op || op->getBlock() != block || !part.hasOneUse())
    return std::nullopt;
  if (tensor::EmptyOp whole = wholes.lookup(part)) {
    PartRoot root{{}, whole};
    for (OpOperand &use : whole->getUses())
      root.operands.push_back(&use);
    return root;
  }
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || !positions.count(op))
    return std::nullopt;
  OpOperand *init = kernel.getTiedOpOperand(cast<OpResult>(part));
  if (!init->get().getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  return PartRoot{{init}, op};
}

Value Placement::viewOf(Value whole, const TensorPart &part) {
  Location loc = part.value.getLoc();
  auto type = cast<RankedTensorType>(part.value.getType());
  SmallVector<OpFoldResult> sizes =
      type.hasStaticShape()
          ? getAsIndexOpFoldResult(rewriter.getContext(), type.getShape())
          : tensor::getMixedSizes(rewriter, loc, part.value);
  return SubtensorOp::create(rewriter, loc, whole, part.offsets, sizes,
                             type.getRank());
}

/// Whether the kernel writes its result with the strides of the view.
bool Placement::takesView(const PartRoot &root, RankedTensorType whole,
                          const TensorPart &part) {
  auto type = cast<RankedTensorType>(part.value.getType());
  SmallVector<int64_t> offsets;
  SmallVector<Value> values;
  dispatchIndexOpFoldResults(part.offsets, values, offsets);
  if (!values.empty() || !type.hasStaticShape() || !whole.hasStaticShape())
    return false;
  auto view = cast<MemRefType>(Type(SubtensorOp::inferResultType(
      MemRefType::get(whole.getShape(), whole.getElementType()), offsets,
      type.getShape(), type.getRank(), {})));
  return llvm::all_of(root.operands, [&](OpOperand *operand) {
    return meetsNeed(view, getMemoryNeed(*operand));
  });
}

void Placement::redirect(const PartRoot &root, Value view) {
  for (OpOperand *operand : root.operands) {
    auto empty = operand->get().getDefiningOp<tensor::EmptyOp>();
    operand->set(view);
    if (empty && empty->use_empty())
      rewriter.eraseOp(empty);
  }
  log.addInPlace();
}

Value Placement::insert(Value whole, const TensorPart &part) {
  Location loc = part.value.getLoc();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, part.value);
  SmallVector<OpFoldResult> steps(sizes.size(), rewriter.getIndexAttr(1));
  return tensor::InsertSliceOp::create(rewriter, loc, part.value, whole,
                                       part.offsets, sizes, steps);
}

/// A part that comes from elsewhere, for `op`.
Value Placement::moveIn(Operation *op, Value whole, const TensorPart &part) {
  auto type = cast<RankedTensorType>(part.value.getType());
  CopyCause cause{CopyReason::placed_elsewhere,
                  ("expected part " + llvm::Twine(part.number) + " of '" +
                   op->getName().getStringRef() +
                   "' to be computed in its place, but got " +
                   whyElsewhere(part.value, op->getBlock()))
                      .str(),
                  "a kernel that writes it there"};
  log.addCopy(op->getLoc(), cause, type);
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  // No move takes these; bufferization copies them.
  if (quantized && quantized.isPerAxis())
    return insert(whole, part);
  Value view = viewOf(whole, part);
  TensorPart moved = part;
  moved.value = MovOp::create(rewriter, op->getLoc(), part.value, view,
                              getReasonAttr(op->getContext(), cause))
                    ->getResult(0);
  return insert(whole, moved);
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
