// SPDX-License-Identifier: Apache-2.0

#include "TosaBoundary.h"

#include "mli/IR/MLI.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

UnrealizedConversionCastOp raising::quantisedSource(Value value) {
  auto cast = value.getDefiningOp<UnrealizedConversionCastOp>();
  if (!cast || cast.getNumOperands() != 1 ||
      !isa<QuantizedType>(getElementTypeOrSelf(cast.getOperand(0).getType())))
    return {};
  return cast;
}

/// Where the quantised tensor of `cast` is needed as `i8`.
static void reportUsers(UnrealizedConversionCastOp cast) {
  for (OpOperand &use : cast->getUses())
    use.getOwner()->emitOpError("cannot be raised to mli: expected operand ")
        << use.getOperandNumber() << " to be " << cast.getOperand(0).getType()
        << " as it is raised, but got " << use.get().getType();
}

/// Where a quantised tensor is needed of the plain one that `cast` takes.
static void reportSource(UnrealizedConversionCastOp cast) {
  Value value = cast.getOperand(0);
  InFlightDiagnostic error = emitError(value.getLoc());
  if (auto result = dyn_cast<OpResult>(value))
    error << "'" << result.getOwner()->getName()
          << "' op cannot be raised to mli: expected result "
          << result.getResultNumber();
  else
    error << "cannot be raised to mli: expected argument "
          << llvm::cast<BlockArgument>(value).getArgNumber();
  error << " to be " << cast.getType(0) << " for raised users, but got "
        << value.getType();
  for (Operation *user : value.getUsers())
    if (user != cast)
      error.attachNote(user->getLoc())
          << "used as it is by '" << user->getName() << "'";
}

bool raising::reportBoundaries(ModuleOp module) {
  bool isMet = false;
  module.walk([&](UnrealizedConversionCastOp cast) {
    isMet = true;
    if (quantisedSource(cast.getResult(0)))
      reportUsers(cast);
    else if (cast.getNumOperands() == 1 && cast.getNumResults() == 1)
      reportSource(cast);
    else
      cast.emitOpError("cannot be raised to mli");
  });
  return isMet;
}
