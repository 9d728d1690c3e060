// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-legalize-subtensors: slices of tensors become views, moves or
// constants.

#include "LegalizeSubtensors.h"

#include "mli/Contract/Blocks.h"
#include "mli/IR/ConstantData.h"
#include "mli/IR/EmptyTensor.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Quantised axes
//===----------------------------------------------------------------------===//

/// The element type of `op` with the parameters of its indices only. Fails,
/// with an error on `op`, if it has no such type.
static FailureOr<Type> getCutElement(tensor::ExtractSliceOp op) {
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
  // A step skips the parameters of the indices that it skips.
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
    FailureOr<Type> element = getCutElement(op);
    if (failed(element))
      return WalkResult::interrupt();
    if (*element == op.getType().getElementType())
      return WalkResult::advance();
    for (Operation *user : op->getUsers())
      if (!isa<tensor::ExtractSliceOp, tensor::DimOp>(user) &&
          !isa_and_present<MLIDialect>(user->getDialect())) {
        op.emitOpError(
            "expected users of a slice along the quantised axis to be "
            "of 'mli', but got '")
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

/// The constant that a slice of `source` is; null if `source` is no constant,
/// or a bound is dynamic.
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
  TensorSlices(MLIRContext *context, CopyRemarks &remarks)
      : rewriter(context), remarks(remarks) {}

  /// Replaces `op` by views, a move or a constant.
  void legalize(tensor::ExtractSliceOp op);
  /// Copies the result of `op` for its users that do not take its strides.
  void copyForUsers(SubtensorOp op);

private:
  Value move(tensor::ExtractSliceOp op, const Slice &slice,
             const CopyCause &cause);
  /// The type of the buffer that `value` becomes without further copies.
  MemRefType getBufferType(Value value);

  IRRewriter rewriter;
  CopyRemarks &remarks;
  DenseMap<Value, MemRefType> buffers;
};

} // namespace

/// The static or dynamic values of `mixed`.
static SmallVector<int64_t> getStaticValues(ArrayRef<OpFoldResult> mixed) {
  SmallVector<Value> values;
  SmallVector<int64_t> known;
  dispatchIndexOpFoldResults(mixed, values, known);
  return known;
}

/// `(size - 1) * step + 1`, the extent that `size` steps span.
static OpFoldResult getSpan(OpBuilder &builder, Location loc, OpFoldResult size,
                            int64_t step) {
  AffineExpr s = builder.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(builder, loc, (s - 1) * step + 1,
                                               {size});
}

/// Creates the move that copies `op`. Where bounds are values, which `mli.mov`
/// does not take, it moves from a block that holds the slice.
Value TensorSlices::move(tensor::ExtractSliceOp op, const Slice &slice,
                         const CopyCause &cause) {
  Location loc = op.getLoc();
  SmallVector<int64_t> steps = getStaticValues(slice.steps);
  Value source = op.getSource();
  SmallVector<OpFoldResult> spans;
  for (auto [size, step] : llvm::zip_equal(slice.sizes, steps))
    spans.push_back(getSpan(rewriter, loc, size, step));
  SmallVector<int64_t> offsets = getStaticValues(slice.offsets);
  SmallVector<int64_t> sizes = getStaticValues(spans);
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
  // A constant size that `op` has as a value is dynamic in its type.
  slice.sizes = op.getMixedSizes();
  SliceView view = getSliceView(op.getSourceType(), slice, findTarget(op));
  if (llvm::is_contained(op.getType().getShape(), 0))
    return remarks.reject(op, *view.cause);
  if (!isOfDialect(op.getType()))
    return;
  rewriter.setInsertionPoint(op);
  if (view.isView()) {
    remarks.addView();
    rewriter.replaceOp(op,
                       createView(rewriter, op.getLoc(), op.getSource(), view));
    return;
  }
  if (Value constant = foldSlice(
          rewriter, op.getSource(), getStaticValues(slice.offsets),
          getStaticValues(slice.steps), slice.getKeptDims(), op.getType())) {
    Operation *source = op.getSource().getDefiningOp();
    rewriter.replaceOp(op, constant);
    if (source->use_empty())
      rewriter.eraseOp(source);
    return;
  }
  bool isReduced = slice.dropped.any();
  if (!view.cause->reason || (isReduced && !op.getType().hasStaticShape()))
    return remarks.reject(op, *view.cause);
  remarks.addCopy(op->getLoc(), *view.cause, op.getType());
  Value moved = move(op, slice, *view.cause);
  if (isReduced)
    moved = ReshapeOp::create(rewriter, op.getLoc(), op.getType(), moved);
  rewriter.replaceOp(op, moved);
}

MemRefType TensorSlices::getBufferType(Value value) {
  if (MemRefType known = buffers.lookup(value))
    return known;
  auto type = cast<RankedTensorType>(value.getType());
  auto buffer = MemRefType::get(type.getShape(), type.getElementType());
  if (auto block = value.getDefiningOp<SubtensorOp>())
    buffer = cast<MemRefType>(
        Type(block.inferResultType(getBufferType(block.getSource()))));
  buffers[value] = buffer;
  return buffer;
}

void TensorSlices::copyForUsers(SubtensorOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  MemRefType buffer = getBufferType(op.getResult());
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
    remarks.addCopy(op->getLoc(), *first, type);
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

void mli::legalizeTensorSlices(ModuleOp module, CopyRemarks &remarks) {
  TensorSlices slices(module.getContext(), remarks);
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
    slices.copyForUsers(op);
}
