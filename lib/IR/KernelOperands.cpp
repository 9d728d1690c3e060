// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/KernelOperands.h"

#include "mli/IR/MLI.h"
#include "mli/Quant/Memory.h"

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

const contract::Tensor *mli::getContract(OpOperand &operand) {
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
