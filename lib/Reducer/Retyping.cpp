// SPDX-License-Identifier: Apache-2.0

#include "Retyping.h"

#include "Signature.h"
#include "Slices.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mli;

bool reducer::isValid(Operation *op) {
  ScopedDiagnosticHandler silence(op->getContext(), [](Diagnostic &) {});
  return succeeded(verify(op, /*verifyRecursively=*/false));
}

LogicalResult reducer::setAttribute(RewriterBase &rewriter, Operation *op,
                                    StringAttr name, Attribute value) {
  Attribute old = op->getAttr(name);
  auto set = [&](Attribute attribute) {
    if (attribute)
      op->setAttr(name, attribute);
    else
      op->removeAttr(name);
  };
  rewriter.startOpModification(op);
  set(value);
  if (op->getAttr(name) != old && isValid(op)) {
    rewriter.finalizeOpModification(op);
    return success();
  }
  set(old);
  rewriter.cancelOpModification(op);
  return failure();
}

LogicalResult reducer::replaceRetyped(PatternRewriter &rewriter, Operation *op,
                                      ValueRange operands, TypeRange types,
                                      function_ref<void(Operation *)> adjust) {
  func::FuncOp func = getFreeFunction(op);
  bool hasOthers = llvm::any_of(op->getUsers(), [](Operation *user) {
    return !isa<func::ReturnOp>(user) && !isUnused(user);
  });
  if (types != op->getResultTypes() && (!func || hasOthers))
    return failure();
  rewriter.setInsertionPoint(op);
  Operation *retyped = mlir::clone(rewriter, op, types, operands);
  adjust(retyped);
  if (!isValid(retyped)) {
    rewriter.eraseOp(retyped);
    return failure();
  }
  // Those that are unused keep the types that they are made for.
  bool isSame = types == op->getResultTypes();
  rewriter.replaceUsesWithIf(
      op->getResults(), retyped->getResults(), [&](OpOperand &use) {
        return isSame || isa<func::ReturnOp>(use.getOwner());
      });
  if (!isSame)
    updateResultTypes(rewriter, func);
  if (op->use_empty())
    rewriter.eraseOp(op);
  return success();
}
