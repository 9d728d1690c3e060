// SPDX-License-Identifier: Apache-2.0

#include "StatusChecks.h"

#include "ModuleSymbols.h"
#include "ParallelCalls.h"

#include "mli/IR/AttributeNames.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mli;

void mli::markStatusCheck(Value status, StringAttr what) {
  status.getDefiningOp()->setDiscardableAttr(failsAttrName, what);
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
// Chains
//===----------------------------------------------------------------------===//

/// Whether `address` is in memory that the function has on its stack.
static bool isOnStack(Value address) {
  while (auto step = address.getDefiningOp<LLVM::GEPOp>())
    address = step.getBase();
  return address.getDefiningOp<LLVM::AllocaOp>() != nullptr;
}

/// Whether `op` may run after a call of a chain has failed: it computes values,
/// fills structs for the next calls, or ends a bracket of calls that run at the
/// same time. One that starts a bracket must not: nothing would end it.
static bool mayFollowFailure(Operation &op) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return isOnStack(store.getAddr());
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
    return isOnStack(copy.getDst());
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return call.getCallee() == parallelEndName;
  return isMemoryEffectFree(&op);
}

/// Hands the status of each chained call in `block` on to the next one of its
/// chain. Appends what is left to test to `marked`.
static void linkChains(Block &block, const CallSymbols &symbols,
                       SmallVectorImpl<Operation *> &marked) {
  Operation *last = nullptr; // of the chain so far
  for (Operation &op : block) {
    bool isChained = symbols.isChained(&op);
    if (!isChained && !op.getDiscardableAttr(failsAttrName)) {
      if (last && !mayFollowFailure(op))
        last = nullptr;
      continue;
    }
    if (last && isChained) {
      op.setOperand(0, last->getResult(0));
      assert(marked.back() == last && "expected the chain to be the last mark");
      marked.pop_back();
    }
    last = isChained ? &op : nullptr;
    marked.push_back(&op);
  }
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

namespace {

/// The checks of one function: where they lead to, and what they compare with.
class FailureBlocks {
public:
  FailureBlocks(OpBuilder &builder, SymbolTable &symbols, Region &body)
      : builder(builder), symbols(symbols), body(body),
        loc(body.getParentOp()->getLoc()) {}

  Value getOk() {
    if (!ok) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&body.front());
      ok = LLVM::ConstantOp::create(builder, loc,
                                    builder.getI32IntegerAttr(MLI_STATUS_OK));
    }
    return ok;
  }

  /// ^failed(%status, %where): reports the failure and returns its status.
  Block *getReporting() {
    if (reporting)
      return reporting;
    OpBuilder::InsertionGuard guard(builder);
    Type i32 = builder.getI32Type();
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    LLVM::LLVMFuncOp report =
        declareFunction(builder, symbols, failureReportName, {i32, pointer},
                        LLVM::LLVMVoidType::get(builder.getContext()));
    reporting =
        builder.createBlock(&body, body.end(), {i32, pointer}, {loc, loc});
    LLVM::CallOp::create(builder, loc, report, reporting->getArguments());
    returnStatus(reporting->getArgument(0));
    return reporting;
  }

  /// ^failed(%status): returns the status of a failure that is reported.
  Block *getReported() {
    if (reported)
      return reported;
    OpBuilder::InsertionGuard guard(builder);
    reported =
        builder.createBlock(&body, body.end(), builder.getI32Type(), loc);
    returnStatus(reported->getArgument(0));
    return reported;
  }

private:
  void returnStatus(Value status) {
    Type type = cast<LLVM::LLVMFuncOp>(body.getParentOp()).getResultTypes()[0];
    // Its other results have no values then.
    if (isa<LLVM::LLVMStructType>(type))
      status = LLVM::InsertValueOp::create(
          builder, loc, LLVM::PoisonOp::create(builder, loc, type), status,
          ArrayRef<int64_t>(0));
    LLVM::ReturnOp::create(builder, loc, status);
  }

  OpBuilder &builder;
  SymbolTable &symbols;
  Region &body;
  Location loc;
  Value ok;
  Block *reporting = nullptr, *reported = nullptr;
};

/// Where a block goes on after a check, and with what.
struct Continuation {
  Block *block;
  SmallVector<Value> arguments;
};

} // namespace

/// Ends the block of `marked` after it. If only a branch follows, its
/// destination takes the place of a block of its own.
static Continuation endBlock(IRRewriter &rewriter, Operation *marked) {
  Operation *next = marked->getNextNode();
  auto branch = dyn_cast<LLVM::BrOp>(next);
  if (!branch || branch.getLoopAnnotation())
    return {rewriter.splitBlock(marked->getBlock(), next->getIterator()), {}};
  Continuation rest = {branch.getDest(), branch.getDestOperands()};
  rewriter.eraseOp(branch);
  return rest;
}

/// Branches after `marked` to a failure block, if its status is a failure.
static void insertCheck(IRRewriter &rewriter, Operation *marked,
                        FailureBlocks &failures, CallSymbols &symbols,
                        ModuleOp module) {
  Location loc = marked->getLoc();
  // A chained call reports its own failure.
  auto text =
      cast_or_null<StringAttr>(marked->removeDiscardableAttr(failsAttrName));
  Value status = marked->getResult(0);
  Block *before = marked->getBlock();
  Continuation rest = endBlock(rewriter, marked);
  rewriter.setInsertionPointToEnd(before);
  if (isa<LLVM::LLVMStructType>(status.getType()))
    status = LLVM::ExtractValueOp::create(rewriter, loc, status,
                                          ArrayRef<int64_t>(0));
  SmallVector<Value> arguments = {status};
  bool reports = text && symbols.reportsFailures();
  if (reports)
    arguments.push_back(symbols.getTexts(module).getAddress(
        rewriter, loc, symbols.getValues(), text));
  Block *failed = reports ? failures.getReporting() : failures.getReported();
  Value isOk = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq,
                                    status, failures.getOk());
  LLVM::CondBrOp::create(rewriter, loc, isOk, rest.block, rest.arguments,
                         failed, arguments);
}

void mli::insertStatusChecks(ModuleOp module, CallSymbols &symbols) {
  SmallVector<Operation *> marks;
  module.walk([&](Block *block) { linkChains(*block, symbols, marks); });
  IRRewriter rewriter(module.getContext());
  DenseMap<Region *, FailureBlocks> failures;
  // In reverse, so that each split moves only what follows its mark.
  for (Operation *marked : llvm::reverse(marks)) {
    ModuleOp parent = marked->getParentOfType<ModuleOp>();
    Region *body = marked->getParentRegion();
    FailureBlocks &blocks =
        failures
            .try_emplace(body, rewriter, symbols.getSymbolTable(parent), *body)
            .first->second;
    insertCheck(rewriter, marked, blocks, symbols, parent);
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
