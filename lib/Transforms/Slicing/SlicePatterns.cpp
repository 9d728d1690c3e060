// SPDX-License-Identifier: Apache-2.0
//
// Patterns of mli-legalize-subtensors that fold slices of slices and of
// paddings.

#include "LegalizeSubtensors.h"

#include "mli/IR/ConstantData.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/Transforms/ComposeSubView.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

namespace {

/// slice(pad(source)) -> slice(source), where the slice has no padding
struct SliceOfPad : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getSource().getDefiningOp<tensor::PadOp>();
    if (!pad || ShapedType::isDynamicShape(pad.getStaticLow()))
      return rewriter.notifyMatchFailure(op, "source has no known padding");
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
    for (int64_t i = 0; i < pad.getSourceType().getRank(); ++i) {
      int64_t low = pad.getStaticLow()[i];
      if (low == 0 && pad.getStaticHigh()[i] == 0)
        continue;
      int64_t size = pad.getSourceType().getDimSize(i);
      if (!isBlock(op, i) || ShapedType::isDynamic(size) ||
          op.getStaticOffset(i) < low ||
          op.getStaticOffset(i) + op.getStaticSize(i) > low + size)
        return rewriter.notifyMatchFailure(op, "padding is in the slice");
      offsets[i] = rewriter.getIndexAttr(op.getStaticOffset(i) - low);
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, op.getType(), pad.getSource(), offsets, op.getMixedSizes(),
        op.getMixedStrides());
    return success();
  }
};

/// pad(source) with negative padding -> pad(slice(source))
struct NegativePad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getSourceType();
    auto quantized = dyn_cast<QuantizedType>(type.getElementType());
    SmallVector<int64_t> low(op.getStaticLow()), high(op.getStaticHigh());
    auto isCut = [](int64_t padding) { return padding < 0; };
    if (!isOfDialect(type) || (quantized && quantized.isPerAxis()) ||
        !type.hasStaticShape() || ShapedType::isDynamicShape(low) ||
        ShapedType::isDynamicShape(high) ||
        (llvm::none_of(low, isCut) && llvm::none_of(high, isCut)))
      return rewriter.notifyMatchFailure(op,
                                         "no negative padding that is static");
    SmallVector<int64_t> offsets, sizes, steps(type.getRank(), 1);
    for (auto [size, before, after] :
         llvm::zip_equal(type.getShape(), low, high)) {
      offsets.push_back(before < 0 ? -before : 0);
      sizes.push_back(size - offsets.back() + (after < 0 ? after : 0));
      if (sizes.back() < 1)
        return rewriter.notifyMatchFailure(op, "nothing is left");
      before = std::max<int64_t>(before, 0);
      after = std::max<int64_t>(after, 0);
    }
    auto get = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(op.getContext(), values);
    };
    Value rest = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), type.clone(sizes), op.getSource(), get(offsets),
        get(sizes), get(steps));
    rewriter.modifyOpInPlace(op, [&] {
      op.getSourceMutable().assign(rest);
      op.setStaticLow(low);
      op.setStaticHigh(high);
    });
    return success();
  }
};

/// mov(source, splat constant) at an offset -> pad(source)
struct MovIntoConstant : OpRewritePattern<MovOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MovOp op,
                                PatternRewriter &rewriter) const override {
    auto constant = op.getInit().getDefiningOp<ConstantOp>();
    if (!op.hasPureTensorSemantics() || !constant ||
        !constant.getValue().isSplat() || op.getReason() ||
        op.getDstOffsets().empty() || !op.getOffsets().empty() ||
        !op.getSizes().empty() || !op.getSteps().empty() ||
        !op.getPermutation().empty() || !op.getPadLow().empty() ||
        !op.getPadHigh().empty())
      return rewriter.notifyMatchFailure(op, "not into a splat constant");
    auto source = cast<RankedTensorType>(op.getInput().getType());
    auto type = cast<RankedTensorType>(constant.getType());
    if (!isOfDialect(source) || !source.hasStaticShape() ||
        source.getElementType() != type.getElementType())
      return rewriter.notifyMatchFailure(
          op, "no static shape, or another element type");
    SmallVector<int64_t> high;
    for (auto [size, low, all] : llvm::zip_equal(
             source.getShape(), op.getDstOffsets(), type.getShape()))
      high.push_back(all - low - size);
    Value code = gatherConstant(rewriter, constant,
                                type.clone(ArrayRef<int64_t>()), 0, {});
    code = tensor::ExtractOp::create(rewriter, op.getLoc(), code);
    auto get = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(op.getContext(), values);
    };
    rewriter.replaceOpWithNewOp<tensor::PadOp>(
        op, type, op.getInput(), get(op.getDstOffsets()), get(high), code);
    return success();
  }
};

