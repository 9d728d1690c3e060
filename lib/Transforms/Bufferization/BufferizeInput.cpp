// SPDX-License-Identifier: Apache-2.0

#include "BufferizeInput.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::bufferization;

/// A tensor, of those that `op` defines, whose elements no buffer holds, as
/// those of the quant dialect; null if there is none.
static Type findUnheld(Operation *op) {
  auto isUnheld = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor &&
           !BaseMemRefType::isValidElementType(tensor.getElementType());
  };
  for (Type type : op->getResultTypes())
    if (isUnheld(type))
      return type;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (isUnheld(type))
          return type;
  return {};
}

/// Errors for all operations on tensors that have no counterpart on buffers.
static LogicalResult verifyOps(ModuleOp module,
                               const BufferizationOptions &options) {
  LogicalResult result = success();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool hasBuffers =
        !hasTensorSemantics(op) || options.dynCastBufferizableOp(op);
    Type unheld = hasBuffers ? findUnheld(op) : Type();
    if (hasBuffers && !unheld)
      return;
    result = failure();
    if (unheld)
      op->emitOpError("cannot be lowered to buffers: expected elements that "
                      "memory holds, but got ")
          << unheld;
    else if (isa<UnrealizedConversionCastOp>(op))
      op->emitOpError("cannot be lowered to buffers: expected all that meets "
                      "quantised tensors to be raised, but got ")
          << op->getOperandTypes() << " as " << op->getResultTypes();
    else if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
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

/// Errors for all modules within that have functions: bufferization is of one
/// module, and LLVM has no modules in modules.
static LogicalResult verifyModules(ModuleOp module) {
  LogicalResult result = success();
  module.walk([&](ModuleOp inner) {
    if (inner == module || inner.getOps<func::FuncOp>().empty())
      return;
    result = inner.emitError("expected functions outside of nested modules, "
                             "but got module '")
             << inner.getSymName().value_or("") << "'";
  });
  return result;
}

/// Errors for too many loops around each other that carry tensors: one-shot
/// bufferization takes twice the time for each.
static LogicalResult verifyLoops(ModuleOp module) {
  constexpr int64_t most = 16;
  llvm::DenseMap<Operation *, int64_t> depths;
  scf::ForOp deepest;
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    bool carries =
        llvm::any_of(loop->getResultTypes(), llvm::IsaPred<TensorType>);
    int64_t depth =
        depths.lookup(loop->getParentOfType<scf::ForOp>()) + (carries ? 1 : 0);
    depths[loop] = depth;
    if (!deepest || depths[deepest] < depth)
      deepest = loop;
  });
  if (!deepest || depths[deepest] <= most)
    return success();
  return deepest.emitOpError("expected at most ")
         << most << " loops around each other that carry tensors, but got "
         << depths[deepest];
}

LogicalResult mli::verifyBufferizable(ModuleOp module,
                                      const BufferizationOptions &options) {
  LogicalResult ops = verifyOps(module, options);
  LogicalResult calls = verifyCalls(module);
  LogicalResult modules = verifyModules(module);
  LogicalResult loops = verifyLoops(module);
  return success(succeeded(ops) && succeeded(calls) && succeeded(modules) &&
                 succeeded(loops));
}
