// SPDX-License-Identifier: Apache-2.0

#include "Patterns.h"
#include "Signature.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mli::reducer;

namespace {

/// Replaces a call by what the function does, which has one block.
struct InlineCall : OpRewritePattern<func::CallOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(func::CallOp op,
                                PatternRewriter &rewriter) const override {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, op.getCalleeAttr());
    if (!callee || !llvm::hasSingleElement(callee.getBody()) ||
        !isa<func::ReturnOp>(callee.getBody().front().back()) ||
        callee->isAncestor(op))
      return failure();
    IRMapping mapping;
    mapping.map(callee.getArguments(), op.getOperands());
    for (Operation &inner : callee.getBody().front().without_terminator())
      rewriter.clone(inner, mapping);
    SmallVector<Value> values;
    for (Value value : getReturn(callee).getOperands())
      values.push_back(mapping.lookup(value));
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// Erases a function that nobody refers to, and shows those that it refers to.
struct EraseCaller : OpRewritePattern<func::FuncOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(func::FuncOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<func::FuncOp> callees;
    op.walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (callee && !callee.isDeclaration())
        callees.push_back(callee);
    });
    if (callees.empty() || !SymbolTable::symbolKnownUseEmpty(op, getRoot(op)))
      return failure();
    for (func::FuncOp callee : callees)
      rewriter.modifyOpInPlace(callee, [&] { callee.setPublic(); });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Erases the arguments that nobody uses.
struct DropUnusedArguments : OpRewritePattern<func::ReturnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(func::ReturnOp op,
                                PatternRewriter &rewriter) const override {
    func::FuncOp func = getFreeFunction(op);
    if (!func)
      return failure();
    llvm::BitVector isUnused(func.getNumArguments());
    for (BlockArgument argument : func.getArguments())
      isUnused[argument.getArgNumber()] = argument.use_empty();
    if (isUnused.none())
      return failure();
    LogicalResult erased = failure();
    rewriter.modifyOpInPlace(func,
                             [&] { erased = func.eraseArguments(isUnused); });
    return erased;
  }
};

} // namespace

void mli::reducer::populateFunctionPatterns(RewritePatternSet &patterns) {
  patterns.add<InlineCall, EraseCaller, DropUnusedArguments>(
      patterns.getContext());
}
