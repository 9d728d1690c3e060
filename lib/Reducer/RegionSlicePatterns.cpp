// SPDX-License-Identifier: Apache-2.0

#include "Slices.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mli::reducer;

/// Lets what returns from a region give `block` of its operand `number` alone.
static void cutYielded(PatternRewriter &rewriter, Operation *end,
                       unsigned number, const TensorBlock &block) {
  rewriter.setInsertionPoint(end);
  Value part =
      createSlice(rewriter, end->getLoc(), end->getOperand(number), block);
  rewriter.modifyOpInPlace(end, [&] { end->setOperand(number, part); });
}

/// Lets users of all results of `from` but `number` use those of `to`.
static void replaceOthers(PatternRewriter &rewriter, Operation *from,
                          Operation *to, unsigned number) {
  for (unsigned i = 0; i < from->getNumResults(); ++i)
    if (i != number)
      rewriter.replaceAllUsesWith(from->getResult(i), to->getResult(i));
}

namespace {

/// Lets a loop carry a smaller tensor, which its body sees as a part of
/// another.
struct SliceOfLoop : SlicePattern {
  using SlicePattern::SlicePattern;

  Value makeBlock(PatternRewriter &rewriter, Value source,
                  const TensorBlock &block) const override {
    auto loop = source.getDefiningOp<scf::ForOp>();
    auto type = cast<RankedTensorType>(source.getType());
    if (!loop ||
        getBlockType(source, block).getElementType() != type.getElementType())
      return {};
    unsigned number = cast<OpResult>(source).getResultNumber();
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> inits(loop.getInitArgs());
    inits[number] = createSlice(rewriter, loop.getLoc(), inits[number], block);
    auto build = [&](OpBuilder &builder, Location loc, Value index,
                     ValueRange arguments) {
      IRMapping mapping;
      mapping.map(loop.getInductionVar(), index);
      mapping.map(loop.getRegionIterArgs(), arguments);
      Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                            type.getElementType());
      MLIRContext *context = builder.getContext();
      mapping.map(loop.getRegionIterArg(number),
                  tensor::InsertSliceOp::create(
                      builder, loc, arguments[number], empty,
                      getAsIndexOpFoldResult(context, block.offsets),
                      getAsIndexOpFoldResult(context, block.sizes),
                      SmallVector<OpFoldResult>(type.getRank(),
                                                builder.getIndexAttr(1)))
                      .getResult());
      for (Operation &op : *loop.getBody())
        if (!isa<scf::YieldOp>(op))
          builder.clone(op, mapping);
      SmallVector<Value> yielded;
      for (Value value : loop.getYieldedValues())
        yielded.push_back(mapping.lookupOrDefault(value));
      yielded[number] = createSlice(builder, loc, yielded[number], block);
      scf::YieldOp::create(builder, loc, yielded);
    };
    auto smaller =
        scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                           loop.getUpperBound(), loop.getStep(), inits, build);
    replaceOthers(rewriter, loop, smaller, number);
    return smaller.getResult(number);
  }
};

/// Lets both sides of a branch give a smaller tensor.
struct SliceOfBranch : SlicePattern {
  using SlicePattern::SlicePattern;

  Value makeBlock(PatternRewriter &rewriter, Value source,
                  const TensorBlock &block) const override {
    auto branch = source.getDefiningOp<scf::IfOp>();
    if (!branch)
      return {};
    unsigned number = cast<OpResult>(source).getResultNumber();
    SmallVector<Type> types(branch.getResultTypes());
    types[number] = getBlockType(source, block);
    rewriter.setInsertionPoint(branch);
    auto smaller =
        scf::IfOp::create(rewriter, branch.getLoc(), types,
                          branch.getCondition(), /*addThenBlock=*/false,
                          /*addElseBlock=*/false);
    for (auto [from, to] :
         llvm::zip_equal(branch->getRegions(), smaller->getRegions())) {
      rewriter.cloneRegionBefore(from, to, to.end());
      cutYielded(rewriter, to.front().getTerminator(), number, block);
    }
    replaceOthers(rewriter, branch, smaller, number);
    return smaller.getResult(number);
  }
};

/// Takes what was inserted.
struct SliceOfInsertion : SliceOfLeaf {
  using SliceOfLeaf::SliceOfLeaf;

  Value makeBlock(PatternRewriter &rewriter, Operation *source,
                  const TensorBlock &block,
                  RankedTensorType type) const override {
    auto insertion = dyn_cast<tensor::InsertSliceOp>(source);
    if (!insertion || insertion.getSourceType() != type)
      return {};
    bool isSame = insertion.getStaticOffsets() == ArrayRef(block.offsets) &&
                  insertion.getStaticSizes() == ArrayRef(block.sizes) &&
                  llvm::all_of(insertion.getStaticStrides(),
                               [](int64_t step) { return step == 1; });
    return isSame ? Value(insertion.getSource()) : Value();
  }
};

} // namespace

void mli::reducer::populateRegionSlicePatterns(RewritePatternSet &patterns) {
  patterns.add<SliceOfInsertion, SliceOfLoop, SliceOfBranch>(
      patterns.getContext());
}
