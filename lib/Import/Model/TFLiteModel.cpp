// SPDX-License-Identifier: Apache-2.0

#include "TFLiteReader.h"

namespace mli::tflite {

bool Reader::readNumbers(const flatbuffers::Vector<int32_t> *list,
                         int32_t minimum, const Graph &graph,
                         const std::string &where, const char *what,
                         std::vector<int32_t> &numbers) {
  if (!list)
    return true;
  if (!spend(list->size(), where))
    return false;
  numbers.assign(list->begin(), list->end());
  auto count = static_cast<int64_t>(graph.tensors.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] < minimum || numbers[i] >= count)
      return fail(where, std::string(what) + " " + std::to_string(i) +
                             " to be one of " + std::to_string(count) +
                             " tensors, but got " + std::to_string(numbers[i]));
  return true;
}

bool Reader::readOperator(const schema::Operator &table, Graph &graph) {
  size_t index = graph.operators.size();
  Operator &op = graph.operators.emplace_back();
  op.table = &table;
  op.offset = getOffset(&table);
  const auto *codes = model->operator_codes();
  size_t count = codes ? codes->size() : 0;
  if (table.opcode_index() >= count)
    return fail("operator " + std::to_string(index) + " at byte " +
                    formatOffset(op.offset),
                "its code to be one of " + std::to_string(count) +
                    ", but got " + std::to_string(table.opcode_index()));
  const schema::OperatorCode &code = *codes->Get(table.opcode_index());
  // Old files have the small number only, new ones have both for small ones.
  op.code =
      std::max<int32_t>(code.deprecated_builtin_code(), code.builtin_code());
  if (code.custom_code() && !spend(code.custom_code()->size(), "file"))
    return false;
  op.name = op.code == builtinCustom && code.custom_code()
                ? code.custom_code()->str()
                : getOperatorName(op.code);
  std::string where = describeOperator(graph, index);
  return readNumbers(table.inputs(), -1, graph, where, "input", op.inputs) &&
         readNumbers(table.outputs(), 0, graph, where, "output", op.outputs) &&
         readNumbers(table.intermediates(), -1, graph, where, "intermediate",
                     op.intermediates);
}

bool Reader::checkOrder(const Graph &graph) {
  std::vector<char> isKnown(graph.tensors.size());
  for (size_t i = 0; i < isKnown.size(); ++i)
    isKnown[i] = graph.tensors[i].isConstant || graph.tensors[i].isVariable;
  for (int32_t input : graph.inputs)
    isKnown[static_cast<size_t>(input)] = 1;
  for (size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator &op = graph.operators[i];
    for (size_t k = 0; k < op.inputs.size(); ++k) {
      int32_t input = op.inputs[k];
      // A tensor of no elements needs no data, and scratch memory of custom
      // operators is an input that nothing computes.
      if (op.code == builtinCustom || input < 0 ||
          isKnown[static_cast<size_t>(input)] ||
          graph.tensors[static_cast<size_t>(input)].getNumElements() == 0)
        continue;
      return fail(describeOperator(graph, i),
                  "input " + std::to_string(k) +
                      " to be known before it runs, but got " +
                      describeTensor(graph, input));
    }
    for (int32_t output : op.outputs) {
      char &known = isKnown[static_cast<size_t>(output)];
      if (known)
        return fail(describeOperator(graph, i),
                    "an output that no other operator computes, but got " +
                        describeTensor(graph, output));
      known = 1;
    }
  }
  for (int32_t output : graph.outputs)
    if (!isKnown[static_cast<size_t>(output)])
      return fail("graph '" + graph.name + "'",
                  "its outputs to be computed, but got " +
                      describeTensor(graph, output));
  return true;
}

bool Reader::readGraph(const schema::SubGraph &table, Graph &graph) {
  graph.name = table.name() ? table.name()->str() : "";
  if (const auto *tensors = table.tensors()) {
    graph.tensors.reserve(tensors->size());
    for (const schema::Tensor *tensor : *tensors)
      if (!readTensor(*tensor, graph))
        return false;
  }
  if (const auto *operators = table.operators()) {
    graph.operators.reserve(operators->size());
    for (const schema::Operator *op : *operators)
      if (!readOperator(*op, graph))
        return false;
  }
  std::string where =
      "graph '" + graph.name + "' at byte " + formatOffset(getOffset(&table));
  return readNumbers(table.inputs(), 0, graph, where, "input", graph.inputs) &&
         readNumbers(table.outputs(), 0, graph, where, "output",
                     graph.outputs) &&
         checkOrder(graph);
}

std::optional<Model> Reader::read() {
  if (bytes.size() < 8 || bytes.substr(4, 4) != schema::ModelIdentifier()) {
    fail("file", "'TFL3' at byte 0x4, but got " +
                     (bytes.size() < 8 ? std::to_string(bytes.size()) + " bytes"
                                       : "other data"));
    return std::nullopt;
  }
  // Beyond 2 GB there are no tables, only the data of buffers.
  size_t size = std::min<size_t>(bytes.size(), FLATBUFFERS_MAX_BUFFER_SIZE - 1);
  flatbuffers::Verifier verifier(
      reinterpret_cast<const uint8_t *>(bytes.data()), size);
  if (!schema::VerifyModelBuffer(verifier)) {
    fail("file", "tables of TFLite whose offsets lie in its " +
                     std::to_string(bytes.size()) + " bytes, but got others");
    return std::nullopt;
  }
  model = schema::GetModel(bytes.data());
  Model result;
  result.bytes = bytes;
  if (model->description())
    result.description = model->description()->str();
  const auto *graphs = model->subgraphs();
  if (!graphs || graphs->size() == 0) {
    fail("file", "at least 1 graph, but got 0");
    return std::nullopt;
  }
  for (const schema::SubGraph *graph : *graphs)
    if (!readGraph(*graph, result.graphs.emplace_back()))
      return std::nullopt;
  return result;
}

std::optional<Model> readModel(std::string_view bytes, std::string &error) {
  return Reader(bytes, error).read();
}

} // namespace mli::tflite
