// SPDX-License-Identifier: Apache-2.0
//
// Calls that keep to the table of kernels, and calls that break one thing of
// it: the verifier and the runtime judge both as the table does.

#include "TableCalls.h"

#include "mli/Contract/Memory.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using namespace mli::test;
using contract::Family;
using contract::Form;
using contract::Format;
using contract::Kind;
using contract::Kinds;
using contract::Memory;
using contract::OperandKind;
using contract::Sharing;

namespace {

using Sizes = std::vector<int64_t>;

class KernelContractTest : public testing::TestWithParam<size_t> {
protected:
  KernelContractTest() : calls(family()) {}

  Family family() const { return static_cast<Family>(GetParam()); }
  Kinds someKinds(Kind input = Kind::sa8) const {
    for (const contract::Kernel &kernel : contract::kernels)
      if (kernel.family == family() && kernel.kinds.input == input)
        return kernel.kinds;
    return {};
  }
  /// Verifier and runtime find that the call is right, or that it is not.
  void expectJudged(ArrayRef<TableOperand> operands, bool isRight,
                    const contract::Tensor &changed, const Twine &what);
  /// The same whatever the runtime looks at.
  void expectBoth(ArrayRef<TableOperand> operands, bool isRight,
                  const Twine &what);
  /// `shape` of the tensor with the contract `tensor` makes a right call, or
  /// not.
  void expectShape(TableOperands call, const contract::Tensor &tensor,
                   ArrayRef<int64_t> shape, bool isRight);
  /// `operand` in the memory of `written`.
  void expectShared(const TableOperands &call, size_t operand, size_t written,
                    const Kinds &kinds);

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
    return tensor.role == OperandKind::Init;
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

void KernelContractTest::expectBoth(ArrayRef<TableOperand> operands,
                                    bool isRight, const Twine &what) {
  std::string text = what.str();
  EXPECT_EQ(calls.isVerified(operands), isRight) << text;
  EXPECT_EQ(calls.run(operands, someKinds()) == MLI_STATUS_OK, isRight) << text;
}

void KernelContractTest::expectShape(TableOperands call,
                                     const contract::Tensor &tensor,
                                     ArrayRef<int64_t> shape, bool isRight) {
  std::string text = tensor.name;
  for (TableOperand &operand : call) {
    if (operand.contract != &tensor)
      continue;
    operand.shape.assign(shape.begin(), shape.end());
    operand.makeDense();
  }
  for (int64_t size : shape)
    text += ", " + std::to_string(size);
  expectBoth(call, isRight, text + " along " + Twine(calls.axis));
}

/// Some tensors have the same element type, parameters included.
bool keepsElement(Family family) {
  return llvm::any_of(contract::tensors, [&](const contract::Tensor &tensor) {
    return tensor.family == family && tensor.format == Format::Input;
  });
}

/// What the kernel writes, whatever the parameters of the input are.
bool isFixed(const contract::Tensor &tensor) {
  return tensor.format == Format::Positive || tensor.format == Format::Signed ||
         tensor.format == Format::Positions;
}

/// Results that say their parameters when they come; the runtime writes them.
bool isFormatWritten(const contract::Tensor &tensor) {
  return isFixed(tensor) ||
         (tensor.role == OperandKind::Init && tensor.format == Format::Input);
}

} // namespace

TEST_P(KernelContractTest, Elements) {
  constexpr Kind all[] = {Kind::fx8, Kind::fx16, Kind::sa8, Kind::sa32};
  bool hasWeights = contract::findTensor(family(), OperandKind::Weights);
  for (Kind input : all)
    for (Kind weights : all)
      for (Kind bias : all) {
        Kinds kinds = {input, weights, bias};
        if (!hasWeights && (weights != input || bias != input))
          continue;
        bool exists = contract::findKernel(family(), kinds) != nullptr;
        EXPECT_EQ(calls.isVerified(calls.operands(kinds)), exists)
            << int(input) << int(weights) << int(bias);
        if (exists)
          EXPECT_EQ(calls.run(calls.operands(kinds), kinds), MLI_STATUS_OK);
      }
}

TEST_P(KernelContractTest, Ranks) {
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
TEST_P(KernelContractTest, Sizes) {
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

TEST_P(KernelContractTest, Memory) {
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
    if (operand.shape.size() < 2)
      continue;
    operand.strides[0] += 3;
    // A stride that is never taken leaves no gap.
    bool isUnit = operand.shape[0] == 1;
    bool isRight = isUnit || memory != Memory::Contiguous;
    EXPECT_EQ(calls.isVerified(call),
              isUnit || (isRight && memory != Memory::DialectContiguous))
        << operand.contract->name;
    EXPECT_EQ(calls.run(call, someKinds()) == MLI_STATUS_OK, isRight)
        << operand.contract->name;
    operand = old;
  }
}

/// The same calls where tensors of any shape have dimensions of one index,
/// whose strides are none that count.
// T19
TEST_P(KernelContractTest, UnitDimensions) {
  TableOperands call = calls.operands(someKinds());
  for (TableOperand &operand : call) {
    char form = operand.contract->shape[0];
    if (form == '#')
      operand.shape.insert(operand.shape.begin(), 1);
    if (form == '*' || form == '=' || form == '~')
      operand.shape = {1, 4, 3};
    operand.makeDense();
  }
  expectJudged(call, true, *call[0].contract, "without gaps");
  for (TableOperand &operand : call) {
    if (operand.shape.size() < 2 || operand.shape[0] != 1)
      continue;
    operand.strides[0] += 5;
    expectJudged(call, true, *operand.contract, "leading dimension");
    // As the strides of any dimension it is at least the next one.
    operand.strides[0] = operand.strides[1] - 1;
    expectJudged(call, false, *operand.contract, "increasing strides");
    operand.makeDense();
  }
}

/// Behind the last element inside of an index no room is needed.
// T7, K15
TEST_P(KernelContractTest, TightStrides) {
  TableOperands call = calls.operands(someKinds());
  for (TableOperand &operand : call) {
    Memory memory = operand.contract->memory;
    if (operand.shape.size() < 3 || operand.shape[0] == 1 ||
        (memory != Memory::UnitInnerStride && memory != Memory::Any))
      continue;
    TableOperand old = operand;
    int64_t reach = 1, least = 1;
    for (size_t dim = operand.shape.size(); dim-- > 0;) {
      operand.strides[dim] = least + (dim == 1 ? 3 : 0);
      reach += (operand.shape[dim] - 1) * operand.strides[dim];
      least = std::max(operand.strides[dim], reach);
    }
    expectJudged(call, true, *operand.contract, "rows behind each other");
    --operand.strides[0];
    expectJudged(call, false, *operand.contract, "rows in each other");
    operand = old;
  }
}

TEST_P(KernelContractTest, ZeroPoints) {
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

TEST_P(KernelContractTest, Axes) {
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

// T12, E6, E7
TEST_P(KernelContractTest, WholeShapes) {
  const TableOperands call = calls.operands(someKinds());
  for (const TableOperand &operand : call) {
    const contract::Tensor &tensor = *operand.contract;
    switch (tensor.form()) {
    case Form::Same:
      for (const Sizes &shape :
           std::vector<Sizes>{{3, 4}, {12}, {4, 3, 1}, {1}, {4, 1}})
        expectShape(call, tensor, shape, false);
      expectShape(call, tensor, {4, 3}, true);
      break;
    case Form::SameOrOne:
      for (const Sizes &shape :
           std::vector<Sizes>{{3, 4}, {12}, {3}, {4, 1}, {1, 4, 3}})
        expectShape(call, tensor, shape, false);
      for (const Sizes &shape :
           std::vector<Sizes>{{1}, {1, 1}, {1, 1, 1, 1}, {4, 3}})
        expectShape(call, tensor, shape, true);
      break;
    case Form::One:
      for (const Sizes &shape : std::vector<Sizes>{{2}, {4, 3}, {1, 2}})
        expectShape(call, tensor, shape, false);
      for (const Sizes &shape : std::vector<Sizes>{{1}, {1, 1, 1}})
        expectShape(call, tensor, shape, true);
      break;
    case Form::AlongAxis:
      for (const Sizes &shape :
           std::vector<Sizes>{{1}, {3}, {1, 1}, {4, 1}, {1, 3}, {1, 3, 1}})
        for (calls.axis = -1; calls.axis < 2; ++calls.axis) {
          bool isOne = shape == Sizes{1} || shape == Sizes{1, 1};
          bool isRight = calls.axis == -1  ? isOne
                         : calls.axis == 0 ? shape == Sizes{4, 1}
                                           : shape == Sizes{1, 3};
          expectShape(call, tensor, shape, isRight);
        }
      calls.axis = -1;
      break;
    case Form::Dims:
    case Form::Elements:
    case Form::Any:
      break;
    }
  }
}

/// Of two scalars the result has the shape of the second.
// T12
TEST_P(KernelContractTest, TwoScalars) {
  TableOperands call = calls.operands(someKinds());
  if (call[0].contract->form() != Form::SameOrOne)
    return;
  call[0].shape = {1};
  call[1].shape = {1, 1};
  for (TableOperand &operand : call)
    operand.makeDense();
  expectShape(call, *call[2].contract, {1, 1}, true);
  expectShape(call, *call[2].contract, {1}, false);
  expectShape(call, *call[2].contract, {4, 3}, false);
}

void KernelContractTest::expectShared(const TableOperands &call, size_t operand,
                                      size_t written, const Kinds &kinds) {
  const contract::Tensor &tensor = *call[operand].contract;
  Sharing sharing = contract::getSharing(tensor, *call[written].contract);
  std::string text =
      std::string(tensor.name) + " in " + call[written].contract->name + " at ";
  auto expectRun = [&](int64_t offset, bool isRight) {
    TableOperands changed = call;
    changed[operand].place = written;
    changed[operand].offset = offset;
    EXPECT_EQ(calls.run(changed, kinds) == MLI_STATUS_OK, isRight)
        << text << offset;
    if (offset == 0 && calls.haveOneType(call[operand], call[written]))
      EXPECT_EQ(calls.isVerified(changed), isRight) << text << offset;
  };
  bool isOneView = call[operand].shape == call[written].shape;
  expectRun(0, sharing == Sharing::MayBeOverwritten ||
                   (sharing == Sharing::InPlace && isOneView));
  int64_t step = call[operand].elementBytes(), end = call[written].viewBytes();
  if (step < end)
    expectRun(step, false);
  // Behind the elements, in the buffer around them.
  expectRun(static_cast<int64_t>(llvm::alignTo(end, sizeof(int64_t))),
            sharing != Sharing::DistinctBuffers);
}

/// What the table says of shared memory, for elements that the result has too.
// T18, K55
TEST_P(KernelContractTest, Sharing) {
  for (Kind kind : {Kind::fx16, Kind::sa8}) {
    Kinds kinds = someKinds(kind);
    const TableOperands call = calls.operands(kinds);
    for (size_t written = 0; written < call.size(); ++written)
      for (size_t i = 0; i < call.size(); ++i)
        if (i != written && call[written].contract->sharing == Sharing::Written)
          expectShared(call, i, written, kinds);
  }
}

// T11, E2
TEST_P(KernelContractTest, Formats) {
  for (Kind kind : {Kind::fx16, Kind::sa8}) {
    Kinds kinds = someKinds(kind);
    TableOperands call = calls.operands(kinds);
    for (TableOperand &operand : call) {
      const contract::Tensor &tensor = *operand.contract;
      if (tensor.format == Format::Own)
        continue;
      TableOperand old = operand;
      --operand.params.fracBits;
      bool isFree = tensor.format == Format::FxInput && kind == Kind::sa8;
      EXPECT_EQ(calls.isVerified(call), isFree) << tensor.name;
      EXPECT_EQ(calls.run(call, kinds) == MLI_STATUS_OK,
                isFree || isFormatWritten(tensor))
          << tensor.name;
      operand = old;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, KernelContractTest,
                         testing::Range<size_t>(0, contract::familyCount),
                         [](const auto &info) {
                           return llvm::convertToCamelFromSnakeCase(
                               contract::mnemonics[info.param], true);
                         });
