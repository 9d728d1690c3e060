// SPDX-License-Identifier: Apache-2.0
//
// Patterns of mli-legalize-subtensors that fold slices of concatenations, and
// concatenations of slices, of concatenations and of constants.

#include "LegalizeSubtensors.h"

#include "mli/IR/ConstantData.h"
#include "mli/IR/ConstantFolding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

/// Creates a slice of `source` like `op`, but of `size` indices from `offset`
/// on in dimension `dim`.
static Value createSlice(PatternRewriter &rewriter, tensor::ExtractSliceOp op,
                         Value source, int64_t dim, int64_t offset,
                         int64_t size) {
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

/// A range of indices of one operand of a concatenation.
struct Piece {
  Value operand;
  int64_t offset, size;
};

/// The operands of a concatenation, and the index where each begins.
class ConcatOperands {
public:
  explicit ConcatOperands(tensor::ConcatOp op)
      : op(op), dim(static_cast<int64_t>(op.getDim())) {
    int64_t begin = 0;
    for (Value operand : op.getInputs()) {
      int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(dim);
      begins.push_back(begin);
      areKnown &= !ShapedType::isDynamic(size);
      begin += areKnown ? size : 0;
      movedIn += areKnown && isMovedIn(operand) ? size : 0;
    }
    begins.push_back(begin);
  }

  /// The pieces of operands that `slice` consists of. None if a concatenation
  /// of these would copy more than that of whole operands, which copies none
  /// that are computed in their destination.
  SmallVector<Piece> getPieces(tensor::ExtractSliceOp slice) {
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
      Value operand = op.getInputs()[i];
      areMovedIn &= isMovedIn(operand);
      pieces.push_back({operand, from - begins[i], to - from});
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
  /// Whether `operand` is copied, as nothing computes it in its destination.
  static bool isMovedIn(Value operand) {
    Operation *producer = operand.getDefiningOp();
    return !operand.hasOneUse() ||
           !isa_and_nonnull<DestinationStyleOpInterface, tensor::ConcatOp,
                            tensor::PadOp>(producer);
  }

  tensor::ConcatOp op;
  int64_t dim;
  SmallVector<int64_t> begins;
  bool areKnown = true;
  /// The number of indices that the concatenation copies, less those that its
  /// slices would copy.
  int64_t movedIn = 0;
};

/// slice(concat(a, b)) -> slice(a), or concat(slice(a), slice(b)), where all
/// users of the concatenation are slices
struct SlicesOfConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<tensor::ExtractSliceOp> slices;
    for (Operation *user : op->getUsers()) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (!slice)
        return rewriter.notifyMatchFailure(op, "other users than slices");
      slices.push_back(slice);
    }
    ConcatOperands operands(op);
    SmallVector<SmallVector<Piece>> taken;
    for (tensor::ExtractSliceOp slice : slices) {
      taken.push_back(operands.getPieces(slice));
      if (taken.back().empty())
        return rewriter.notifyMatchFailure(op, "a slice would copy more");
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
      slices.push_back(createSlice(rewriter, op, piece.operand, dim,
                                   piece.offset, piece.size));
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

/// Whether both concatenate along the same dimension.
static bool haveSameDim(tensor::ConcatOp a, tensor::ConcatOp b) {
  return a && b && a.getDim() == b.getDim();
}

namespace {

/// concat(concat(a, b), c) -> concat(a, b, c), for all levels at once; operands
/// without elements are dropped
struct ConcatOfConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (op->hasOneUse() &&
        haveSameDim(dyn_cast<tensor::ConcatOp>(*op->user_begin()), op))
      return rewriter.notifyMatchFailure(op, "its user takes its operands");
    SmallVector<Value> operands;
    SmallVector<Value> open(llvm::reverse(op.getInputs()));
    while (!open.empty()) {
      Value operand = open.pop_back_val();
      auto inner = operand.getDefiningOp<tensor::ConcatOp>();
      if (haveSameDim(inner, op) && inner->hasOneUse())
        llvm::append_range(open, llvm::reverse(inner.getInputs()));
      else if (cast<RankedTensorType>(operand.getType())
                   .getDimSize(op.getDim()) != 0)
        operands.push_back(operand);
    }
    if (operands.empty() || llvm::equal(operands, op.getInputs()))
      return rewriter.notifyMatchFailure(op, "no operand is a concatenation");
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(), op.getDim(),
                                                  operands);
    return success();
  }
};

/// concat(slice(a, 0 to 4), slice(a, 4 to 6)) -> slice(a, 0 to 6)
struct ConcatOfSlices : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    auto dim = static_cast<int64_t>(op.getDim());
    SmallVector<Value> operands;
    for (Value operand : op.getInputs()) {
      auto next = operand.getDefiningOp<tensor::ExtractSliceOp>();
      auto last = operands.empty()
                      ? tensor::ExtractSliceOp()
                      : operands.back().getDefiningOp<tensor::ExtractSliceOp>();
      if (next && last && areAdjacent(last, next, dim))
        operands.back() = createSlice(
            rewriter, last, last.getSource(), dim, last.getStaticOffset(dim),
            last.getStaticSize(dim) + next.getStaticSize(dim));
      else
        operands.push_back(operand);
    }
    if (operands.size() == 1 && operands.front().getType() == op.getType()) {
      rewriter.replaceOp(op, operands.front());
      return success();
    }
    if (operands.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "no operands are adjacent slices");
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(), op.getDim(),
                                                  operands);
    return success();
  }
};

/// concat(a, constant, constant) -> concat(a, constant); concat(constant,
/// constant) -> constant
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
      return rewriter.notifyMatchFailure(
          op, "not static, or not of one quantised or float type");
    auto isConstant = [](Value operand) {
      return isa_and_nonnull<ConstantOp, arith::ConstantOp>(
          operand.getDefiningOp());
    };
    bool areAll = llvm::all_of(op.getInputs(), isConstant);
    SmallVector<Value> operands;
    for (ValueRange rest = op.getInputs(); !rest.empty();) {
      size_t count = 0;
      while (count < rest.size() && isConstant(rest[count]) &&
             (areAll || rest[count].hasOneUse()))
        ++count;
      Value operand = rest.front();
      count = std::max<size_t>(count, 1);
      if (count > 1) {
        operand = fitsProgram(rest.take_front(count))
                      ? concatConstants(rewriter, rest.take_front(count), dim)
                      : Value();
        if (!operand)
          return rewriter.notifyMatchFailure(
              op, "too large, or bytes not available");
      }
      operands.push_back(operand);
      rest = rest.drop_front(count);
    }
    if (operands.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "no adjacent constants");
    if (operands.size() == 1)
      rewriter.replaceOp(op, operands.front());
    else
      rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, type, op.getDim(),
                                                    operands);
    return success();
  }

private:
  static bool fitsProgram(ValueRange operands) {
    int64_t bytes = 0;
    for (Value operand : operands) {
      auto type = cast<RankedTensorType>(operand.getType());
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
