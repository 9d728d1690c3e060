// SPDX-License-Identifier: Apache-2.0
//
// A compiler of somebody else with a dialect of its own. Its operation stays
// among kernels of mli while these are tiled for local memory, is bufferized
// with them, and becomes a call of a function of this program.

#include "mli/IR/MLI.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static const char *const network = R"mlir(
  !map = tensor<32x16x16x!mli.sa8<16384:14:0>>
  func.func @main(%input: !map) -> !map {
    %0 = tensor.empty() : !map
    %positive = mli.relu ins(%input : !map) outs(%0 : !map)
                  {relu = #mli.relu<gen>} -> !map
    %1 = tensor.empty() : !map
    %negated = "outside.negate"(%positive, %1) : (!map, !map) -> !map
    %2 = tensor.empty() : !map
    %sum = mli.eltwise_add ins(%negated, %input : !map, !map) outs(%2 : !map)
             -> !map
    return %sum : !map
  }
)mlir";

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

namespace outside {

/// `outside.negate`: the codes of a map with their signs changed, written to an
/// init as kernels write theirs.
struct NegateOp : Op<NegateOp, OpTrait::ZeroRegions, OpTrait::ZeroSuccessors,
                     OpTrait::NOperands<2>::Impl, OpTrait::VariadicResults,
                     DestinationStyleOpInterface::Trait> {
  using Op::Op;
  static StringRef getOperationName() { return "outside.negate"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  MutableOperandRange getDpsInitsMutable() { return {getOperation(), 1, 1}; }
};

struct OutsideDialect : Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutsideDialect)
  static StringRef getDialectNamespace() { return "outside"; }
  explicit OutsideDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<OutsideDialect>()) {
    addOperations<NegateOp>();
  }
};

/// With buffers in place of tensors it has no result.
struct NegateOnBuffers
    : bufferization::DstBufferizableOpInterfaceExternalModel<NegateOnBuffers,
                                                             NegateOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    OperationState onBuffers(op->getLoc(), op->getName(), buffers, TypeRange());
    rewriter.create(onBuffers);
    bufferization::replaceOpWithBufferizedValues(rewriter, op, buffers[1]);
    return success();
  }
};

/// Buffers with addresses: what is computed by a function is a call of it.
struct LowerToCallsPass
    : PassWrapper<LowerToCallsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToCallsPass)

  void runOnOperation() override {
    SmallVector<NegateOp> ops;
    getOperation().walk([&](NegateOp op) { ops.push_back(op); });
    for (NegateOp op : ops)
      lower(op);
  }

private:
  /// Any view of a map of these elements, so that all calls have one signature.
  static MemRefType getAnyView(MemRefType type) {
    SmallVector<int64_t> dynamic(type.getRank(), ShapedType::kDynamic);
    auto strides = StridedLayoutAttr::get(type.getContext(),
                                          ShapedType::kDynamic, dynamic);
    return MemRefType::get(dynamic, type.getElementType(), strides);
  }

  void lower(NegateOp op) {
    OpBuilder builder(op);
    auto type = getAnyView(cast<MemRefType>(op->getOperand(0).getType()));
    auto function = getOperation().lookupSymbol<func::FuncOp>("outside_negate");
    if (!function) {
      OpBuilder atStart = OpBuilder::atBlockBegin(getOperation().getBody());
      function =
          func::FuncOp::create(atStart, op->getLoc(), "outside_negate",
                               atStart.getFunctionType({type, type}, {}));
      function.setPrivate();
    }
    SmallVector<Value> views;
    for (Value buffer : op->getOperands())
      views.push_back(
          memref::CastOp::create(builder, op->getLoc(), type, buffer));
    func::CallOp::create(builder, op->getLoc(), function, views);
    op->erase();
  }
};

} // namespace outside

//===----------------------------------------------------------------------===//
// The function of the operation, and the run
//===----------------------------------------------------------------------===//

using Map = StridedMemRefType<int8_t, 3>;
static constexpr int64_t elementCount = 32 * 16 * 16;

