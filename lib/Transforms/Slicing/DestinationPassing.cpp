// SPDX-License-Identifier: Apache-2.0

#include "DestinationPassing.h"

#include "LegalizeSubtensors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

Value DestinationPassingRewriter::createSlice(Value destination,
                                              const InsertedValue &inserted) {
  auto type = cast<RankedTensorType>(inserted.value.getType());
  return SubtensorOp::create(
      rewriter, inserted.value.getLoc(), destination, inserted.offsets,
      getAsIndexOpFoldResult(rewriter.getContext(), type.getShape()),
      type.getRank());
}

void DestinationPassingRewriter::redirect(const Producer &producer,
                                          Value slice) {
  for (OpOperand *init : producer.inits) {
    auto empty = init->get().getDefiningOp<tensor::EmptyOp>();
    init->set(slice);
    if (empty)
      eraseIfDead(empty);
  }
  // A producer writes one destination: into others its result is moved.
  destinations.erase(producer.value);
  remarks.addInPlace();
}

void DestinationPassingRewriter::hoistReshapes(Value value, Value result) {
  SmallVector<ReshapeOp> reshapes;
  for (; value != result; value = reshapes.back().getSource())
    reshapes.push_back(value.getDefiningOp<ReshapeOp>());
  Operation *last = result.getDefiningOp();
  for (ReshapeOp reshape : llvm::reverse(reshapes)) {
    rewriter.moveOpAfter(reshape, last);
    positions[reshape] = position(last);
    last = reshape;
  }
}

/// Why `inserted`, an operand of `op`, is moved to its destination.
static CopyCause getMoveCause(Operation *op, const InsertedValue &inserted) {
  return {CopyReason::placed_elsewhere,
          ("expected operand " + llvm::Twine(inserted.number) + " of '" +
           op->getName().getStringRef() +
           "' to be computed in its destination, but got " +
           describeProducer(inserted.value, op->getBlock()))
              .str(),
          "a kernel that writes it there"};
}

Value DestinationPassingRewriter::buildDestination(
    Operation *op, RankedTensorType type, ArrayRef<OpFoldResult> sizes,
    ArrayRef<InsertedValue> values) {
  struct Redirected {
    InsertedValue inserted;
    Producer producer;
  };
  SmallVector<Redirected> redirected;
  SmallVector<InsertedValue> moved;
  llvm::SmallPtrSet<Value, 8> results;
  for (InsertedValue inserted : values) {
    if (!inserted.cause)
      inserted.cause = getMoveCause(op, inserted);
    std::optional<Producer> producer =
        findProducer(inserted.value, op->getBlock());
    if (producer && takesSlice(*producer, type, inserted, op) &&
        results.insert(producer->value).second)
      redirected.push_back({inserted, *producer});
    else
      moved.push_back(inserted);
  }
  llvm::sort(redirected, [&](const Redirected &a, const Redirected &b) {
    return position(a.producer.first) < position(b.producer.first);
  });

  Operation *start =
      redirected.empty() ? op : redirected.front().producer.first;
  rewriter.setInsertionPoint(start);
  auto empty = tensor::EmptyOp::create(
      rewriter, op->getLoc(), sizes, type.getElementType(), type.getEncoding());
  positions[empty] = position(start);
  Value destination = empty;
  int64_t last = -1;
  for (Redirected &next : redirected) {
    // A producer that starts before the last one has ended would use a
    // destination that uses its own result.
    if (position(next.producer.first) < last) {
      moved.push_back(next.inserted);
      continue;
    }
    rewriter.setInsertionPoint(next.producer.first);
    DestinationSlice slice =
        createDestinationSlice(destination, next.inserted, next.producer);
    redirect(next.producer, slice.slice);
    hoistReshapes(slice.inserted.value, next.producer.value);
    rewriter.setInsertionPointAfter(slice.inserted.value.getDefiningOp());
    destination = createInsertion(destination, slice.inserted, slice.sizes);
    last = position(next.producer.value.getDefiningOp());
    positions[destination.getDefiningOp()] = last;
  }
  rewriter.setInsertionPoint(op);
  for (const InsertedValue &inserted : moved) {
    tensor::InsertSliceOp insertion = createInsertion(destination, inserted);
    moveIntoDestination(rewriter, insertion, op->getLoc(), *inserted.cause,
                        remarks);
    destination = insertion;
  }
  destinations[destination] = empty;
  return destination;
}

