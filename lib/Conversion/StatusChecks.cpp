// SPDX-License-Identifier: Apache-2.0

#include "StatusChecks.h"

#include "ModuleSymbols.h"

#include "mli/Runtime/C/mli_types.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mli;

static constexpr StringLiteral reportName = "mli_report_failure";
/// On a call of the above that is a mark: what fails, as a string.
static constexpr StringLiteral markName = "mli.fails";

void mli::markStatusCheck(OpBuilder &builder, Location loc, ModuleOp module,
                          Value status, StringRef what) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  LLVM::LLVMFuncOp report =
      declareFunction(builder, module, reportName, {status.getType(), pointer},
                      LLVM::LLVMVoidType::get(builder.getContext()));
  Value nowhere = LLVM::ZeroOp::create(builder, loc, pointer);
  auto mark =
      LLVM::CallOp::create(builder, loc, report, ValueRange{status, nowhere});
  mark->setAttr(markName, builder.getStringAttr(what));
}

std::string mli::describeCall(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << " at " << op->getLoc();
  return text;
}

/// ^failed(%status, %where): reports the failure and returns its status.
static Block *createFailureBlock(OpBuilder &builder, LLVM::CallOp mark) {
  Region *body = mark->getParentRegion();
  Location loc = mark->getParentOp()->getLoc();
  Block *failed = builder.createBlock(
      body, body->end(), mark.getArgOperands().getTypes(), {loc, loc});
  LLVM::CallOp::create(builder, loc, TypeRange(), mark.getCalleeAttr(),
                       failed->getArguments());
  LLVM::ReturnOp::create(builder, loc, failed->getArgument(0));
  return failed;
}

/// Branches to `failed` where the mark stands, if its status is a failure.
static void insertCheck(IRRewriter &rewriter, LLVM::CallOp mark, Value where,
                        Block *failed) {
  Location loc = mark.getLoc();
  Value status = mark.getArgOperands()[0];
  Block *before = mark->getBlock();
  Block *rest = rewriter.splitBlock(before, mark->getIterator());
  rewriter.eraseOp(mark);
  rewriter.setInsertionPointToEnd(before);
  Value ok = LLVM::ConstantOp::create(
      rewriter, loc, rewriter.getI32IntegerAttr(MLI_STATUS_OK));
  Value isOk =
      LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq, status, ok);
  LLVM::CondBrOp::create(rewriter, loc, isOk, rest, ValueRange(), failed,
                         ValueRange{status, where});
}

void mli::insertStatusChecks(ModuleOp module) {
  SmallVector<LLVM::CallOp> marks;
  module.walk([&](LLVM::CallOp call) {
    if (call->hasAttr(markName))
      marks.push_back(call);
  });
  IRRewriter rewriter(module.getContext());
  SymbolTableCollection symbols;
  DenseMap<Region *, Block *> failureBlocks;
  // From behind, so that each split moves only what follows its mark.
  for (LLVM::CallOp mark : llvm::reverse(marks)) {
    Block *&failed = failureBlocks[mark->getParentRegion()];
    if (!failed)
      failed = createFailureBlock(rewriter, mark);
    rewriter.setInsertionPoint(mark);
    auto inner = mark->getParentOfType<ModuleOp>();
    auto what = mark->getAttrOfType<StringAttr>(markName);
    Value where = LLVM::AddressOfOp::create(
        rewriter, mark.getLoc(),
        stringGlobal(rewriter, mark.getLoc(), symbols.getSymbolTable(inner),
                     what));
    insertCheck(rewriter, mark, where, failed);
  }
}
