// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the recurrent operations.

#include "Contract/KernelContract.h"

#include "mli/IR/FunctionTable.h"

#include "mli/Contract/Contract.h"

using namespace mlir;
using namespace mli;
using contract::Family;
using contract::Operand;
using contract::OperandKind;

//===----------------------------------------------------------------------===//
// RnnDenseOp
//===----------------------------------------------------------------------===//

static constexpr size_t maxInputs = contract::rnnInputsRange.most;

/// Checks the operands of one of the products as those of a matrix product.
static LogicalResult verifyProduct(RnnDenseOp op,
                                   const contract::Weighted &operands) {
  auto [input, weights, bias, init] = operands;
  contract::Sizes sizes;
  if (failed(contract::verifyKinds(op, operands)) ||
      failed(contract::verifyTensors(op, {input, weights})) ||
      failed(contract::verifyMemory(op, {weights, input})) ||
      failed(contract::verifyActivation(op, input)) ||
      failed(contract::verifyPerTensor(op, weights)) ||
      failed(contract::verifyElements(
          op, input, {weights, bias}, sizes, [](char, int64_t size) {
            return "the elements of its input, " + std::to_string(size);
          })))
    return failure();
  return isa<Sa8Type>(input.element())
             ? contract::verifyZeroPoints(op, {weights})
             : contract::verifyFracBits(op, input, weights, {init});
}

/// `operand` under the name of one of several.
static Operand named(StringRef name, OperandKind role, Value value) {
  Operand operand = Operand::of(Family::RnnDense, role, value.getType());
  operand.name = name;
  return operand;
}

