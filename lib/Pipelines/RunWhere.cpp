// SPDX-License-Identifier: Apache-2.0
//
// Runs passes on those modules alone that have something for them.

#include "Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace {

class RunWherePass : public PassWrapper<RunWherePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RunWherePass)

  RunWherePass(llvm::StringLiteral name, bool (*isInput)(Operation *),
               void (*build)(OpPassManager &))
      : name(name), isInput(isInput), build(build) {}

  StringRef getName() const override { return name; }

  void getDependentDialects(DialectRegistry &registry) const override {
    makePipeline().getDependentDialects(registry);
  }

  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([&](Operation *op) {
      return isInput(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    OpPassManager pm = makePipeline();
    if (walk.wasInterrupted() && failed(runPipeline(pm, getOperation())))
      return signalPassFailure();
    // Its passes verify what they change, and drop the analyses of it.
    markAllAnalysesPreserved();
  }

private:
  OpPassManager makePipeline() const {
    OpPassManager pm(ModuleOp::getOperationName());
    build(pm);
    return pm;
  }

  llvm::StringLiteral name;
  bool (*isInput)(Operation *);
  void (*build)(OpPassManager &);
};

} // namespace

std::unique_ptr<Pass> mli::createRunWhere(llvm::StringLiteral name,
                                          bool (*isInput)(Operation *),
                                          void (*build)(OpPassManager &)) {
  return std::make_unique<RunWherePass>(name, isInput, build);
}
