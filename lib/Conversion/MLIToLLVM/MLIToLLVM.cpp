// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm lowers kernels to calls of the MLI 2.0 C API.

#include "KernelCalls.h"
#include "LocalOperands.h"
#include "ModuleSymbols.h"
#include "ParallelCalls.h"
#include "StatusChecks.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Conversion/Passes.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/Callers.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "convert-mli-to-llvm"

namespace mli {
#define GEN_PASS_DEF_CONVERTMLITOLLVM
#include "mli/Conversion/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

/// Makes `function` return MLI_STATUS_OK at its ends, before its results. A
/// caller from outside gets nothing else.
static LogicalResult addStatus(func::FuncOp function) {
  if (function.isPublic() && function.getNumResults() != 0)
    return function.emitError("expected '")
           << function.getSymName()
           << "' to write its results through arguments, but got "
           << function.getNumResults() << " results";
  OpBuilder builder(function.getContext());
  if (failed(function.insertResult(0, builder.getI32Type(),
                                   /*resultAttrs=*/{})))
    return failure();
  function.walk([&](func::ReturnOp op) {
    builder.setInsertionPoint(op);
    Value ok = arith::ConstantOp::create(builder, op.getLoc(),
                                         builder.getI32IntegerAttr(0));
    op->insertOperands(0, ok);
  });
  return success();
}

/// Makes `call` hand its callee's status on.
static void checkCall(IRRewriter &rewriter, func::CallOp call) {
  rewriter.setInsertionPoint(call);
  SmallVector<Type> types = {rewriter.getI32Type()};
  llvm::append_range(types, call.getResultTypes());
  auto checked = func::CallOp::create(rewriter, call.getLoc(), call.getCallee(),
                                      types, call.getArgOperands());
  markStatusCheck(checked.getResult(0),
                  rewriter.getStringAttr(describeCall(call)));
  rewriter.replaceOp(call, checked.getResults().drop_front());
}

static LogicalResult addStatus(ModuleOp module) {
  SetVector<func::FuncOp> functions =
      findFunctionsAndCallers(module, [](Operation *op) {
        return isa_and_nonnull<MLIDialect>(op->getDialect()) ||
               isa<cf::AssertOp>(op);
      });
  for (func::FuncOp function : functions) {
    LDBG() << "'" << function.getSymName() << "' returns a status";
    if (failed(addStatus(function)))
      return failure();
  }
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
// Checks before the conversion
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

static LogicalResult verifyInput(ModuleOp module) {
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

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// `attributes` without those of this dialect.
static ArrayAttr withoutOwn(ArrayAttr attributes) {
  if (!attributes)
    return attributes;
  return ArrayAttr::get(
      attributes.getContext(),
      llvm::map_to_vector(
          attributes.getAsRange<DictionaryAttr>(),
          [](DictionaryAttr port) -> Attribute {
            return DictionaryAttr::get(
                port.getContext(), llvm::filter_to_vector(port, [](auto entry) {
                  return !isa_and_nonnull<MLIDialect>(entry.getNameDialect());
                }));
          }));
}

/// Drops the attributes of the dialect, which have no place in LLVM IR: calls
/// hold the target and the use of arguments; only callers read the rest.
// S14
static void dropAttributes(ModuleOp module) {
  module.walk([](Operation *op) {
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (isa_and_nonnull<MLIDialect>(attribute.getNameDialect()))
        op->removeDiscardableAttr(attribute.getName());
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return;
    if (ArrayAttr arguments = withoutOwn(function.getArgAttrsAttr()))
      function.setArgAttrsAttr(arguments);
    if (ArrayAttr results = withoutOwn(function.getResAttrsAttr()))
      function.setResAttrsAttr(results);
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Attaches to `function` the number that the pointer of each of its memories
/// has among the arguments that it is converted to: these keep no attributes.
static void numberMemories(func::FuncOp function,
                           const LLVMTypeConverter &converter) {
  TypeConverter::SignatureConversion signature(function.getNumArguments());
  (void)converter.convertFunctionSignature(
      function.getFunctionType(), /*isVariadic=*/false,
      /*useBarePtrCallConv=*/false, signature);
  Builder builder(function.getContext());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (StringRef name : {StringRef(arenaAttrName), StringRef(localAttrName)})
      if (function.getArgAttr(i, name))
        // The first pointer is to what was allocated, the second to the data.
        function->setAttr(name, builder.getI64IntegerAttr(
                                    signature.getInputMapping(i)->inputNo + 1));
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// Folds reads of descriptor fields to the values put there. Most descriptors
/// are dead then, users before what they use: no pass has to look for more.
static void foldDescriptors(ModuleOp module) {
  SmallVector<LLVM::ExtractValueOp> parts;
  module.walk([&](LLVM::ExtractValueOp op) { parts.push_back(op); });
  for (LLVM::ExtractValueOp op : parts) {
    SmallVector<OpFoldResult> folded;
    if (failed(op->fold(folded)) || folded.empty())
      continue;
    if (auto value = dyn_cast<Value>(folded.front())) {
      op.getResult().replaceAllUsesWith(value);
      op.erase();
    }
  }
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertMLIToLLVMPass
    : mli::impl::ConvertMLIToLLVMBase<ConvertMLIToLLVMPass> {
  using ConvertMLIToLLVMBase::ConvertMLIToLLVMBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyInput(module)) || failed(addStatus(module)))
      return signalPassFailure();
    CallSymbols symbols(reports);
    module.walk(
        [&](func::FuncOp function) { prepareLocalMemory(function, symbols); });
    module.walk([&](ParallelOp op) { inlineParallel(op, symbols); });

    LLVMTypeConverter converter(&getContext());
    converter.addConversion(
        [](QuantizedType type) -> Type { return type.getStorageType(); });
    // A buffer in local memory is its address there.
    converter.addConversion([](MemRefType type) -> std::optional<Type> {
      if (!isLocal(type))
        return std::nullopt;
      return IntegerType::get(type.getContext(), 32);
    });
    // S6
    converter.addTypeAttributeConversion(
        [](BaseMemRefType type,
           SpaceAttr space) -> TypeConverter::AttributeConversionResult {
          if (space.getValue() != Space::system)
            return TypeConverter::AttributeConversionResult::abort();
          return Attribute(Builder(type.getContext()).getI64IntegerAttr(0));
        });
    module.walk(
        [&](func::FuncOp function) { numberMemories(function, converter); });
    RewritePatternSet patterns(&getContext());
    populateKernelCallPatterns(converter, symbols, patterns);
    populateQueryCallPatterns(converter, symbols, patterns);
    populateViewPatterns(converter, symbols, patterns);
    populateMovCallPattern(converter, symbols, patterns);
    populateAdvancePattern(converter, symbols, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateAssertPattern(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    // Of offsets into views.
    populateAffineToStdConversionPatterns(patterns);

    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    ConversionConfig config;
    // Folding first looks for a rare constant in each operation.
    config.foldingMode = DialectConversionFoldingMode::AfterPatterns;
    if (failed(
            applyFullConversion(module, target, std::move(patterns), config)))
      return signalPassFailure();
    // An index that is stored and loaded again leaves a pair of casts.
    SmallVector<UnrealizedConversionCastOp> casts;
    module.walk(
        [&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
    insertStatusChecks(module, symbols);
    if (!reports)
      dropReports(module);
    // Before, a status would seem dead.
    foldDescriptors(module);
    dropAttributes(module);
    attachTargetLayout(module);
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, module);
  }
};

} // namespace
