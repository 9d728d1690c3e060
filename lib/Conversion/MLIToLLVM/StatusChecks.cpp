// SPDX-License-Identifier: Apache-2.0

#include "StatusChecks.h"

#include "ModuleSymbols.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LayerName.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mli;

void mli::markStatusCheck(Value status, StringAttr what) {
  status.getDefiningOp()->setAttr(failsAttrName, what);
}

void mli::dropStatusCheck(Operation *marked) {
  marked->removeAttr(failsAttrName);
}

std::string mli::describeCall(Operation *op) {
  std::string text = describeLayer(op);
  if (!text.empty())
    return text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << " at " << op->getLoc();
  return text;
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

namespace {

struct AssertedStatus : ConvertOpToLLVMPattern<cf::AssertOp> {
  using ConvertOpToLLVMPattern<cf::AssertOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto constant = [&](mli_status status) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc,
                                      rewriter.getI32IntegerAttr(status));
    };
    Value status = LLVM::SelectOp::create(rewriter, loc, adaptor.getArg(),
                                          constant(MLI_STATUS_OK),
                                          constant(MLI_STATUS_BAD_FUNC_CFG));
    std::string text;
    llvm::raw_string_ostream(text) << op.getMsg() << " at " << loc;
    markStatusCheck(status, rewriter.getStringAttr(text));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mli::populateAssertPattern(const LLVMTypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<AssertedStatus>(converter);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

namespace {

/// Where the checks of one function lead to, and what they compare with.
struct Failure {
  Block *block = nullptr;
  Value ok;
};

} // namespace

/// ^failed(%status, %where): reports the failure and returns its status.
static Failure createFailure(OpBuilder &builder, Operation *marked,
                             SymbolTable &symbols) {
  Region *body = marked->getParentRegion();
  Location loc = marked->getParentOp()->getLoc();
  Type i32 = builder.getI32Type();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  LLVM::LLVMFuncOp report =
      declareFunction(builder, symbols, failureReportName, {i32, pointer},
                      LLVM::LLVMVoidType::get(builder.getContext()));
  Failure failure;
  builder.setInsertionPointToStart(&body->front());
  failure.ok = LLVM::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(MLI_STATUS_OK));
  failure.block =
      builder.createBlock(body, body->end(), {i32, pointer}, {loc, loc});
  LLVM::CallOp::create(builder, loc, report, failure.block->getArguments());
  Value result = failure.block->getArgument(0);
  Type type = cast<LLVM::LLVMFuncOp>(body->getParentOp()).getResultTypes()[0];
  // Its other results have no values then.
  if (isa<LLVM::LLVMStructType>(type))
    result = LLVM::InsertValueOp::create(
        builder, loc, LLVM::PoisonOp::create(builder, loc, type), result,
        ArrayRef<int64_t>(0));
  LLVM::ReturnOp::create(builder, loc, result);
  return failure;
}

namespace {

/// The globals of texts in one module: most calls of a layer have the same.
class Texts {
public:
  explicit Texts(SymbolTable &symbols) : symbols(symbols) {}

  LLVM::GlobalOp get(OpBuilder &builder, Location loc, StringAttr text) {
    LLVM::GlobalOp &global = globals[text];
    if (!global)
      global = stringGlobal(builder, loc, symbols, text);
    return global;
  }

private:
  SymbolTable &symbols;
  llvm::DenseMap<StringAttr, LLVM::GlobalOp> globals;
};

} // namespace

/// Branches after `marked` to the failure block, if its status is a failure.
static void insertCheck(IRRewriter &rewriter, Operation *marked,
                        const Failure &failure, Texts &texts) {
  Location loc = marked->getLoc();
  auto what = cast<StringAttr>(marked->removeAttr(failsAttrName));
  Value status = marked->getResult(0);
  Block *before = marked->getBlock();
  Block *rest = rewriter.splitBlock(before, std::next(marked->getIterator()));
  rewriter.setInsertionPointToEnd(before);
  if (isa<LLVM::LLVMStructType>(status.getType()))
    status = LLVM::ExtractValueOp::create(rewriter, loc, status,
                                          ArrayRef<int64_t>(0));
  Value where =
      LLVM::AddressOfOp::create(rewriter, loc, texts.get(rewriter, loc, what));
  Value isOk = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq,
                                    status, failure.ok);
  LLVM::CondBrOp::create(rewriter, loc, isOk, rest, ValueRange(), failure.block,
                         ValueRange{status, where});
}

void mli::insertStatusChecks(ModuleOp module,
                             SymbolTableCollection &collection) {
  SmallVector<Operation *> marks;
  module.walk([&](Operation *op) {
    if (op->hasAttr(failsAttrName))
      marks.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  DenseMap<Region *, Failure> failures;
  DenseMap<Operation *, Texts> texts;
  // In reverse, so that each split moves only what follows its mark.
  for (Operation *marked : llvm::reverse(marks)) {
    ModuleOp parent = marked->getParentOfType<ModuleOp>();
    SymbolTable &symbols = collection.getSymbolTable(parent);
    Failure &failure = failures[marked->getParentRegion()];
    if (!failure.block)
      failure = createFailure(rewriter, marked, symbols);
    insertCheck(rewriter, marked, failure,
                texts.try_emplace(parent, symbols).first->second);
  }
}

static bool isReport(StringRef name) {
  return name == failureReportName || name == mismatchReportName;
}

void mli::dropReports(ModuleOp module) {
  SmallVector<Operation *> dropped;
  module.walk([&](LLVM::CallOp call) {
    StringRef callee = call.getCallee().value_or("");
    if (callee == mismatchReportName)
      call.getResult().replaceAllUsesWith(call.getArgOperands().front());
    if (isReport(callee))
      dropped.push_back(call);
  });
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (isReport(function.getName()))
      dropped.push_back(function);
  for (Operation *op : dropped)
    op->erase();
}
