// SPDX-License-Identifier: Apache-2.0

#include "mli/Import/Inspect.h"

#include "TFLite_generated.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

using namespace mli;
using namespace mli::tflite;
using llvm::json::fixUTF8;
using State = OperatorReport::State;

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

/// The elements of `tensor`, and those per index of dimension `dim`; 0 without
/// such a tensor or dimension.
static int64_t getNumElements(const Graph &graph, int32_t tensor) {
  return tensor < 0 ? 0 : graph.tensors[tensor].getNumElements();
}
static int64_t getNumElementsPer(const Graph &graph, int32_t tensor,
                                 size_t dim) {
  if (tensor < 0 || graph.tensors[tensor].shape.size() <= dim)
    return 0;
  int64_t extent = graph.tensors[tensor].shape[dim];
  return extent == 0 ? 0 : getNumElements(graph, tensor) / extent;
}

int64_t tflite::countMacs(const Graph &graph, size_t index) {
  const Operator &op = graph.operators[index];
  int32_t output = op.outputs.empty() ? -1 : op.outputs.front();
  int64_t outputs = getNumElements(graph, output);
  int32_t weights = op.getInput(1);
  llvm::StringRef name = op.name;
  if (name == "CONV_2D" || name == "FULLY_CONNECTED")
    return multiplyProducts(outputs, getNumElementsPer(graph, weights, 0));
  if (name == "BATCH_MATMUL" && op.getInput(0) >= 0 &&
      !graph.tensors[op.getInput(0)].shape.empty())
    return multiplyProducts(outputs,
                            graph.tensors[op.getInput(0)].shape.back());
  if (name == "DEPTHWISE_CONV_2D")
    return multiplyProducts(outputs, getNumElementsPer(graph, weights, 3));
  if (name == "TRANSPOSE_CONV")
    return multiplyProducts(getNumElements(graph, op.getInput(2)),
                            getNumElementsPer(graph, weights, 3));
  if (name == "SVDF")
    return getNumElements(graph, weights) +
           getNumElements(graph, op.getInput(2));
  if (name != "UNIDIRECTIONAL_SEQUENCE_LSTM")
    return 0;
  int64_t each = 0;
  for (size_t i = 1; i <= 8; ++i)
    each += getNumElements(graph, op.getInput(i));
  int64_t units = getNumElements(graph, op.getInput(18));
  return units == 0 ? 0 : multiplyProducts(each, outputs / units);
}

