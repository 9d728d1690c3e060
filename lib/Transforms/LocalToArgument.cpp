// SPDX-License-Identifier: Apache-2.0
//
// mli-local-to-argument gives functions the local memory of one NPU as an
// argument.

#include "mli/IR/AttributeNames.h"
#include "mli/IR/Callers.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/MLIParallel.h"
#include "mli/IR/OtherShape.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-local-to-argument"

namespace mli {
#define GEN_PASS_DEF_LOCALTOARGUMENT
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// Checks that strides say where the elements of the buffers that `op` defines
/// are in the memory of one NPU.
static LogicalResult verifyBuffers(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !isLocal(memref))
      continue;
    FailureOr<TargetAttr> target = getTarget(op);
    if (failed(target))
      return failure();
    // S16
    if (int64_t npus = target->getValue().npus; npus != 1)
      return op->emitOpError("expected local memory of one NPU, which an "
                             "argument can be, but got ")
             << npus << " NPUs";
    // S16
    if (!memref.hasStaticShape() || failed(getStaticStrides(memref)))
      return op->emitOpError("expected a buffer in local memory to have static "
                             "sizes and strides, but got ")
             << memref;
  }
  return success();
}

/// Checks that one tensor describes each side of a move to another shape.
static LogicalResult verifyMove(Operation *op) {
  auto move = dyn_cast<MovOp>(op);
  if (!move || !isReshapingMove(move))
    return success();
  auto source = dyn_cast<MemRefType>(move.getInput().getType());
  auto target = dyn_cast<MemRefType>(move.getInit().getType());
  // S16
  if (source && target && !isContiguous(source) && !isContiguous(target))
    return op->emitOpError("expected one side without gaps, which a move to "
                           "another shape needs in plain memory, but got ")
           << source << " and " << target;
  return success();
}

/// Adds the argument to functions with buffers in local memory, and to those
/// that call them. It comes last: those of callers keep their numbers.
static void addArguments(ModuleOp module) {
  SetVector<func::FuncOp> functions =
      findFunctionsAndCallers(module, [](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isLocal);
      });
  MLIRContext *context = module.getContext();
  for (func::FuncOp function : functions) {
    LDBG() << "'" << function.getSymName() << "' takes local memory";
    auto type = MemRefType::get(findTarget(function).getValue().npuBytes,
                                IntegerType::get(context, 8));
    NamedAttribute mark(StringAttr::get(context, localAttrName),
                        UnitAttr::get(context));
    (void)function.insertArgument(function.getNumArguments(), type,
                                  DictionaryAttr::get(context, mark),
                                  function.getLoc());
  }
  SymbolTableCollection symbols;
  for (func::FuncOp function : functions)
    function.walk([&](func::CallOp call) {
      if (functions.contains(symbols.lookupNearestSymbolFrom<func::FuncOp>(
              call, call.getCalleeAttr())))
        call.getOperandsMutable().append(function.getArguments().back());
    });
}

static void inlineParallel(ParallelOp op) {
  IRRewriter rewriter(op);
  Block &body = op.getBody().front();
  rewriter.eraseOp(body.getTerminator());
  rewriter.inlineBlockBefore(&body, op);
  rewriter.eraseOp(op);
}

namespace {

struct LocalToArgumentPass
    : mli::impl::LocalToArgumentBase<LocalToArgumentPass> {
  void runOnOperation() override {
    WalkResult verified = getOperation().walk([](Operation *op) {
      return WalkResult(
          success(succeeded(verifyBuffers(op)) && succeeded(verifyMove(op))));
    });
    if (verified.wasInterrupted())
      return signalPassFailure();
    addArguments(getOperation());
    getOperation().walk(inlineParallel);
  }
};

} // namespace
