// SPDX-License-Identifier: Apache-2.0

#include "BufferizeInput.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::bufferization;

/// Errors for all operations on tensors that have no counterpart on buffers.
static LogicalResult verifyOps(ModuleOp module,
                               const BufferizationOptions &options) {
  LogicalResult result = success();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!hasTensorSemantics(op) || options.dynCastBufferizableOp(op))
      return;
    result = failure();
    if (isa<UnrealizedConversionCastOp>(op))
      op->emitOpError("cannot be lowered to buffers: expected all that meets "
                      "quantised tensors to be raised, but got ")
          << op->getOperandTypes() << " as " << op->getResultTypes();
    else if (isa<tosa::TosaDialect>(op->getDialect()))
      op->emitOpError("cannot be lowered to buffers: expected it to be raised "
                      "to mli before");
    else
      op->emitOpError("cannot be lowered to buffers: no kernel computes it");
  });
  return result;
}

/// Errors for all cycles of calls, which have no order to bufferize in.
static LogicalResult verifyCalls(ModuleOp module) {
  LogicalResult result = success();
  const CallGraph graph(module);
  for (auto cycle = llvm::scc_begin(&graph); !cycle.isAtEnd(); ++cycle) {
    if (!cycle.hasCycle())
      continue;
    SmallVector<Operation *> functions;
    for (const CallGraphNode *node : *cycle)
      if (!node->isExternal())
        functions.push_back(node->getCallableRegion()->getParentOp());
    llvm::sort(functions, [](Operation *lhs, Operation *rhs) {
      return lhs->getBlock() == rhs->getBlock() && lhs->isBeforeInBlock(rhs);
    });
    InFlightDiagnostic error = emitError(functions.front()->getLoc());
    error << "expected functions that do not call themselves, but got a cycle "
             "of ";
    llvm::interleaveComma(functions, error, [&](Operation *function) {
      error << "'" << SymbolTable::getSymbolName(function).getValue() << "'";
    });
    result = failure();
  }
  return result;
}

LogicalResult mli::verifyBufferizable(ModuleOp module,
                                      const BufferizationOptions &options) {
  LogicalResult ops = verifyOps(module, options);
  LogicalResult calls = verifyCalls(module);
  return success(succeeded(ops) && succeeded(calls));
}
