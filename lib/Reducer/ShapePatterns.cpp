// SPDX-License-Identifier: Apache-2.0

#include "Patterns.h"
#include "Retyping.h"
#include "Signature.h"
#include "Slices.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

/// All of a tensor or buffer of `type`.
static TensorBlock getWholeBlock(ShapedType type) {
  return {SmallVector<int64_t>(type.getRank(), 0),
          SmallVector<int64_t>(type.getShape())};
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
                    ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                    : RankedTensorType();
    if (!type || !isSliceable(type) || dim >= type.getRank())
      return failure();
    int64_t size = type.getDimSize(dim), left = shrink(size, how);
    func::FuncOp func = left < size ? getFreeFunction(op) : func::FuncOp();
    if (!func)
      return failure();
    llvm::DenseSet<Operation *> others = findSlices(func);
    TensorBlock block = getWholeBlock(type);
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
/// shrinks, and what its lists of sizes say of it. A buffer becomes an
/// argument. Where `keepsSlices` is set, slices that it reads become smaller
/// slices.
struct ShrinkSize : AnyOpPattern {
  ShrinkSize(MLIRContext *context, unsigned number, Shrink how,
             bool keepsSlices)
      : AnyOpPattern(context), number(number), how(how),
        keepsSlices(keepsSlices) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    int64_t size = findSize(op), left = shrink(size, how);
    bool hasSlices = llvm::any_of(op->getOperands(), isSlice);
    func::FuncOp func = left < size && hasSlices >= keepsSlices
                            ? getFreeFunction(op)
                            : func::FuncOp();
    if (!func)
      return failure();
    llvm::DenseSet<Operation *> others = findSlices(func);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      ShapedType type = getCutType(operand, size, left);
      operands.push_back(type ? cut(rewriter, func, operand, type, op->getLoc())
                              : operand);
      if (keepsSlices && type && isSlice(operand))
        others.insert(operands.back().getDefiningOp());
    }
    SmallVector<Type> types;
    for (Value result : op->getResults()) {
      ShapedType type = getCutType(result, size, left);
      types.push_back(type ? type : result.getType());
    }
    auto cutLists = [&](Operation *cut) { shrinkLists(cut, size, left); };
    if (failed(replaceRetyped(rewriter, op, operands, types, cutLists)))
      return failure();
    pushSlices(rewriter, func, others);
    return success();
  }

private:
  /// The type of `value` if it is a tensor, or a buffer in row-major order,
  /// whose shape is static; else null.
  static ShapedType getStaticType(Value value) {
    auto type = dyn_cast<ShapedType>(value.getType());
    auto buffer = dyn_cast<MemRefType>(value.getType());
    bool isPlain = isa<RankedTensorType>(value.getType()) ||
                   (buffer && buffer.getLayout().isIdentity());
    return isPlain && isSliceable(type) ? type : ShapedType();
  }

  /// The `number`-th size above 1 of the tensors of `op`, or 0.
  int64_t findSize(Operation *op) const {
    if (!isa_and_nonnull<MLIDialect, tensor::TensorDialect>(op->getDialect()) ||
        op->getNumOperands() == 0)
      return 0;
    SmallVector<int64_t> sizes;
    auto collect = [&](Value value) {
      if (ShapedType type = getStaticType(value))
        for (int64_t size : type.getShape())
          if (size > 1 && !llvm::is_contained(sizes, size))
            sizes.push_back(size);
    };
    llvm::for_each(op->getOperands(), collect);
    llvm::for_each(op->getResults(), collect);
    return number < sizes.size() ? sizes[number] : 0;
  }

  /// The type of `value` with `left` of each dimension of `size`; null where it
  /// has none.
  static ShapedType getCutType(Value value, int64_t size, int64_t left) {
    ShapedType type = getStaticType(value);
    if (!type || !llvm::is_contained(type.getShape(), size))
      return {};
    TensorBlock block = getWholeBlock(type);
    llvm::replace(block.sizes, size, left);
    Type element = SubtensorOp::inferBlockType(type, block.offsets, block.sizes)
                       .getElementType();
    return type.clone(block.sizes, element);
  }

  static bool isSlice(Value value) {
    Operation *op = value.getDefiningOp();
    return op && getBlock(op);
  }

  Value cut(PatternRewriter &rewriter, func::FuncOp func, Value value,
            ShapedType type, Location loc) const {
    if (!isa<TensorType>(type))
      return appendArgument(rewriter, func, type, loc);
    TensorBlock block = getWholeBlock(type);
    return keepsSlices ? createMergedSlice(rewriter, loc, value, block)
                       : createSlice(rewriter, loc, value, block);
  }

  static void shrinkLists(Operation *op, int64_t size, int64_t left) {
    for (StringRef name : {"kernel", "sizes", "static_sizes"})
      if (auto list = op->getAttrOfType<DenseI64ArrayAttr>(name)) {
        SmallVector<int64_t> sizes(list.asArrayRef());
        llvm::replace(sizes, size, left);
        op->setAttr(name, DenseI64ArrayAttr::get(op->getContext(), sizes));
      }
  }

  unsigned number;
  Shrink how;
  bool keepsSlices;
};

/// Cuts what lies after the one slice of a tensor, which stays a slice.
struct TrimSliced : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    std::optional<TensorBlock> block = getBlock(op);
    func::FuncOp func = block ? getFreeFunction(op) : func::FuncOp();
    if (!func)
      return failure();
    Value source = op->getOperand(0);
    TensorBlock front = *block;
    for (auto [offset, size] : llvm::zip_equal(front.offsets, front.sizes))
      size += std::exchange(offset, 0);
    llvm::DenseSet<Operation *> others = findSlices(func);
    Value trimmed = createSlice(rewriter, op->getLoc(), source, front);
    if (trimmed == source)
      return failure();
    Value part = createSlice(rewriter, op->getLoc(), trimmed, *block);
    others.insert(part.getDefiningOp());
    rewriter.replaceOp(op, part);
    pushSlices(rewriter, func, others);
    return success();
  }
};

} // namespace

void mli::reducer::populateShapePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (Shrink how : allShrinks) {
    for (unsigned dim = 0; dim < maxDims; ++dim)
      for (bool isLast : {false, true})
        patterns.add<ReturnPart>(context, dim, how, isLast);
    for (unsigned number = 0; number < maxSizes; ++number)
      for (bool keepsSlices : {false, true})
        patterns.add<ShrinkSize>(context, number, how, keepsSlices);
  }
  patterns.add<TrimSliced>(context);
}
