// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-legalize-subtensors and mli-bufferize: replaces bounds of
// slices that are values of constants by attributes.

#include "LegalizeSubtensors.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

/// Whether `op` has a bound that may become an attribute: a value of a
/// constant, or a step that is never taken.
static bool mayFold(OffsetSizeAndStrideOpInterface op) {
  auto isConstant = [](Value bound) {
    return getConstantIntValue(bound).has_value();
  };
  return llvm::any_of(op.getOffsets(), isConstant) ||
         llvm::any_of(op.getSizes(), isConstant) ||
         llvm::any_of(op.getStaticStrides(), [](int64_t i) { return i != 1; });
}

/// The slice of `op` with all constant bounds as attributes; nothing if `op`
/// has them so.
static std::optional<Slice> getFoldedSlice(OffsetSizeAndStrideOpInterface op) {
  if (!mayFold(op))
    return std::nullopt;
  Slice slice = *Slice::of(op);
  bool isNew = slice.offsets != op.getMixedOffsets() ||
               slice.sizes != op.getMixedSizes() ||
               (!isa<SubtensorOp>(op) && slice.steps != op.getMixedStrides());
  return isNew ? std::optional(slice) : std::nullopt;
}

/// The static or dynamic sizes of the dimensions that `slice` keeps.
static SmallVector<int64_t> getKeptSizes(const Slice &slice) {
  SmallVector<int64_t> sizes = decomposeMixedValues(slice.sizes).first, kept;
  for (int64_t dim : slice.getKeptDims())
    kept.push_back(sizes[dim]);
  return kept;
}

/// Whether a kernel writes the slice `op`, which an insertion of the same sizes
/// then puts into the destination.
static bool isDestination(Operation *op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return kernel && kernel.isDpsInit(&use);
  });
}

/// Replaces `op` by `slice`, whose type may be more static: through a cast for
/// users other than kernels. Erases `slice` where no cast is possible.
static void replaceByFolded(IRRewriter &rewriter, Operation *op, Value slice) {
  Type type = op->getResult(0).getType();
  // Kernels take inputs of any static sizes, and inits in buffers.
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
  // A cast to dynamic sizes hides those of its source.
  if (auto cast = op.getSource().getDefiningOp<tensor::CastOp>();
      cast && tensor::canFoldIntoConsumerOp(cast))
    rewriter.modifyOpInPlace(
        op, [&] { op.getSourceMutable().assign(cast.getSource()); });
  std::optional<Slice> slice = getFoldedSlice(op);
  if (!slice)
    return;
  if (isDestination(op))
    slice->sizes = op.getMixedSizes();
  rewriter.setInsertionPoint(op);
  replaceByFolded(rewriter, op,
                  tensor::ExtractSliceOp::create(
                      rewriter, op.getLoc(),
                      cast<RankedTensorType>(
                          op.getType().clone(ArrayRef(getKeptSizes(*slice)))),
                      op.getSource(), slice->offsets, slice->sizes,
                      slice->steps));
}

/// The sizes are those of the source, which may be static before a cast.
static void foldBounds(IRRewriter &rewriter, tensor::InsertSliceOp op) {
  Value source = op.getSource();
  auto cast = source.getDefiningOp<tensor::CastOp>();
  if (!cast && !mayFold(op))
    return;
  Slice slice = *Slice::of(op);
  if (cast && tensor::canFoldIntoConsumerOp(cast)) {
    Slice known = slice;
    (void)foldDynamicOffsetSizeList(known.sizes);
    auto type = mlir::cast<RankedTensorType>(cast.getSource().getType());
    if (type.getShape() == ArrayRef(getKeptSizes(known))) {
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

/// Whether `source` has an `#mli.layout`, whose slices have static types.
static bool isInLayout(Value source) {
  auto type = dyn_cast<MemRefType>(source.getType());
  return type && isa<LayoutAttr>(type.getLayout());
}

static void foldBounds(IRRewriter &rewriter, SubtensorOp op) {
  std::optional<Slice> slice = getFoldedSlice(op);
  if (!slice || isInLayout(op.getSource()))
    return;
  if (isa<RankedTensorType>(op.getType()) && isDestination(op))
    slice->sizes = op.getMixedSizes();
  rewriter.setInsertionPoint(op);
  replaceByFolded(rewriter, op,
                  SubtensorOp::create(rewriter, op.getLoc(), op.getSource(),
                                      slice->offsets, slice->sizes,
                                      op.getType().getRank()));
}

static void foldBounds(IRRewriter &rewriter, memref::SubViewOp op) {
  std::optional<Slice> slice = getFoldedSlice(op);
  int64_t offset;
  SmallVector<int64_t> strides;
  if (!slice || isInLayout(op.getSource()) ||
      failed(op.getSourceType().getStridesAndOffset(strides, offset)))
    return;
  rewriter.setInsertionPoint(op);
  auto type = memref::SubViewOp::inferRankReducedResultType(
      getKeptSizes(*slice), op.getSourceType(), slice->offsets, slice->sizes,
      slice->steps);
  replaceByFolded(rewriter, op,
                  memref::SubViewOp::create(rewriter, op.getLoc(), type,
                                            op.getSource(), slice->offsets,
                                            slice->sizes, slice->steps));
}

/// Splits a subview with steps that drops dimensions into one that drops them
/// and one with the steps. Upstream finds the dropped dimensions by comparing
/// strides with those of the source, which steps change.
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
  auto blockType = MemRefType::get(
      keptSpans, type.getElementType(),
      StridedLayoutAttr::get(op.getContext(), type.getStridesAndOffset().second,
                             keptStrides),
      type.getMemorySpace());
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> ones(spans.size(), rewriter.getIndexAttr(1));
  Value block = memref::SubViewOp::create(
      rewriter, loc, blockType, op.getSource(), slice.offsets,
      getAsIndexOpFoldResult(op.getContext(), spans), ones);
  SmallVector<OpFoldResult> zeros(sizes.size(), rewriter.getIndexAttr(0));
  replaceByFolded(
      rewriter, op,
      memref::SubViewOp::create(rewriter, loc, block, zeros, sizes, steps));
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
