// SPDX-License-Identifier: Apache-2.0
//
// Slices of what is put together from others, seen in these.

#include "AdjoiningSlices.h"
#include "LegalizeSubtensors.h"

#include "mlir/Dialect/MemRef/Transforms/ComposeSubView.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

using namespace mlir;
using namespace mli;

/// `op` of `source`, from `offset` on in dimension `dim`, `size` indices of it.
static Value sliceOf(PatternRewriter &rewriter, tensor::ExtractSliceOp op,
                     Value source, int64_t dim, int64_t offset, int64_t size) {
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  offsets[dim] = rewriter.getIndexAttr(offset);
  sizes[dim] = rewriter.getIndexAttr(size);
  int64_t kept = dim;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (int64_t i = 0; i < dim; ++i)
    kept -= dropped.test(i) ? 1 : 0;
  SmallVector<int64_t> shape(op.getType().getShape());
  if (!dropped.test(dim))
    shape[kept] = size;
  return tensor::ExtractSliceOp::create(rewriter, op.getLoc(),
                                        op.getType().clone(shape), source,
                                        offsets, sizes, op.getMixedStrides());
}

namespace {

/// slice(concat(parts)) -> concat(slice(parts)) of the parts that it touches
struct SliceOfConcat : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getSource().getDefiningOp<tensor::ConcatOp>();
    if (!concat)
      return rewriter.notifyMatchFailure(op, "source is no concatenation");
    auto dim = static_cast<int64_t>(concat.getDim());
    if (!isBlock(op, dim))
      return rewriter.notifyMatchFailure(op, "parts are not known");
    int64_t first = op.getStaticOffset(dim);
    int64_t last = first + op.getStaticSize(dim);
    struct Piece {
      Value part;
      int64_t offset, size;
    };
    SmallVector<Piece> pieces;
    int64_t begin = 0;
    for (Value part : concat.getInputs()) {
      int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(dim);
      if (ShapedType::isDynamic(size))
        return rewriter.notifyMatchFailure(op, "size of a part is not known");
      int64_t from = std::max(first, begin), to = std::min(last, begin + size);
      if (from < to)
        pieces.push_back({part, from - begin, to - from});
      begin += size;
    }
    if (pieces.empty() || (pieces.size() > 1 && op.getDroppedDims().test(dim)))
      return rewriter.notifyMatchFailure(op, "slice is outside");
    SmallVector<Value> slices;
    for (const Piece &piece : pieces)
      slices.push_back(
          sliceOf(rewriter, op, piece.part, dim, piece.offset, piece.size));
    if (slices.size() == 1) {
      rewriter.replaceOp(op, slices.front());
      return success();
    }
    llvm::SmallBitVector dropped = op.getDroppedDims();
    int64_t kept =
        dim - llvm::count_if(llvm::seq<int64_t>(0, dim),
                             [&](int64_t i) { return dropped.test(i); });
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(), kept,
                                                  slices);
    return success();
  }
};

/// slice(pad(source)) -> slice(source), where no padding is in it
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

/// concat(concat(a, b), c) -> concat(a, b, c)
struct ConcatOfConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Value part : op.getInputs()) {
      auto inner = part.getDefiningOp<tensor::ConcatOp>();
      if (inner && inner.getDim() == op.getDim() && inner->hasOneUse())
        llvm::append_range(parts, inner.getInputs());
      else
        parts.push_back(part);
    }
    if (parts.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "no part is a concatenation");
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(), op.getDim(),
                                                  parts);
    return success();
  }
};

/// concat(slice(a, 0 to 4), slice(a, 4 to 6)) -> slice(a, 0 to 6)
struct ConcatOfSlices : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    auto dim = static_cast<int64_t>(op.getDim());
    SmallVector<Value> parts;
    for (Value part : op.getInputs()) {
      auto next = part.getDefiningOp<tensor::ExtractSliceOp>();
      auto last = parts.empty()
                      ? tensor::ExtractSliceOp()
                      : parts.back().getDefiningOp<tensor::ExtractSliceOp>();
      if (next && last && adjoin(last, next, dim))
        parts.back() = sliceOf(
            rewriter, last, last.getSource(), dim, last.getStaticOffset(dim),
            last.getStaticSize(dim) + next.getStaticSize(dim));
      else
        parts.push_back(part);
    }
    if (parts.size() == 1 && parts.front().getType() == op.getType()) {
      rewriter.replaceOp(op, parts.front());
      return success();
    }
    if (parts.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "no parts adjoin");
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(), op.getDim(),
                                                  parts);
    return success();
  }
};

/// slice(subtensor(source)) -> slice(slice(source)), of which the next pattern
/// makes one.
struct SliceOfSubtensor : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSource().getDefiningOp<SubtensorOp>();
    if (!producer || producer.getSource().getType().getElementType() !=
                         producer.getType().getElementType())
      return rewriter.notifyMatchFailure(op, "source is no block like it");
    auto block = cast<OffsetSizeAndStrideOpInterface>(producer.getOperation());
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, producer.getLoc(), cast<RankedTensorType>(producer.getType()),
        producer.getSource(), block.getMixedOffsets(), block.getMixedSizes(),
        block.getMixedStrides());
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(slice); });
    return success();
  }
};

} // namespace

void mli::populateSlicePatterns(RewritePatternSet &patterns) {
  patterns.add<SliceOfConcat, SliceOfPad, ConcatOfConcat, ConcatOfSlices,
               SliceOfSubtensor>(patterns.getContext());
  tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
  memref::populateComposeSubViewPatterns(patterns, patterns.getContext());
}
