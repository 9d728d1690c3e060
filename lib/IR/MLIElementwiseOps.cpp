// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of arithmetic and conversion, element by element.

#include "KernelContract.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

/// One element, which meets every element of the other operand.
static bool isScalar(Operand operand) {
  return operand.type.hasStaticShape() && operand.type.getNumElements() == 1;
}

template <typename EltwiseOp>
static LogicalResult verifyEltwise(EltwiseOp op) {
  Operand lhs{"lhs", op.getLhs().getType()};
  Operand rhs{"rhs", op.getRhs().getType()};
  Operand init{"init", op.getInit().getType()};
  if (failed(contract::verifyTensors(op, {lhs, rhs, init})))
    return failure();
  for (Operand operand : {lhs, rhs, init})
    if (failed(contract::verifySameKind(op, lhs, operand)) ||
        failed(contract::verifyActivation(op, operand)))
      return failure();
  for (Operand operand : {lhs, rhs})
    if (!isScalar(operand) &&
        (failed(contract::verifyUnitStrides(op, {operand})) ||
         failed(contract::verifySameShape(op, operand, init))))
      return failure();
  if (failed(contract::verifyUnitStrides(op, {init})))
    return failure();
  // Of two scalars the kernel gives the result the shape of the second.
  return isScalar(lhs) ? contract::verifySameShape(op, rhs, init) : success();
}

/// Codes are compared, so both operands mean the same by them.
template <typename OrderOp>
static LogicalResult verifyOrder(OrderOp op) {
  if (failed(verifyEltwise(op)))
    return failure();
  return contract::verifySameElement(op, {"lhs", op.getLhs().getType()},
                                     {"rhs", op.getRhs().getType()});
}

LogicalResult EltwiseAddOp::verify() { return verifyEltwise(*this); }
LogicalResult EltwiseSubOp::verify() { return verifyEltwise(*this); }
LogicalResult EltwiseMulOp::verify() { return verifyEltwise(*this); }
LogicalResult EltwiseMinOp::verify() { return verifyOrder(*this); }
LogicalResult EltwiseMaxOp::verify() { return verifyOrder(*this); }

LogicalResult ConvertOp::verify() {
  Operand input{"input", getInput().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(contract::verifyMaps(*this, input, init)))
    return failure();

  QuantizedType source = input.quantized(), result = init.quantized();
  // On tensors it may be asked for; what the runtime has comes later.
  bool isBuffer = isa<MemRefType>(init.type);
  // E4
  if (isBuffer && source && result && source.isPerAxis() &&
      result.isPerAxis() && source.getAxis() != result.getAxis())
    return emitOpError("expected quantised axis of 'init' to be that of "
                       "'input', ")
           << source.getAxis() << ", but got " << result.getAxis();
  return success();
}
