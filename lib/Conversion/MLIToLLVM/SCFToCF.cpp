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

static size_t countWhileOpsAround(Operation *op) {
  size_t count = 0;
  for (Operation *around = op->getParentOp(); around;
       around = around->getParentOp())
    count += isa<scf::WhileOp>(around) ? 1 : 0;
  return count;
}

/// Finds the operations to convert, in the order to do so: first each
/// `scf.while`, outer ones before inner ones, as its regions have to be one
/// block each, then all others, inner ones before outer ones. Later ones come
/// first, so that blocks are split from their ends.
static SmallVector<Operation *> findStructured(ModuleOp module) {
  SmallVector<SmallVector<Operation *>> loops; // by how many are around
  SmallVector<Operation *> others;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::WhileOp>(op)) {
      size_t depth = countWhileOpsAround(op);
      loops.resize(std::max(loops.size(), depth + 1));
      loops[depth].push_back(op);
    } else if (isa<scf::ExecuteRegionOp, scf::ForallOp, scf::ForOp, scf::IfOp,
                   scf::IndexSwitchOp, scf::ParallelOp>(op)) {
      others.push_back(op);
    }
  });
  SmallVector<Operation *> found;
  for (ArrayRef<Operation *> level : loops)
    found.append(level.rbegin(), level.rend());
  found.append(others.rbegin(), others.rend());
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
      for (Operation *op : left) {
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
