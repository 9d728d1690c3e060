// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/KernelOperands.h"

#include "mli/Contract/Memory.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using contract::Family;
using contract::OperandKind;

static std::optional<Family> getFamily(Operation *op) {
  auto kernel = dyn_cast<KernelOpInterface>(op);
  return kernel ? kernel.getFamily() : std::nullopt;
}

contract::Kind mli::getKind(Type element) {
  return TypeSwitch<Type, contract::Kind>(element)
      .Case([](Fx8Type) { return contract::Kind::fx8; })
      .Case([](Fx16Type) { return contract::Kind::fx16; })
      .Case([](Sa8Type) { return contract::Kind::sa8; })
      .Case([](Sa32Type) { return contract::Kind::sa32; });
}

contract::Kinds mli::getKinds(KernelOpInterface kernel) {
  std::optional<contract::Kind> input, weights, bias;
  auto dps = cast<DestinationStyleOpInterface>(*kernel);
  for (OpOperand *operand : dps.getDpsInputOperands()) {
    const contract::Tensor *contract = getContract(*operand);
    if (!contract)
      continue;
    contract::Kind kind = getKind(getElementTypeOrSelf(operand->get()));
    if (contract->role == OperandKind::Input)
      input = kind;
    else if (contract->role == OperandKind::Weights)
      weights = kind;
    else if (contract->role == OperandKind::Bias)
      bias = kind;
  }
  return {*input, weights.value_or(*input), bias.value_or(*input)};
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The requirements of the runtime on the memory of a table, under its name. No
/// family has rows for tables.
static constexpr contract::Tensor makeTable(const char *name,
                                            contract::Sharing sharing) {
  return {Family::Sigm,
          OperandKind::Other,
          name,
          name,
          "n",
          contract::Memory::Contiguous,
          sharing,
          contract::Format::Own,
          contract::zeroPointRange,
          contract::PerTensor};
}

static constexpr contract::Tensor madeTable =
    makeTable("init", contract::Sharing::Written);
static constexpr contract::Tensor lut =
    makeTable("lut", contract::Sharing::NoAlias);
static constexpr contract::Tensor tanhLut =
    makeTable("tanh_lut", contract::Sharing::NoAlias);
static constexpr contract::Tensor sigmLut =
    makeTable("sigm_lut", contract::Sharing::NoAlias);

/// The contract of `operand` if it is a table.
static const contract::Tensor *getTableContract(OpOperand &operand) {
  if (isa<LutOp>(operand.getOwner()))
    return &madeTable;
  auto kernel = dyn_cast<TableOpInterface>(operand.getOwner());
  if (!kernel)
    return nullptr;
  SmallVector<TableUse, 2> tables = kernel.getTables();
  const TableUse *table = llvm::find_if(tables, [&](const TableUse &table) {
    return !table.given.empty() && &table.given[0] == &operand;
  });
  if (table == tables.end())
    return nullptr;
  if (tables.size() == 1)
    return &lut;
  return table->function == LutFunction::tanh ? &tanhLut : &sigmLut;
}

bool mli::isTable(OpOperand &operand) {
  const contract::Tensor *table = getTableContract(operand);
  return table && table->sharing != contract::Sharing::Written;
}

//===----------------------------------------------------------------------===//
// All operands
//===----------------------------------------------------------------------===//

const contract::Tensor *mli::getContract(OpOperand &operand) {
  if (const contract::Tensor *table = getTableContract(operand))
    return table;
  std::optional<Family> family = getFamily(operand.getOwner());
  if (!family)
    return nullptr;
  unsigned number = operand.getOperandNumber();
  if (auto op = dyn_cast<RnnDenseOp>(operand.getOwner())) {
    auto inputs = static_cast<unsigned>(op.getInputs().size());
    auto products = inputs + static_cast<unsigned>(op.getWeights().size());
    if (number < products)
      return contract::findTensor(
          *family, number < inputs ? OperandKind::Input : OperandKind::Weights);
    number += 2 - products;
  }
  // Rows are in the order of operands; what follows these is no tensor.
  const contract::Tensor *row =
      contract::findTensor(*family, OperandKind::Input) + number;
  return row < std::end(contract::tensors) && row->family == *family ? row
                                                                     : nullptr;
}

std::string mli::getName(OpOperand &operand) {
  const contract::Tensor *contract = getContract(operand);
  std::string name = contract->name;
  auto op = dyn_cast<RnnDenseOp>(operand.getOwner());
  bool isInput = contract->role == OperandKind::Input;
  if (op && (isInput || contract->role == OperandKind::Weights)) {
    auto number = operand.getOperandNumber();
    if (!isInput)
      number -= static_cast<unsigned>(op.getInputs().size());
    name += "[" + std::to_string(number) + "]";
  }
  return name;
}

int64_t mli::getScratchBytes(Operation *op) {
  auto kernel = dyn_cast<KernelOpInterface>(op);
  return kernel ? kernel.getScratchBytes() : 0;
}

bool mli::mayComputeInPlace(OpOperand &operand) {
  // E10
  if (auto convert = dyn_cast<ConvertOp>(operand.getOwner())) {
    auto bits = [](Value value) {
      return elementWidth(getElementTypeOrSelf(value));
    };
    return &operand == &convert.getInputMutable() &&
           contract::sharingOfConversion(bits(convert.getInput()),
                                         bits(convert.getInit())) ==
               contract::Sharing::InPlace;
  }
  const contract::Tensor *contract = getContract(operand);
  return contract && contract->sharing == contract::Sharing::InPlace;
}

bool mli::mayWriteOver(OpOperand &operand,
                       llvm::function_ref<bool(Value)> isSame) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  if (!kernel || kernel.getNumDpsInits() != 1 || !mayComputeInPlace(operand))
    return false;
  auto getShape = [](Value value) {
    return cast<ShapedType>(value.getType()).getShape();
  };
  Value value = operand.get();
  // Of a slice that is another operand it would read what it has written.
  return getShape(value) == getShape(kernel.getDpsInits()[0]) &&
         llvm::all_of(kernel.getDpsInputOperands(), [&](OpOperand *other) {
           return !isSame(other->get()) ||
                  (mayComputeInPlace(*other) &&
                   other->get().getType() == value.getType());
         });
}
