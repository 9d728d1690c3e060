// SPDX-License-Identifier: Apache-2.0

#include "Patterns.h"

#include "mli/IR/MLIParallel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

/// Puts the operations of `block` before `op`, which the results of its
/// terminator replace.
static void replaceByBlock(PatternRewriter &rewriter, Operation *op,
                           Block *block, ValueRange arguments) {
  Operation *terminator = block->getTerminator();
  rewriter.inlineBlockBefore(block, op, arguments);
  // Only now: some may have been arguments of the block.
  SmallVector<Value> results(terminator->getOperands());
  rewriter.eraseOp(terminator);
  rewriter.replaceOp(op, results);
}

namespace {

/// Replaces a loop by its first round.
struct RunLoopOnce : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> arguments{op.getLowerBound()};
    llvm::append_range(arguments, op.getInitArgs());
    replaceByBlock(rewriter, op, op.getBody(), arguments);
    return success();
  }
};

/// Replaces a loop by the values that its first round would get.
struct SkipLoop : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getInitArgs());
    return success();
  }
};

/// Replaces a branch by one of its sides.
struct TakeBranch : OpRewritePattern<scf::IfOp> {
  TakeBranch(MLIRContext *context, bool isThen)
      : OpRewritePattern(context), isThen(isThen) {}

  LogicalResult matchAndRewrite(scf::IfOp op,
                                PatternRewriter &rewriter) const override {
    Region &region = isThen ? op.getThenRegion() : op.getElseRegion();
    if (region.empty())
      return failure();
    replaceByBlock(rewriter, op, &region.front(), {});
    return success();
  }

  bool isThen;
};

/// Lets operations run one after the other.
struct RunInOrder : OpRewritePattern<ParallelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ParallelOp op,
                                PatternRewriter &rewriter) const override {
    replaceByBlock(rewriter, op, &op.getBody().front(), {});
    return success();
  }
};

} // namespace

void mli::reducer::populateControlFlowPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<SkipLoop, RunLoopOnce, RunInOrder>(context);
  patterns.add<TakeBranch>(context, /*isThen=*/true);
  patterns.add<TakeBranch>(context, /*isThen=*/false);
}