/// slice(subtensor(source)) -> slice(slice(source)), which another pattern
/// folds
struct SliceOfSubtensor : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSource().getDefiningOp<SubtensorOp>();
    if (!producer || producer.getSource().getType().getElementType() !=
                         producer.getType().getElementType())
      return rewriter.notifyMatchFailure(
          op, "source is no subtensor of its element type");
    auto block = cast<OffsetSizeAndStrideOpInterface>(producer.getOperation());
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, producer.getLoc(), cast<RankedTensorType>(producer.getType()),
        producer.getSource(), block.getMixedOffsets(), block.getMixedSizes(),
        block.getMixedStrides());
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(slice); });
    return success();
  }
};

/// subtensor(subtensor(source)) -> subtensor(source) at the sum of the offsets,
/// where bounds are values; canonicalisation folds those with attributes
struct BlockOfBlock : OpRewritePattern<SubtensorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SubtensorOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSource().getDefiningOp<SubtensorOp>();
    if (!producer ||
        (op.getOffsets().empty() && op.getSizes().empty() &&
         producer.getOffsets().empty() && producer.getSizes().empty()))
      return rewriter.notifyMatchFailure(op, "no bounds that are values");
    // An insertion into the result of the producer follows.
    if (isa<RankedTensorType>(op.getType()) &&
        llvm::any_of(op->getUses(), [](OpOperand &use) {
          auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
          return kernel && kernel.isDpsInit(&use);
        }))
      return rewriter.notifyMatchFailure(op, "a kernel writes it");
    auto outer = cast<OffsetSizeAndStrideOpInterface>(producer.getOperation());
    auto inner = cast<OffsetSizeAndStrideOpInterface>(op.getOperation());
    SmallVector<OpFoldResult> offsets = outer.getMixedOffsets();
    SmallVector<OpFoldResult> sizes = outer.getMixedSizes();
    SmallVector<int64_t> dims = producer.getKeptDims(), kept;
    for (auto [dim, size] : llvm::zip_equal(dims, inner.getMixedSizes()))
      sizes[dim] = size;
    for (int64_t dim : op.getKeptDims())
      kept.push_back(dims[dim]);
    if (SubtensorOp::getKeptDims(decomposeMixedValues(sizes).first,
                                 op.getType().getRank()) != kept)
      return rewriter.notifyMatchFailure(op, "other dimensions are dropped");
    AffineExpr a = rewriter.getAffineSymbolExpr(0);
    AffineExpr b = rewriter.getAffineSymbolExpr(1);
    for (auto [dim, offset] : llvm::zip_equal(dims, inner.getMixedOffsets()))
      offsets[dim] = affine::makeComposedFoldedAffineApply(
          rewriter, op.getLoc(), a + b, {offsets[dim], offset});
    auto [known, values] = decomposeMixedValues(offsets);
    auto [knownSizes, sizeValues] = decomposeMixedValues(sizes);
    if (SubtensorOp::inferResultType(producer.getSource().getType(), known,
                                     knownSizes, op.getType().getRank(),
                                     findTarget(op)) != op.getType())
      return rewriter.notifyMatchFailure(op, "the fold has another layout");
    rewriter.replaceOpWithNewOp<SubtensorOp>(op, op.getType(),
                                             producer.getSource(), values,
                                             sizeValues, known, knownSizes);
    return success();
  }
};

} // namespace

void mli::populateSlicePatterns(RewritePatternSet &patterns) {
  patterns.add<SliceOfPad, NegativePad, MovIntoConstant, SliceOfSubtensor,
               BlockOfBlock>(patterns.getContext());
  tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
  memref::populateComposeSubViewPatterns(patterns, patterns.getContext());
}
