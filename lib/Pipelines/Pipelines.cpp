// SPDX-License-Identifier: Apache-2.0

#include "mli/Pipelines/Pipelines.h"

#include "mli/Conversion/Passes.h"
#include "mli/IR/MLI.h"
#include "mli/Transforms/BufferizableOps.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/RequestCWrappers.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mli::buildTensorPipeline(OpPassManager &pm) {
  ConvertTosaToMLIOptions raising;
  raising.full = true;
  pm.addPass(createConvertTosaToMLI(raising));
}

void mli::buildBufferPipeline(OpPassManager &pm) {
  pm.addPass(createBufferize());
  // Only now: before, common subexpressions make the analysis cubic.
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createAssignAddresses());
  // What has no place in the arena is on the heap.
  bufferization::buildBufferDeallocationPipeline(pm);
}

void mli::buildCallPipeline(OpPassManager &pm) {
  // Views become offsets and strides, which a descriptor can hold.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  // Kernels leave their function when they fail, which no region can.
  pm.addPass(createSCFToControlFlowPass());
  // So that C can call entry functions, by descriptors of the buffers.
  pm.addNestedPass<func::FuncOp>(LLVM::createLLVMRequestCWrappersPass());
  pm.addPass(createConvertMLIToLLVM());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mli::buildSystemPipeline(OpPassManager &pm) {
  buildTensorPipeline(pm);
  buildBufferPipeline(pm);
  buildCallPipeline(pm);
}

void mli::registerDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<MLIDialect>();
  registerBufferizableOps(registry);
}

void mli::registerPasses() {
  registerMLIConversionPasses();
  registerMLITransformsPasses();
  PassPipelineRegistration<>("mli-buffer-pipeline",
                             "From a network to buffers with their addresses",
                             [](OpPassManager &pm) {
                               buildTensorPipeline(pm);
                               buildBufferPipeline(pm);
                             });
  PassPipelineRegistration<>(
      "mli-system-pipeline",
      "From a network to calls of the runtime, all data in plain memory",
      buildSystemPipeline);
}
