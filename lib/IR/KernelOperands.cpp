// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/KernelOperands.h"

#include "mli/IR/MLI.h"
#include "mli/Quant/Memory.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using contract::Family;
using contract::Role;

static std::optional<Family> getFamily(Operation *op) {
  if (!isa_and_nonnull<MLIDialect>(op->getDialect()))
    return std::nullopt;
  const auto *name =
      llvm::find(contract::mnemonics, op->getName().stripDialect());
  if (name == std::end(contract::mnemonics))
    return std::nullopt;
  return static_cast<Family>(name - std::begin(contract::mnemonics));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// What the runtime asks of a table's memory; functions add their names. No
/// kernel is asked for one by its family.
static constexpr contract::Tensor makeTable(const char *name,
                                            contract::Sharing sharing) {
  return {Family::Sigm,
          Role::Other,
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
    makeTable("lut", contract::Sharing::Apart);
static constexpr contract::Tensor tanhLut =
    makeTable("tanh_lut", contract::Sharing::Apart);
static constexpr contract::Tensor sigmLut =
    makeTable("sigm_lut", contract::Sharing::Apart);

/// The contract of `operand` if it is a table, which is behind the inits.
static const contract::Tensor *getTableContract(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned number = operand.getOperandNumber();
  return llvm::TypeSwitch<Operation *, const contract::Tensor *>(op)
      .Case([](LutOp) { return &madeTable; })
      .Case<SigmOp, TanhOp, SoftmaxOp, L2NormalizeOp>([&](auto kernel) {
        unsigned init = kernel.getInitMutable().getOperandNumber();
        return number > init ? &lut : nullptr;
      })
      .Case<LstmCellOp, GruCellOp>([&](auto cell) -> const contract::Tensor * {
        unsigned init = cell.getInitMutable().getOperandNumber();
        if (number <= init)
          return nullptr;
        return cell.getTanhLut() && number == init + 1 ? &tanhLut : &sigmLut;
      })
      .Default([](Operation *) { return nullptr; });
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
      return contract::findTensor(*family, number < inputs ? Role::Input
                                                           : Role::Weights);
    number += 2 - products;
  }
  // Rows are in the order of operands; what follows these is no tensor.
  const contract::Tensor *row =
      contract::findTensor(*family, Role::Input) + number;
  return row < std::end(contract::tensors) && row->family == *family ? row
                                                                     : nullptr;
}

std::string mli::getName(OpOperand &operand) {
  const contract::Tensor *contract = getContract(operand);
  std::string name = contract->name;
  auto op = dyn_cast<RnnDenseOp>(operand.getOwner());
  bool isInput = contract->role == Role::Input;
  if (op && (isInput || contract->role == Role::Weights)) {
    auto number = operand.getOperandNumber();
    if (!isInput)
      number -= static_cast<unsigned>(op.getInputs().size());
    name += "[" + std::to_string(number) + "]";
  }
  return name;
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
