// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the operations whose result has the shape of their input.

#include "KernelContract.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

LogicalResult EltwiseAddOp::verify() {
  Operand lhs{"lhs", getLhs().getType()};
  Operand rhs{"rhs", getRhs().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(contract::verifyTensors(*this, {lhs, rhs, init})))
    return failure();
  for (Operand operand : {lhs, rhs, init}) {
    // E1
    if (operand.element().getTypeID() != lhs.element().getTypeID())
      return emitOpError("expected '")
             << operand.name << "' to have elements of the kind of 'lhs' "
             << lhs.element() << ", but got " << operand.element();
    if (failed(contract::verifyActivation(*this, operand)))
      return failure();
  }
  auto isScalar = [](Operand operand) {
    return operand.type.hasStaticShape() && operand.type.getNumElements() == 1;
  };
  for (Operand operand : {lhs, rhs})
    if (!isScalar(operand) &&
        (failed(contract::verifyUnitStrides(*this, operand)) ||
         failed(contract::verifySameShape(*this, operand, init))))
      return failure();
  if (failed(contract::verifyUnitStrides(*this, init)))
    return failure();
  // Of two scalars the kernel gives the result the shape of the second.
  return isScalar(lhs) ? contract::verifySameShape(*this, rhs, init)
                       : success();
}

/// Input and result of an operation that takes each element by itself.
static LogicalResult verifyMaps(Operation *op, Operand input, Operand init) {
  if (failed(contract::verifyTensors(op, {input, init})) ||
      failed(contract::verifyUnitStrides(op, {input, init})))
    return failure();
  return contract::verifySameShape(op, input, init);
}

LogicalResult ReluOp::verify() {
  Operand input{"input", getInput().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(verifyMaps(*this, input, init)) ||
      failed(contract::verifyActivation(*this, input)))
    return failure();
  return contract::verifySameElement(*this, input, init);
}

/// The result of the kernel's table: probabilities from 0 to 1.
static Type softmaxElement(Type input) {
  if (isa<Fx8Type>(input))
    return Fx8Type::get(input.getContext(), 7);
  if (isa<Fx16Type>(input))
    return Fx16Type::get(input.getContext(), 15);
  quant::QuantParams params;
  params.fracBits = 8;
  params.zeroPoint = -128;
  return Sa8Type::get(input.getContext(), params);
}

LogicalResult SoftmaxOp::verify() {
  Operand input{"input", getInput().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(verifyMaps(*this, input, init)) ||
      failed(contract::verifyActivation(*this, input)))
    return failure();

  Type expected = softmaxElement(input.element());
  // E2
  if (init.element() != expected)
    return emitOpError("expected 'init' to have elements of ")
           << expected << ", which the kernel gives, but got "
           << init.element();
  auto axis = static_cast<int32_t>(getAxis());
  // E3
  if (axis < -1 || axis >= input.type.getRank())
    return emitOpError("expected 'axis' to be in [-1, ")
           << input.type.getRank() - 1 << "], but got " << axis;
  return success();
}

LogicalResult ConvertOp::verify() {
  Operand input{"input", getInput().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(verifyMaps(*this, input, init)))
    return failure();

  QuantizedType source = input.quantized(), result = init.quantized();
  // E4
  if (source && result && source.isPerAxis() && result.isPerAxis() &&
      source.getAxis() != result.getAxis())
    return emitOpError("expected quantised axis of 'init' to be that of "
                       "'input', ")
           << source.getAxis() << ", but got " << result.getAxis();
  return success();
}
