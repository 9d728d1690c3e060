// SPDX-License-Identifier: Apache-2.0

#include "Patterns.h"
#include "Signature.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

/// Whether `op` is as small as what would replace it.
static bool isLeaf(Operation *op) {
  return isa<tensor::EmptyOp, arith::ConstantOp>(op);
}

/// The function that `op` is one of the layers of, or null.
static func::FuncOp getFunctionOfLayer(Operation *op) {
  bool isLayer = !isLeaf(op) && !isa<ConstantOp>(op) &&
                 llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
  func::FuncOp func = isLayer ? getFreeFunction(op) : func::FuncOp();
  return func && func == op->getParentOp() ? func : func::FuncOp();
}

/// The numbers of what the function returns of the results of `op`.
static llvm::BitVector findReturned(func::FuncOp func, Operation *op) {
  func::ReturnOp end = getReturn(func);
  llvm::BitVector found(end.getNumOperands());
  for (OpOperand &operand : end->getOpOperands())
    if (operand.get().getDefiningOp() == op)
      found.set(operand.getOperandNumber());
  return found;
}

//===----------------------------------------------------------------------===//
// The last layers
//===----------------------------------------------------------------------===//

namespace {

/// Returns the results of a layer alone: those after it are unused.
struct ReturnLayer : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    func::FuncOp func = getFunctionOfLayer(op);
    if (!func || ValueRange(getReturn(func).getOperands()) ==
                     ValueRange(op->getResults()))
      return failure();
    setReturned(rewriter, func, op->getResults());
    return success();
  }
};

/// Returns the tensors that a returned layer reads in its place.
struct ReturnOperands : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    func::FuncOp func = getFunctionOfLayer(op);
    if (!func)
      return failure();
    llvm::BitVector isReturned = findReturned(func, op);
    if (isReturned.none())
      return failure();
    SmallVector<Value> values;
    for (OpOperand &operand : getReturn(func)->getOpOperands())
      if (!isReturned.test(operand.getOperandNumber()))
        values.push_back(operand.get());
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && getFunctionOfLayer(producer) &&
          !llvm::is_contained(values, operand))
        values.push_back(operand);
    }
    setReturned(rewriter, func, values);
    return success();
  }
};

/// Returns nothing of a layer.
struct DropReturnedLayer : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    func::FuncOp func = op->getNumResults() ? getFreeFunction(op) : nullptr;
    if (!func)
      return failure();
    llvm::BitVector isReturned = findReturned(func, op);
    if (isReturned.none())
      return failure();
    dropReturned(rewriter, func, isReturned);
    return success();
  }
};

/// Returns none of the arguments.
struct DropReturnedArguments : OpRewritePattern<func::ReturnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(func::ReturnOp op,
                                PatternRewriter &rewriter) const override {
    func::FuncOp func = getFreeFunction(op);
    if (!func)
      return failure();
    llvm::BitVector isReturned = findReturned(func, nullptr);
    if (isReturned.none())
      return failure();
    dropReturned(rewriter, func, isReturned);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The first layers
//===----------------------------------------------------------------------===//

/// Replaces what an operation computes by new arguments of the function.
struct CutToArguments : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    func::FuncOp func = op->use_empty() ? nullptr : getFreeFunction(op);
    if (!func || isLeaf(op))
      return failure();
    SmallVector<Value> values;
    for (Value result : op->getResults())
      values.push_back(
          appendArgument(rewriter, func, result.getType(), result.getLoc()));
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// Replaces what an operation computes by zeros.
struct CutToConstants : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->use_empty() || isLeaf(op) || isa<ConstantOp>(op))
      return failure();
    SmallVector<TypedAttr> zeros;
    for (Type type : op->getResultTypes())
      zeros.push_back(getZero(rewriter, type));
    if (llvm::is_contained(zeros, TypedAttr()))
      return failure();
    SmallVector<Value> values;
    for (auto [zero, result] : llvm::zip_equal(zeros, op->getResults()))
      values.push_back(
          zero.getType() == result.getType()
              ? Value(arith::ConstantOp::create(rewriter, op->getLoc(), zero))
              : Value(ConstantOp::create(rewriter, op->getLoc(),
                                         result.getType(),
                                         cast<ElementsAttr>(zero))));
    rewriter.replaceOp(op, values);
    return success();
  }

private:
  /// Zeros for a value of `type`; of the storage type where it is quantised.
  /// Null for what has none.
  static TypedAttr getZero(Builder &builder, Type type) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (shaped && !shaped.hasStaticShape())
      return {};
    if (auto quantized = dyn_cast_or_null<QuantizedType>(
            shaped ? shaped.getElementType() : Type()))
      type =
          RankedTensorType::get(shaped.getShape(), quantized.getStorageType());
    bool isNumber =
        isa<IntegerType, IndexType, FloatType>(getElementTypeOrSelf(type));
    return isNumber && (shaped || type.isIntOrIndexOrFloat())
               ? builder.getZeroAttr(type)
               : TypedAttr();
  }
};

} // namespace

void mli::reducer::populateCutPatterns(RewritePatternSet &patterns) {
  patterns.add<ReturnLayer, CutToArguments, CutToConstants, ReturnOperands,
               DropReturnedLayer, DropReturnedArguments>(patterns.getContext());
}
