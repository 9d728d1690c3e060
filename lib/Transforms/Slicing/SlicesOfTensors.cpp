// SPDX-License-Identifier: Apache-2.0
//
// Slices of tensors: views, moves, or constants of their own.

#include "LegalizeSubtensors.h"

#include "mli/IR/ConstantData.h"
#include "mli/IR/EmptyTensor.h"
#include "mli/IR/LocalMemory.h"
#include "mli/Quant/Blocks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Quantised axes
//===----------------------------------------------------------------------===//

/// The element type of a slice of `source`; fails on `op` if no one does.
static FailureOr<Type> cutElement(tensor::ExtractSliceOp op) {
  auto source = cast<RankedTensorType>(op.getSource().getType());
  auto type = dyn_cast<QuantizedType>(source.getElementType());
  if (!type || !type.isPerAxis() || !isOfDialect(source))
    return source.getElementType();
  int32_t axis = type.getAxis();
  SliceView view = getSliceView(source, *Slice::of(op), findTarget(op));
  if (view.cause &&
      (op.isDynamicOffset(axis) || op.isDynamicSize(axis) ||
       op.getStaticStride(axis) < 1 || op.getDroppedDims().test(axis))) {
    op.emitOpError(view.cause->text);
    return failure();
  }
  contract::Block block = {
      op.getStaticOffset(axis),
      (op.getStaticSize(axis) - 1) * op.getStaticStride(axis) + 1};
  auto numParams = static_cast<int64_t>(type.getNumParams());
  // V2
  if (!block.endsIn(numParams)) {
    op.emitOpError("expected a slice along the quantised axis ")
        << axis << " to end at " << numParams
        << ", with its parameters, but got " << block.end();
    return failure();
  }
  // Each step takes one; parameters between two are left out.
  SmallVector<quant::QuantParams> params;
  for (int64_t i = 0; i < op.getStaticSize(axis); ++i)
    params.push_back(
        type.getParam(op.getStaticOffset(axis) + i * op.getStaticStride(axis)));
  int32_t kept = axis;
  for (int32_t i = 0; i < axis; ++i)
    kept -= op.getDroppedDims().test(i) ? 1 : 0;
  if (isa<Sa8Type>(type))
    return Type(Sa8Type::get(op.getContext(), kept, params));
  return Type(Sa32Type::get(op.getContext(), kept, params));
}

