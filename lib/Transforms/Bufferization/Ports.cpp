// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-bufferize: what arguments of buffers were on tensors.

#include "Bufferize.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocationNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;

/// The values that `function` returns at its end.
static OperandRange getReturned(func::FuncOp function) {
  return function.getBody().back().getTerminator()->getOperands();
}

static void labelFunction(func::FuncOp function) {
  Builder builder(function.getContext());
  SmallVector<BlockArgument> states;
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    if (StringAttr name = findName(argument.getLoc()))
      function.setArgAttr(i, nameAttrName, name);
    if (!function.getArgAttr(i, stateAttrName))
      continue;
    auto number = static_cast<int64_t>(states.size());
    function.setArgAttr(i, stateAttrName, builder.getI64IntegerAttr(number));
    states.push_back(argument);
  }
  for (auto [i, value] : llvm::enumerate(getReturned(function))) {
    function.setResultAttr(i, resultAttrName, builder.getI64IntegerAttr(i));
    if (StringAttr name = findName(value.getLoc()))
      function.setResultAttr(i, nameAttrName, name);
  }
  // New states are the last results, in the order of the old ones.
  unsigned numResults = function.getNumResults();
  if (states.size() > numResults)
    return;
  for (size_t number = 0; number < states.size(); ++number)
    function.setResultAttr(numResults - states.size() + number, stateAttrName,
                           builder.getI64IntegerAttr(number));
}

void mli::labelPorts(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      labelFunction(function);
}
