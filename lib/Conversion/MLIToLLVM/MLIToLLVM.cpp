// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm lowers kernels to calls of the MLI 2.0 C API.

#include "IndexBounds.h"
#include "KernelCalls.h"
#include "LocalOperands.h"
#include "ModuleSymbols.h"
#include "ParallelCalls.h"
#include "StatusChecks.h"

#include "mli/Conversion/Passes.h"
#include "mli/IR/AttributeNames.h"
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
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/CSE.h"

#define DEBUG_TYPE "convert-mli-to-llvm"

namespace mli {
#define GEN_PASS_DEF_CONVERTMLITOLLVM
#include "mli/Conversion/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

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
    CallSymbols symbols(reports);
    if (failed(verifyInput(module)) || failed(addStatus(module, symbols)))
      return signalPassFailure();
    module.walk(
        [&](func::FuncOp function) { prepareLocalMemory(function, symbols); });
    module.walk([&](ParallelOp op) { inlineParallel(op, symbols); });
    // Lowering replaces what proves them.
    ProvenOffsets proven(module);

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
    populateViewPatterns(converter, symbols, proven, patterns);
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
    symbols.storeTexts();
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
