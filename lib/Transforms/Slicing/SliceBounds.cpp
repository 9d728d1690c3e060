// SPDX-License-Identifier: Apache-2.0
//
// Offsets, sizes and steps of slices that are known.

#include "LegalizeSubtensors.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

/// What is known of `op`; nothing if `op` has it as attributes.
static std::optional<Slice> newlyKnown(OffsetSizeAndStrideOpInterface op) {
  Slice slice = *Slice::of(op);
  bool isNew = slice.offsets != op.getMixedOffsets() ||
               slice.sizes != op.getMixedSizes() ||
               (!isa<SubtensorOp>(op) && slice.steps != op.getMixedStrides());
  return isNew ? std::optional(slice) : std::nullopt;
}

/// The sizes of `slice` that are kept, as far as they are known.
static SmallVector<int64_t> keptSizes(const Slice &slice) {
  SmallVector<int64_t> sizes = decomposeMixedValues(slice.sizes).first, kept;
  for (int64_t dim : slice.getKeptDims())
    kept.push_back(sizes[dim]);
  return kept;
}

/// Whether a kernel writes what `op` sees, and an insertion of the same size
/// puts that into the whole.
static bool isPlace(Operation *op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return kernel && kernel.isDpsInit(&use);
  });
}

/// Has those that use `op` use `slice`, which may know more: by a cast, if they
/// are no kernels. If there is none, `slice` goes.
static void replaceByKnown(IRRewriter &rewriter, Operation *op, Value slice) {
  Type type = op->getResult(0).getType();
  // Kernels take any sizes of what they read, and write what there is.
  rewriter.replaceUsesWithIf(op->getResult(0), slice, [&](OpOperand &use) {
    auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return kernel && isa_and_nonnull<MLIDialect>(kernel->getDialect()) &&
           (isa<MemRefType>(type) || kernel.isDpsInput(&use));
  });
  if (op->use_empty())
    return rewriter.eraseOp(op);
  if (slice.getType() != type) {
    if (isa<TensorType>(type))
      slice = tensor::CastOp::create(rewriter, op->getLoc(), type, slice);
    else if (memref::CastOp::areCastCompatible(slice.getType(), type))
      slice = memref::CastOp::create(rewriter, op->getLoc(), type, slice);
    else if (slice.use_empty())
      return rewriter.eraseOp(slice.getDefiningOp());
    else
      return;
  }
  rewriter.replaceOp(op, slice);
}

static void foldBounds(IRRewriter &rewriter, tensor::ExtractSliceOp op) {
  // What forgets sizes is no reason not to know them.
  if (auto cast = op.getSource().getDefiningOp<tensor::CastOp>();
      cast && tensor::canFoldIntoConsumerOp(cast))
    rewriter.modifyOpInPlace(
        op, [&] { op.getSourceMutable().assign(cast.getSource()); });
  std::optional<Slice> slice = newlyKnown(op);
  if (!slice)
    return;
  if (isPlace(op))
    slice->sizes = op.getMixedSizes();
  rewriter.setInsertionPoint(op);
  replaceByKnown(rewriter, op,
                 tensor::ExtractSliceOp::create(
                     rewriter, op.getLoc(),
                     cast<RankedTensorType>(
                         op.getType().clone(ArrayRef(keptSizes(*slice)))),
                     op.getSource(), slice->offsets, slice->sizes,
                     slice->steps));
}

/// Sizes are those of what is inserted, which may be known behind a cast.
static void foldBounds(IRRewriter &rewriter, tensor::InsertSliceOp op) {
  Slice slice = *Slice::of(op);
  Value source = op.getSource();
  if (auto cast = source.getDefiningOp<tensor::CastOp>();
      cast && tensor::canFoldIntoConsumerOp(cast)) {
    Slice known = slice;
    (void)foldDynamicOffsetSizeList(known.sizes);
    auto type = mlir::cast<RankedTensorType>(cast.getSource().getType());
    if (type.getShape() == ArrayRef(keptSizes(known))) {
      source = cast.getSource();
      slice = known;
    }
  }
  if (source == op.getSource() && slice.offsets == op.getMixedOffsets() &&
      slice.steps == op.getMixedStrides())
    return;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
      op, source, op.getDest(), slice.offsets, slice.sizes, slice.steps);
}

