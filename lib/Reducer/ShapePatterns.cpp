// SPDX-License-Identifier: Apache-2.0

#include "Patterns.h"
#include "Retyping.h"
#include "Signature.h"
#include "Slices.h"

#include "mli/IR/MLI.h"

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

namespace {

/// What is left of a size.
enum class Shrink { ToOne, ToHalf, ByOne };

} // namespace

static constexpr Shrink allShrinks[] = {Shrink::ToOne, Shrink::ToHalf,
                                        Shrink::ByOne};
/// How many dimensions, and sizes of one operation, there are patterns for.
static constexpr unsigned maxDims = 4, maxSizes = 6;
/// Sizes above get smaller by halves alone.
static constexpr int64_t maxByOne = 16;

/// What is left of `size`; `size` itself where nothing goes.
static int64_t shrink(int64_t size, Shrink how) {
  switch (how) {
  case Shrink::ToOne:
    return std::min<int64_t>(size, 1);
  case Shrink::ToHalf:
    return size > 2 ? size / 2 : size;
  case Shrink::ByOne:
    return size > 3 && size <= maxByOne ? size - 1 : size;
  }
  llvm_unreachable("unknown shrink");
}

/// The type of `value` if it is a tensor of static shape, else null.
static RankedTensorType getStaticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

namespace {

/// Returns a part of a tensor, and computes no more than that.
struct ReturnPart : AnyOpPattern {
  ReturnPart(MLIRContext *context, unsigned dim, Shrink how, bool isLast)
      : AnyOpPattern(context), dim(dim), how(how), isLast(isLast) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto end = dyn_cast_or_null<func::ReturnOp>(
        op->getBlock() ? op->getBlock()->getTerminator() : nullptr);
    bool isReturned = end && llvm::is_contained(op->getUsers(), end);
    auto type = isReturned && op->getNumResults() == 1
                    ? getStaticType(op->getResult(0))
                    : RankedTensorType();
    if (!type || dim >= type.getRank())
      return failure();
    int64_t size = type.getDimSize(dim), left = shrink(size, how);
    func::FuncOp func = left < size ? getFreeFunction(op) : func::FuncOp();
    if (!func)
      return failure();
    llvm::DenseSet<Operation *> others = findSlices(func);
    TensorBlock block{SmallVector<int64_t>(type.getRank(), 0),
                      SmallVector<int64_t>(type.getShape())};
    block.sizes[dim] = left;
    block.offsets[dim] = isLast ? size - left : 0;
    rewriter.setInsertionPoint(end);
    Value part = createSlice(rewriter, op->getLoc(), op->getResult(0), block);
    rewriter.modifyOpInPlace(
        end, [&] { end->replaceUsesOfWith(op->getResult(0), part); });
    updateResultTypes(rewriter, func);
    pushSlices(rewriter, func, others);
    return success();
  }

  unsigned dim;
  Shrink how;
  bool isLast;
};

/// Lets an operation compute on smaller tensors: every dimension of one size
/// shrinks.
struct ShrinkSize : AnyOpPattern {
  ShrinkSize(MLIRContext *context, unsigned number, Shrink how)
      : AnyOpPattern(context), number(number), how(how) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    int64_t size = findSize(op), left = shrink(size, how);
    func::FuncOp func = left < size ? getFreeFunction(op) : func::FuncOp();
    if (!func)
      return failure();
    llvm::DenseSet<Operation *> others = findSlices(func);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(cut(rewriter, op->getLoc(), operand, size, left));
    SmallVector<Type> types;
    for (Value result : op->getResults())
      types.push_back(getCutType(result, size, left));
    if (failed(replaceRetyped(rewriter, op, operands, types)))
      return failure();
    pushSlices(rewriter, func, others);
    return success();
  }

private:
  /// The `number`-th size above 1 of the tensors of `op`, or 0.
  int64_t findSize(Operation *op) const {
    if (!isa_and_nonnull<MLIDialect>(op->getDialect()) || isa<ConstantOp>(op))
      return 0;
    SmallVector<int64_t> sizes;
    auto collect = [&](Value value) {
      if (RankedTensorType type = getStaticType(value))
        for (int64_t size : type.getShape())
          if (size > 1 && !llvm::is_contained(sizes, size))
            sizes.push_back(size);
    };
    llvm::for_each(op->getOperands(), collect);
    llvm::for_each(op->getResults(), collect);
    return number < sizes.size() ? sizes[number] : 0;
  }

  /// The block of `type` that is left.
  static TensorBlock getCut(RankedTensorType type, int64_t size, int64_t left) {
    TensorBlock block{SmallVector<int64_t>(type.getRank(), 0),
                      SmallVector<int64_t>(type.getShape())};
    llvm::replace(block.sizes, size, left);
    return block;
  }

  static Value cut(PatternRewriter &rewriter, Location loc, Value value,
                   int64_t size, int64_t left) {
    RankedTensorType type = getStaticType(value);
    return type ? createSlice(rewriter, loc, value, getCut(type, size, left))
                : value;
  }

  static Type getCutType(Value value, int64_t size, int64_t left) {
    RankedTensorType type = getStaticType(value);
    if (!type)
      return value.getType();
    TensorBlock block = getCut(type, size, left);
    return SubtensorOp::inferBlockType(type, block.offsets, block.sizes);
  }

  unsigned number;
  Shrink how;
};

} // namespace

void mli::reducer::populateShapePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (Shrink how : allShrinks) {
    for (unsigned dim = 0; dim < maxDims; ++dim)
      for (bool isLast : {false, true})
        patterns.add<ReturnPart>(context, dim, how, isLast);
    for (unsigned number = 0; number < maxSizes; ++number)
      patterns.add<ShrinkSize>(context, number, how);
  }
}
