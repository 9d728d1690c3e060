// SPDX-License-Identifier: Apache-2.0
//
// Finds networks that can not be imported as a whole, and describes cuts.

#include "mli/Import/Cuts.h"

#include "TFLite_generated.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace mli::tflite {

using schema::TensorType;

/// The tensors that an operator reads or computes, without constants.
static std::vector<const Tensor *> getValues(const Graph &graph,
                                             const Operator &op) {
  std::vector<const Tensor *> values;
  for (const std::vector<int32_t> *list : {&op.inputs, &op.outputs})
    for (int32_t index : *list)
      if (index >= 0 && !graph.tensors[static_cast<size_t>(index)].isConstant)
        values.push_back(&graph.tensors[static_cast<size_t>(index)]);
  return values;
}

static bool isReal(const Tensor *tensor) {
  return tensor->type == TensorType::FLOAT32;
}

static bool isQuantized(const Tensor *tensor) {
  return !isReal(tensor) && !tensor->quantization.scales.empty();
}

bool isFloatOperator(const Graph &graph, size_t index) {
  const Operator &op = graph.operators[index];
  std::vector<const Tensor *> values = getValues(graph, op);
  return op.code != builtinCustom &&
         std::any_of(values.begin(), values.end(), isReal);
}

bool isQuantizedOperator(const Graph &graph, size_t index) {
  std::vector<const Tensor *> values = getValues(graph, graph.operators[index]);
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), isQuantized);
}

std::string findCompiler(const Graph &graph) {
  struct Compiler {
    const char *custom, *what;
  };
  static constexpr std::array<Compiler, 2> compilers = {
      {{"ethos-u", "code that Vela has compiled for an Ethos-U: take the "
                   "network that Vela was given"},
       {"edgetpu-custom-op",
        "code that the Edge TPU compiler has made: take the network that this "
        "compiler was given"}}};
  for (size_t i = 0; i < graph.operators.size(); ++i)
    for (const Compiler &compiler : compilers)
      if (graph.operators[i].code == builtinCustom &&
          graph.operators[i].name == compiler.custom)
        return describeOperator(graph, i) +
               ": expected operators of TFLite, but got " + compiler.what;
  return "";
}

std::string findMissingQuantization(const Graph &graph) {
  size_t reals = 0;
  for (size_t i = 0; i < graph.operators.size(); ++i) {
    std::vector<const Tensor *> values = getValues(graph, graph.operators[i]);
    if (std::any_of(values.begin(), values.end(), isQuantized))
      return "";
    reals += std::any_of(values.begin(), values.end(), isReal);
  }
  if (reals == 0)
    return "";
  bool isHybrid = std::any_of(
      graph.tensors.begin(), graph.tensors.end(), [](const Tensor &tensor) {
        return tensor.isConstant && (tensor.type == TensorType::INT4 ||
                                     tensor.type == TensorType::INT8 ||
                                     tensor.type == TensorType::UINT8);
      });
  return "expected a quantised network, but got float32 in " +
         std::to_string(reals) + " of " +
         std::to_string(graph.operators.size()) + " operators" +
         (isHybrid
              ? ", with quantised weights only: quantise activations as well"
              : ": quantise it") +
         ", with a representative dataset for TFLite's converter";
}

/// As many digits as a float32 has.
static std::string formatScale(float scale) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.7g", static_cast<double>(scale));
  return text;
}

std::string formatTensor(const Tensor &tensor) {
  std::string text = getTypeName(tensor.type) + " [";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  text += "]";
  const Quantization &quantization = tensor.quantization;
  if (quantization.scales.empty())
    return text;
  if (quantization.isPerAxis())
    return text + " x" + std::to_string(quantization.scales.size());
  return text + " " + formatScale(quantization.scales.front()) + ":" +
         std::to_string(quantization.zeroPoints.front());
}

/// Formats numbers in rising order as `0-3, 7`.
static std::string formatRanges(const std::vector<size_t> &numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
      ++end;
    text += (i ? ", " : "") + std::to_string(numbers[i]);
    if (end > i + 1)
      text += "-" + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

std::string describeCut(const Graph &graph, const CutPart &cut) {
  std::vector<std::string> kinds;
  for (size_t index : cut.operators)
    if (const std::string &name = graph.operators[index].name;
        std::find(kinds.begin(), kinds.end(), name) == kinds.end())
      kinds.push_back(name);
  std::string names, tensors;
  for (const std::string &kind : kinds)
    names += (names.empty() ? "" : ", ") + kind;
  for (int32_t tensor : cut.tensors)
    tensors += (tensors.empty() ? "" : ", ") + std::to_string(tensor) + " '" +
               graph.tensors[static_cast<size_t>(tensor)].name + "' (" +
               formatTensor(graph.tensors[static_cast<size_t>(tensor)]) + ")";
  return std::string("cut off ") +
         (cut.isBehind ? "at the end" : "at the start") +
         (cut.operators.size() == 1 ? ": operator " : ": operators ") +
         formatRanges(cut.operators) + " (" + names + "); new " +
         (cut.isBehind ? "outputs: " : "inputs: ") +
         (tensors.empty() ? "none" : tensors);
}

} // namespace mli::tflite
