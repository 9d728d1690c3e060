// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm makes functions return a status here.

#include "ModuleSymbols.h"
#include "ReportTexts.h"
#include "StatusChecks.h"

#include "mli/IR/Callers.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "convert-mli-to-llvm"

using namespace mlir;
using namespace mli;

/// Makes `function` return MLI_STATUS_OK at its ends, before its results. A
/// caller from outside gets nothing else.
static LogicalResult addStatusResult(func::FuncOp function) {
  if (function.isPublic() && function.getNumResults() != 0)
    return function.emitError("expected '")
           << function.getSymName()
           << "' to write its results through arguments, but got "
           << function.getNumResults() << " results";
  OpBuilder builder(function.getContext());
  if (failed(function.insertResult(0, builder.getI32Type(),
                                   /*resultAttrs=*/{})))
    return failure();
  function.walk([&](func::ReturnOp op) {
    builder.setInsertionPoint(op);
    Value ok = arith::ConstantOp::create(builder, op.getLoc(),
                                         builder.getI32IntegerAttr(0));
    op->insertOperands(0, ok);
  });
  return success();
}

/// Makes `call` hand its callee's status on.
static void checkCall(IRRewriter &rewriter, func::CallOp call,
                      ReportTexts &texts) {
  rewriter.setInsertionPoint(call);
  SmallVector<Type> types = {rewriter.getI32Type()};
  llvm::append_range(types, call.getResultTypes());
  auto checked = func::CallOp::create(rewriter, call.getLoc(), call.getCallee(),
                                      types, call.getArgOperands());
  markStatusCheck(checked.getResult(0), texts.describe(call));
  rewriter.replaceOp(call, checked.getResults().drop_front());
}

LogicalResult mli::addStatus(ModuleOp module, CallSymbols &symbols) {
  SetVector<func::FuncOp> functions =
      findFunctionsAndCallers(module, [](Operation *op) {
        return isa_and_nonnull<MLIDialect>(op->getDialect()) ||
               isa<cf::AssertOp>(op);
      });
  for (func::FuncOp function : functions) {
    LDBG() << "'" << function.getSymName() << "' returns a status";
    if (failed(addStatusResult(function)))
      return failure();
  }
  IRRewriter rewriter(module.getContext());
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (callee && functions.contains(callee))
      calls.push_back(call);
  });
  for (func::CallOp call : calls)
    checkCall(rewriter, call,
              symbols.getTexts(call->getParentOfType<ModuleOp>()));
  return success();
}
