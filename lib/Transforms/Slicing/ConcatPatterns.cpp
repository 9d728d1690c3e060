// SPDX-License-Identifier: Apache-2.0
//
// Slices of concatenations, and concatenations of slices and of concatenations,
// seen in what they are of.

#include "LegalizeSubtensors.h"

#include "mli/IR/ConstantData.h"
#include "mli/IR/ConstantFolding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

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

/// Indices of one part of a concatenation.
struct Piece {
  Value part;
  int64_t offset, size;
};

/// The parts of a concatenation, and where each begins.
class ConcatParts {
public:
  explicit ConcatParts(tensor::ConcatOp op)
      : op(op), dim(static_cast<int64_t>(op.getDim())) {
    int64_t begin = 0;
    for (Value part : op.getInputs()) {
      int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(dim);
      begins.push_back(begin);
      areKnown &= !ShapedType::isDynamic(size);
      begin += areKnown ? size : 0;
      movedIn += areKnown && isMovedIn(part) ? size : 0;
    }
    begins.push_back(begin);
  }

  /// What `slice` takes of them, if it does not cost more than it does without:
  /// what is computed in its place is copied nowhere as a whole.
  SmallVector<Piece> takenBy(tensor::ExtractSliceOp slice) {
    SmallVector<Piece> pieces;
    if (!areKnown || !isBlock(slice, dim))
      return pieces;
    int64_t first = slice.getStaticOffset(dim);
    int64_t last = first + slice.getStaticSize(dim);
    bool areMovedIn = true;
    for (size_t i = llvm::upper_bound(begins, first) - begins.begin() - 1;
         i + 1 < begins.size() && begins[i] < last; ++i) {
      int64_t from = std::max(first, begins[i]);
      int64_t to = std::min(last, begins[i + 1]);
      if (from >= to)
        continue;
      Value part = op.getInputs()[i];
      areMovedIn &= isMovedIn(part);
      pieces.push_back({part, from - begins[i], to - from});
    }
    if (pieces.size() < 2)
      return pieces;
    auto type = dyn_cast<QuantizedType>(slice.getType().getElementType());
    movedIn -= last - first;
    if (!areMovedIn || movedIn < 0 || slice.getDroppedDims().test(dim) ||
        (type && type.isPerAxis()))
      pieces.clear();
    return pieces;
  }

private:
  static bool isMovedIn(Value part) {
    Operation *producer = part.getDefiningOp();
    return !part.hasOneUse() ||
           !isa_and_nonnull<DestinationStyleOpInterface, tensor::ConcatOp,
                            tensor::PadOp>(producer);
  }

  tensor::ConcatOp op;
  int64_t dim;
  SmallVector<int64_t> begins;
  bool areKnown = true;
  /// Indices that are copied as they are parts, less those of slices that are.
  int64_t movedIn = 0;
};

/// concat(parts), of which there are but slices -> these, of the parts that
/// each touches: slice(part), or concat(slice(parts))
struct SlicesOfConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<tensor::ExtractSliceOp> slices;
    for (Operation *user : op->getUsers()) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (!slice)
        return rewriter.notifyMatchFailure(op, "needed as a whole");
      slices.push_back(slice);
    }
    ConcatParts parts(op);
    SmallVector<SmallVector<Piece>> taken;
    for (tensor::ExtractSliceOp slice : slices) {
      taken.push_back(parts.takenBy(slice));
      if (taken.back().empty())
        return rewriter.notifyMatchFailure(op, "a slice costs less of it");
    }
    if (slices.empty())
      return rewriter.notifyMatchFailure(op, "not used");
    for (auto [slice, pieces] : llvm::zip_equal(slices, taken))
      replace(rewriter, slice, static_cast<int64_t>(op.getDim()), pieces);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void replace(PatternRewriter &rewriter, tensor::ExtractSliceOp op,
                      int64_t dim, ArrayRef<Piece> pieces) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> slices;
    for (const Piece &piece : pieces)
      slices.push_back(
          sliceOf(rewriter, op, piece.part, dim, piece.offset, piece.size));
    if (slices.size() == 1)
      return rewriter.replaceOp(op, slices.front());
    llvm::SmallBitVector dropped = op.getDroppedDims();
    int64_t kept =
        dim - llvm::count_if(llvm::seq<int64_t>(0, dim),
                             [&](int64_t i) { return dropped.test(i); });
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(), kept,
                                                  slices);
  }
};

} // namespace

