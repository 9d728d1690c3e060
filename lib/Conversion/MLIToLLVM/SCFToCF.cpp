// SPDX-License-Identifier: Apache-2.0
//
// mli-convert-scf-to-cf lowers loops and conditions to branches in linear time.

#include "ParallelCalls.h"

#include "mli/Conversion/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-convert-scf-to-cf"

namespace mli {
#define GEN_PASS_DEF_CONVERTSCFTOCF
#include "mli/Conversion/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// Finds the operations to convert, in program order, outer ones first.
static SmallVector<Operation *> findStructured(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ExecuteRegionOp, scf::ForallOp, scf::ForOp, scf::IfOp,
            scf::IndexSwitchOp, scf::ParallelOp, scf::WhileOp>(op))
      found.push_back(op);
  });
  return found;
}

namespace {

struct ConvertSCFToCFPass : mli::impl::ConvertSCFToCFBase<ConvertSCFToCFPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateSCFToControlFlowConversionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    // Branches need more blocks than `mli.parallel` has.
    SymbolTableCollection symbols;
    bool hasInlined = false;
    getOperation().walk([&](ParallelOp op) {
      if (llvm::none_of(op.getBody().front(), [](Operation &inner) {
            return inner.getNumRegions() > 0;
          }))
        return;
      inlineParallel(op, symbols);
      hasInlined = true;
    });
    SmallVector<Operation *> left = findStructured(getOperation());
    if (!hasInlined && left.empty())
      return markAllAnalysesPreserved();
    PatternApplicator applicator(patterns);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    // Some patterns make loops of what they remove: those are for the next
    // iteration.
    for (; !left.empty(); left = findStructured(getOperation())) {
      LDBG() << left.size() << " operations become branches";
      for (Operation *op : llvm::reverse(left)) {
        rewriter.setInsertionPoint(op);
        if (succeeded(applicator.matchAndRewrite(op, rewriter)))
          continue;
        op->emitOpError("expected an operation that branches can replace, but "
                        "got one with other operands or results");
        return signalPassFailure();
      }
    }
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace
