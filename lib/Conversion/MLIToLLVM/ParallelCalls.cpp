// SPDX-License-Identifier: Apache-2.0

#include "ParallelCalls.h"

#include "ModuleSymbols.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mli;

/// A call of `name`, which takes and gives nothing.
static void callPlain(OpBuilder &builder, Location loc, SymbolTable &symbols,
                      StringRef name) {
  auto callee = declareFunction(builder, symbols, name, {},
                                LLVM::LLVMVoidType::get(builder.getContext()));
  LLVM::CallOp::create(builder, loc, callee, ValueRange());
}

void mli::inlineParallel(ParallelOp op, SymbolTableCollection &collection) {
  SymbolTable &symbols =
      collection.getSymbolTable(op->getParentOfType<ModuleOp>());
  IRRewriter rewriter(op.getContext());
  rewriter.setInsertionPoint(op);
  callPlain(rewriter, op.getLoc(), symbols, parallelStartName);
  Block &body = op.getBody().front();
  body.walk([&](Operation *inner) {
    if (isa_and_present<MLIDialect>(inner->getDialect()))
      inner->setDiscardableAttr(parallelAttrName, rewriter.getUnitAttr());
  });
  rewriter.eraseOp(body.getTerminator());
  rewriter.inlineBlockBefore(&body, op);
  rewriter.setInsertionPoint(op);
  callPlain(rewriter, op.getLoc(), symbols, parallelEndName);
  rewriter.eraseOp(op);
}
