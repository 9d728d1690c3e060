// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the pooling operations.

#include "Contract/KernelContract.h"

using namespace mlir;
using namespace mli;
using contract::Family;
using contract::Operand;
using contract::OperandKind;

template <typename PoolOp>
static LogicalResult verifyPool(PoolOp op) {
  Family family = *PoolOp::getFamily();
  auto input = Operand::of(family, OperandKind::Input, op.getInput().getType());
  auto init = Operand::of(family, OperandKind::Init, op.getInit().getType());
  input.isChw = init.isChw = op.getLayout() == MapLayout::chw;
  contract::Sizes sizes;
  ArrayRef<int64_t> kernel = op.getKernel();
  if (failed(contract::verifyFactors(op, "kernel", kernel)) ||
      failed(contract::verifyTensors(op, {input, init})) ||
      failed(contract::verifyMemory(op, {input, init})) ||
      failed(contract::verifyActivation(op, input)) ||
      failed(contract::verifyActivation(op, init)) ||
      failed(contract::verifyShapes(op, {input, init}, sizes)) ||
      failed(contract::verifySharing(op)))
    return failure();
  return contract::verifyWindow(op);
}

LogicalResult AvePoolOp::verify() {
  Type input = getInput().getType().getElementType();
  Type init = getInit().getType().getElementType();
  // P1
  if (input.getTypeID() != init.getTypeID())
    return emitOpError("expected 'init' to have elements of the kind of ")
           << input << ", but got " << init;
  return verifyPool(*this);
}

LogicalResult MaxPoolOp::verify() {
  auto input =
      Operand::of(Family::MaxPool, OperandKind::Input, getInput().getType());
  auto init =
      Operand::of(Family::MaxPool, OperandKind::Init, getInit().getType());
  if (failed(contract::verifyFormat(*this, input, init)))
    return failure();
  return verifyPool(*this);
}