/// In a layout of local memory the type says what is known.
static bool isInLayout(Value source) {
  auto type = dyn_cast<MemRefType>(source.getType());
  return type && isa<LayoutAttr>(type.getLayout());
}

static void foldBounds(IRRewriter &rewriter, SubtensorOp op) {
  std::optional<Slice> slice = newlyKnown(op);
  if (!slice || isInLayout(op.getSource()))
    return;
  if (isa<RankedTensorType>(op.getType()) && isPlace(op))
    slice->sizes = op.getMixedSizes();
  rewriter.setInsertionPoint(op);
  replaceByKnown(rewriter, op,
                 SubtensorOp::create(rewriter, op.getLoc(), op.getSource(),
                                     slice->offsets, slice->sizes,
                                     op.getType().getRank()));
}

static void foldBounds(IRRewriter &rewriter, memref::SubViewOp op) {
  std::optional<Slice> slice = newlyKnown(op);
  int64_t offset;
  SmallVector<int64_t> strides;
  if (!slice || isInLayout(op.getSource()) ||
      failed(op.getSourceType().getStridesAndOffset(strides, offset)))
    return;
  rewriter.setInsertionPoint(op);
  auto type = memref::SubViewOp::inferRankReducedResultType(
      keptSizes(*slice), op.getSourceType(), slice->offsets, slice->sizes,
      slice->steps);
  replaceByKnown(rewriter, op,
                 memref::SubViewOp::create(rewriter, op.getLoc(), type,
                                           op.getSource(), slice->offsets,
                                           slice->sizes, slice->steps));
}

/// A view that takes steps and drops dimensions becomes two: the block without
/// these, and the steps in it. Upstream looks for strides of the source in the
/// view, where steps have changed them, to know what is dropped.
static void splitSteps(IRRewriter &rewriter, memref::SubViewOp op) {
  MemRefType source = op.getSourceType(), type = op.getType();
  if (areAllConstantIntValue(op.getMixedStrides(), 1) ||
      source.getRank() == type.getRank() || isInLayout(op.getSource()) ||
      ShapedType::isDynamicShape(op.getStaticSizes()) ||
      ShapedType::isDynamicShape(op.getStaticStrides()))
    return;
  Slice slice = *Slice::of(op);
  SmallVector<int64_t> strides = source.getStridesAndOffset().first;
  SmallVector<int64_t> spans, keptSpans, keptStrides;
  for (auto [size, step] :
       llvm::zip_equal(op.getStaticSizes(), op.getStaticStrides()))
    spans.push_back((size - 1) * step + 1);
  SmallVector<OpFoldResult> sizes, steps;
  for (int64_t dim : slice.getKeptDims()) {
    keptSpans.push_back(spans[dim]);
    keptStrides.push_back(strides[dim]);
    sizes.push_back(slice.sizes[dim]);
    steps.push_back(slice.steps[dim]);
  }
  auto block = MemRefType::get(
      keptSpans, type.getElementType(),
      StridedLayoutAttr::get(op.getContext(), type.getStridesAndOffset().second,
                             keptStrides),
      type.getMemorySpace());
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> ones(spans.size(), rewriter.getIndexAttr(1));
  Value whole = memref::SubViewOp::create(
      rewriter, loc, block, op.getSource(), slice.offsets,
      getAsIndexOpFoldResult(op.getContext(), spans), ones);
  SmallVector<OpFoldResult> zeros(sizes.size(), rewriter.getIndexAttr(0));
  replaceByKnown(
      rewriter, op,
      memref::SubViewOp::create(rewriter, loc, whole, zeros, sizes, steps));
}

void mli::foldConstantBounds(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](Operation *op) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      foldBounds(rewriter, slice);
    else if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
      foldBounds(rewriter, insertion);
    else if (auto block = dyn_cast<SubtensorOp>(op))
      foldBounds(rewriter, block);
    else if (auto view = dyn_cast<memref::SubViewOp>(op))
      foldBounds(rewriter, view);
  });
  module.walk([&](memref::SubViewOp op) { splitSteps(rewriter, op); });
}