/// Whether both concatenate along one dimension.
static bool isAlike(tensor::ConcatOp a, tensor::ConcatOp b) {
  return a && b && a.getDim() == b.getDim();
}

namespace {

/// concat(concat(a, b), c) -> concat(a, b, c), the last of them at once; parts
/// without elements go.
struct ConcatOfConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (op->hasOneUse() &&
        isAlike(dyn_cast<tensor::ConcatOp>(*op->user_begin()), op))
      return rewriter.notifyMatchFailure(op, "its user takes its parts");
    SmallVector<Value> parts;
    SmallVector<Value> open(llvm::reverse(op.getInputs()));
    while (!open.empty()) {
      Value part = open.pop_back_val();
      auto inner = part.getDefiningOp<tensor::ConcatOp>();
      if (isAlike(inner, op) && inner->hasOneUse())
        llvm::append_range(open, llvm::reverse(inner.getInputs()));
      else if (cast<RankedTensorType>(part.getType()).getDimSize(op.getDim()) !=
               0)
        parts.push_back(part);
    }
    if (parts.empty() || llvm::equal(parts, op.getInputs()))
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
      if (next && last && areAdjacent(last, next, dim))
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

/// concat(a, constant, constant) -> concat(a, constant), and to one constant
/// where there is nothing else.
// F7
struct ConcatOfConstants : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    auto dim = static_cast<int64_t>(op.getDim());
    RankedTensorType type = op.getResultType();
    auto quantized = dyn_cast<QuantizedType>(type.getElementType());
    if (!type.hasStaticShape() || type.getEncoding() ||
        !(quantized || isa<FloatType>(type.getElementType())) ||
        op->getNumOperands() < 2 ||
        (quantized && quantized.isPerAxis() && quantized.getAxis() == dim))
      return rewriter.notifyMatchFailure(op, "not known parts of one type");
    auto isConstant = [](Value part) {
      return isa_and_nonnull<ConstantOp, arith::ConstantOp>(
          part.getDefiningOp());
    };
    bool areAll = llvm::all_of(op.getInputs(), isConstant);
    SmallVector<Value> parts;
    for (ValueRange rest = op.getInputs(); !rest.empty();) {
      size_t count = 0;
      while (count < rest.size() && isConstant(rest[count]) &&
             (areAll || rest[count].hasOneUse()))
        ++count;
      Value part = rest.front();
      count = std::max<size_t>(count, 1);
      if (count > 1) {
        part = fitsProgram(rest.take_front(count))
                   ? concatConstants(rewriter, rest.take_front(count), dim)
                   : Value();
        if (!part)
          return rewriter.notifyMatchFailure(op, "too large, or not held");
      }
      parts.push_back(part);
      rest = rest.drop_front(count);
    }
    if (parts.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "no constants adjoin");
    if (parts.size() == 1)
      rewriter.replaceOp(op, parts.front());
    else
      rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, type, op.getDim(),
                                                    parts);
    return success();
  }

private:
  static bool fitsProgram(ValueRange parts) {
    int64_t bytes = 0;
    for (Value part : parts) {
      auto type = cast<RankedTensorType>(part.getType());
      bytes += type.getNumElements() *
               static_cast<int64_t>(elementWidth(type.getElementType()) / 8);
    }
    return bytes <= maxFoldedBytes;
  }
};

} // namespace

void mli::populateConcatPatterns(RewritePatternSet &patterns) {
  patterns
      .add<SlicesOfConcat, ConcatOfConcat, ConcatOfSlices, ConcatOfConstants>(
          patterns.getContext());
}
