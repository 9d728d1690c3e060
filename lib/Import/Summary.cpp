// SPDX-License-Identifier: Apache-2.0
//
// Finds the part of a network of TFLite that runs.

#include "mli/Import/Inspect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mli;
using namespace mli::tflite;
using State = OperatorReport::State;

std::vector<int32_t> tflite::findImportedOutputs(const Graph &graph,
                                                 const ImportResult &result) {
  std::vector<char> isKnown(graph.tensors.size(), 1);
  std::vector<char> isComputed(graph.tensors.size());
  std::vector<int32_t> outputs;
  bool hasProducts = false;
  auto add = [&](int32_t tensor) {
    if (tensor >= 0 && isComputed[tensor] &&
        !llvm::is_contained(outputs, tensor))
      outputs.push_back(tensor);
  };
  for (auto [i, op] : llvm::enumerate(graph.operators)) {
    if (result.operators[i].state == State::Unneeded)
      continue;
    State state = result.operators[i].state;
    bool isImported =
        state == State::Imported &&
        llvm::all_of(op.inputs, [&](int32_t t) { return t < 0 || isKnown[t]; });
    hasProducts |= isImported && countMacs(graph, i) > 0;
    // What is cut off in front gives inputs.
    for (int32_t output : op.outputs) {
      isKnown[output] = isImported || state == State::Cut;
      isComputed[output] = isImported;
    }
    // It sets state, of which no output can do without.
    if (!isImported && op.outputs.empty())
      return {};
    if (!isImported)
      llvm::for_each(op.inputs, add);
  }
  llvm::for_each(graph.outputs, add);
  return hasProducts ? outputs : std::vector<int32_t>();
}

std::string tflite::formatOutputOptions(llvm::ArrayRef<int32_t> outputs) {
  std::string options;
  for (int32_t output : outputs)
    options += " --tflite-output=" + std::to_string(output);
  return options;
}
