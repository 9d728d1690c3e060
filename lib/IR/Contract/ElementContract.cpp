// SPDX-License-Identifier: Apache-2.0
//
// Element types of operands: their kind, and the parameters of each by itself
// and of one as another's.

#include "KernelContract.h"

#include "mli/Quant/Formats.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

LogicalResult contract::verifyPerTensor(Operation *op, Operand operand) {
  QuantizedType type = operand.quantized();
  // T9
  if (type && type.isPerAxis())
    return op->emitOpError("expected '")
           << operand.name << "' to be quantised per tensor, but got axis "
           << type.getAxis();
  return success();
}

LogicalResult contract::verifyActivation(Operation *op, Operand operand) {
  QuantizedType type = operand.quantized();
  if (!type)
    return success();
  if (failed(verifyPerTensor(op, operand)))
    return failure();
  int16_t zeroPoint = type.getParam(0).zeroPoint;
  const Range &range = operand.contract->zeroPoints;
  // T10, E5
  if (!range.contains(zeroPoint))
    return op->emitOpError("expected zero point of '")
           << operand.name << "' to be in [" << range.least << ", "
           << range.most << "], but got " << zeroPoint;
  return success();
}

LogicalResult contract::verifySameElement(Operation *op, Operand left,
                                          Operand right) {
  // T11
  if (left.element() != right.element())
    return op->emitOpError("expected '")
           << right.name << "' to have the element type of '" << left.name
           << "' " << left.element() << ", but got " << right.element();
  return success();
}

LogicalResult contract::verifySameKind(Operation *op, Operand left,
                                       Operand right) {
  // E1
  if (left.element().getTypeID() != right.element().getTypeID())
    return op->emitOpError("expected '")
           << right.name << "' to have elements of the kind of '" << left.name
           << "' " << left.element() << ", but got " << right.element();
  return success();
}

/// The element type that the table of a kernel gives.
static Type tableElement(Type input, contract::Family family) {
  auto type = cast<QuantizedType>(input);
  quant::QuantParams params = contract::tableFormat(
      family, static_cast<int>(type.getStorageWidth()), isa<Sa8Type>(input));
  if (isa<Fx8Type>(input))
    return Fx8Type::get(input.getContext(), params.fracBits);
  if (isa<Fx16Type>(input))
    return Fx16Type::get(input.getContext(), params.fracBits);
  return Sa8Type::get(input.getContext(), params);
}

static LogicalResult verifyFixedElement(Operation *op, Operand operand,
                                        Type expected) {
  // E2
  if (operand.element() != expected)
    return op->emitOpError("expected '")
           << operand.name << "' to have elements of " << expected
           << ", which the kernel gives, but got " << operand.element();
  return success();
}

LogicalResult contract::verifyFormat(Operation *op, Operand input,
                                     Operand operand) {
  switch (operand.contract->format) {
  case Format::Own:
    return success();
  case Format::Input:
  case Format::FxInput:
    return operand.contract->hasInputFormat(isa<Sa8Type>(input.element()))
               ? verifySameElement(op, input, operand)
               : success();
  case Format::Positive:
  case Format::Signed:
    return verifyFixedElement(
        op, operand, tableElement(input.element(), operand.contract->family));
  case Format::Positions:
    return verifyFixedElement(
        op, operand, Sa32Type::get(op->getContext(), quant::QuantParams{}));
  }
  llvm_unreachable("all formats are handled");
}
