// SPDX-License-Identifier: Apache-2.0
//
// Calls that keep to the table of kernels, and calls that break one thing of
// it: the verifier and the runtime judge both as the table does.

#include "TableCalls.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using namespace mli::test;
using contract::Family;
using contract::Kind;
using contract::Kinds;
using contract::Memory;
using contract::Role;

namespace {

class KernelContractTest : public testing::TestWithParam<size_t> {
protected:
  KernelContractTest() : calls(family()) {}

  Family family() const { return static_cast<Family>(GetParam()); }
  Kinds someKinds() const {
    for (const contract::Kernel &kernel : contract::kernels)
      if (kernel.family == family() && kernel.kinds.input == Kind::sa8)
        return kernel.kinds;
    return {};
  }
  /// Verifier and runtime find that the call is right, or that it is not.
  void expectJudged(ArrayRef<TableOperand> operands, bool isRight,
                    const contract::Tensor &changed, const Twine &what);

  TableCalls calls;
};

/// What the runtime does not look at, as nothing can go wrong by it: formats
/// and shapes of results that the kernel writes itself, codes that are only
/// compared.
bool isIgnored(const contract::Tensor &tensor) {
  switch (tensor.family) {
  case Family::Argmax:
  case Family::MaxPool:
    return true;
  case Family::LstmCell:
  case Family::GruCell:
  case Family::Sigm:
  case Family::Tanh:
  case Family::Softmax:
  case Family::L2Normalize:
    return tensor.role == Role::Init;
  default:
    return false;
  }
}

void KernelContractTest::expectJudged(ArrayRef<TableOperand> operands,
                                      bool isRight,
                                      const contract::Tensor &changed,
                                      const Twine &what) {
  std::string text = (Twine(changed.name) + ": " + what).str();
  EXPECT_EQ(calls.isVerified(operands), isRight) << text;
  bool isRun = calls.run(operands, someKinds()) == MLI_STATUS_OK;
  if (isRight || !isIgnored(changed))
    EXPECT_EQ(isRun, isRight) << text;
}

/// Input and result of the same element type, parameters included.
bool keepsElement(Family family) {
  return family == Family::MaxPool || family == Family::Relu ||
         family == Family::EltwiseMin || family == Family::EltwiseMax ||
         family == Family::Permute;
}

/// What the kernel writes, whatever the table leaves open.
bool isFixed(const contract::Tensor &tensor) {
  return tensor.role == Role::Init && isIgnored(tensor) &&
         tensor.family != Family::MaxPool &&
         tensor.family != Family::LstmCell && tensor.family != Family::GruCell;
}

} // namespace

TEST_P(KernelContractTest, elements) {
  constexpr Kind all[] = {Kind::fx8, Kind::fx16, Kind::sa8, Kind::sa32};
  bool hasWeights = contract::findTensor(family(), Role::Weights);
  for (Kind input : all)
    for (Kind weights : all)
      for (Kind bias : all) {
        Kinds kinds = {input, weights, bias};
        if (!hasWeights && (weights != input || bias != input))
          continue;
        bool exists = contract::hasKernel(family(), kinds);
        EXPECT_EQ(calls.isVerified(calls.operands(kinds)), exists)
            << int(input) << int(weights) << int(bias);
        if (exists)
          EXPECT_EQ(calls.run(calls.operands(kinds), kinds), MLI_STATUS_OK);
      }
}

TEST_P(KernelContractTest, ranks) {
  TableOperands call = calls.operands(someKinds());
  for (TableOperand &operand : call) {
    if (!operand.contract->hasDims())
      continue;
    TableOperand old = operand;
    operand.shape.insert(operand.shape.begin(), 1);
    operand.makeDense();
    if (operand.shape.size() <= 4)
      expectJudged(call, false, *operand.contract, "one dimension more");
    operand.shape.erase(operand.shape.begin(), operand.shape.begin() + 2);
    operand.makeDense();
    if (!operand.shape.empty())
      expectJudged(call, false, *operand.contract, "one dimension less");
    operand = old;
  }
}

