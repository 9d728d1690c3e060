// SPDX-License-Identifier: Apache-2.0

#include "CallBuilder.h"
#include "KernelCalls.h"

#include "mli/Conversion/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
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
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](Operation *op) {
      if (isa<MLIDialect>(op->getDialect()))
        functions.insert(function);
    });
  for (size_t i = 0; i < functions.size(); ++i) {
    func::FuncOp callee = functions[i];
    module.walk([&](func::CallOp call) {
      if (call.getCallee() == callee.getSymName())
        functions.insert(call->getParentOfType<func::FuncOp>());
    });
  }
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
  returnOnFailure(rewriter, call.getLoc(), call->getParentOfType<ModuleOp>(),
                  checked.getResult(0), describeCall(call));
  rewriter.eraseOp(call);
}

static LogicalResult addStatus(ModuleOp module) {
  SetVector<func::FuncOp> functions = findFailingFunctions(module);
  for (func::FuncOp function : functions)
    if (failed(addStatus(function)))
      return failure();
  IRRewriter rewriter(module.getContext());
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (callee && functions.contains(callee))
      calls.push_back(call);
  });
  for (func::CallOp call : calls)
    checkCall(rewriter, call);
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertMLIToLLVMPass
    : mli::impl::ConvertMLIToLLVMBase<ConvertMLIToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(addStatus(module)))
      return signalPassFailure();

    LLVMTypeConverter converter(&getContext());
    converter.addConversion(
        [](QuantizedType type) -> Type { return type.getStorageType(); });
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
      signalPassFailure();
  }
};

} // namespace
