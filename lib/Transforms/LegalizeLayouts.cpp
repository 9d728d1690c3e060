// SPDX-License-Identifier: Apache-2.0
//
// mli-legalize-layouts makes kernels on CHW feature maps compute on HWC ones.

#include "Transforms/Legalization/Legalization.h"

#include "mli/IR/ConstantData.h"
#include "mli/IR/MLI.h"
#include "mli/IR/PermutedElement.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-legalize-layouts"

namespace mli {
#define GEN_PASS_DEF_LEGALIZELAYOUTS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// The permutations from CHW to HWC and back: dimension `i` of the result is
/// dimension `[i]` of the input.
static constexpr int64_t toHwc[] = {1, 2, 0};
static constexpr int64_t toChw[] = {2, 0, 1};

namespace {

/// kernel(chw) -> permute(kernel(permute(chw)))
struct KernelOnHwc : OpInterfaceRewritePattern<WindowOpInterface> {
  KernelOnHwc(MLIRContext *context, int64_t &count)
      : OpInterfaceRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(WindowOpInterface op,
                                PatternRewriter &rewriter) const override {
    auto kernel = cast<DestinationStyleOpInterface>(*op);
    if (op.getLayout() != MapLayout::chw || !kernel.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "maps are HWC, or buffers");
    Location loc = op.getLoc();
    Value input = createPermute(rewriter, loc, op.getInput(), toHwc);
    Value init = createPermutedEmpty(rewriter, loc, op.getInit(), toHwc);
    auto onHwc = cast<WindowOpInterface>(rewriter.clone(*op));
    // By operand, as both may be one value.
    onHwc->setOperand(0, input);
    cast<DestinationStyleOpInterface>(*onHwc).setDpsInitOperand(0, init);
    onHwc.setLayout(MapLayout::hwc);
    onHwc->getResult(0).setType(cast<RankedTensorType>(init.getType()));
    rewriter.replaceOpWithNewOp<PermuteOp>(op, onHwc->getResult(0),
                                           op.getInit(), toChw);
    ++count;
    LDBG() << loc << ": " << kernel->getName() << " takes HWC";
    return success();
  }

private:
  int64_t &count;
};

/// permute(constant) -> constant
struct PermuteOfConstant : OpRewritePattern<PermuteOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PermuteOp op,
                                PatternRewriter &rewriter) const override {
    auto constant = op.getInput().getDefiningOp<ConstantOp>();
    if (!constant || !op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "input is not known");
    SmallVector<int64_t> strides =
        computeStrides(constant.getType().getShape());
    rewriter.replaceOp(
        op, gatherConstant(rewriter, constant,
                           cast<RankedTensorType>(op.getInit().getType()), 0,
                           applyPermutation(strides, op.getPermutation())));
    return success();
  }
};

struct LegalizeLayoutsPass
    : mli::impl::LegalizeLayoutsBase<LegalizeLayoutsPass> {
  void runOnOperation() override {
    int64_t kernels = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<KernelOnHwc>(&getContext(), kernels);
    patterns.add<PermuteOfConstant>(&getContext());
    PermuteOp::getCanonicalizationPatterns(patterns, &getContext());
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    FrozenRewritePatternSet frozen(std::move(patterns));
    // Moved permutations may fold with others, and then move further.
    do {
      if (failed(applyPatternsGreedily(getOperation(), frozen, config)))
        return signalPassFailure();
    } while (movePermutes(getOperation()));
    numKernels += kernels;
    getOperation().walk([&](PermuteOp) { ++numPermutes; });
  }
};

} // namespace
