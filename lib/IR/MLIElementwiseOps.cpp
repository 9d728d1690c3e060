// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of arithmetic and conversion, element by element.

#include "Contract/KernelContract.h"

using namespace mlir;
using namespace mli;
using contract::Family;
using contract::Operand;
using contract::OperandKind;

LogicalResult contract::verifyEltwise(KernelOpInterface op) {
  Family family = *op.getFamily();
  auto lhs =
      Operand::of(family, OperandKind::Input, op->getOperand(0).getType());
  auto rhs =
      Operand::of(family, OperandKind::Other, op->getOperand(1).getType());
  auto init =
      Operand::of(family, OperandKind::Init, op->getOperand(2).getType());
  if (failed(contract::verifyTensors(op, {lhs, rhs, init})))
    return failure();
  for (Operand operand : {lhs, rhs, init})
    if (failed(contract::verifySameKind(op, lhs, operand)) ||
        failed(contract::verifyActivation(op, operand)))
      return failure();
  if (failed(contract::verifyBroadcast(op, lhs, rhs, init)))
    return failure();
  return contract::verifyFormat(op, lhs, rhs);
}

LogicalResult ConvertOp::verify() {
  Operand input{"input", getInput().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(contract::verifyTensors(*this, {input, init})) ||
      failed(contract::verifyUnitStrides(*this, {input, init})) ||
      failed(contract::verifySameShape(*this, input, init)))
    return failure();

  QuantizedType source = input.quantized(), result = init.quantized();
  // Tensors may change the axis; a later pass legalises that.
  bool isBuffer = isa<MemRefType>(init.type);
  // E4
  if (isBuffer && source && result && source.isPerAxis() &&
      result.isPerAxis() && source.getAxis() != result.getAxis())
    return emitOpError("expected quantised axis of 'init' to be that of "
                       "'input', ")
           << source.getAxis() << ", but got " << result.getAxis();
  return success();
}
