// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/Callers.h"

using namespace mlir;
using namespace mli;

SetVector<func::FuncOp>
mli::findFunctionsAndCallers(ModuleOp module,
                             llvm::function_ref<bool(Operation *)> isWanted) {
  SetVector<func::FuncOp> functions;
  SymbolTableCollection symbols;
  DenseMap<func::FuncOp, SmallVector<func::FuncOp>> callers;
  module.walk([&](func::FuncOp function) {
    function.walk([&](Operation *op) {
      if (isWanted(op))
        functions.insert(function);
      if (auto call = dyn_cast<func::CallOp>(op))
        if (auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
                call, call.getCalleeAttr()))
          callers[callee].push_back(function);
    });
  });
  for (size_t i = 0; i < functions.size(); ++i)
    for (func::FuncOp caller : callers.lookup(functions[i]))
      functions.insert(caller);
  return functions;
}