LogicalResult mli::retypeCutAxes(ModuleOp module) {
  WalkResult result = module.walk([](tensor::ExtractSliceOp op) {
    FailureOr<Type> element = cutElement(op);
    if (failed(element))
      return WalkResult::interrupt();
    if (*element == op.getType().getElementType())
      return WalkResult::advance();
    for (Operation *user : op->getUsers())
      if (!isa<tensor::ExtractSliceOp, tensor::DimOp>(user) &&
          !isa_and_present<MLIDialect>(user->getDialect())) {
        op.emitOpError("expected what a slice along the quantised axis is used "
                       "by to be of 'mli', but got '")
            << user->getName() << "', whose type cannot follow";
        return WalkResult::interrupt();
      }
    op.getResult().setType(
        cast<RankedTensorType>(op.getType().clone(*element)));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The slice of a constant as a constant; null if it is none, or not known.
static Value foldSlice(OpBuilder &builder, Value source,
                       ArrayRef<int64_t> offsets, ArrayRef<int64_t> steps,
                       ArrayRef<int64_t> kept, RankedTensorType type) {
  auto constant = source.getDefiningOp<ConstantOp>();
  if (!constant || ShapedType::isDynamicShape(offsets) ||
      ShapedType::isDynamicShape(steps) || !type.hasStaticShape())
    return {};
  SmallVector<int64_t> strides =
      computeStrides(cast<ShapedType>(source.getType()).getShape());
  SmallVector<int64_t> keptStrides;
  for (int64_t dim : kept)
    keptStrides.push_back(strides[dim] * steps[dim]);
  return gatherConstant(builder, constant, type, linearize(offsets, strides),
                        keptStrides);
}

namespace {

class TensorSlices {
public:
  TensorSlices(MLIRContext *context, CopyLog &log)
      : rewriter(context), log(log) {}

  /// `op` becomes views, a move or a constant.
  void legalize(tensor::ExtractSliceOp op);
  /// Copies the block for those of its users that need it in other memory.
  void serveUsers(SubtensorOp op);

private:
  Value move(tensor::ExtractSliceOp op, const Slice &slice,
             const CopyCause &cause);
  /// The buffer that a tensor is seen in, if nothing else is done about it.
  MemRefType bufferOf(Value value);

  IRRewriter rewriter;
  CopyLog &log;
  DenseMap<Value, MemRefType> buffers;
};

} // namespace

static SmallVector<int64_t> knownOf(ArrayRef<OpFoldResult> mixed) {
  SmallVector<Value> values;
  SmallVector<int64_t> known;
  dispatchIndexOpFoldResults(mixed, values, known);
  return known;
}

/// `(size - 1) * step + 1`, the indices that `size` steps reach.
static OpFoldResult spanOf(OpBuilder &builder, Location loc, OpFoldResult size,
                           int64_t step) {
  AffineExpr s = builder.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(builder, loc, (s - 1) * step + 1,
                                               {size});
}

/// Of a block that holds the slice where its bounds are values, which no mov
/// takes.
Value TensorSlices::move(tensor::ExtractSliceOp op, const Slice &slice,
                         const CopyCause &cause) {
  Location loc = op.getLoc();
  SmallVector<int64_t> steps = knownOf(slice.steps);
  Value source = op.getSource();
  SmallVector<OpFoldResult> spans;
  for (auto [size, step] : llvm::zip_equal(slice.sizes, steps))
    spans.push_back(spanOf(rewriter, loc, size, step));
  SmallVector<int64_t> offsets = knownOf(slice.offsets);
  SmallVector<int64_t> sizes = knownOf(spans);
  bool isKnown = !ShapedType::isDynamicShape(offsets) &&
                 !ShapedType::isDynamicShape(sizes);
  if (!isKnown)
    source = SubtensorOp::create(rewriter, loc, source, slice.offsets, spans,
                                 op.getSourceType().getRank());
  Value init = tensor::EmptyOp::create(rewriter, loc, slice.sizes,
                                       op.getType().getElementType(),
                                       op.getType().getEncoding());
  auto mov = MovOp::create(rewriter, loc, source, init,
                           getReasonAttr(op.getContext(), cause));
  if (isKnown) {
    mov.setOffsets(offsets);
    mov.setSizes(sizes);
  }
  if (llvm::any_of(steps, [](int64_t step) { return step != 1; }))
    mov.setSteps(steps);
  return mov->getResult(0);
}

void TensorSlices::legalize(tensor::ExtractSliceOp op) {
  if (!isOfDialect(op.getSourceType()))
    return;
  Slice slice = *Slice::of(op);
  // The others are in its type already.
  slice.sizes = op.getMixedSizes();
  SliceView view = getSliceView(op.getSourceType(), slice, findTarget(op));
  if (llvm::is_contained(op.getType().getShape(), 0))
    return log.refuse(op, *view.cause);
  if (!isOfDialect(op.getType()))
    return;
  rewriter.setInsertionPoint(op);
  if (view.isView()) {
    log.addView();
    rewriter.replaceOp(op,
                       createView(rewriter, op.getLoc(), op.getSource(), view));
    return;
  }
  if (Value constant =
          foldSlice(rewriter, op.getSource(), knownOf(slice.offsets),
                    knownOf(slice.steps), slice.getKeptDims(), op.getType())) {
    Operation *whole = op.getSource().getDefiningOp();
    rewriter.replaceOp(op, constant);
    if (whole->use_empty())
      rewriter.eraseOp(whole);
    return;
  }
  bool isReduced = slice.dropped.any();
  if (!view.cause->reason || (isReduced && !op.getType().hasStaticShape()))
    return log.refuse(op, *view.cause);
  log.addCopy(op->getLoc(), *view.cause, op.getType());
  Value moved = move(op, slice, *view.cause);
  if (isReduced)
    moved = ReshapeOp::create(rewriter, op.getLoc(), op.getType(), moved);
  rewriter.replaceOp(op, moved);
}

MemRefType TensorSlices::bufferOf(Value value) {
  if (MemRefType known = buffers.lookup(value))
    return known;
  auto type = cast<RankedTensorType>(value.getType());
  auto buffer = MemRefType::get(type.getShape(), type.getElementType());
  if (auto block = value.getDefiningOp<SubtensorOp>())
    buffer = cast<MemRefType>(
        Type(block.inferResultType(bufferOf(block.getSource()))));
  buffers[value] = buffer;
  return buffer;
}

void TensorSlices::serveUsers(SubtensorOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  MemRefType buffer = bufferOf(op.getResult());
  SmallVector<OpOperand *> uses;
  std::optional<CopyCause> first;
  for (OpOperand &use : op->getUses()) {
    auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (kernel && kernel.isDpsInit(&use))
      continue;
    std::optional<CopyCause> cause = getCopyCause(use, buffer);
    if (!cause)
      continue;
    uses.push_back(&use);
    // Uses are listed from the last to the first.
    first = cause;
  }
  if (!first)
    return;
  rewriter.setInsertionPointAfter(op);
  Value copy = foldSlice(rewriter, op.getSource(), op.getStaticOffsets(),
                         SmallVector<int64_t>(op.getStaticSizes().size(), 1),
                         op.getKeptDims(), type);
  if (!copy) {
    // Bufferization copies these element by element.
    if (quantized && quantized.isPerAxis())
      return;
    log.addCopy(op->getLoc(), *first, type);
    copy = MovOp::create(rewriter, op.getLoc(), op.getResult(),
                         createEmptyLike(rewriter, op.getResult()),
                         getReasonAttr(op.getContext(), *first))
               ->getResult(0);
  }
  for (OpOperand *use : uses)
    use->set(copy);
  if (op->use_empty())
    rewriter.eraseOp(op);
}

void mli::legalizeTensorSlices(ModuleOp module, CopyLog &log) {
  TensorSlices slices(module.getContext(), log);
  SmallVector<tensor::ExtractSliceOp> ops;
  module.walk([&](tensor::ExtractSliceOp op) { ops.push_back(op); });
  for (tensor::ExtractSliceOp op : ops)
    slices.legalize(op);
  SmallVector<SubtensorOp> blocks;
  module.walk([&](SubtensorOp op) {
    if (isa<RankedTensorType>(op.getType()))
      blocks.push_back(op);
  });
  for (SubtensorOp op : blocks)
    slices.serveUsers(op);
}
