// SPDX-License-Identifier: Apache-2.0
//
// mli-bufferize turns the tensors of a module into buffers, with few copies.

#include "Transforms/Bufferization/Bufferize.h"
#include "Transforms/Slicing/LegalizeSubtensors.h"

#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-bufferize"

namespace mli {
#define GEN_PASS_DEF_BUFFERIZE
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

static bufferization::OneShotBufferizationOptions
makeOptions(BufferCopies &copies) {
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  // A loop may carry another buffer than it got; deallocation follows it.
  options.allowReturnAllocsFromLoops = true;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  options.memCpyFn = [&copies](OpBuilder &builder, Location loc, Value from,
                               Value to) {
    return copies.copy(builder, loc, from, to);
  };
  // Alignment is decided with the addresses.
  options.bufferAlignment = 0;
  options.defaultMemorySpaceFn =
      [](TensorType type) -> std::optional<Attribute> {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return ranked ? getBufferSpace(ranked) : Attribute();
  };
  return options;
}

/// Marks arguments as not writable, as callers keep what they pass.
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

namespace {

struct BufferizePass : mli::impl::BufferizeBase<BufferizePass> {
  using BufferizeBase::BufferizeBase;

  void runOnOperation() override {
    BufferCopies copies(getOperation());
    if (failed(bufferize(copies)))
      return signalPassFailure();
    CopyRemarks remarks(rejectCopies, explain);
    copies.report(remarks);
    LDBG() << remarks.getCopies() << " copies of " << remarks.getBytes()
           << " bytes remain";
    numCopies += remarks.getCopies();
    numBytes += remarks.getBytes();
    if (remarks.hasFailed())
      signalPassFailure();
  }

private:
  /// Runs the steps of one-shot module bufferization one by one, to note the
  /// causes of the copies that it inserts.
  LogicalResult bufferize(BufferCopies &copies) {
    ModuleOp module = getOperation();
    bufferization::OneShotBufferizationOptions options = makeOptions(copies);
    if (failed(verifyBufferizable(module, options)))
      return failure();
    labelPorts(module);
    protectArguments(module);
    foldConstantBounds(module);
    if (failed(bufferizeInsertionChains(module, copies)))
      return failure();
    separateLoopTensors(module);
    separateEmptyTensors(module);
    bufferizeDestinations(module);
    bufferizeKernelInputs(module);
    bufferization::BufferizationState state;
    if (failed(bufferization::insertTensorCopies(module, options, state)))
      return failure();
    copies.noteCauses(module);
    if (failed(bufferization::bufferizeModuleOp(module, options, state)) ||
        failed(foldCarriedBuffers(module)))
      return failure();
    bufferization::removeBufferizationAttributesInModule(module);
    prepareResults(module, copies);

    bufferization::BufferResultsToOutParamsOpts results;
    results.hoistStaticAllocs = true;
    results.modifyPublicFunctions = true;
    results.memCpyFn = *options.memCpyFn;
    return bufferization::promoteBufferResultsToOutParams(module, results);
  }
};

} // namespace
