// SPDX-License-Identifier: Apache-2.0
//
// Gives networks in TOSA a batch, and infers shapes as upstream does.

#include "mli/Conversion/TosaBatch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mli;

static bool isInTosa(Operation *op) {
  return isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
}

static bool hasOpenBatch(BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  return type && type.getRank() > 0 && type.isDynamicDim(0);
}

/// The functions of `module` that have operations in TOSA.
static SmallVector<func::FuncOp> findFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function
            .walk([](Operation *op) {
              return isInTosa(op) ? WalkResult::interrupt()
                                  : WalkResult::advance();
            })
            .wasInterrupted())
      functions.push_back(function);
  return functions;
}

BlockArgument mli::findOpenBatch(ModuleOp module) {
  for (func::FuncOp function : findFunctions(module))
    for (BlockArgument argument : function.getArguments())
      if (hasOpenBatch(argument))
        return argument;
  return {};
}

/// Makes `function` return the shapes that are inferred. Casts to the open ones
/// are before its end.
static void closeResults(func::FuncOp function) {
  for (auto end : function.getOps<func::ReturnOp>())
    for (OpOperand &operand : end->getOpOperands()) {
      auto cast = operand.get().getDefiningOp<tensor::CastOp>();
      if (!cast)
        continue;
      operand.set(cast.getSource());
      if (cast->use_empty())
        cast.erase();
    }
  // Of several ends the last one decides; the verifier reports others.
  Operation *end = function.getBody().back().getTerminator();
  function.setType(FunctionType::get(
      function.getContext(), function.getBody().front().getArgumentTypes(),
      end->getOperandTypes()));
}

LogicalResult mli::setBatch(ModuleOp module, int64_t batch) {
  SmallVector<func::FuncOp> functions = findFunctions(module);
  for (func::FuncOp function : functions) {
    for (BlockArgument argument : function.getArguments()) {
      if (!hasOpenBatch(argument))
        continue;
      auto type = cast<RankedTensorType>(argument.getType());
      SmallVector<int64_t> shape(type.getShape());
      shape.front() = batch;
      argument.setType(type.clone(shape));
    }
    function.setType(FunctionType::get(function.getContext(),
                                       function.getBody().getArgumentTypes(),
                                       function.getResultTypes()));
  }
  PassManager passes(module->getName());
  // Calls do not agree with their callees before results are closed.
  passes.enableVerifier(false);
  passes.addNestedPass<func::FuncOp>(tosa::createTosaInferShapesPass());
  if (failed(passes.run(module)))
    return failure();
  llvm::for_each(functions, closeResults);
  return verify(module);
}