/// The table says which sizes are equal; both find out.
TEST_P(KernelContractTest, sizes) {
  TableOperands call = calls.operands(someKinds());
  for (TableOperand &operand : call) {
    TableOperand old = operand;
    for (size_t dim = 0; dim < old.shape.size(); ++dim) {
      ++operand.shape[dim];
      operand.makeDense();
      expectJudged(call, calls.isVerified(call), *operand.contract,
                   "dimension " + Twine(dim));
      char letter = operand.contract->shape[dim];
      bool isRepeated = false;
      for (const TableOperand &other : call)
        if (operand.contract->hasDims() && &other != &operand &&
            other.contract->hasDims())
          isRepeated |=
              other.contract->shape.find(letter) != std::string_view::npos;
      if (isRepeated || (operand.contract->hasDims() && letter <= '9'))
        EXPECT_FALSE(calls.isVerified(call)) << operand.contract->name << dim;
      operand = old;
    }
  }
}

TEST_P(KernelContractTest, memory) {
  TableOperands call = calls.operands(someKinds());
  for (TableOperand &operand : call) {
    Memory memory = operand.contract->memory;
    // The slope for all axes is one element, wherever it is.
    bool isSlope = operand.contract->shape == "|";
    TableOperand old = operand;
    for (int64_t &stride : operand.strides)
      stride *= 2;
    expectJudged(call, memory == Memory::Any || isSlope, *operand.contract,
                 "steps of two");
    operand = old;
    if (operand.shape.size() < 2 || operand.shape[0] == 1)
      continue;
    operand.strides[0] += 3;
    // The dialect's positions are those of dense tensors.
    bool isRight = memory != Memory::Contiguous && family() != Family::Argmax;
    expectJudged(call, isRight, *operand.contract, "a gap after rows");
    operand = old;
  }
}

TEST_P(KernelContractTest, zeroPoints) {
  TableOperands call = calls.operands(someKinds());
  for (size_t i = 0; i < call.size(); ++i) {
    const contract::Tensor &tensor = *call[i].contract;
    auto [least, most] = tensor.zeroPoints;
    if (isFixed(tensor))
      continue;
    for (int64_t value : {least - 1, least, most, most + 1}) {
      if (!contract::zeroPointRange.contains(value))
        continue;
      TableOperands changed = call;
      for (size_t k = 0; k < call.size(); ++k)
        if (k == i || keepsElement(family()))
          changed[k].params.zeroPoint = static_cast<int16_t>(value);
      expectJudged(changed, tensor.zeroPoints.contains(value), tensor,
                   Twine(value));
    }
  }
}

TEST_P(KernelContractTest, axes) {
  TableOperands call = calls.operands(someKinds());
  for (size_t i = 0; i < call.size(); ++i) {
    const contract::Tensor &tensor = *call[i].contract;
    for (size_t dim = 0; dim < call[i].shape.size(); ++dim) {
      TableOperands changed = call;
      for (size_t k = 0; k < call.size(); ++k)
        if (k == i || keepsElement(family()))
          changed[k].axis = static_cast<int64_t>(dim);
      // Weights have an axis together with their bias only.
      expectJudged(changed, tensor.axis == contract::AnyAxis, tensor,
                   "axis " + Twine(dim));
    }
  }
  for (TableOperand &operand : call)
    if (operand.contract->axis >= 0)
      operand.axis = static_cast<uint8_t>(operand.contract->axis);
  expectJudged(call, true, *call[0].contract, "each along its axis");
}

INSTANTIATE_TEST_SUITE_P(Families, KernelContractTest,
                         testing::Range<size_t>(0, contract::familyCount),
                         [](const auto &info) {
                           return llvm::convertToCamelFromSnakeCase(
                               contract::mnemonics[info.param], true);
                         });
