// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Steps.h"

#include "mli/IR/MLI.h"

using namespace mlir;
using namespace mli;

static SmallVector<Port> createPorts(ArrayRef<RankedTensorType> types,
                                     ArrayRef<PortAttributes> attributes,
                                     unsigned numStates) {
  SmallVector<Port> ports;
  for (const auto &[type, port] :
       llvm::zip_equal(types.drop_back(numStates), attributes))
    ports.push_back({type, port.isUnsigned, numStates > 0, port.scale});
  return ports;
}

SmallVector<Port> mli::getInputPorts(const CompiledFunction &function) {
  return createPorts(function.inputs, function.inputAttributes,
                     function.numStates);
}

SmallVector<Port> mli::getResultPorts(const CompiledFunction &function) {
  return createPorts(function.results, function.resultAttributes,
                     function.numStates);
}

HostTensor mli::flipSign(HostTensor tensor) {
  tensor.element =
      tensor.element == HostElement::U8 ? HostElement::I8 : HostElement::U8;
  for (char &code : tensor.data)
    code = static_cast<char>(code ^ 0x80);
  return tensor;
}

/// `type` as it is for `steps` runs.
static RankedTensorType withSteps(RankedTensorType type, int64_t steps) {
  SmallVector<int64_t> shape = {steps};
  llvm::append_range(shape, type.getShape());
  return type.clone(shape);
}

llvm::Error mli::checkPort(StringRef what, const Port &port,
                           const HostTensor &tensor) {
  RankedTensorType type = port.type;
  auto rank = static_cast<size_t>(type.getRank());
  if (port.maySteps && tensor.shape.size() == rank + 1)
    type = withSteps(type, tensor.shape.front());
  if (port.isUnsigned)
    type = type.clone(
        IntegerType::get(type.getContext(), 8, IntegerType::Unsigned));
  return checkTensor(what, type, tensor);
}

std::vector<HostTensor> mli::createStates(const CompiledFunction &function) {
  std::vector<HostTensor> states;
  for (RankedTensorType type :
       ArrayRef(function.inputs).take_back(function.numStates)) {
    HostTensor state;
    state.element = *getHostElement(type.getElementType());
    state.shape = type.getShape().vec();
    int64_t bytes = type.getNumElements() *
                    static_cast<int64_t>(getElementBytes(state.element));
    state.data.assign(bytes, '\0');
    // Wider types hold state only without a zero point.
    if (auto sa8 = dyn_cast<Sa8Type>(type.getElementType())) {
      int64_t inner = bytes;
      if (sa8.isPerAxis())
        inner = ShapedType::getNumElements(
            type.getShape().drop_front(sa8.getAxis() + 1));
      for (int64_t i = 0; i < bytes; ++i)
        state.data[i] = static_cast<char>(
            sa8.getParam(i / inner % sa8.getNumParams()).zeroPoint);
    }
    states.push_back(std::move(state));
  }
  return states;
}

/// Step `index` of `steps` in `tensor`.
static HostTensor sliceStep(const HostTensor &tensor, int64_t index,
                            int64_t steps) {
  HostTensor slice;
  slice.element = tensor.element;
  slice.shape.assign(tensor.shape.begin() + 1, tensor.shape.end());
  auto bytes = static_cast<int64_t>(tensor.data.size()) / steps;
  auto begin = tensor.data.begin() + index * bytes;
  slice.data.assign(begin, begin + bytes);
  return slice;
}

std::vector<HostTensor> mli::getFirstStep(const CompiledFunction &function,
                                          ArrayRef<HostTensor> inputs) {
  std::vector<HostTensor> operands;
  for (auto [port, input] : llvm::zip_equal(getInputPorts(function), inputs)) {
    bool hasSteps =
        input.shape.size() != static_cast<size_t>(port.type.getRank());
    operands.push_back(hasSteps ? sliceStep(input, 0, input.shape.front())
                                : input);
  }
  llvm::append_range(operands, createStates(function));
  return operands;
}

/// How many steps `inputs` are for; nothing where they are for one run.
static llvm::Expected<std::optional<int64_t>>
countSteps(const CompiledFunction &function, ArrayRef<HostTensor> inputs) {
  std::optional<int64_t> steps;
  bool isSingle = false;
  for (auto [i, type, input] : llvm::enumerate(
           ArrayRef(function.inputs).drop_back(function.numStates), inputs)) {
    if (input.shape.size() != static_cast<size_t>(type.getRank()) + 1) {
      isSingle = true;
      continue;
    }
    int64_t count = input.shape.front();
    if (count < 1 || (steps && *steps != count))
      return llvm::createStringError(
          "expected input " + Twine(i) + " to have " +
          (steps ? Twine(*steps) + " steps, as those before it"
                 : Twine("at least 1 step")) +
          ", but got " + Twine(count));
    steps = count;
  }
  if (steps && isSingle)
    return llvm::createStringError("expected all inputs to have steps, but got "
                                   "one without");
  return steps;
}

llvm::Expected<std::vector<HostTensor>>
mli::runSteps(const Program &program, const CompiledFunction &function,
              ArrayRef<HostTensor> inputs) {
  auto steps = countSteps(function, inputs);
  if (!steps)
    return steps.takeError();
  std::vector<HostTensor> states = createStates(function);
  std::vector<HostTensor> all;
  for (int64_t step = 0; step < steps->value_or(1); ++step) {
    std::vector<HostTensor> operands;
    for (const HostTensor &input : inputs)
      operands.push_back(*steps ? sliceStep(input, step, **steps) : input);
    llvm::append_range(operands, states);
    auto results = program.run(function, operands);
    if (!results)
      return results.takeError();
    auto firstState = results->end() - function.numStates;
    states.assign(firstState, results->end());
    results->erase(firstState, results->end());
    if (!*steps)
      return results;
    if (all.empty()) {
      all = std::move(*results);
      for (HostTensor &tensor : all)
        tensor.shape.insert(tensor.shape.begin(), **steps);
      continue;
    }
    for (auto [tensor, next] : llvm::zip_equal(all, *results))
      llvm::append_range(tensor.data, next.data);
  }
  return all;
}
