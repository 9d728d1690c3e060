// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/MLI.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mli {
#define GEN_PASS_DEF_BUFFERIZE
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// Quantised buffers are copied by the runtime, which knows strides.
static LogicalResult copyBuffer(OpBuilder &builder, Location loc, Value from,
                                Value to) {
  Type element = cast<MemRefType>(from.getType()).getElementType();
  bool perTensor =
      isa<QuantizedType>(element) && !cast<QuantizedType>(element).isPerAxis();
  if (perTensor || element.isF32())
    MovOp::create(builder, loc, from, to);
  else
    memref::CopyOp::create(builder, loc, from, to);
  return success();
}

static bufferization::OneShotBufferizationOptions makeOptions() {
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  // A loop may carry another buffer than it got; deallocation follows it.
  options.allowReturnAllocsFromLoops = true;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  options.memCpyFn = copyBuffer;
  return options;
}

/// Callers keep what they pass: nothing is computed in place of an argument.
static void protectArguments(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    for (BlockArgument argument : function.getArguments())
      if (isa<TensorType>(argument.getType()))
        function.setArgAttr(
            argument.getArgNumber(),
            bufferization::BufferizationDialect::kWritableAttrName,
            BoolAttr::get(module.getContext(), false));
  }
}

/// A buffer that is returned twice becomes two: each result is an allocation
/// that its out parameter replaces. Only static ones are replaced.
static void separateResults(func::ReturnOp op) {
  OpBuilder builder(op);
  llvm::SmallPtrSet<Value, 4> seen;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || !type.hasStaticShape() || seen.insert(operand.get()).second)
      continue;
    Value copy = memref::AllocOp::create(builder, op.getLoc(), type);
    (void)copyBuffer(builder, op.getLoc(), operand.get(), copy);
    operand.set(copy);
  }
}

namespace {

struct BufferizePass : mli::impl::BufferizeBase<BufferizePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    protectArguments(module);
    bufferization::BufferizationState state;
    if (failed(bufferization::runOneShotModuleBufferize(module, makeOptions(),
                                                        state)))
      return signalPassFailure();
    bufferization::removeBufferizationAttributesInModule(module);
    module.walk(separateResults);

    bufferization::BufferResultsToOutParamsOpts results;
    results.hoistStaticAllocs = true;
    results.modifyPublicFunctions = true;
    results.memCpyFn = copyBuffer;
    if (failed(bufferization::promoteBufferResultsToOutParams(module, results)))
      signalPassFailure();
  }
};

} // namespace
