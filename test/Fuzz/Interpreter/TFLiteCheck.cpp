// SPDX-License-Identifier: Apache-2.0

#include "TFLiteCheck.h"

#include "TFLiteBounds.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>
#include <map>

using namespace mli;
using namespace mli::fuzz;

llvm::SmallVector<int32_t> fuzz::findComputed(const tflite::Graph &graph) {
  llvm::SmallVector<int32_t> computed;
  for (const tflite::Operator &op : graph.operators)
    for (int32_t output : op.outputs)
      if (graph.tensors[output].type != schema::TensorType::RESOURCE)
        computed.push_back(output);
  return computed;
}

/// The codes of `value`, which the program gives for `tensor`: those of uint8
/// are held less 128.
static std::vector<double> readCodes(const tflite::Tensor &tensor,
                                     const HostTensor &value) {
  double offset = tensor.type == schema::TensorType::UINT8 ? 128 : 0;
  std::vector<double> codes;
  codes.reserve(value.getNumElements());
  for (size_t i = 0; i < value.getNumElements(); ++i)
    codes.push_back(value.get(i) + offset);
  return codes;
}

template <typename Number>
static void readNumbers(std::string_view bytes, std::vector<double> &codes) {
  for (size_t i = 0; i + sizeof(Number) <= bytes.size(); i += sizeof(Number)) {
    Number number;
    std::memcpy(&number, bytes.data() + i, sizeof(number));
    codes.push_back(static_cast<double>(number));
  }
}

static std::vector<double> readConstant(const tflite::Tensor &tensor) {
  std::vector<double> codes;
  switch (tensor.type) {
  case schema::TensorType::INT8:
    readNumbers<int8_t>(tensor.data, codes);
    break;
  case schema::TensorType::UINT8:
    readNumbers<uint8_t>(tensor.data, codes);
    break;
  case schema::TensorType::INT16:
    readNumbers<int16_t>(tensor.data, codes);
    break;
  case schema::TensorType::INT32:
    readNumbers<int32_t>(tensor.data, codes);
    break;
  case schema::TensorType::INT64:
    readNumbers<int64_t>(tensor.data, codes);
    break;
  default:
    break;
  }
  return codes;
}

namespace {

class Check {
public:
  Check(const tflite::Graph &graph, llvm::ArrayRef<HostTensor> inputs,
        llvm::ArrayRef<HostTensor> results);

  std::string run();

private:
  TFLiteOperand getOperand(int32_t index) const {
    if (index < 0)
      return {};
    return {&graph.tensors[index], values[index]};
  }
  std::string checkOperator(size_t index);
  /// Fills the bounds of `run`; says what is wrong with its states.
  std::string compute(TFLiteRun &run);
  void addState(int32_t variable);
  std::string checkVariable(TFLiteRun &run, llvm::StringRef name);

  const tflite::Graph &graph;
  std::vector<std::vector<double>> values;
  /// Variables in the order in which operators meet them: tensors, or the first
  /// handles of a name.
  llvm::SmallVector<int32_t> states;
  std::map<std::string, int32_t> handles;
  /// What each holds before and after.
  llvm::SmallVector<std::vector<double>> before, after;
  /// By state: the tensor whose type a variable has.
  std::map<int32_t, int32_t> held;
};

} // namespace

Check::Check(const tflite::Graph &graph, llvm::ArrayRef<HostTensor> inputs,
             llvm::ArrayRef<HostTensor> results)
    : graph(graph) {
  for (const tflite::Tensor &tensor : graph.tensors)
    values.push_back(readConstant(tensor));
  auto set = [&](int32_t tensor, const HostTensor &value) {
    values[tensor] = readCodes(graph.tensors[tensor], value);
  };
  for (auto [tensor, value] :
       llvm::zip_equal(graph.inputs, inputs.take_front(graph.inputs.size())))
    set(tensor, value);
  llvm::SmallVector<int32_t> computed = findComputed(graph);
  for (auto [tensor, value] :
       llvm::zip_equal(computed, results.take_front(computed.size())))
    set(tensor, value);
  auto read = [](const HostTensor &value) {
    std::vector<double> codes;
    codes.reserve(value.getNumElements());
    for (size_t i = 0; i < value.getNumElements(); ++i)
      codes.push_back(value.get(i));
    return codes;
  };
  for (const HostTensor &value : inputs.drop_front(graph.inputs.size()))
    before.push_back(read(value));
  for (const HostTensor &value : results.drop_front(computed.size()))
    after.push_back(read(value));
}