tensor::InsertSliceOp
DestinationPassingRewriter::createInsertion(Value destination,
                                            const InsertedValue &inserted,
                                            ArrayRef<OpFoldResult> givenSizes) {
  Location loc = inserted.value.getLoc();
  SmallVector<OpFoldResult> sizes(givenSizes);
  if (givenSizes.empty())
    sizes = tensor::getMixedSizes(rewriter, loc, inserted.value);
  SmallVector<OpFoldResult> steps(sizes.size(), rewriter.getIndexAttr(1));
  return tensor::InsertSliceOp::create(rewriter, loc, inserted.value,
                                       destination, inserted.offsets, sizes,
                                       steps);
}

//===----------------------------------------------------------------------===//
// Concatenations
//===----------------------------------------------------------------------===//

/// The operands of `op` with their offsets in its result.
static SmallVector<InsertedValue> getInsertedValues(OpBuilder &builder,
                                                    tensor::ConcatOp op) {
  SmallVector<InsertedValue> values;
  auto dim = static_cast<int64_t>(op.getDim());
  SmallVector<OpFoldResult> offsets(op.getRank(), builder.getIndexAttr(0));
  AffineExpr a = builder.getAffineSymbolExpr(0);
  AffineExpr b = builder.getAffineSymbolExpr(1);
  for (auto [i, value] : llvm::enumerate(op.getInputs())) {
    values.push_back({value, offsets, static_cast<int64_t>(i)});
    OpFoldResult size = tensor::getMixedSize(builder, op.getLoc(), value, dim);
    offsets[dim] = affine::makeComposedFoldedAffineApply(
        builder, op.getLoc(), a + b, {offsets[dim], size});
  }
  return values;
}

void DestinationPassingRewriter::fold(tensor::ConcatOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  if (!isOfDialect(type))
    return;
  if (op.getInputs().size() == 1 && op.getInputs().front().getType() == type)
    return replaceByOperand(op, op.getInputs().front());
  rewriter.setInsertionPoint(op);
  SmallVector<InsertedValue> values = getInsertedValues(rewriter, op);
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
        tensor::getMixedSize(rewriter, op.getLoc(), values.back().value, dim);
    sizes[dim] = affine::makeComposedFoldedAffineApply(
        rewriter, op.getLoc(), a + b, {values.back().offsets[dim], last});
  }
  replace(op, buildDestination(op, type, sizes, values));
}

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

/// Whether `op` inserts a slice of its destination where it was extracted.
static bool isNoOp(tensor::InsertSliceOp op) {
  auto extraction = op.getSource().getDefiningOp<SubsetExtractionOpInterface>();
  return extraction && extraction.getSourceOperand().get() == op.getDest() &&
         cast<SubsetOpInterface>(op.getOperation())
             .operatesOnEquivalentSubset(
                 cast<SubsetOpInterface>(extraction.getOperation()),
                 [](Value a, Value b) { return a == b; });
}

/// Whether reshapes with one use each lead from `result`, which has one use as
/// well, to `value`.
static bool isOnlyReshaped(Value value, Value result) {
  while (value.hasOneUse() && value != result)
    value = value.getDefiningOp<ReshapeOp>().getSource();
  return value == result && result.hasOneUse();
}

/// Whether `block` of `destination` is contiguous.
static bool isContiguous(RankedTensorType destination,
                         const SliceView::Block &block) {
  auto buffer =
      MemRefType::get(destination.getShape(), destination.getElementType());
  ShapedType view = SubtensorOp::inferResultType(
      buffer, decomposeMixedValues(block.offsets).first,
      decomposeMixedValues(block.sizes).first, block.rank, {});
  return view && meetsRequirement(cast<MemRefType>(view),
                                  StrideRequirement::Contiguous);
}

