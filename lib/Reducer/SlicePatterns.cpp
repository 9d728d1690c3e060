// SPDX-License-Identifier: Apache-2.0

#include "Signature.h"
#include "Slices.h"

#include "mli/IR/ConstantData.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

/// Extends `block` so that it has all of `other`.
static void extend(TensorBlock &block, const TensorBlock &other) {
  for (size_t i = 0; i < block.sizes.size(); ++i) {
    int64_t end = std::max(block.offsets[i] + block.sizes[i],
                           other.offsets[i] + other.sizes[i]);
    block.offsets[i] = std::min(block.offsets[i], other.offsets[i]);
    block.sizes[i] = end - block.offsets[i];
  }
}

/// The block of the part of a tensor that begins at `origin`.
static TensorBlock relativeTo(TensorBlock block, ArrayRef<int64_t> origin) {
  for (auto [offset, begin] : llvm::zip_equal(block.offsets, origin))
    offset -= begin;
  return block;
}

//===----------------------------------------------------------------------===//
// What slices are made of
//===----------------------------------------------------------------------===//

namespace {

/// The slices that are all uses of a tensor, and the least block around them.
struct SliceUses {
  static std::optional<SliceUses> get(Value source);

  SmallVector<Operation *> slices;
  TensorBlock bounds;
};

} // namespace

std::optional<SliceUses> SliceUses::get(Value source) {
  SliceUses uses;
  for (Operation *user : source.getUsers()) {
    if (reducer::isUnused(user))
      continue;
    std::optional<TensorBlock> block = getBlock(user);
    if (!block)
      return std::nullopt;
    if (uses.slices.empty())
      uses.bounds = *block;
    extend(uses.bounds, *block);
    uses.slices.push_back(user);
  }
  return uses;
}

LogicalResult SlicePattern::matchAndRewrite(Operation *op,
                                            PatternRewriter &rewriter) const {
  if (!getBlock(op) || isUnused(op))
    return failure();
  Value source = op->getOperand(0);
  std::optional<SliceUses> uses = SliceUses::get(source);
  auto type = cast<RankedTensorType>(source.getType());
  if (!uses || type.getShape() == ArrayRef(uses->bounds.sizes))
    return failure();
  Value block = makeBlock(rewriter, source, uses->bounds);
  if (!block || block.getType() != getBlockType(source, uses->bounds))
    return failure();
  for (Operation *slice : uses->slices) {
    rewriter.setInsertionPoint(slice);
    Value part =
        createSlice(rewriter, slice->getLoc(), block,
                    relativeTo(*getBlock(slice), uses->bounds.offsets));
    rewriter.replaceAllUsesWith(slice->getResult(0), part);
  }
  rewriter.eraseOp(op);
  return success();
}

LogicalResult SliceOfLeaf::matchAndRewrite(Operation *op,
                                           PatternRewriter &rewriter) const {
  std::optional<TensorBlock> block = getBlock(op);
  Operation *source = block ? op->getOperand(0).getDefiningOp() : nullptr;
  if (!source)
    return failure();
  Value made = makeBlock(rewriter, source, *block,
                         cast<RankedTensorType>(op->getResult(0).getType()));
  if (!made)
    return failure();
  rewriter.replaceOp(op, made);
  return success();
}

namespace {

/// Computes a tile of the result of a kernel.
struct SliceOfKernel : SlicePattern {
  using SlicePattern::SlicePattern;

  Value makeBlock(PatternRewriter &rewriter, Value source,
                  const TensorBlock &block) const override {
    auto kernel = source.getDefiningOp<TilingInterface>();
    if (!kernel || kernel->getNumResults() != 1)
      return {};
    MLIRContext *context = rewriter.getContext();
    // What says why not is for those who asked for a tile.
    ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
    rewriter.setInsertionPoint(kernel);
    FailureOr<TilingResult> tile = kernel.generateResultTileValue(
        rewriter, 0, getAsIndexOpFoldResult(context, block.offsets),
        getAsIndexOpFoldResult(context, block.sizes));
    return succeeded(tile) ? tile->tiledValues.front() : Value();
  }
};

/// Takes a smaller argument.
struct SliceOfArgument : SlicePattern {
  using SlicePattern::SlicePattern;

  Value makeBlock(PatternRewriter &rewriter, Value source,
                  const TensorBlock &block) const override {
    auto argument = dyn_cast<BlockArgument>(source);
    auto func = argument
                    ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
                    : func::FuncOp();
    if (!func || func.getBody().empty() ||
        func != getFreeFunction(&argument.getOwner()->front()))
      return {};
    return insertArgumentAfter(rewriter, func, argument,
                               getBlockType(source, block));
  }
};

/// Takes the slice before dimensions of size 1 come or go.
struct SliceOfReshape : SlicePattern {
  using SlicePattern::SlicePattern;

