// SPDX-License-Identifier: Apache-2.0

#include "mli/Pipelines/Pipelines.h"

#include "Passes.h"

#include "mli/Conversion/Passes.h"
#include "mli/IR/MLI.h"
#include "mli/Transforms/BufferizableOps.h"
#include "mli/Transforms/Passes.h"
#include "mli/Transforms/TileableOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Frees buffers on the heap, if there are any: upstream's pipeline for that
/// takes longer than all other passes together.
static std::unique_ptr<Pass> createFreeHeap() {
  return mli::createRunWhere(
      "FreeHeap", [](Operation *op) { return isa<memref::AllocOp>(op); },
      [](OpPassManager &pm) {
        bufferization::buildBufferDeallocationPipeline(pm);
      });
}

/// Lowers maps of indices to arithmetic, if there are any.
static std::unique_ptr<Pass> createLowerMaps() {
  return mli::createRunWhere(
      "LowerMaps",
      [](Operation *op) {
        return isa_and_present<affine::AffineDialect>(op->getDialect());
      },
      [](OpPassManager &pm) { pm.addPass(mli::createLowerAffineOps()); });
}

/// Makes views offsets and strides, which a descriptor can hold, if there are
/// any: in local memory views are those of mli.
static std::unique_ptr<Pass> createExpandViews() {
  return mli::createRunWhere(
      "ExpandViews",
      [](Operation *op) {
        return isa<memref::SubViewOp, memref::ExpandShapeOp,
                   memref::CollapseShapeOp, memref::ExtractStridedMetadataOp,
                   memref::ExtractAlignedPointerAsIndexOp>(op);
      },
      [](OpPassManager &pm) {
        pm.addPass(memref::createExpandStridedMetadataPass());
      });
}

namespace {

/// Has C call all functions with descriptors of buffers, as upstream's pass
/// does; that verifies their operations again, of which none is different.
struct RequestCWrappersPass
    : PassWrapper<RequestCWrappersPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RequestCWrappersPass)

  StringRef getName() const override { return "RequestCWrappers"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                        UnitAttr::get(&getContext()));
    markAllAnalysesPreserved();
  }
};

} // namespace

void mli::buildModePipeline(OpPassManager &pm,
                            const AttachModesOptions &options) {
  if (options.rounding != RoundingMode::Unset ||
      options.accumulation != AccumulationMode::Unset)
    pm.addPass(createAttachModes(options));
}

void mli::buildQuantPipeline(OpPassManager &pm,
                             const ConvertQuantToMLIOptions &options) {
  if (options.full)
    pm.addPass(createConvertQuantToMLI(options));
}

void mli::buildTensorPipeline(OpPassManager &pm) {
  ConvertTosaToMLIOptions raising;
  raising.full = true;
  pm.addPass(createConvertTosaToMLI(raising));
  // Permutations come first: conversions join across them, and slices of the
  // remaining operations are legalized last.
  pm.addPass(createLegalizeLayouts());
  pm.addPass(createLegalizeConversions());
  pm.addPass(createLegalizeSubtensors());
  // Tiles, moves and addresses look at the order of kernels. What shares memory
  // is known once slices are views.
  pm.addPass(createOrder());
}

/// From a network to mli kernels on tensors, for system placement.
template <typename Options>
static void addTensors(OpPassManager &pm,
                       const mli::StreamOptions<Options> &options) {
  mli::buildModePipeline(pm, options.getAttachModes());
  mli::buildQuantPipeline(pm, options.getConvertQuantToMLI());
  mli::buildTensorPipeline(pm);
}

/// From tensors to buffers with their addresses. If `plansArguments`, arguments
/// and results have an offset in the arena as well.
static void addBuffers(OpPassManager &pm, mli::FormStreamsOptions streams,
                       bool plansArguments) {
  streams.arguments = plansArguments;
  if (streams.arena)
    pm.addPass(mli::createFormStreams(streams));
  pm.addPass(mli::createBufferize());
  // This merges the view of a destination with that of its insertion.
  pm.addPass(mli::createLegalizeSubtensors());
  // CSE runs only now: earlier it makes the analysis of slices cubic.
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  mli::AssignAddressesOptions addresses;
  addresses.arguments = plansArguments;
  // What is planned may be less exact where kernels are in loops of their own.
  addresses.arenaBytes = streams.arena.getBytes().value_or(0);
  pm.addPass(mli::createAssignAddresses(addresses));
  pm.addPass(createFreeHeap());
}

void mli::buildBufferPipeline(OpPassManager &pm,
                              const PackingOptions &options) {
  addBuffers(pm, options.getFormStreams(), /*plansArguments=*/false);
  // Packing is last, as later changes of a kernel would not reach its layer.
  pm.addPass(createPackWeights(options.getPackWeights()));
}

void mli::buildTargetPipeline(OpPassManager &pm, const LocalOptions &options) {
  bool hasPolicy = options.matrices || options.mode != layout::Mode::None;
  if (!options.target.empty() || hasPolicy)
    pm.addPass(createAttachTarget(options.getAttachTarget()));
}

