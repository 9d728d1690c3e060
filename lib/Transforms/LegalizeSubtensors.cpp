// SPDX-License-Identifier: Apache-2.0
//
// mli-legalize-subtensors turns slices into views, or into moves with a reason.

#include "Transforms/Slicing/LegalizeSubtensors.h"

#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-legalize-subtensors"

namespace mli {
#define GEN_PASS_DEF_LEGALIZESUBTENSORS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// Whether `type`, if it is quantised along an axis, has parameters for each
/// index of it.
static bool hasParamsOfAxis(ShapedType type) {
  auto element = dyn_cast<QuantizedType>(type.getElementType());
  if (!element || !element.isPerAxis())
    return true;
  int32_t axis = element.getAxis();
  return axis < type.getRank() &&
         (type.isDynamicDim(axis) ||
          type.getDimSize(axis) ==
              static_cast<int64_t>(element.getNumParams()));
}

/// Whether `module` has views or what they may become, for the steps below.
static bool hasViews(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    return isa<OffsetSizeAndStrideOpInterface, ReshapeOp, tensor::ConcatOp,
               tensor::PadOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

bool mli::isOfDialect(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() && shaped.getRank() <= 4 &&
         llvm::none_of(shaped.getShape(), [](int64_t i) { return i == 0; }) &&
         (isa<QuantizedType>(shaped.getElementType()) ||
          shaped.getElementType().isF32()) &&
         hasParamsOfAxis(shaped);
}

Value mli::createView(OpBuilder &builder, Location loc, Value source,
                      const SliceView &view) {
  TargetAttr target = findTarget(builder.getInsertionBlock()->getParentOp());
  for (const SliceView::Block &block : view.blocks)
    source = SubtensorOp::create(builder, loc, source, block.offsets,
                                 block.sizes, block.rank, target);
  return source;
}

void mli::moveIntoDestination(RewriterBase &rewriter,
                              tensor::InsertSliceOp insert, Location loc,
                              const CopyCause &cause, CopyRemarks &remarks) {
  RankedTensorType type = insert.getSourceType();
  remarks.addCopy(loc, cause, type);
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  // Bufferization copies these.
  if (quantized && quantized.isPerAxis())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(insert);
  Value view = SubtensorOp::create(rewriter, insert.getLoc(), insert.getDest(),
                                   insert.getMixedOffsets(),
                                   insert.getMixedSizes(), type.getRank());
  auto mov = MovOp::create(rewriter, loc, insert.getSource(), view,
                           getReasonAttr(insert.getContext(), cause));
  rewriter.modifyOpInPlace(
      insert, [&] { insert.getSourceMutable().assign(mov->getResult(0)); });
}

namespace {

struct LegalizeSubtensorsPass
    : mli::impl::LegalizeSubtensorsBase<LegalizeSubtensorsPass> {
  using LegalizeSubtensorsBase::LegalizeSubtensorsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    RewritePatternSet patterns(&getContext());
    populateSlicePatterns(patterns);
    populateConcatPatterns(patterns);
    SubtensorOp::getCanonicalizationPatterns(patterns, &getContext());
    // The pass changes slices only, and no control flow.
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    // Types come first, as later steps read the parameters of indices from
    // them.
    foldConstantBounds(module);
    if (failed(retypeCutAxes(module)))
      return signalPassFailure();

    FrozenRewritePatternSet frozen(std::move(patterns));
    CopyRemarks remarks(rejectCopies, explain);
    for (bool isFirst = true; !remarks.hasFailed(); isFirst = false) {
      bool hasChanged = false;
      if (failed(applyPatternsGreedily(module, frozen, config, &hasChanged)))
        return signalPassFailure();
      if (isFirst && !hasChanged && !hasViews(module))
        return markAllAnalysesPreserved();
      // The results of the steps below may fold, which enables more of them.
      if (!isFirst && !hasChanged)
        break;
      foldIntoDestinations(module, remarks);
      resolveSliceConflicts(module, remarks);
      legalizeTensorSlices(module, remarks);
      legalizeBufferSlices(module, remarks);
      LDBG() << remarks.getViews() << " views, " << remarks.getInPlace()
             << " results in place and " << remarks.getCopies()
             << " copies so far";
    }
    numViews += remarks.getViews();
    numInPlace += remarks.getInPlace();
    numCopies += remarks.getCopies();
    numBytes += remarks.getBytes();
    if (remarks.hasFailed())
      signalPassFailure();
  }
};

} // namespace