void Check::addState(int32_t variable) {
  if (!llvm::is_contained(states, variable))
    states.push_back(variable);
}

/// What is read is what a variable held, and what is assigned is what it holds
/// then; bytes are held as those of int8.
std::string Check::checkVariable(TFLiteRun &run, llvm::StringRef name) {
  int32_t handle = run.op->inputs[0];
  const tflite::Operator *owner =
      llvm::find_if(graph.operators, [&](const tflite::Operator &op) {
        return llvm::is_contained(op.outputs, handle);
      }).base();
  TFLiteRun start;
  start.op = owner;
  const auto *shared =
      start.getOptions<schema::VarHandleOptions>().shared_name();
  int32_t variable =
      handles.try_emplace(shared ? shared->str() : "", handle).first->second;
  addState(variable);
  size_t state = llvm::find(states, variable) - states.begin();
  int32_t value =
      name == "READ_VARIABLE" ? run.op->outputs[0] : run.op->inputs[1];
  TFLiteOperand type =
      getOperand(held.try_emplace(variable, value).first->second);
  double offset = type.tensor->type == schema::TensorType::UINT8 ? 128 : 0;
  TFLiteOperand operand = getOperand(value);
  for (int64_t i = 0; i < operand.getNumElements(); ++i) {
    Bounds bounds = move(operand, i, type);
    const std::vector<double> &codes =
        name == "READ_VARIABLE" ? before[state] : after[state];
    if (!bounds.contains(codes[i] + offset))
      return llvm::formatv("element {0} of the variable: expected {1} to {2}, "
                           "but got {3}",
                           i, bounds.low, bounds.high, codes[i] + offset);
  }
  return "";
}

std::string Check::compute(TFLiteRun &run) {
  llvm::StringRef name = run.op->name;
  if (name == "READ_VARIABLE" || name == "ASSIGN_VARIABLE")
    return checkVariable(run, name);
  if (name == "UNIDIRECTIONAL_SEQUENCE_LSTM") {
    // Its state has 16 bits between steps, where TFLite's has 8, or its cell 8
    // in place of 16, so there is nothing to compare.
    addState(run.op->inputs[18]);
    addState(run.op->inputs[19]);
    return "";
  }
  if (name != "SVDF") {
    computeBounds(run);
    return "";
  }
  addState(run.op->inputs[4]);
  run.bounds.resize(1);
  return computeSvdf(run, before[states.size() - 1], after[states.size() - 1]);
}

std::string Check::checkOperator(size_t index) {
  const tflite::Operator &op = graph.operators[index];
  TFLiteRun run;
  run.op = &op;
  for (int32_t input : op.inputs)
    run.inputs.push_back(getOperand(input));
  for (int32_t output : op.outputs)
    run.outputs.push_back(getOperand(output));
  if (std::string text = compute(run); !text.empty())
    return op.name + ": " + text;
  if (run.bounds.empty())
    return "";
  for (auto [output, bounds] : llvm::zip_equal(run.outputs, run.bounds))
    for (auto [i, code, bound] : llvm::enumerate(output.codes, bounds))
      if (!bound.contains(code))
        return llvm::formatv("{0}: operator {1}, element {2}: expected {3} to "
                             "{4}, but got {5}",
                             op.name, index, i, bound.low, bound.high, code);
  return "";
}

std::string Check::run() {
  for (size_t i = 0; i < graph.operators.size(); ++i)
    if (std::string text = checkOperator(i); !text.empty())
      return text;
  return "";
}

std::string fuzz::checkTFLite(const tflite::Graph &graph,
                              llvm::ArrayRef<HostTensor> inputs,
                              llvm::ArrayRef<HostTensor> results) {
  return Check(graph, inputs, results).run();
}
