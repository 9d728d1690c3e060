// SPDX-License-Identifier: Apache-2.0
//
// Sorts functions into the order in which mli-assign-addresses plans them.

#include "Addresses.h"

using namespace mlir;

FailureOr<SmallVector<func::FuncOp>> mli::sortByCalls(ModuleOp module) {
  SymbolTable symbols(module);
  SetVector<func::FuncOp> sorted;
  llvm::SmallDenseSet<func::FuncOp> open;
  auto visit = [&](auto &&self, func::FuncOp function) -> LogicalResult {
    if (function.isExternal() || sorted.contains(function))
      return success();
    if (!open.insert(function).second)
      return function.emitError("expected '")
             << function.getSymName()
             << "' to have one frame at a time, but got a call of itself";
    WalkResult result = function.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
        return WalkResult(success(!callee || succeeded(self(self, callee))));
      }
      if (auto constant = dyn_cast<func::ConstantOp>(op)) {
        op->emitError("expected '")
            << constant.getValue() << "' to be called by its name, but got '"
            << op->getName() << "'";
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    sorted.insert(function);
    return failure(result.wasInterrupted());
  };
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(visit(visit, function)))
      return failure();
  return SmallVector<func::FuncOp>(sorted.begin(), sorted.end());
}
