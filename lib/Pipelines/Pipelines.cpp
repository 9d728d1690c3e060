// SPDX-License-Identifier: Apache-2.0

#include "mli/Pipelines/Pipelines.h"

#include "mli/Conversion/Passes.h"
#include "mli/IR/MLI.h"
#include "mli/Transforms/BufferizableOps.h"
#include "mli/Transforms/Passes.h"
#include "mli/Transforms/TileableOps.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/RequestCWrappers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {

/// Frees what has no place in the arena and is on the heap, if there is any:
/// upstream's pipeline for that takes longer than all of the others together.
struct FreeHeapPass : PassWrapper<FreeHeapPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FreeHeapPass)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, bufferization::BufferizationDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    WalkResult heap = getOperation()->walk(
        [](memref::AllocOp) { return WalkResult::interrupt(); });
    OpPassManager pm(ModuleOp::getOperationName());
    bufferization::buildBufferDeallocationPipeline(pm);
    if (heap.wasInterrupted() && failed(runPipeline(pm, getOperation())))
      signalPassFailure();
  }
};

} // namespace

void mli::buildTensorPipeline(OpPassManager &pm) {
  ConvertTosaToMLIOptions raising;
  raising.full = true;
  pm.addPass(createConvertTosaToMLI(raising));
  // Permutations first: conversions join across them, and slices are cut from
  // what is left.
  pm.addPass(createLegalizeLayouts());
  pm.addPass(createLegalizeConversions());
  pm.addPass(createLegalizeSubtensors());
}

void mli::buildBufferPipeline(OpPassManager &pm, Packing packing) {
  pm.addPass(createBufferize());
  // Makes one view of what is computed in its place and where it goes to.
  pm.addPass(createLegalizeSubtensors());
  // Only now: before, common subexpressions make the analysis cubic.
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createAssignAddresses());
  pm.addPass(std::make_unique<FreeHeapPass>());
  // Last: a layer is packed as its kernel is then.
  PackWeightsOptions options;
  options.order = packing.order;
  options.threads = packing.threads;
  pm.addPass(createPackWeights(options));
}

void mli::buildTargetPipeline(OpPassManager &pm, const LocalOptions &options) {
  bool hasPolicy = options.matrices || options.mode != "none";
  if (!options.target.empty() || hasPolicy)
    pm.addPass(
        createAttachTarget({options.target, options.mode, options.matrices}));
}

static mli::AssignAddressesOptions
addressOptions(const mli::LocalOptions &options) {
  mli::AssignAddressesOptions addresses;
  addresses.budget = options.budget;
  addresses.explain = options.explain;
  return addresses;
}

/// Of tiles, with room for a second one where `mli-double-buffer` comes.
static mli::TileToFitOptions tileOptions(const mli::LocalOptions &options) {
  mli::TileToFitOptions tiles;
  tiles.overrides = options.overrides;
  tiles.doubleBuffer = options.doubleBuffer;
  tiles.report = options.explain;
  return tiles;
}

void mli::buildLocalBufferPipeline(OpPassManager &pm,
                                   const LocalOptions &options) {
  pm.addPass(createTileToFit(tileOptions(options)));
  pm.addPass(createInsertMoves({options.explain}));
  pm.addPass(createLegalizeSubtensors());
  pm.addPass(createBufferize());
  AssignLayoutsOptions layouts;
  layouts.explain = options.explain;
  pm.addPass(createAssignLayouts(layouts));
  pm.addPass(createLegalizeSubtensors());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  // Buffers have layouts, which say what they take, and no addresses yet.
  if (options.doubleBuffer != "off")
    pm.addPass(createDoubleBuffer({options.doubleBuffer, options.overrides,
                                   options.budget, options.explain}));
  pm.addPass(createAssignAddresses(addressOptions(options)));
  pm.addPass(std::make_unique<FreeHeapPass>());
}

void mli::buildCallPipeline(OpPassManager &pm) {
  // Checks are of indices and slices, and ranges of what arith computes.
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCheckAccesses());
  // Views become offsets and strides, which a descriptor can hold.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  // Kernels leave their function when they fail, which no region can.
  pm.addPass(createConvertSCFToCF());
  // So that C can call entry functions, by descriptors of the buffers.
  pm.addNestedPass<func::FuncOp>(LLVM::createLLVMRequestCWrappersPass());
  pm.addPass(createConvertMLIToLLVM());
  // An index that is stored and loaded again leaves a pair of them.
  pm.addPass(createReconcileUnrealizedCastsPass());
  // Removes what is dead as well: there is nothing else to simplify.
  pm.addPass(createCSEPass());
}

