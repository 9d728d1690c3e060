// SPDX-License-Identifier: Apache-2.0

#include "CellSteps.h"

#include "mli/IR/ConstantData.h"
#include "mli/Quant/Formats.h"
#include "mli/Quant/KernelScales.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;
using contract::Family;
using quant::QuantParams;

CellOperands::CellOperands(Operation *op) : op(op) {
  auto read = [&](auto kernel) {
    input = kernel.getInput();
    previous = kernel.getPrevious();
    weightsIn = kernel.getWeightsIn();
    weightsOut = kernel.getWeightsOut();
    bias = kernel.getBias();
    init = kernel.getInit();
    isBackward = kernel.getBackward();
    hasAllResults = kernel.getAllResults();
  };
  if (auto gru = dyn_cast<GruCellOp>(op)) {
    read(gru);
    return;
  }
  auto lstm = cast<LstmCellOp>(op);
  read(lstm);
  cell = lstm.getCell();
  act = lstm.getAct();
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

static QuantizedType getElement(Value value) {
  return cast<QuantizedType>(getElementTypeOrSelf(value));
}

/// The parameters of a tensor that has one set of them, or of its first index.
static QuantParams getParams(Value value) {
  return getElement(value).getParam(0);
}

static bool isAsymmetric(const CellOperands &cell) {
  return isa<Sa8Type>(getElement(cell.input));
}

static QuantParams getGateFormat(const CellOperands &cell) {
  return contract::gateFormat(*cast<KernelOpInterface>(cell.op).getFamily(),
                              isAsymmetric(cell), getParams(cell.input),
                              getParams(cell.weightsIn));
}

/// The element type of vectors of `cell` that have `params`.
static Type getVectorElement(const CellOperands &cell,
                             const QuantParams &params) {
  MLIRContext *context = cell.op->getContext();
  if (isAsymmetric(cell))
    return Sa8Type::get(context, params);
  return Fx16Type::get(context, params.fracBits);
}

static Type getTableElement(const CellOperands &cell, Family family) {
  auto width = static_cast<int>(getElement(cell.input).getStorageWidth());
  return getVectorElement(
      cell, contract::tableFormat(family, width, isAsymmetric(cell)));
}

/// Whether the new gate of `cell` has other parameters than its weights.
static bool changesNewGate(const CellOperands &cell) {
  return !cell.cell && isAsymmetric(cell) &&
         !getElement(cell.weightsIn).isPerAxis();
}

/// The parameters of the bias of the new gate; nothing if no types have those
/// of its weights and bias.
static std::optional<QuantParams> findNewBias(const CellOperands &cell) {
  QuantParams in = contract::newGateParams(getParams(cell.weightsIn));
  QuantParams out = contract::newGateParams(getParams(cell.weightsOut));
  if (in.scale <= 0 || out.scale <= 0)
    return std::nullopt;
  return quant::biasParams(getParams(cell.input), in);
}

// Z21
std::string mli::tiling::explainNoSteps(Operation *op) {
  CellOperands cell(op);
  int fracBits = getGateFormat(cell).fracBits;
  const std::pair<Value, Value> products[] = {{cell.input, cell.weightsIn},
                                              {cell.previous, cell.weightsOut},
                                              {cell.init, cell.weightsOut}};
  if (!isAsymmetric(cell))
    for (auto [vector, weights] : products)
      if (int most =
              contract::productFracBits(getParams(vector), getParams(weights));
          fracBits > most)
        return "gates have " + std::to_string(fracBits) +
               " fraction bits, and one of their products " +
               std::to_string(most);
  if (!changesNewGate(cell))
    return "";
  for (Value tensor : {cell.weightsIn, cell.weightsOut, cell.bias})
    if (!tensor.getDefiningOp<ConstantOp>())
      return "weights and bias are quantised per tensor, and no constants, and "
             "the new gate of the kernel has other parameters";
  if (!findNewBias(cell))
    return "the parameters of the new gate of the kernel are of no type";
  return "";
}

//===----------------------------------------------------------------------===//
// Weights of gates
//===----------------------------------------------------------------------===//

/// Index `gate` of `tensor`, whose first dimension are the gates.
static Value makeGateView(OpBuilder &builder, Location loc, Value tensor,
                          size_t gate) {
  auto type = cast<RankedTensorType>(tensor.getType());
  QuantizedType element = getElement(tensor);
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  offsets[0] = builder.getIndexAttr(static_cast<int64_t>(gate));
  sizes[0] = builder.getIndexAttr(1);
  if (!element.isPerAxis())
    return SubtensorOp::create(builder, loc, tensor, offsets, sizes, rank - 1);
  // A block keeps its quantised axis.
  Value block = SubtensorOp::create(builder, loc, tensor, offsets, sizes);
  auto view = RankedTensorType::get(type.getShape().drop_front(),
                                    cast<QuantizedType>(element.slice(gate, 1))
                                        .withAxis(contract::PerTensor));
  return ReshapeOp::create(builder, loc, view, block);
}

/// The same of a constant, with elements of `element`.
static Value makeGateConstant(OpBuilder &builder, Value tensor, size_t gate,
                              Type element) {
  auto constant = tensor.getDefiningOp<ConstantOp>();
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(tensor.getType()).getShape().drop_front();
  return gatherConstant(builder, constant,
                        RankedTensorType::get(shape, element),
                        static_cast<int64_t>(gate) * llvm::product_of(shape),
                        computeStrides(shape));
}

CellSteps::CellSteps(OpBuilder &builder, const CellOperands &operands)
    : operands(operands), loc(operands.op->getLoc()),
      gateElement(getVectorElement(operands, getGateFormat(operands))),
      sigmElement(getTableElement(operands, Family::Sigm)),
      tanhElement(getTableElement(operands, Family::Tanh)) {
  auto count = static_cast<size_t>(
      cast<ShapedType>(operands.bias.getType()).getDimSize(0));
  // The new gate of a GRU is its last.
  size_t views = changesNewGate(operands) ? count - 1 : count;
  for (size_t gate = 0; gate < views; ++gate)
    gates.push_back({makeGateView(builder, loc, operands.weightsIn, gate),
                     makeGateView(builder, loc, operands.weightsOut, gate),
                     makeGateView(builder, loc, operands.bias, gate)});
  if (views < count) {
    auto makeWeights = [&](Value weights) {
      return makeGateConstant(
          builder, weights, views,
          Sa8Type::get(builder.getContext(),
                       contract::newGateParams(getParams(weights))));
    };
    gates.push_back({makeWeights(operands.weightsIn),
                     makeWeights(operands.weightsOut),
                     makeGateConstant(builder, operands.bias, views,
                                      Sa32Type::get(builder.getContext(),
                                                    *findNewBias(operands)))});
  }
  if (operands.cell)
    return;
  auto storage = cast<QuantizedType>(sigmElement).getStorageType();
  one = ConstantOp::create(
      builder, loc, RankedTensorType::get({1}, sigmElement),
      DenseElementsAttr::get(RankedTensorType::get({1}, storage),
                             APInt::getSignedMaxValue(storage.getWidth())));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value CellSteps::createEmpty(OpBuilder &builder, Type element) const {
  return tensor::EmptyOp::create(
      builder, loc, cast<ShapedType>(operands.previous.getType()).getShape(),
      element);
}

Value CellSteps::multiply(OpBuilder &builder, Value lhs, Value rhs,
                          Type element) const {
  return EltwiseMulOp::create(builder, loc, lhs, rhs,
                              createEmpty(builder, element))
      ->getResult(0);
}

/// `function` of `value`, with the table that the cell has for it.
Value CellSteps::activate(OpBuilder &builder, LutFunction function,
                          Value value) const {
  Value lut;
  LutFormatAttr format;
  for (const TableUse &table : cast<TableOpInterface>(operands.op).getTables())
    if (table.function == function) {
      lut = table.given.empty() ? Value() : table.given[0].get();
      format = table.format;
    }
  if (function == LutFunction::tanh)
    return TanhOp::create(builder, loc, value,
                          createEmpty(builder, tanhElement), lut, format)
        ->getResult(0);
  return SigmOp::create(builder, loc, value, createEmpty(builder, sigmElement),
                        lut, format)
      ->getResult(0);
}

Value CellSteps::makeGate(OpBuilder &builder, size_t gate, Value frame,
                          Value hidden, LutFunction function) const {
  auto [weightsIn, weightsOut, bias] = gates[gate];
  auto products = RnnDenseOp::create(builder, loc, ValueRange{frame, hidden},
                                     ValueRange{weightsIn, weightsOut}, bias,
                                     createEmpty(builder, gateElement));
  return activate(builder, function, products->getResult(0));
}

// K49
CellState CellSteps::makeLstmStep(OpBuilder &builder, Value frame,
                                  const CellState &state,
                                  Value destination) const {
  Value input = makeGate(builder, 0, frame, state.hidden, LutFunction::sigm);
  Value added = makeGate(builder, 1, frame, state.hidden, LutFunction::tanh);
  Value forget = makeGate(builder, 2, frame, state.hidden, LutFunction::sigm);
  Value output = makeGate(builder, 3, frame, state.hidden, LutFunction::sigm);
  Value selected = multiply(builder, added, input, tanhElement);
  Value kept = multiply(builder, state.cell, forget, getElement(state.cell));
  Value cell = EltwiseAddOp::create(builder, loc, kept, selected, state.cell)
                   ->getResult(0);
  Value activated = cell;
  if (operands.act != RnnAct::none)
    activated = activate(builder,
                         operands.act == RnnAct::tanh ? LutFunction::tanh
                                                      : LutFunction::sigm,
                         cell);
  return {EltwiseMulOp::create(builder, loc, activated, output, destination)
              ->getResult(0),
          cell};
}

// K50
CellState CellSteps::makeGruStep(OpBuilder &builder, Value frame,
                                 const CellState &state,
                                 Value destination) const {
  Type hidden = getElement(state.hidden);
  Value update = makeGate(builder, 0, frame, state.hidden, LutFunction::sigm);
  Value reset = makeGate(builder, 1, frame, state.hidden, LutFunction::sigm);
  Value seen = multiply(builder, reset, state.hidden, hidden);
  Value renewed = makeGate(builder, 2, frame, seen, LutFunction::tanh);
  Value kept = multiply(builder, state.hidden, update, hidden);
  Value rest = EltwiseSubOp::create(builder, loc, one, update,
                                    createEmpty(builder, sigmElement))
                   ->getResult(0);
  Value added = multiply(builder, renewed, rest, getElement(destination));
  return {EltwiseAddOp::create(builder, loc, added, kept, destination)
              ->getResult(0),
          {}};
}

CellState CellSteps::makeStep(OpBuilder &builder, Value frame,
                              const CellState &state, Value destination) const {
  return operands.cell ? makeLstmStep(builder, frame, state, destination)
                       : makeGruStep(builder, frame, state, destination);
}