  Value makeBlock(PatternRewriter &rewriter, Value source,
                  const TensorBlock &block) const override {
    auto reshape = source.getDefiningOp<ReshapeOp>();
    if (!reshape)
      return {};
    ArrayRef<int64_t> from = reshape.getSource().getType().getShape();
    ArrayRef<int64_t> to = reshape.getType().getShape();
    TensorBlock before{SmallVector<int64_t>(from.size(), 0),
                       SmallVector<int64_t>(from.size(), 1)};
    size_t at = 0;
    for (size_t i = 0; i < from.size(); ++i) {
      if (from[i] == 1)
        continue;
      while (at < to.size() && to[at] == 1)
        ++at;
      if (at == to.size() || to[at] != from[i])
        return {};
      before.offsets[i] = block.offsets[at];
      before.sizes[i] = block.sizes[at++];
    }
    rewriter.setInsertionPoint(reshape);
    Value part =
        createSlice(rewriter, reshape.getLoc(), reshape.getSource(), before);
    return ReshapeOp::create(rewriter, reshape.getLoc(),
                             getBlockType(source, block), part);
  }
};

/// Takes the slice of a slice at once.
struct SliceOfSlice : SliceOfLeaf {
  using SliceOfLeaf::SliceOfLeaf;

  Value makeBlock(PatternRewriter &rewriter, Operation *source,
                  const TensorBlock &block,
                  RankedTensorType type) const override {
    if (!getBlock(source))
      return {};
    return createMergedSlice(rewriter, source->getLoc(), source->getResult(0),
                             block);
  }
};

/// Holds no more of a constant.
struct SliceOfConstant : SliceOfLeaf {
  using SliceOfLeaf::SliceOfLeaf;

  Value makeBlock(PatternRewriter &rewriter, Operation *source,
                  const TensorBlock &block,
                  RankedTensorType type) const override {
    auto constant = dyn_cast<ConstantOp>(source);
    std::optional<ArrayRef<char>> held =
        constant ? getHeldBytes(constant.getValue()) : std::nullopt;
    if (!held || held->empty())
      return {};
    SmallVector<int64_t> strides =
        computeStrides(constant.getValue().getShapedType().getShape());
    int64_t first = 0;
    for (auto [offset, stride] : llvm::zip_equal(block.offsets, strides))
      first += offset * stride;
    return gatherConstant(rewriter, constant, type, first, strides);
  }
};

/// Makes a smaller destination.
struct SliceOfEmpty : SliceOfLeaf {
  using SliceOfLeaf::SliceOfLeaf;

  Value makeBlock(PatternRewriter &rewriter, Operation *source,
                  const TensorBlock &block,
                  RankedTensorType type) const override {
    if (!isa<tensor::EmptyOp>(source))
      return {};
    return tensor::EmptyOp::create(rewriter, source->getLoc(), type.getShape(),
                                   type.getElementType());
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// All slices
//===----------------------------------------------------------------------===//

void reducer::populateSourcePatterns(RewritePatternSet &patterns) {
  patterns.add<SliceOfSlice, SliceOfConstant, SliceOfEmpty, SliceOfReshape,
               SliceOfArgument, SliceOfKernel>(patterns.getContext());
  populateRegionSlicePatterns(patterns);
}

bool reducer::pushSlices(PatternRewriter &rewriter, func::FuncOp func,
                         const llvm::DenseSet<Operation *> &others) {
  RewritePatternSet patterns(rewriter.getContext());
  populateSourcePatterns(patterns);
  auto push = [&](Operation *slice) {
    return llvm::any_of(patterns.getNativePatterns(), [&](const auto &pattern) {
      rewriter.setInsertionPoint(slice);
      return succeeded(pattern->matchAndRewrite(slice, rewriter));
    });
  };
  auto pushOne = [&] {
    WalkResult result = func.walk([&](Operation *op) {
      bool isOurs = isa<tensor::ExtractSliceOp, SubtensorOp>(op) &&
                    !others.contains(op) && !isUnused(op);
      return isOurs && push(op) ? WalkResult::interrupt()
                                : WalkResult::advance();
    });
    return result.wasInterrupted();
  };
  bool hasPushed = false;
  while (pushOne())
    hasPushed = true;
  return hasPushed;
}

namespace {

/// Lets what a slice is of be no more than that, and what that is of.
struct PushSlice : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    func::FuncOp func = getBlock(op) ? getFreeFunction(op) : func::FuncOp();
    if (!func)
      return failure();
    llvm::DenseSet<Operation *> others = findSlices(func);
    others.erase(op);
    return success(pushSlices(rewriter, func, others));
  }
};

} // namespace

void reducer::populateSlicePatterns(RewritePatternSet &patterns) {
  patterns.add<PushSlice>(patterns.getContext());
}
