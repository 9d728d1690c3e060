// SPDX-License-Identifier: Apache-2.0

#include "Signature.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mli;

Operation *reducer::getRoot(Operation *op) {
  while (Operation *parent = op->getParentOp())
    op = parent;
  return op;
}

func::FuncOp reducer::getFreeFunction(Operation *op) {
  Operation *parent = op->getParentOp();
  while (parent && !parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
    parent = parent->getParentOp();
  auto func = dyn_cast_or_null<func::FuncOp>(parent);
  if (!func || !llvm::hasSingleElement(func.getBody()) ||
      !isa<func::ReturnOp>(func.getBody().front().back()))
    return {};
  return SymbolTable::symbolKnownUseEmpty(func, getRoot(func)) ? func
                                                               : func::FuncOp();
}

func::ReturnOp reducer::getReturn(func::FuncOp func) {
  return cast<func::ReturnOp>(func.getBody().front().getTerminator());
}

/// Sets the type of `func` to that of its block and of what it returns.
static void updateType(func::FuncOp func) {
  func.setFunctionType(FunctionType::get(
      func.getContext(), func.getBody().front().getArgumentTypes(),
      reducer::getReturn(func).getOperandTypes()));
}

static Value insertArgument(RewriterBase &rewriter, func::FuncOp func,
                            unsigned number, Type type,
                            DictionaryAttr attributes, Location loc) {
  rewriter.modifyOpInPlace(func, [&] {
    LogicalResult inserted = func.insertArgument(number, type, attributes, loc);
    assert(succeeded(inserted) && "a function takes any argument");
    (void)inserted;
  });
  return func.getArgument(number);
}

Value reducer::appendArgument(RewriterBase &rewriter, func::FuncOp func,
                              Type type, Location loc) {
  return insertArgument(rewriter, func, func.getNumArguments(), type, {}, loc);
}

Value reducer::insertArgumentAfter(RewriterBase &rewriter, func::FuncOp func,
                                   BlockArgument argument, Type type) {
  unsigned number = argument.getArgNumber();
  return insertArgument(rewriter, func, number + 1, type,
                        func.getArgAttrDict(number), argument.getLoc());
}

void reducer::setReturned(RewriterBase &rewriter, func::FuncOp func,
                          ValueRange values) {
  func::ReturnOp end = getReturn(func);
  SmallVector<Value> kept(values);
  rewriter.modifyOpInPlace(end, [&] { end->setOperands(kept); });
  rewriter.modifyOpInPlace(func, [&] {
    func.removeResAttrsAttr();
    updateType(func);
  });
}

void reducer::updateResultTypes(RewriterBase &rewriter, func::FuncOp func) {
  rewriter.modifyOpInPlace(func, [&] { updateType(func); });
}

void reducer::dropReturned(RewriterBase &rewriter, func::FuncOp func,
                           const llvm::BitVector &isDropped) {
  func::ReturnOp end = getReturn(func);
  rewriter.modifyOpInPlace(end, [&] { end->eraseOperands(isDropped); });
  rewriter.modifyOpInPlace(func, [&] {
    LogicalResult erased = func.eraseResults(isDropped);
    assert(succeeded(erased) && "a function need not have results");
    (void)erased;
  });
}
