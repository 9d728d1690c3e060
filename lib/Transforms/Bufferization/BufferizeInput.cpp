// SPDX-License-Identifier: Apache-2.0
//
// The first step of mli-bufferize: checks its input.

#include "Bufferize.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::bufferization;

/// The type of a tensor that `op` defines whose element type no memref can
/// have, as those of the quant dialect; null if there is none.
static Type findUnsupportedType(Operation *op) {
  auto isUnsupported = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor &&
           !BaseMemRefType::isValidElementType(tensor.getElementType());
  };
  for (Type type : op->getResultTypes())
    if (isUnsupported(type))
      return type;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (isUnsupported(type))
          return type;
  return {};
}

/// Emits an error for each operation on tensors that has no counterpart on
/// buffers.
static LogicalResult verifyOps(ModuleOp module,
                               const BufferizationOptions &options) {
  LogicalResult result = success();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool hasBuffers =
        !hasTensorSemantics(op) || options.dynCastBufferizableOp(op);
    Type unsupported = hasBuffers ? findUnsupportedType(op) : Type();
    if (hasBuffers && !unsupported)
      return;
    result = failure();
    if (unsupported)
      op->emitOpError("cannot be lowered to buffers: expected elements that "
                      "memory holds, but got ")
          << unsupported;
    else if (isa<UnrealizedConversionCastOp>(op))
      op->emitOpError("cannot be lowered to buffers: expected all operations "
                      "on quantised tensors to be raised, but got ")
          << op->getOperandTypes() << " as " << op->getResultTypes();
    else if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
      op->emitOpError("cannot be lowered to buffers: expected it to be raised "
                      "to mli before");
    else
      op->emitOpError("cannot be lowered to buffers: no kernel computes it");
  });
  return result;
}

/// Emits an error for each cycle of calls, which has no order to bufferize in.
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

/// Emits an error for each nested module that has functions: bufferization
/// works on one module, and LLVM has no nested modules.
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

/// Emits an error for loops that carry tensors and are nested too deeply, as
/// one-shot bufferization takes twice the time for each level.
static LogicalResult verifyLoops(ModuleOp module) {
  constexpr int64_t maxDepth = 16;
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
  if (!deepest || depths[deepest] <= maxDepth)
    return success();
  return deepest.emitOpError("expected at most ")
         << maxDepth << " nested loops that carry tensors, but got "
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
