// SPDX-License-Identifier: Apache-2.0
//
// What is inserted into tensors.

#include "LegalizeSubtensors.h"
#include "SlicePlacement.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace mlir;
using namespace mli;

/// Whether the source is what is there already.
static bool isInPlace(tensor::InsertSliceOp op) {
  auto taken = op.getSource().getDefiningOp<SubsetExtractionOpInterface>();
  return taken && taken.getSourceOperand().get() == op.getDest() &&
         cast<SubsetOpInterface>(op.getOperation())
             .operatesOnEquivalentSubset(
                 cast<SubsetOpInterface>(taken.getOperation()),
                 [](Value a, Value b) { return a == b; });
}

/// Whether nothing but one reshape of the other is between the two, and each
/// has one use.
static bool isOnlyReshaped(Value part, Value value) {
  while (part.hasOneUse() && part != value)
    part = part.getDefiningOp<ReshapeOp>().getSource();
  return part == value && value.hasOneUse();
}

/// Whether `block` of `whole` has no gaps.
static bool isContiguous(RankedTensorType whole,
                         const SliceView::Block &block) {
  auto buffer = MemRefType::get(whole.getShape(), whole.getElementType());
  ShapedType view = SubtensorOp::inferResultType(
      buffer, decomposeMixedValues(block.offsets).first,
      decomposeMixedValues(block.sizes).first, block.rank, {});
  return view && meetsNeed(cast<MemRefType>(view), MemoryNeed::Contiguous);
}

/// Whether a slice at `offsets` may stand where `root` begins.
bool Placement::isKnownBefore(ArrayRef<OpFoldResult> offsets,
                              const PartRoot &root) const {
  return llvm::all_of(offsets, [&](OpFoldResult offset) {
    auto value = dyn_cast<Value>(offset);
    Operation *op = value ? value.getDefiningOp() : nullptr;
    return !op || op->getBlock() != root.first->getBlock() ||
           position(op) < position(root.first);
  });
}

void Placement::place(tensor::InsertSliceOp op) {
  // Nothing is inserted.
  if (positions.count(op) != 0 &&
      llvm::is_contained(op.getSourceType().getShape(), 0))
    return replaceByPart(op, op.getDest());
  if (!isOfDialect(op.getDestType()) || !isOfDialect(op.getSourceType()) ||
      positions.count(op) == 0)
    return;
  if (isInPlace(op)) {
    Value part = op.getSource();
    replaceByPart(op, op.getDest());
    return eraseIfDead(part);
  }
  Slice slice = *Slice::of(op);
  SliceView view = getSliceView(op.getDestType(), slice, {});
  if (!view.isView() || view.blocks.size() != 1)
    return;
  Operation *whole = op.getDest().getDefiningOp();
  bool isEarlier = !whole || whole->getBlock() != op->getBlock();
  auto createPlace = [&] {
    return createView(rewriter, op.getLoc(), op.getDest(), view);
  };
  std::optional<PartRoot> root = findRoot(op.getSource(), op->getBlock());
  if (root && !isOnlyReshaped(op.getSource(), root->value))
    root.reset();
  if (root && (isEarlier || position(whole) < position(root->first)) &&
      isKnownBefore(slice.offsets, *root) &&
      op.getSourceType().hasStaticShape() &&
      (root->value == op.getSource() ||
       isContiguous(op.getDestType(), view.blocks.front()))) {
    rewriter.setInsertionPoint(root->first);
    Value place = createPlace();
    if (place.getType() == op.getSourceType()) {
      if (root->value != op.getSource())
        place = ReshapeOp::create(rewriter, op.getLoc(), root->value.getType(),
                                  place);
      return redirect(*root, place);
    }
    rewriter.eraseOp(place.getDefiningOp());
  }
  Operation *source = op.getSource().getDefiningOp();
  auto quantized = dyn_cast<QuantizedType>(op.getSourceType().getElementType());
  // What else there is may be in its place already: loops carry that.
  bool isElsewhere =
      source ? isa<ConstantOp, ReshapeOp, SubtensorOp, tensor::ExtractSliceOp>(
                   source) ||
                   (root && !root->operands.empty())
             : isa<FunctionOpInterface>(op->getParentOp());
  // A whole that others see, too, is copied anyway, and with it the part.
  bool isOwn = whole && !isa<ConstantOp>(whole) && op.getDest().hasOneUse();
  if (!isElsewhere || !isOwn || (quantized && quantized.isPerAxis()))
    return;
  CopyCause cause{CopyReason::placed_elsewhere,
                  "expected the source of 'tensor.insert_slice' to be computed "
                  "in its place, but got " +
                      whyElsewhere(op.getSource(), op->getBlock()),
                  "a kernel that writes it there"};
  rewriter.setInsertionPoint(op);
  Value place = createPlace();
  if (place.getType() != op.getSourceType())
    return rewriter.eraseOp(place.getDefiningOp());
  log.addCopy(op->getLoc(), cause, op.getSourceType());
  auto mov = MovOp::create(rewriter, op.getLoc(), op.getSource(), place,
                           getReasonAttr(op.getContext(), cause));
  rewriter.modifyOpInPlace(
      op, [&] { op.getSourceMutable().assign(mov->getResult(0)); });
}
