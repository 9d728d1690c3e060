// SPDX-License-Identifier: Apache-2.0

#include "ConstantData.h"

#include "mli/IR/MLI.h"
#include "mli/IR/PermutedElement.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mli {
#define GEN_PASS_DEF_LEGALIZELAYOUTS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// Dimension `i` of a map is dimension `[i]` of it with channels first, and
/// the other way round.
static constexpr int64_t toHwc[] = {1, 2, 0};
static constexpr int64_t toChw[] = {2, 0, 1};

/// What takes `like` in the order of `permutation`.
static Value createEmpty(OpBuilder &builder, Location loc, Value like,
                         ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  return tensor::EmptyOp::create(
      builder, loc, applyPermutation(sizes, permutation),
      getPermutedElement(type.getElementType(), permutation),
      type.getEncoding());
}

static Value createPermute(OpBuilder &builder, Location loc, Value input,
                           ArrayRef<int64_t> permutation) {
  Value init = createEmpty(builder, loc, input, permutation);
  return PermuteOp::create(builder, loc, input, init, permutation)
      ->getResult(0);
}

/// Whether `op` computes every element from those at its index, in its inputs
/// of the shape of its result.
static bool isElementwise(Operation *op) {
  return isa<ReluOp, LeakyReluOp, SigmOp, TanhOp, ConvertOp, EltwiseAddOp,
             EltwiseSubOp, EltwiseMulOp, EltwiseMinOp, EltwiseMaxOp>(op);
}

namespace {

/// kernel(chw) -> permute(kernel(permute(chw)))
template <typename KernelOp>
struct KernelOnHwc : OpRewritePattern<KernelOp> {
  KernelOnHwc(MLIRContext *context, int64_t &count)
      : OpRewritePattern<KernelOp>(context), count(count) {}

  LogicalResult matchAndRewrite(KernelOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getLayout() != MapLayout::chw || !op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "maps are HWC, or buffers");
    Location loc = op.getLoc();
    Value input = createPermute(rewriter, loc, op.getInput(), toHwc);
    Value init = createEmpty(rewriter, loc, op.getInit(), toHwc);
    IRMapping mapping;
    mapping.map(op.getInput(), input);
    mapping.map(op.getInit(), init);
    auto kernel = cast<KernelOp>(rewriter.clone(*op, mapping));
    kernel.setLayout(MapLayout::hwc);
    kernel->getResult(0).setType(cast<RankedTensorType>(init.getType()));
    rewriter.replaceOpWithNewOp<PermuteOp>(op, kernel->getResult(0),
                                           op.getInit(), toChw);
    ++count;
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

/// relu(permute(x)) -> permute(relu(x)), and so with every operation on
/// elements, where no one else needs the permutation.
struct PermuteBehindElementwise : RewritePattern {
  explicit PermuteBehindElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
    if (!kernel || !isElementwise(op) || !kernel.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not an operation on elements");
    std::optional<SmallVector<int64_t>> permutation = findPermutation(kernel);
    if (!permutation)
      return rewriter.notifyMatchFailure(op, "inputs are not permuted alike");
    Location loc = op->getLoc();
    SmallVector<int64_t> back = invertPermutationVector(*permutation);
    Value init = kernel.getDpsInits().front();
    if (!isa<Fx8Type, Fx16Type, Sa8Type>(getElementTypeOrSelf(init)))
      return rewriter.notifyMatchFailure(op, "no permutation of such elements");
    IRMapping mapping;
    for (OpOperand *operand : kernel.getDpsInputOperands()) {
      Value value = operand->get();
      if (auto permute = value.getDefiningOp<PermuteOp>())
        mapping.map(value, permute.getInput());
      else if (value.getDefiningOp<ConstantOp>() && !isScalar(value))
        mapping.map(value, createPermute(rewriter, loc, value, back));
    }
    Value ahead = createEmpty(rewriter, loc, init, back);
    mapping.map(init, ahead);
    Operation *clone = rewriter.clone(*op, mapping);
    clone->getResult(0).setType(ahead.getType());
    rewriter.replaceOpWithNewOp<PermuteOp>(op, clone->getResult(0), init,
                                           *permutation);
    return success();
  }

private:
  static bool isScalar(Value value) {
    auto type = cast<ShapedType>(value.getType());
    return type.hasStaticShape() && type.getNumElements() == 1;
  }

  /// The permutation of all inputs but constants and scalars.
  static std::optional<SmallVector<int64_t>>
  findPermutation(DestinationStyleOpInterface kernel) {
    std::optional<SmallVector<int64_t>> found;
    for (OpOperand *operand : kernel.getDpsInputOperands()) {
      Value value = operand->get();
      auto permute = value.getDefiningOp<PermuteOp>();
      if (!permute && (isScalar(value) || value.getDefiningOp<ConstantOp>()))
        continue;
      if (!permute || isScalar(value) ||
          (found && ArrayRef(*found) != permute.getPermutation()) ||
          !llvm::all_of(value.getUsers(), [](Operation *user) {
            return isa<PermuteOp>(user) || isElementwise(user);
          }))
        return std::nullopt;
      found = SmallVector<int64_t>(permute.getPermutation());
    }
    return found;
  }
};

struct LegalizeLayoutsPass
    : mli::impl::LegalizeLayoutsBase<LegalizeLayoutsPass> {
  void runOnOperation() override {
    int64_t kernels = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<KernelOnHwc<Conv2DOp>, KernelOnHwc<DepthwiseConv2DOp>,
                 KernelOnHwc<GroupConv2DOp>, KernelOnHwc<TransposeConv2DOp>,
                 KernelOnHwc<AvePoolOp>, KernelOnHwc<MaxPoolOp>>(&getContext(),
                                                                 kernels);
    patterns.add<PermuteOfConstant, PermuteBehindElementwise>(&getContext());
    PermuteOp::getCanonicalizationPatterns(patterns, &getContext());
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    numKernels += kernels;
    getOperation().walk([&](PermuteOp) { ++numPermutes; });
  }
};

} // namespace