LogicalResult RnnDenseOp::verify() {
  static constexpr StringRef inputNames[maxInputs] = {"inputs[0]", "inputs[1]",
                                                      "inputs[2]", "inputs[3]"};
  static constexpr StringRef weightNames[maxInputs] = {
      "weights[0]", "weights[1]", "weights[2]", "weights[3]"};
  // W1
  if (getInputs().empty() || getInputs().size() > maxInputs)
    return emitOpError("expected 'inputs' to be 1 to 4 tensors, but got ")
           << getInputs().size();
  // W2
  if (getInputs().size() != getWeights().size())
    return emitOpError("expected 'weights' to be ")
           << getInputs().size() << " tensors, one for each input, but got "
           << getWeights().size();
  auto bias =
      Operand::of(Family::RnnDense, OperandKind::Bias, getBias().getType());
  auto init =
      Operand::of(Family::RnnDense, OperandKind::Init, getInit().getType());
  contract::Sizes sizes;
  if (failed(contract::verifyTensors(*this, {bias, init})) ||
      failed(contract::verifyMemory(*this, {bias, init})) ||
      failed(contract::verifyShapes(*this, {bias, init}, sizes)) ||
      failed(contract::verifyActivation(*this, init)) ||
      failed(contract::verifyPerTensor(*this, bias)))
    return failure();
  auto input = [&](size_t i) {
    return named(inputNames[i], OperandKind::Input, getInputs()[i]);
  };
  auto weights = [&](size_t i) {
    return named(weightNames[i], OperandKind::Weights, getWeights()[i]);
  };
  for (size_t i = 0; i < getInputs().size(); ++i)
    if (failed(verifyProduct(*this, {input(i), weights(i), bias, init})))
      return failure();
  if (failed(contract::verifySharing(*this)))
    return failure();
  // The bias counts with the first product.
  if (!isa<Sa8Type>(input(0).element()))
    return contract::verifyFracBits(*this, input(0), weights(0), {bias});
  if (failed(contract::verifyZeroPoints(*this, {bias})))
    return failure();
  return contract::verifyBiasScale(*this, input(0), weights(0), bias);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

namespace {

/// The operands and attributes that both cells have.
struct Cell {
  template <typename CellOp>
  Cell(CellOp op, Family family)
      : op(op), family(family),
        input(operand(OperandKind::Input, op.getInput())),
        previous(operand(OperandKind::Previous, op.getPrevious())),
        weightsIn(operand(OperandKind::Weights, op.getWeightsIn())),
        weightsOut(operand(OperandKind::WeightsOut, op.getWeightsOut())),
        bias(operand(OperandKind::Bias, op.getBias())),
        init(operand(OperandKind::Init, op.getInit())),
        allResults(op.getAllResults()) {}

  Operand operand(OperandKind role, Value value) const {
    return Operand::of(family, role, value.getType());
  }
  LogicalResult verify() const;
  /// One element a gate's output: previous output, cell.
  LogicalResult verifyState(Operand state) const;

  Operation *op;
  Family family;
  Operand input, previous, weightsIn, weightsOut, bias, init;
  bool allResults;

private:
  LogicalResult verifyShapes() const;
  LogicalResult verifyFormats() const;
  LogicalResult verifyAxes() const;
};

} // namespace

LogicalResult Cell::verifyState(Operand state) const {
  contract::Sizes sizes;
  return failure(failed(contract::verifyTensors(op, {state})) ||
                 failed(contract::verifyMemory(op, {state})) ||
                 failed(contract::verifySameKind(op, input, state)) ||
                 failed(contract::verifyActivation(op, state)) ||
                 failed(contract::verifyShapes(op, {weightsIn, state}, sizes)));
}

LogicalResult Cell::verifyShapes() const {
  contract::Sizes sizes;
  sizes.bind('r', allResults ? input.type.getDimSize(0) : 1);
  auto isGates = [](char, int64_t size) {
    return "the number of gates, " + std::to_string(size);
  };
  auto isRows = [&](char, int64_t size) {
    return (allResults ? "the number of steps, " : "one result, ") +
           std::to_string(size);
  };
  const Operand products[] = {input, weightsIn, weightsOut, bias};
  if (failed(contract::verifyShapes(op, products, sizes, isGates)))
    return failure();
  return contract::verifyShapes(op, {weightsIn, init}, sizes, isRows);
}

/// Weights and bias have one axis: none, or that of the gates.
LogicalResult Cell::verifyAxes() const {
  bool isPerGate = weightsIn.quantized().isPerAxis();
  for (Operand operand : {weightsIn, weightsOut, bias}) {
    int32_t axis = operand.contract->axisIn(isPerGate);
    // W3
    if (operand.quantized().getAxis() != axis)
      return op->emitOpError("expected quantised axis of '")
             << operand.name << "' to be " << axis
             << (isPerGate ? ", that of the gates" : ", as of 'weights_in'")
             << ", but got " << operand.quantized().getAxis();
  }
  return success();
}

LogicalResult Cell::verifyFormats() const {
  if (failed(contract::verifyKinds(op, {input, weightsIn, bias, init})) ||
      failed(contract::verifySameKind(op, weightsIn, weightsOut)) ||
      failed(contract::verifyActivation(op, input)) ||
      failed(contract::verifyActivation(op, init)))
    return failure();
  if (!isa<Sa8Type>(input.element()))
    return contract::verifyFracBits(op, input, weightsIn, {bias});
  if (failed(verifyAxes()) ||
      failed(contract::verifyZeroPoints(op, {weightsIn, weightsOut, bias})))
    return failure();
  return contract::verifyBiasScale(op, input, weightsIn, bias);
}

LogicalResult Cell::verify() const {
  if (failed(contract::verifyTensors(
          op, {input, weightsIn, weightsOut, bias, init})) ||
      failed(contract::verifyMemory(
          op, {weightsIn, weightsOut, bias, input, init})) ||
      failed(verifyShapes()) || failed(verifyFormats()))
    return failure();
  return verifyState(previous);
}

/// The tables that a cell is given, and what it shares.
static LogicalResult verifyTables(TableOpInterface op) {
  for (const TableUse &table : op.getTables())
    // K48
    if (failed(contract::verifyTable(op, table,
                                     getTable(table.function).fields.length)))
      return failure();
  return contract::verifySharing(op);
}

LogicalResult LstmCellOp::verify() {
  Cell cell(*this, Family::LstmCell);
  if (failed(cell.verify()) ||
      failed(cell.verifyState(cell.operand(OperandKind::Cell, getCell()))))
    return failure();
  return verifyTables(*this);
}

LogicalResult GruCellOp::verify() {
  if (failed(Cell(*this, Family::GruCell).verify()))
    return failure();
  return verifyTables(*this);
}
