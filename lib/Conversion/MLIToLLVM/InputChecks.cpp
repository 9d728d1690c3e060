// SPDX-License-Identifier: Apache-2.0
//
// The first step of convert-mli-to-llvm: rejects input that it has no calls
// for.

#include "KernelCalls.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

static LogicalResult verifyBuffers(Operation *op) {
  if (!isa_and_nonnull<MLIDialect>(op->getDialect()))
    return success();
  for (Value value : llvm::concat<Value>(SmallVector<Value>(op->getOperands()),
                                         SmallVector<Value>(op->getResults())))
    if (isa<TensorType>(value.getType()))
      return op->emitOpError("expected operands and results to be buffers, but "
                             "got ")
             << value.getType();
  return success();
}

/// Whether `op` takes or gives local addresses.
static bool takesLocal(Operation *op) {
  return (isa_and_nonnull<MLIDialect>(op->getDialect()) &&
          !isa<ConstantOp>(op)) ||
         isa<memref::CopyOp, arith::SelectOp>(op) ||
         isa_and_nonnull<cf::ControlFlowDialect>(op->getDialect());
}

/// The place of a buffer in local memory follows from its address and type.
static LogicalResult verifyLocal(Operation *op, Type type) {
  if (!takesLocal(op))
    // S11
    return op->emitOpError("expected operands and results to be in system "
                           "memory, but got ")
           << type;
  auto memref = cast<MemRefType>(type);
  FailureOr<TargetAttr> target = getTarget(op);
  if (failed(target))
    return failure();
  if (isa<LayoutAttr>(memref.getLayout()))
    return success();
  int64_t npus = target->getValue().npus;
  // S11
  if (npus != 1)
    return op->emitOpError("expected a buffer in local memory of ")
           << npus << " NPUs to have an mli layout, but got " << type;
  // S11
  if (!memref.hasStaticShape() || failed(getStaticStrides(memref)))
    return op->emitOpError("expected a buffer in local memory to have static "
                           "sizes and strides, but got ")
           << type;
  return success();
}

static LogicalResult verifySpace(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    llvm::append_range(types, function.getArgumentTypes());
    llvm::append_range(types, function.getResultTypes());
  }
  for (Type type : types)
    if (isLocal(type) && failed(verifyLocal(op, type)))
      return failure();
  return success();
}

/// Kernels are for channels last.
static LogicalResult verifyMapLayout(Operation *op) {
  auto layout = op->getAttrOfType<MapLayoutAttr>("layout");
  // C13
  if (layout && layout.getValue() != MapLayout::hwc)
    return op->emitOpError("expected 'layout' to be hwc, which the kernels of "
                           "the runtime take and mli-legalize-layouts makes, "
                           "but got ")
           << stringifyMapLayout(layout.getValue());
  return success();
}

static LogicalResult verifyMemory(Operation *op) {
  auto alloc = dyn_cast<AllocOp>(op);
  if (!alloc)
    return success();
  bool isInLocal = isLocal(alloc.getType());
  // S12
  if (alloc.getAddress() && !isInLocal)
    return op->emitOpError("expected no 'address', as calls take memory of the "
                           "heap, but got ")
           << *alloc.getAddress();
  // S12
  if (!alloc.getAddress() && isInLocal)
    return op->emitOpError("expected 'address' in local memory, which "
                           "mli-assign-addresses gives, but got none");
  return success();
}

/// The names that calls of the runtime take.
static LogicalResult verifyNames(Operation *op) {
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  if (!symbol || !symbol.getNameAttr() || isa<LLVM::LLVMFuncOp>(op))
    return success();
  StringRef name = symbol.getName();
  if (name.starts_with("mli_krn_") || name.starts_with("mli_hlp_") ||
      name.starts_with("mli_mov_") || name.starts_with("mli_local_") ||
      name.starts_with("okk_") || name.starts_with("mli_report_"))
    return op->emitError("expected '")
           << name << "' to be the function of the runtime, but got "
           << op->getName();
  return success();
}

LogicalResult mli::verifyInput(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    return failed(verifyTargetLayout(op)) || failed(verifyBuffers(op)) ||
                   failed(verifySpace(op)) || failed(verifyMemory(op)) ||
                   failed(verifyAdvance(op)) || failed(verifyMapLayout(op)) ||
                   failed(verifyNames(op))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
