// SPDX-License-Identifier: Apache-2.0
//
// Says whether a network of TFLite runs, and what blocks it.

#include "mli/Import/Inspect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mli;
using namespace mli::tflite;
using State = OperatorReport::State;

int64_t tflite::countMacs(const Graph &graph) {
  int64_t products = 0;
  for (size_t i = 0; i < graph.operators.size(); ++i)
    if (llvm::AddOverflow(products, countMacs(graph, i), products))
      return INT64_MAX;
  return products;
}

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

Verdict tflite::judge(const Model &model, const ImportResult &result) {
  const Graph &graph = model.graphs.front();
  Verdict verdict;
  verdict.runs = result.module.get() != nullptr;
  verdict.products = countMacs(graph);
  bool isUsable = result.reason.empty();
  for (auto [i, report] : llvm::enumerate(result.operators)) {
    if (report.state == State::Imported && isUsable &&
        llvm::AddOverflow(verdict.covered, countMacs(graph, i),
                          verdict.covered))
      verdict.covered = INT64_MAX;
    if (report.state == State::Rejected && isUsable)
      verdict.blockers.push_back({describeOperator(graph, i), report.reason});
  }
  for (const CutPart &cut : result.cuts)
    verdict.cuts.push_back(describeCut(graph, cut));
  if (!isUsable)
    verdict.blockers.push_back({"", result.reason});
  if (!verdict.runs && isUsable)
    verdict.options = formatOutputOptions(findImportedOutputs(graph, result));
  verdict.hasCommand = verdict.runs || !verdict.options.empty();
  return verdict;
}
