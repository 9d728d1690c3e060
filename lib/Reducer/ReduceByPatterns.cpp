// SPDX-License-Identifier: Apache-2.0
//
// mli-reduce-by-patterns makes a program smaller, by one pattern at a time, as
// long as a script finds it interesting.

#include "Search.h"

#include "mli/IR/MLI.h"
#include "mli/Reducer/Passes.h"
#include "mli/Reducer/ReductionPatterns.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"
#include "llvm/Support/Program.h"

#define DEBUG_TYPE "mli-reduce-by-patterns"

namespace mli {
#define GEN_PASS_DEF_REDUCEBYPATTERNS
#include "mli/Reducer/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

/// Our patterns, and what other dialects have for reduction trees.
static RewritePatternSet collectPatterns(MLIRContext *context, Tester &tester) {
  RewritePatternSet patterns(context);
  populateReductionPatterns(patterns);
  DialectInterfaceCollection<DialectReductionPatternInterface> dialects(
      context);
  for (const DialectReductionPatternInterface &dialect : dialects) {
    dialect.populateReductionPatterns(patterns);
    dialect.populateReductionPatternsWithTester(patterns, tester);
  }
  return patterns;
}

namespace {

struct ReduceByPatternsPass
    : mli::impl::ReduceByPatternsBase<ReduceByPatternsPass> {
  using ReduceByPatternsBase::ReduceByPatternsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!llvm::sys::findProgramByName(testerName)) {
      module.emitError("expected a script that can be run as the option 'test'"
                       ", found '")
          << testerName << "'";
      return signalPassFailure();
    }
    Tester tester(testerName, testerArgs);
    if (tester.isInteresting(module).first != Tester::Interestingness::True) {
      module.emitError("the program is not interesting to '")
          << testerName << "', which exits with 0";
      return signalPassFailure();
    }
    RewritePatternSet patterns = collectPatterns(&getContext(), tester);
    Search search(Candidate::get(module.clone()), tester);
    search.run(selectPatterns(patterns));
    module->setAttrs(search.getBest()->getAttrDictionary());
    module.getBodyRegion().takeBody(search.getBest().getBodyRegion());
  }

private:
  /// Those of `patterns` that options enable and do not disable.
  SmallVector<const RewritePattern *>
  selectPatterns(RewritePatternSet &patterns) {
    SmallVector<const RewritePattern *> selected;
    for (const std::unique_ptr<RewritePattern> &pattern :
         patterns.getNativePatterns()) {
      StringRef name = getPatternName(*pattern);
      bool isEnabled =
          enabledPatterns.empty() || llvm::is_contained(enabledPatterns, name);
      if (isEnabled && !llvm::is_contained(disabledPatterns, name))
        selected.push_back(pattern.get());
    }
    return selected;
  }
};

} // namespace
