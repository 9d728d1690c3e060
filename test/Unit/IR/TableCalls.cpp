// SPDX-License-Identifier: Apache-2.0
//
// Calls as operations.

#include "TableCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mli;
using namespace mli::test;
using contract::Family;
using contract::Kind;
using contract::Kinds;
using contract::OperandKind;

void TableOperand::makeDense() {
  strides.assign(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
}

int64_t TableOperand::elementBytes() const {
  switch (kind) {
  case Kind::fx8:
  case Kind::sa8:
    return 1;
  case Kind::fx16:
    return 2;
  case Kind::sa32:
    return 4;
  }
  return 0;
}

int64_t TableOperand::viewBytes() const {
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    last += (size - 1) * stride;
  return (last + 1) * elementBytes();
}

TableCalls::TableCalls(Family family) : family(family) {
  context.loadDialect<MLIDialect, func::FuncDialect>();
}

/// What letters stand for, so that every window fits.
static int64_t sizeOf(char letter) {
  if (letter <= '9')
    return letter - '0';
  switch (letter) {
  case 'h':
  case 'w':
  case 'H':
  case 'W':
    return 5;
  case 'i':
    return 6;
  case 'd':
  case 'k':
    return 2;
  case 'c':
  case 'n':
    return 4;
  default:
    return 1;
  }
}

static SmallVector<int64_t> getShape(const contract::Tensor &tensor) {
  SmallVector<int64_t> shape;
  if (tensor.hasDims()) {
    for (char letter : tensor.shape)
      shape.push_back(sizeOf(letter));
    return shape;
  }
  switch (tensor.shape[0]) {
  case '#':
    return {2, 3};
  case '.':
  case '|':
    return {1};
  default:
    return {4, 3};
  }
}

TableOperands TableCalls::operands(const Kinds &kinds) const {
  TableOperands result;
  for (const contract::Tensor &tensor : contract::tensors) {
    if (tensor.family != family)
      continue;
    TableOperand operand = {
        &tensor, getShape(tensor), {}, kinds.input, {1, 0, 0}};
    if (tensor.role == OperandKind::Weights ||
        tensor.role == OperandKind::WeightsOut)
      operand.kind = kinds.weights;
    if (tensor.role == OperandKind::Bias)
      operand.kind = kinds.bias;
    bool isResult = tensor.role == OperandKind::Init;
    // Formats that the kernels write.
    if (isResult && family == Family::Argmax)
      operand.kind = Kind::sa32;
    bool isSigned = family == Family::Tanh || family == Family::L2Normalize;
    bool isTable =
        isSigned || family == Family::Sigm || family == Family::Softmax;
    if (isResult && isTable && kinds.input == Kind::sa8)
      operand.params = isSigned ? quant::QuantParams{1, 7, 0}
                                : quant::QuantParams{1, 8, -128};
    else if (isResult && isTable)
      operand.params.fracBits = kinds.input == Kind::fx16 ? 15 : 7;
    operand.makeDense();
    result.push_back(operand);
  }
  return result;
}

Type TableCalls::getElement(const TableOperand &operand) {
  SmallVector<quant::QuantParams> sets(
      operand.axis < 0 ? 1 : operand.shape[operand.axis], operand.params);
  auto axis = static_cast<int32_t>(operand.axis);
  switch (operand.kind) {
  case Kind::fx8:
    return Fx8Type::get(&context, operand.params.fracBits);
  case Kind::fx16:
    return Fx16Type::get(&context, operand.params.fracBits);
  case Kind::sa8:
    return axis < 0 ? Sa8Type::get(&context, operand.params)
                    : Sa8Type::get(&context, axis, sets);
  case Kind::sa32:
    return axis < 0 ? Sa32Type::get(&context, operand.params)
                    : Sa32Type::get(&context, axis, sets);
  }
  return {};
}

MemRefType TableCalls::getType(const TableOperand &operand) {
  auto layout = StridedLayoutAttr::get(&context, 0, operand.strides);
  return MemRefType::get(operand.shape, getElement(operand), layout);
}

bool TableCalls::haveOneType(const TableOperand &one,
                             const TableOperand &other) {
  return getType(one) == getType(other);
}

/// Attributes that have no default, and the axis of slopes.
static void addAttributes(Builder &builder, Family family, int32_t axis,
                          ArrayRef<TableOperand> operands,
                          OperationState &state) {
  if (family == Family::Prelu)
    state.addAttribute("axis", builder.getI32IntegerAttr(axis));
  bool isPool = family == Family::AvePool || family == Family::MaxPool;
  if (isPool)
    state.addAttribute("kernel", builder.getDenseI64ArrayAttr({1, 1}));
  if (isPool || family <= Family::TransposeConv2d)
    state.addAttribute("static_padding",
                       builder.getDenseI64ArrayAttr({0, 0, 0, 0}));
  if (family == Family::RnnDense)
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr({1, 1, 1, 1}));
  bool isCell = family == Family::LstmCell || family == Family::GruCell;
  if (isCell) {
    // No tables.
    SmallVector<int32_t> segments(operands.size(), 1);
    segments.append({0, 0});
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(segments));
  }
  if (family == Family::Relu)
    state.addAttribute("relu",
                       ReluKindAttr::get(builder.getContext(), ReluKind::gen));
  if (family == Family::Argmax)
    state.addAttribute("topk", builder.getI32IntegerAttr(2));
  if (family == Family::Permute)
    state.addAttribute("permutation",
                       builder.getDenseI64ArrayAttr(llvm::to_vector(
                           llvm::seq<int64_t>(operands[0].shape.size()))));
}

bool TableCalls::isVerified(ArrayRef<TableOperand> operands) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> types;
  for (const TableOperand &operand : operands)
    types.push_back(getType(operand));
  auto function = func::FuncOp::create(builder, loc, "f",
                                       builder.getFunctionType(types, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  OperationState state(
      loc,
      ("mli." + Twine(contract::mnemonics[static_cast<size_t>(family)])).str());
  for (auto [i, operand] : llvm::enumerate(operands))
    state.addOperands(
        body->getArgument(static_cast<unsigned>(operand.place.value_or(i))));
  addAttributes(builder, family, axis, operands, state);
  builder.create(state);
  func::ReturnOp::create(builder, loc);
  return succeeded(verify(*module));
}