void mli::buildSystemPipeline(OpPassManager &pm, Packing packing) {
  buildTensorPipeline(pm);
  buildBufferPipeline(pm, packing);
  buildCallPipeline(pm);
}

void mli::buildLocalPipeline(OpPassManager &pm, const LocalOptions &options) {
  buildTargetPipeline(pm, options);
  buildTensorPipeline(pm);
  buildLocalBufferPipeline(pm, options);
  buildCallPipeline(pm);
}

void mli::registerDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<MLIDialect>();
  registerBufferizableOps(registry);
  registerTileableOps(registry);
}

namespace {

struct LocalPipelineOptions : PassPipelineOptions<LocalPipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("A preset, optionally with overrides, in the place of "
                     "mli.target: vpx,npu-bytes=65536")};
  Option<std::string> mode{
      *this, "mode", llvm::cl::init(local.mode),
      llvm::cl::desc("Storage mode for all feature maps that it is for: 4N or "
                     "2N")};
  Option<bool> matrices{
      *this, "matrices",
      llvm::cl::desc("Put all operands of products into the matrix layout")};
  Option<std::string> doubleBuffer{
      *this, "double-buffer", llvm::cl::init(local.doubleBuffer),
      llvm::cl::desc("Move data while kernels compute: off, auto, where that "
                     "pays, or on, wherever it is right")};
  Option<std::string> overrides{
      *this, "overrides",
      llvm::cl::desc("A JSON file of costs and tiles that are not decided "
                     "here")};
  Option<int64_t> budget{
      *this, "budget", llvm::cl::init(local.budget),
      llvm::cl::desc("Nodes that the search for a plan of addresses may "
                     "visit")};
  Option<bool> explain{
      *this, "explain",
      llvm::cl::desc("Remark tiles, moves, layouts and what moves meanwhile")};

  mli::LocalOptions get() const {
    return {target, mode, matrices, doubleBuffer, overrides, budget, explain};
  }

private:
  static inline const mli::LocalOptions local;
};

struct PackingOptions : PassPipelineOptions<PackingOptions> {
  Option<mli::PackOrder> order{
      *this, "packed-weights",
      llvm::cl::desc("How constant weights are packed for the runtime"),
      llvm::cl::values(
          clEnumValN(mli::PackOrder::None, "none",
                     "Not: for libraries with nothing but the MLI 2.0 API"),
          clEnumValN(mli::PackOrder::Best, "best",
                     "As this processor runs them fastest"),
          clEnumValN(mli::PackOrder::Pairs, "pairs",
                     "For processors without VNNI or FEAT_I8MM; others "
                     "run them, too"),
          clEnumValN(mli::PackOrder::Quads, "quads",
                     "For processors with VNNI or FEAT_I8MM; others run "
                     "them, too")),
      llvm::cl::init(mli::PackOrder::Pairs)};
  Option<unsigned> threads{
      *this, "threads",
      llvm::cl::desc("Threads that may compute a packed layer"),
      llvm::cl::init(1)};

  mli::Packing get() const { return {order, threads}; }
};

} // namespace

void mli::registerPasses() {
  registerMLIConversionPasses();
  registerMLITransformsPasses();
  PassPipelineRegistration<PackingOptions>(
      "mli-buffer-pipeline", "From a network to buffers with their addresses",
      [](OpPassManager &pm, const PackingOptions &options) {
        buildTensorPipeline(pm);
        buildBufferPipeline(pm, options.get());
      });
  PassPipelineRegistration<PackingOptions>(
      "mli-system-pipeline",
      "From a network to calls of the runtime, all data in plain memory",
      [](OpPassManager &pm, const PackingOptions &options) {
        buildSystemPipeline(pm, options.get());
      });
  PassPipelineRegistration<LocalPipelineOptions>(
      "mli-local-pipeline",
      "From a network to calls of the runtime, kernels in local memory",
      [](OpPassManager &pm, const LocalPipelineOptions &options) {
        buildLocalPipeline(pm, options.get());
      });
}