void mli::buildLocalBufferPipeline(OpPassManager &pm,
                                   const LocalOptions &options) {
  pm.addPass(createTileToFit(options.getTileToFit()));
  pm.addPass(createFormStreams());
  pm.addPass(createInsertMoves(options.getInsertMoves()));
  pm.addPass(createLegalizeSubtensors());
  pm.addPass(createBufferize());
  pm.addPass(createAssignLayouts(options.getAssignLayouts()));
  pm.addPass(createLegalizeSubtensors());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  // Buffers have layouts, which give their footprints, but no addresses yet.
  pm.addPass(createDoubleBuffer(options.getDoubleBuffer()));
  pm.addPass(createAssignAddresses(options.getAssignAddresses()));
  pm.addPass(createFreeHeap());
}

/// From buffers whose accesses are checked to calls, of functions of MLI 2.0
/// alone or, if `isHosted`, of this runtime.
static void addCalls(OpPassManager &pm, bool isHosted) {
  pm.addPass(createExpandViews());
  // A failing kernel returns from its function, which no region can do.
  pm.addPass(mli::createConvertSCFToCF());
  // C calls entry functions with descriptors of the buffers.
  if (isHosted)
    pm.addPass(std::make_unique<RequestCWrappersPass>());
  mli::ConvertMLIToLLVMOptions calls;
  calls.reports = isHosted;
  pm.addPass(mli::createConvertMLIToLLVM(calls));
}

void mli::buildCallPipeline(OpPassManager &pm) {
  // Checks need indices and slices, and ranges of integers that arith computes.
  pm.addPass(createLowerMaps());
  pm.addPass(createCheckAccesses());
  addCalls(pm, /*isHosted=*/true);
}

void mli::buildObjectPipeline(OpPassManager &pm) {
  addCalls(pm, /*isHosted=*/false);
  // Nothing reads the texts of failures.
  pm.addPass(createSymbolDCEPass());
}

/// From buffers with their addresses to what C is printed of.
static void finishForC(OpPassManager &pm) {
  pm.addPass(mli::createShareStates());
  pm.addPass(createLowerMaps());
  pm.addPass(mli::createCheckAccesses());
  // What checks ask of strides is known.
  pm.addPass(createCanonicalizerPass());
}

void mli::buildCPipeline(OpPassManager &pm, const CPipelineOptions &options) {
  addTensors(pm, options);
  addBuffers(pm, options.getFormStreams(), options.arguments);
  finishForC(pm);
}

/// From a network to buffers in local memory with their addresses.
static void addLocalBuffers(OpPassManager &pm,
                            const mli::LocalOptions &options) {
  mli::buildModePipeline(pm, options.getAttachModes());
  mli::buildTargetPipeline(pm, options);
  mli::buildQuantPipeline(pm, options.getConvertQuantToMLI());
  mli::buildTensorPipeline(pm);
  mli::buildLocalBufferPipeline(pm, options);
}

void mli::buildLocalCPipeline(OpPassManager &pm, const LocalOptions &options) {
  addLocalBuffers(pm, options);
  finishForC(pm);
}

void mli::buildSystemPipeline(OpPassManager &pm,
                              const PackingOptions &options) {
  addTensors(pm, options);
  buildBufferPipeline(pm, options);
  buildCallPipeline(pm);
}

void mli::buildLocalPipeline(OpPassManager &pm, const LocalOptions &options) {
  addLocalBuffers(pm, options);
  buildCallPipeline(pm);
}

void mli::registerDialects(DialectRegistry &registry) {
  registerBufferizableOps(registry);
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<MLIDialect>();
  registerTileableOps(registry);
}

void mli::registerPasses() {
  registerMLIConversionPasses();
  registerMLITransformsPasses();
  PassPipelineRegistration<PackingOptions>(
      "mli-buffer-pipeline", "From a network to buffers with their addresses",
      [](OpPassManager &pm, const PackingOptions &options) {
        addTensors(pm, options);
        buildBufferPipeline(pm, options);
      });
  PassPipelineRegistration<LocalOptions>(
      "mli-local-buffer-pipeline", "The same with kernels in local memory",
      addLocalBuffers);
  PassPipelineRegistration<CPipelineOptions>(
      "mli-c-pipeline", "From a network to the program that C is printed from",
      buildCPipeline);
  PassPipelineRegistration<LocalOptions>(
      "mli-local-c-pipeline", "The same with kernels in local memory",
      buildLocalCPipeline);
  PassPipelineRegistration<PackingOptions>(
      "mli-system-pipeline",
      "From a network to calls of the runtime, all data in plain memory",
      buildSystemPipeline);
  PassPipelineRegistration<LocalOptions>(
      "mli-local-pipeline",
      "From a network to calls of the runtime, kernels in local memory",
      buildLocalPipeline);
}