/// Whether all values of `offsets` are computed before `producer` starts.
bool DestinationPassingRewriter::areAvailable(ArrayRef<OpFoldResult> offsets,
                                              const Producer &producer) const {
  return llvm::all_of(offsets, [&](OpFoldResult offset) {
    auto value = dyn_cast<Value>(offset);
    Operation *op = value ? value.getDefiningOp() : nullptr;
    return !op || op->getBlock() != producer.first->getBlock() ||
           position(op) < position(producer.first);
  });
}

void DestinationPassingRewriter::fold(tensor::InsertSliceOp op) {
  // An insertion of no elements changes nothing.
  if (positions.count(op) != 0 &&
      llvm::is_contained(op.getSourceType().getShape(), 0))
    return replaceByOperand(op, op.getDest());
  if (!isOfDialect(op.getDestType()) || !isOfDialect(op.getSourceType()) ||
      positions.count(op) == 0)
    return;
  if (isNoOp(op)) {
    Value source = op.getSource();
    replaceByOperand(op, op.getDest());
    return eraseIfDead(source);
  }
  Slice slice = *Slice::of(op);
  SliceView view = getSliceView(op.getDestType(), slice, {});
  if (!view.isView() || view.blocks.size() != 1)
    return;
  Operation *destination = op.getDest().getDefiningOp();
  bool isEarlier = !destination || destination->getBlock() != op->getBlock();
  auto createDestination = [&] {
    return createView(rewriter, op.getLoc(), op.getDest(), view);
  };
  std::optional<Producer> producer =
      findProducer(op.getSource(), op->getBlock());
  if (producer && !isOnlyReshaped(op.getSource(), producer->value))
    producer.reset();
  if (producer &&
      (isEarlier || position(destination) < position(producer->first)) &&
      areAvailable(slice.offsets, *producer) &&
      op.getSourceType().hasStaticShape() &&
      (producer->value == op.getSource() ||
       isContiguous(op.getDestType(), view.blocks.front()))) {
    rewriter.setInsertionPoint(producer->first);
    Value created = createDestination();
    if (created.getType() == op.getSourceType()) {
      if (producer->value != op.getSource())
        created = ReshapeOp::create(rewriter, op.getLoc(),
                                    producer->value.getType(), created);
      return redirect(*producer, created);
    }
    rewriter.eraseOp(created.getDefiningOp());
  }
  Operation *source = op.getSource().getDefiningOp();
  auto quantized = dyn_cast<QuantizedType>(op.getSourceType().getElementType());
  // Other sources, as those that a loop carries, may be the slice already.
  bool isElsewhere =
      source ? isa<ConstantOp, ReshapeOp, SubtensorOp, tensor::ExtractSliceOp>(
                   source) ||
                   (producer && !producer->inits.empty())
             : isa<FunctionOpInterface>(op->getParentOp());
  // A destination with other uses is copied anyway, and the slice with it.
  bool isOwn =
      destination && !isa<ConstantOp>(destination) && op.getDest().hasOneUse();
  if (!isElsewhere || !isOwn || (quantized && quantized.isPerAxis()))
    return;
  CopyCause cause{CopyReason::placed_elsewhere,
                  "expected the source of 'tensor.insert_slice' to be computed "
                  "in its destination, but got " +
                      describeProducer(op.getSource(), op->getBlock()),
                  "a kernel that writes it there"};
  rewriter.setInsertionPoint(op);
  Value created = createDestination();
  if (created.getType() != op.getSourceType())
    return rewriter.eraseOp(created.getDefiningOp());
  remarks.addCopy(op->getLoc(), cause, op.getSourceType());
  auto mov = MovOp::create(rewriter, op.getLoc(), op.getSource(), created,
                           getReasonAttr(op.getContext(), cause));
  rewriter.modifyOpInPlace(
      op, [&] { op.getSourceMutable().assign(mov->getResult(0)); });
}

//===----------------------------------------------------------------------===//
// All of a module
//===----------------------------------------------------------------------===//

void mli::foldIntoDestinations(ModuleOp module, CopyRemarks &remarks) {
  DestinationPassingRewriter folder(module, remarks);
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::PadOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      folder.fold(concat);
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      folder.fold(pad);
    else
      folder.fold(cast<tensor::InsertSliceOp>(op));
  }
}
