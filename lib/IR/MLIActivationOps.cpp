// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the activations.

#include "Contract/KernelContract.h"

using namespace mlir;
using namespace mli;
using contract::Family;
using contract::Operand;
using contract::OperandKind;

LogicalResult ReluOp::verify() {
  auto input =
      Operand::of(Family::Relu, OperandKind::Input, getInput().getType());
  auto init = Operand::of(Family::Relu, OperandKind::Init, getInit().getType());
  if (failed(contract::verifyMaps(*this, input, init)) ||
      failed(contract::verifyActivation(*this, input)))
    return failure();
  return contract::verifyFormat(*this, input, init);
}

//===----------------------------------------------------------------------===//
// Slopes
//===----------------------------------------------------------------------===//

template <typename SlopeOp>
static LogicalResult verifySlopes(SlopeOp op, int32_t axis) {
  Family family = *SlopeOp::getFamily();
  auto input = Operand::of(family, OperandKind::Input, op.getInput().getType());
  auto slope = Operand::of(family, OperandKind::Other, op.getSlope().getType());
  auto init = Operand::of(family, OperandKind::Init, op.getInit().getType());
  if (failed(contract::verifyMaps(op, input, init)) ||
      failed(contract::verifyTensors(op, {slope})) ||
      failed(contract::verifySameKind(op, input, slope)) ||
      failed(contract::verifySameKind(op, input, init)) ||
      failed(contract::verifyActivation(op, input)) ||
      failed(contract::verifyActivation(op, slope)) ||
      failed(contract::verifyActivation(op, init)) ||
      failed(contract::verifyFormat(op, input, init)) ||
      failed(contract::verifyAxisAttr(op, axis, input.type.getRank())) ||
      failed(contract::verifySlopeShape(op, input, slope, axis)))
    return failure();
  return contract::verifySharing(op);
}

LogicalResult LeakyReluOp::verify() { return verifySlopes(*this, /*axis=*/-1); }
LogicalResult PreluOp::verify() {
  return verifySlopes(*this, static_cast<int32_t>(getAxis()));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

LogicalResult LutOp::verify() {
  return contract::verifyTable(*this, getInitMutable(), getFunction());
}

/// The format of a result is that of the function, unless the program says what
/// is in the table.
// E2
static LogicalResult verifyResult(Operation *op, ArrayRef<TableUse> tables,
                                  Operand input, Operand init) {
  auto hasFormat = [](const TableUse &table) { return bool(table.format); };
  if (llvm::none_of(tables, hasFormat))
    return contract::verifyFormat(op, input, init);
  return success(succeeded(contract::verifySameKind(op, input, init)) &&
                 succeeded(contract::verifyActivation(op, init)));
}

LogicalResult contract::verifyTableKernel(KernelOpInterface op) {
  Family family = *op.getFamily();
  SmallVector<TableUse, 2> tables = cast<TableOpInterface>(*op).getTables();
  auto input =
      Operand::of(family, OperandKind::Input, op->getOperand(0).getType());
  auto init =
      Operand::of(family, OperandKind::Init, op->getOperand(1).getType());
  if (failed(verifyMaps(op, input, init)) ||
      failed(verifyActivation(op, input)) ||
      failed(verifyResult(op, tables, input, init)))
    return failure();
  for (const TableUse &table : tables)
    // K59
    if (failed(verifyTable(op, table, /*minLength=*/2)))
      return failure();
  return verifySharing(op);
}

LogicalResult contract::verifySliceKernel(KernelOpInterface op, int32_t axis) {
  if (failed(verifyTableKernel(op)))
    return failure();
  auto input = cast<ShapedType>(op->getOperand(0).getType());
  return verifyAxisAttr(op, axis, input.getRank());
}
