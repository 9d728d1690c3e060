// SPDX-License-Identifier: Apache-2.0

#include "BufferizeInput.h"

#include "mli/IR/MLI.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mli {
#define GEN_PASS_DEF_BUFFERIZE
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// Copies element by element.
static void copyElements(OpBuilder &builder, Location loc, Value from,
                         Value to) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  int64_t rank = cast<MemRefType>(from.getType()).getRank();
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < rank; ++i)
    sizes.push_back(memref::DimOp::create(builder, loc, from, i));
  scf::buildLoopNest(
      builder, loc, SmallVector<Value>(rank, zero), sizes,
      SmallVector<Value>(rank, one),
      [&](OpBuilder &inner, Location loc, ValueRange indices) {
        Value element = memref::LoadOp::create(inner, loc, from, indices);
        memref::StoreOp::create(inner, loc, element, to, indices);
      });
}

/// Quantised buffers are copied by the runtime, which knows strides but no
/// buffers of many scales; nothing else does where there are gaps.
static LogicalResult copyBuffer(OpBuilder &builder, Location loc, Value from,
                                Value to) {
  auto isDense = [](Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return type.getLayout().isIdentity() ||
           memref::isStaticShapeAndContiguousRowMajor(type);
  };
  Type element = cast<MemRefType>(from.getType()).getElementType();
  bool perTensor =
      isa<QuantizedType>(element) && !cast<QuantizedType>(element).isPerAxis();
  if (perTensor || element.isF32())
    MovOp::create(builder, loc, from, to);
  else if (isDense(from) && isDense(to))
    memref::CopyOp::create(builder, loc, from, to);
  else
    copyElements(builder, loc, from, to);
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
  // Where buffers lie is decided with their addresses.
  options.bufferAlignment = 0;
  // What a tensor asks for in its encoding is what its buffer gets.
  options.defaultMemorySpaceFn =
      [](TensorType type) -> std::optional<Attribute> {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return ranked ? dyn_cast_or_null<SpaceAttr>(ranked.getEncoding())
                  : Attribute();
  };
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
    bufferization::OneShotBufferizationOptions options = makeOptions();
    if (failed(verifyBufferizable(module, options)))
      return signalPassFailure();
    protectArguments(module);
    bufferization::BufferizationState state;
    if (failed(
            bufferization::runOneShotModuleBufferize(module, options, state)))
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
