// SPDX-License-Identifier: Apache-2.0

#include "KernelCalls.h"
#include "StatusChecks.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Conversion/Passes.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {
#define GEN_PASS_DEF_CONVERTMLITOLLVM
#include "mli/Conversion/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

/// The functions with kernels, and those that call them.
static SetVector<func::FuncOp> findFailingFunctions(ModuleOp module) {
  SetVector<func::FuncOp> functions;
  SymbolTableCollection symbols;
  DenseMap<func::FuncOp, SmallVector<func::FuncOp>> callers;
  module.walk([&](func::FuncOp function) {
    function.walk([&](Operation *op) {
      if (isa_and_nonnull<MLIDialect>(op->getDialect()))
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

/// Makes `function` return MLI_STATUS_OK at its ends.
static LogicalResult addStatus(func::FuncOp function) {
  if (function.getNumResults() != 0)
    return function.emitError("expected '")
           << function.getSymName()
           << "' to write its results through arguments, but got "
           << function.getNumResults() << " results";
  OpBuilder builder(function.getContext());
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           builder.getI32Type()));
  function.walk([&](func::ReturnOp op) {
    builder.setInsertionPoint(op);
    Value ok = arith::ConstantOp::create(builder, op.getLoc(),
                                         builder.getI32IntegerAttr(0));
    op.getOperandsMutable().assign(ok);
  });
  return success();
}

/// Makes `call` hand its callee's status on.
static void checkCall(IRRewriter &rewriter, func::CallOp call) {
  rewriter.setInsertionPoint(call);
  auto checked =
      func::CallOp::create(rewriter, call.getLoc(), call.getCallee(),
                           rewriter.getI32Type(), call.getArgOperands());
  rewriter.setInsertionPointAfter(checked);
  markStatusCheck(rewriter, call.getLoc(), call->getParentOfType<ModuleOp>(),
                  checked.getResult(0), describeCall(call));
  rewriter.eraseOp(call);
}

static LogicalResult addStatus(ModuleOp module) {
  SetVector<func::FuncOp> functions = findFailingFunctions(module);
  for (func::FuncOp function : functions)
    if (failed(addStatus(function)))
      return failure();
  IRRewriter rewriter(module.getContext());
  SymbolTableCollection symbols;
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (callee && functions.contains(callee))
      calls.push_back(call);
  });
  for (func::CallOp call : calls)
    checkCall(rewriter, call);
  return success();
}

//===----------------------------------------------------------------------===//
// Arena
//===----------------------------------------------------------------------===//

/// The mark of the argument has said what it is for: calls know its place.
static void removeArenaMarks(ModuleOp module) {
  module.walk([](func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, arenaAttrName);
  });
}

//===----------------------------------------------------------------------===//
// What must hold before
//===----------------------------------------------------------------------===//

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

/// Local memory has addresses of its own, which are no pointers.
static LogicalResult verifySpace(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    llvm::append_range(types, function.getArgumentTypes());
    llvm::append_range(types, function.getResultTypes());
  }
  for (Type type : types)
    // S11
    if (isLocal(type))
      return op->emitOpError("expected operands and results to be in system "
                             "memory, but got ")
             << type;
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
  // S12
  if (alloc && alloc.getAddress())
    return op->emitOpError("expected no 'address', as calls take memory of the "
                           "heap, but got ")
           << *alloc.getAddress();
  return success();
}

/// What only callers of the network are told about arguments and results.
static void dropPortAttributes(ModuleOp module) {
  module.walk([](FunctionOpInterface function) {
    for (StringRef name : {"mli.scale", "mli.state", "mli.unsigned"}) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        function.removeArgAttr(i, name);
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        function.removeResultAttr(i,
                                  StringAttr::get(function.getContext(), name));
    }
  });
}

/// The names that calls of the runtime take.
static LogicalResult verifyNames(Operation *op) {
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  if (!symbol || !symbol.getNameAttr() || isa<LLVM::LLVMFuncOp>(op))
    return success();
  StringRef name = symbol.getName();
  if (name.starts_with("mli_krn_") || name.starts_with("mli_hlp_") ||
      name.starts_with("mli_mov_") || name == "mli_report_failure")
    return op->emitError("expected '")
           << name << "' to be the function of the runtime, but got "
           << op->getName();
  return success();
}

static LogicalResult verifyInput(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    return failed(verifyBuffers(op)) || failed(verifySpace(op)) ||
                   failed(verifyMemory(op)) || failed(verifyMapLayout(op)) ||
                   failed(verifyNames(op))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertMLIToLLVMPass
    : mli::impl::ConvertMLIToLLVMBase<ConvertMLIToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyInput(module)) || failed(addStatus(module)))
      return signalPassFailure();
    removeArenaMarks(module);
    dropPortAttributes(module);

    LLVMTypeConverter converter(&getContext());
    converter.addConversion(
        [](QuantizedType type) -> Type { return type.getStorageType(); });
    // S6
    converter.addTypeAttributeConversion(
        [](BaseMemRefType type,
           SpaceAttr space) -> TypeConverter::AttributeConversionResult {
          if (space.getValue() != Space::system)
            return TypeConverter::AttributeConversionResult::abort();
          return Attribute(Builder(type.getContext()).getI64IntegerAttr(0));
        });
    RewritePatternSet patterns(&getContext());
    populateKernelCallPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);

    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    insertStatusChecks(module);
  }
};

} // namespace