static void negate(Map *input, Map *output) {
  for (int64_t i = 0; i < input->sizes[0]; ++i)
    for (int64_t j = 0; j < input->sizes[1]; ++j)
      for (int64_t k = 0; k < input->sizes[2]; ++k)
        (*output)[i][j][k] = static_cast<int8_t>(-(*input)[i][j][k]);
}

/// Every kernel computes less than a whole map at once.
static bool hasTilesOnly(ModuleOp module) {
  WalkResult whole = module.walk([](mli::KernelOpInterface kernel) {
    auto type = cast<ShapedType>(kernel->getOperand(0).getType());
    return type.getNumElements() < elementCount ? WalkResult::advance()
                                                : WalkResult::interrupt();
  });
  return !whole.wasInterrupted();
}

/// From the network to calls: our parts, and the pass of this compiler between.
/// Answers the bytes of the arena.
static FailureOr<int64_t> lower(ModuleOp module) {
  mli::LocalOptions options;
  options.target = "vpx,npu-bytes=4096";
  PassManager toBuffers(module.getContext());
  mli::buildTargetPipeline(toBuffers, options);
  mli::buildTensorPipeline(toBuffers);
  mli::buildLocalBufferPipeline(toBuffers, options);
  if (failed(toBuffers.run(module)))
    return failure();
  if (!hasTilesOnly(module))
    return module.emitError("expected tiles of all kernels");
  auto bytes = module->getAttrOfType<IntegerAttr>("mli.arena_bytes");
  PassManager toCalls(module.getContext());
  toCalls.addPass(std::make_unique<outside::LowerToCallsPass>());
  mli::buildCallPipeline(toCalls);
  if (!bytes || failed(toCalls.run(module)))
    return failure();
  return bytes.getInt();
}

/// Runs `main`, whose buffers are the input, the result and the arena.
static int run(ModuleOp module, int64_t arenaBytes) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  StringRef runtime = RUNTIME;
  ExecutionEngineOptions options;
  options.sharedLibPaths = runtime;
  auto engine = ExecutionEngine::create(module, options);
  if (!engine) {
    llvm::errs() << toString(engine.takeError()) << "\n";
    return 1;
  }
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    symbols[intern("_mlir_ciface_outside_negate")] = {
        llvm::orc::ExecutorAddr::fromPtr(&negate),
        llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  auto main = (*engine)->lookup("_mlir_ciface_main");
  if (!main) {
    llvm::errs() << toString(main.takeError()) << "\n";
    return 1;
  }
  std::vector<int8_t> in(elementCount), out(in.size()), arena(arenaBytes + 64);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int8_t>(i % 200 - 100);
  Map input = {in.data(), in.data(), 0, {32, 16, 16}, {256, 16, 1}};
  Map output = {out.data(), out.data(), 0, {32, 16, 16}, {256, 16, 1}};
  auto *aligned = reinterpret_cast<int8_t *>(
      (reinterpret_cast<uintptr_t>(arena.data()) + 63) & ~uintptr_t{63});
  StridedMemRefType<int8_t, 1> space = {aligned, aligned, 0, {arenaBytes}, {1}};
  auto call = reinterpret_cast<int32_t (*)(Map *, Map *, void *)>(*main);
  if (call(&input, &output, &space) != 0)
    return 1;
  // The input without what is above zero.
  for (size_t i = 0; i < in.size(); ++i)
    if (out[i] != std::min<int8_t>(in[i], 0)) {
      llvm::errs() << "expected " << std::min<int>(in[i], 0) << " at " << i
                   << ", but got " << int(out[i]) << "\n";
      return 1;
    }
  llvm::outs() << "all " << out.size() << " codes are right\n";
  return 0;
}

int main() {
  DialectRegistry registry;
  mli::registerDialects(registry);
  registry.insert<outside::OutsideDialect>();
  registry.addExtension(+[](MLIRContext *context, outside::OutsideDialect *) {
    outside::NegateOp::attachInterface<outside::NegateOnBuffers>(*context);
  });
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(network, &context);
  if (!module)
    return 1;
  FailureOr<int64_t> arenaBytes = lower(*module);
  return failed(arenaBytes) ? 1 : run(*module, *arenaBytes);
}