/// The names of states are an output format: scripts read them.
static llvm::StringRef getStateName(State state) {
  switch (state) {
  case State::Imported:
    return "imported";
  case State::Rejected:
    return "refused";
  case State::Untried:
    return "untried";
  case State::Unneeded:
    return "unneeded";
  case State::Cut:
    return "cut";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static std::string describeReport(const OperatorReport &report) {
  if (report.state == State::Imported)
    return "no kernel, the same elements";
  return (getStateName(report.state) +
          (report.reason.empty() ? "" : ": " + report.reason))
      .str();
}

static InspectedOperator inspectOperator(const Graph &graph, size_t index,
                                         const OperatorReport &report) {
  const Operator &op = graph.operators[index];
  InspectedOperator inspected;
  inspected.name = op.name;
  if (!op.outputs.empty())
    inspected.gives = formatTensor(graph.tensors[op.outputs.front()]);
  inspected.products = countMacs(graph, index);
  if (report.state == State::Imported)
    inspected.kernels = report.kernels;
  inspected.reason = describeReport(report);
  return inspected;
}

Inspection tflite::inspect(const Model &model, const ImportResult &result) {
  const Graph &graph = model.graphs.front();
  Inspection inspection;
  auto list = [&](llvm::StringRef what, llvm::ArrayRef<int32_t> tensors) {
    for (int32_t tensor : tensors)
      inspection.ports.push_back((what + " " + llvm::Twine(tensor) + " '" +
                                  graph.tensors[tensor].name +
                                  "': " + formatTensor(graph.tensors[tensor]))
                                     .str());
  };
  list("input", graph.inputs);
  list("output", graph.outputs);
  for (size_t i = 0; i < graph.operators.size(); ++i)
    inspection.operators.push_back(
        inspectOperator(graph, i, result.operators[i]));
  for (const Tensor &tensor : graph.tensors)
    inspection.constantBytes += static_cast<int64_t>(tensor.data.size());
  auto count = [&](llvm::StringRef name, State state) {
    inspection.states.emplace_back(
        name, llvm::count_if(result.operators, [&](const auto &report) {
          return report.state == state;
        }));
  };
  count("imported", State::Imported);
  count("refused", State::Rejected);
  count("untried", State::Untried);
  count("cut off", State::Cut);
  inspection.verdict = judge(model, result);
  return inspection;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

template <typename List>
static void writeList(llvm::json::OStream &json, llvm::StringRef key,
                      const List &list) {
  json.attributeArray(key, [&] {
    for (const auto &value : list)
      json.value(value);
  });
}

static void writeTensor(llvm::json::OStream &json, const Tensor &tensor) {
  json.object([&] {
    json.attribute("name", fixUTF8(tensor.name));
    json.attribute("type", getTypeName(tensor.type));
    writeList(json, "shape", tensor.shape);
    if (!tensor.quantization.scales.empty()) {
      writeList(json, "scales",
                llvm::map_range(tensor.quantization.scales,
                                [](float scale) { return double(scale); }));
      writeList(json, "zero_points", tensor.quantization.zeroPoints);
    }
    if (tensor.quantization.isPerAxis())
      json.attribute("axis", tensor.quantization.axis);
    json.attribute("constant", tensor.isConstant);
    json.attribute("variable", tensor.isVariable);
    json.attribute("offset", static_cast<int64_t>(tensor.offset));
  });
}

static void writeOperator(llvm::json::OStream &json, const Graph &graph,
                          size_t index, const OperatorReport &report) {
  const Operator &op = graph.operators[index];
  json.object([&] {
    json.attribute("operator", fixUTF8(op.name));
    writeList(json, "inputs", op.inputs);
    writeList(json, "outputs", op.outputs);
    json.attribute("macs", countMacs(graph, index));
    json.attribute("state", getStateName(report.state));
    writeList(json, "kernels", report.kernels);
    if (!report.reason.empty())
      json.attribute("reason", fixUTF8(report.reason));
    json.attribute("offset", static_cast<int64_t>(op.offset));
  });
}

static void writeCut(llvm::json::OStream &json, const CutPart &cut) {
  json.object([&] {
    json.attribute("behind", cut.isBehind);
    writeList(json, "operators",
              llvm::map_range(cut.operators, [](size_t index) {
                return static_cast<int64_t>(index);
              }));
    writeList(json, "tensors", cut.tensors);
  });
}

void tflite::printInspectionJson(llvm::raw_ostream &os, const Model &model,
                                 const ImportResult &result) {
  const Graph &graph = model.graphs.front();
  Inspection inspection = inspect(model, result);
  llvm::json::OStream json(os, 2);
  json.object([&] {
    writeList(json, "inputs", graph.inputs);
    writeList(json, "outputs", graph.outputs);
    json.attributeArray("tensors", [&] {
      for (const Tensor &tensor : graph.tensors)
        writeTensor(json, tensor);
    });
    json.attributeArray("operators", [&] {
      for (size_t i = 0; i < graph.operators.size(); ++i)
        writeOperator(json, graph, i, result.operators[i]);
    });
    writeTotals(json, inspection);
    if (!result.reason.empty())
      json.attribute("reason", fixUTF8(result.reason));
    json.attributeArray("cuts", [&] {
      for (const CutPart &cut : result.cuts)
        writeCut(json, cut);
    });
  });
  os << "\n";
}
