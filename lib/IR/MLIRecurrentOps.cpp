// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the recurrent operations.

#include "KernelContract.h"

#include "mli/Quant/Contract.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

//===----------------------------------------------------------------------===//
// RnnDenseOp
//===----------------------------------------------------------------------===//

static constexpr size_t maxInputs = contract::rnnInputsRange.most;

/// One of the products: its operands, and what a matrix product asks of them.
static LogicalResult verifyProduct(RnnDenseOp op, size_t i,
                                   const contract::Weighted &operands) {
  auto [input, weights, bias, init, axis, allowsFx8] = operands;
  if (failed(contract::verifyKinds(op, operands)) ||
      failed(contract::verifyTensors(op, {input, weights})) ||
      failed(contract::verifyUnitStrides(op, {weights})) ||
      failed(contract::verifyContiguous(op, {input})) ||
      failed(contract::verifyActivation(op, input)) ||
      failed(contract::verifyPerTensor(op, weights)) ||
      failed(contract::verifyApart(op, op.getInputs()[i], op.getInit())) ||
      failed(contract::verifySameDim(op, weights, 1, bias, 0)))
    return failure();
  if (input.type.hasStaticShape() &&
      failed(contract::verifyDim(op, weights, 0, input.type.getNumElements(),
                                 "the elements of its input")))
    return failure();
  return isa<Sa8Type>(input.element())
             ? contract::verifyZeroPoints(op, {weights})
             : contract::verifyFracBits(op, input, weights, {init});
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
  Operand bias{"bias", getBias().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(contract::verifyTensors(*this, {bias, init})) ||
      failed(contract::verifyUnitStrides(*this, {bias, init})) ||
      failed(contract::verifySameDim(*this, bias, 0, init, 0)) ||
      failed(contract::verifyActivation(*this, init)) ||
      failed(contract::verifyPerTensor(*this, bias)))
    return failure();
  for (size_t i = 0; i < getInputs().size(); ++i)
    if (failed(verifyProduct(
            *this, i,
            {{inputNames[i], cast<ShapedType>(getInputs()[i].getType())},
             {weightNames[i], cast<ShapedType>(getWeights()[i].getType())},
             bias,
             init,
             /*outputAxis=*/-1,
             /*allowsFx8=*/false})))
      return failure();
  // The bias counts with the first product.
  Operand input{inputNames[0], cast<ShapedType>(getInputs()[0].getType())};
  Operand weights{weightNames[0], cast<ShapedType>(getWeights()[0].getType())};
  if (!isa<Sa8Type>(input.element()))
    return contract::verifyFracBits(*this, input, weights, {bias});
  if (failed(contract::verifyZeroPoints(*this, {bias})))
    return failure();
  return contract::verifyBiasScale(*this, input, weights, bias);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

namespace {

/// What both cells have.
struct Cell {
  template <typename CellOp>
  Cell(CellOp op, int64_t gates)
      : op(op), input{"input", op.getInput().getType()},
        previous{"previous", op.getPrevious().getType()},
        weightsIn{"weights_in", op.getWeightsIn().getType()},
        weightsOut{"weights_out", op.getWeightsOut().getType()},
        bias{"bias", op.getBias().getType()},
        init{"init", op.getInit().getType()}, gates(gates),
        allResults(op.getAllResults()) {}

  LogicalResult verify() const;
  /// One element a gate's output: previous output, cell.
  LogicalResult verifyState(Operand state) const;

  Operation *op;
  Operand input, previous, weightsIn, weightsOut, bias, init;
  int64_t gates;
  bool allResults;

private:
  LogicalResult verifyShapes() const;
  LogicalResult verifyFormats() const;
  LogicalResult verifyAxes() const;
};

} // namespace

LogicalResult Cell::verifyState(Operand state) const {
  if (failed(contract::verifyTensors(op, {state})) ||
      failed(contract::verifyUnitStrides(op, {state})) ||
      failed(contract::verifySameKind(op, input, state)) ||
      failed(contract::verifyActivation(op, state)))
    return failure();
  return contract::verifySameDim(op, weightsIn, 2, state, 0);
}

LogicalResult Cell::verifyShapes() const {
  for (Operand operand : {weightsIn, weightsOut, bias})
    if (failed(
            contract::verifyDim(op, operand, 0, gates, "the number of gates")))
      return failure();
  if (failed(contract::verifySameDim(op, input, 1, weightsIn, 1)) ||
      failed(contract::verifySameDim(op, weightsIn, 2, weightsOut, 1)) ||
      failed(contract::verifySameDim(op, weightsIn, 2, weightsOut, 2)) ||
      failed(contract::verifySameDim(op, weightsIn, 2, bias, 1)) ||
      failed(contract::verifySameDim(op, weightsIn, 2, init, 1)))
    return failure();
  return allResults ? contract::verifyDim(op, init, 0, input.type.getDimSize(0),
                                          "the number of steps")
                    : contract::verifyDim(op, init, 0, 1, "one result");
}

/// Weights and bias have one axis: none, or that of the gates.
LogicalResult Cell::verifyAxes() const {
  int32_t axis = weightsIn.quantized().isPerAxis() ? 0 : -1;
  for (Operand operand : {weightsIn, weightsOut, bias})
    // W3
    if (operand.quantized().getAxis() != axis)
      return op->emitOpError("expected quantised axis of '")
             << operand.name << "' to be " << axis
             << (axis == 0 ? ", that of the gates" : ", as of 'weights_in'")
             << ", but got " << operand.quantized().getAxis();
  return success();
}

LogicalResult Cell::verifyFormats() const {
  if (failed(contract::verifyKinds(op, {input, weightsIn, bias, init,
                                        /*outputAxis=*/0,
                                        /*allowsFx8=*/false})) ||
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
      failed(contract::verifyUnitStrides(op, {weightsIn, weightsOut, bias})) ||
      failed(contract::verifyContiguous(op, {input, init})) ||
      failed(verifyShapes()) || failed(verifyFormats()))
    return failure();
  return verifyState(previous);
}

LogicalResult LstmCellOp::verify() {
  Cell cell(*this, /*gates=*/4);
  if (failed(cell.verify()) ||
      failed(contract::verifyApart(*this, getInput(), getInit())))
    return failure();
  return cell.verifyState({"cell", getCell().getType()});
}

LogicalResult GruCellOp::verify() {
  if (failed(Cell(*this, /*gates=*/3).verify()))
    return failure();
  return contract::verifyApart(*this, getInput(), getInit());
}
