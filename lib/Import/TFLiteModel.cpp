// SPDX-License-Identifier: Apache-2.0

#include "mli/Import/TFLiteModel.h"

#include "TFLite_generated.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace mli::tflite {

using schema::TensorType;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string getOperatorName(int32_t code) {
  static const char *const names[] = {
#define MLI_TFLITE_OPERATOR(NAME, IMPORT) #NAME,
#include "TFLiteOperators.def"
  };
  if (code >= 0 && static_cast<size_t>(code) < std::size(names))
    return names[code];
  return "BUILTIN_" + std::to_string(code);
}

namespace {
struct TypeFacts {
  const char *name;
  unsigned bytes;
};
} // namespace

static std::optional<TypeFacts> factsOf(TensorType type) {
  static constexpr TypeFacts facts[] = {
      {"float32", 4},   {"float16", 2},  {"int32", 4},   {"uint8", 1},
      {"int64", 8},     {"string", 0},   {"bool", 1},    {"int16", 2},
      {"complex64", 8}, {"int8", 1},     {"float64", 8}, {"complex128", 16},
      {"uint64", 8},    {"resource", 0}, {"variant", 0}, {"uint32", 4},
      {"uint16", 2},    {"int4", 0}};
  auto index = static_cast<int>(type);
  if (index < 0 || static_cast<size_t>(index) >= std::size(facts))
    return std::nullopt;
  return facts[index];
}

std::string getTypeName(TensorType type) {
  std::optional<TypeFacts> facts = factsOf(type);
  return facts ? facts->name : "type " + std::to_string(static_cast<int>(type));
}

unsigned getElementBytes(TensorType type) {
  std::optional<TypeFacts> facts = factsOf(type);
  return facts ? facts->bytes : 0;
}

static std::string hex(uint64_t number) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  do
    text.insert(text.begin(), digits[number % 16]);
  while (number /= 16);
  return "0x" + text;
}

std::string describeOperator(const Graph &graph, size_t index) {
  const Operator &op = graph.operators[index];
  return "operator " + std::to_string(index) + " (" + op.name + ") at byte " +
         hex(op.offset);
}

std::string describeTensor(const Graph &graph, int32_t index) {
  const Tensor &tensor = graph.tensors[static_cast<size_t>(index)];
  return "tensor " + std::to_string(index) + " '" + tensor.name + "' at byte " +
         hex(tensor.offset);
}

int64_t Tensor::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

class Reader {
public:
  Reader(std::string_view bytes, std::string &error)
      : bytes(bytes), error(error), budget(bytes.size() + 65536) {}

  std::optional<Model> read();

private:
  /// Sets the error, `where: expected <what> to <condition>, but got <value>`.
  bool fail(const std::string &where, const std::string &text) {
    error = where + ": expected " + text;
    return false;
  }
  uint64_t offsetOf(const void *table) const {
    return static_cast<uint64_t>(static_cast<const char *>(table) -
                                 bytes.data());
  }

  bool readGraph(const schema::SubGraph &table, Graph &graph);
  bool readTensor(const schema::Tensor &table, Graph &graph);
  bool readShape(const schema::Tensor &table, Tensor &tensor,
                 const std::string &where);
  bool readData(const schema::Tensor &table, Tensor &tensor,
                const std::string &where);
  bool readQuantization(const schema::Tensor &table, Tensor &tensor,
                        const std::string &where);
  bool readOperator(const schema::Operator &table, Graph &graph);
  bool readNumbers(const flatbuffers::Vector<int32_t> *list, int32_t least,
                   const Graph &graph, const std::string &where,
                   const char *what, std::vector<int32_t> &numbers);
  bool checkOrder(const Graph &graph);
  /// The bytes of buffer `index`; nothing, with an error, if it is not there.
  std::optional<std::string_view> readBuffer(uint32_t index,
                                             const std::string &where);

  /// Counts elements that are copied. Many tables may share one list, so a
  /// small file could ask for any amount of memory.
  bool spend(size_t elements, const std::string &where) {
    spent += elements;
    return spent <= budget ||
           fail(where, "lists and names of at most " + std::to_string(budget) +
                           " elements together, but got more");
  }

  std::string_view bytes;
  std::string &error;
  const schema::Model *model = nullptr;
  size_t budget = 0, spent = 0;
};

} // namespace

std::optional<std::string_view> Reader::readBuffer(uint32_t index,
                                                   const std::string &where) {
  const auto *buffers = model->buffers();
  size_t count = buffers ? buffers->size() : 0;
  // Without buffers there are no constants; 0 is the one for "none".
  if (index == 0 && count == 0)
    return std::string_view();
  if (index >= count) {
    fail(where, "its buffer to be one of " + std::to_string(count) +
                    ", but got " + std::to_string(index));
    return std::nullopt;
  }
  const schema::Buffer &buffer = *buffers->Get(index);
  if (const auto *data = buffer.data(); data && data->size() > 0)
    return std::string_view(reinterpret_cast<const char *>(data->data()),
                            data->size());
  // Offsets 0 and 1 say that there is nothing behind the tables.
  if (buffer.offset() <= 1)
    return std::string_view();
  if (buffer.offset() > bytes.size() ||
      buffer.size() > bytes.size() - buffer.offset()) {
    fail(where, "the " + std::to_string(buffer.size()) +
                    " bytes of its buffer at byte " + hex(buffer.offset()) +
                    " to lie in the file, but got " +
                    std::to_string(bytes.size()) + " bytes");
    return std::nullopt;
  }
  return bytes.substr(buffer.offset(), buffer.size());
}

bool Reader::readShape(const schema::Tensor &table, Tensor &tensor,
                       const std::string &where) {
  constexpr int64_t limit = std::numeric_limits<int32_t>::max();
  constexpr uint32_t maxRank = 8;
  const auto *shape = table.shape();
  uint32_t rank = shape ? shape->size() : 0;
  if (rank > maxRank)
    return fail(where, "at most " + std::to_string(maxRank) +
                           " dimensions, but got " + std::to_string(rank));
  int64_t size = std::max(getElementBytes(tensor.type), 1U);
  for (uint32_t i = 0; i < rank; ++i) {
    int32_t extent = shape->Get(i);
    if (extent < 0)
      return fail(where, "dimension " + std::to_string(i) +
                             " to be at least 0, but got " +
                             std::to_string(extent));
    tensor.shape.push_back(extent);
    size = extent == 0 ? 0 : size;
    if (size > 0 && size * extent > limit)
      return fail(where, "at most " + std::to_string(limit) +
                             " bytes of elements, but got more");
    size *= extent;
  }
  return true;
}

bool Reader::readData(const schema::Tensor &table, Tensor &tensor,
                      const std::string &where) {
  std::optional<std::string_view> data = readBuffer(table.buffer(), where);
  if (!data)
    return false;
  tensor.data = *data;
  tensor.isConstant = !data->empty();
  unsigned elementBytes = getElementBytes(tensor.type);
  size_t needed = elementBytes * static_cast<size_t>(tensor.getNumElements());
  if (tensor.isConstant && elementBytes != 0 && data->size() != needed)
    return fail(where, std::to_string(needed) + " bytes of data, but got " +
                           std::to_string(data->size()));
  return true;
}

/// The Verifier looks at the start of a list only, which is aligned to 4 bytes.
static std::vector<int64_t> copyWide(const flatbuffers::Vector<int64_t> &list) {
  std::vector<int64_t> numbers(list.size());
  std::memcpy(numbers.data(), list.Data(), 8 * numbers.size());
  for (int64_t &number : numbers)
    number = flatbuffers::EndianScalar(number);
  return numbers;
}

bool Reader::readQuantization(const schema::Tensor &table, Tensor &tensor,
                              const std::string &where) {
  const schema::QuantizationParameters *from = table.quantization();
  if (!from || !from->scale() || from->scale()->size() == 0)
    return true;
  Quantization &quantization = tensor.quantization;
  if (!spend(from->scale()->size(), where) ||
      (from->zero_point() && !spend(from->zero_point()->size(), where)))
    return false;
  quantization.scales.assign(from->scale()->begin(), from->scale()->end());
  size_t count = quantization.scales.size();
  for (float scale : quantization.scales)
    if (!(scale > 0) || !std::isfinite(scale))
      return fail(where, "scales to be positive and finite, but got " +
                             std::to_string(scale));
  const auto *zeroPoints = from->zero_point();
  if (zeroPoints && zeroPoints->size() > 0)
    quantization.zeroPoints = copyWide(*zeroPoints);
  if (quantization.zeroPoints.empty())
    quantization.zeroPoints.assign(count, 0);
  // One zero point may stand for all.
  if (quantization.zeroPoints.size() == 1)
    quantization.zeroPoints.resize(count, quantization.zeroPoints.front());
  if (quantization.zeroPoints.size() != count)
    return fail(where, std::to_string(count) +
                           " zero points, one for each scale, but got " +
                           std::to_string(quantization.zeroPoints.size()));
  if (count == 1)
    return true;
  // Biases of a rank of 1 carry the axis of their weights.
  auto rank = static_cast<int32_t>(tensor.shape.size());
  quantization.axis = rank == 1 ? 0 : from->quantized_dimension();
  if (quantization.axis < 0 || quantization.axis >= rank)
    return fail(where, "its quantised dimension to be less than its rank " +
                           std::to_string(rank) + ", but got " +
                           std::to_string(quantization.axis));
  int64_t extent = tensor.shape[static_cast<size_t>(quantization.axis)];
  if (extent != static_cast<int64_t>(count))
    return fail(where, std::to_string(extent) +
                           " scales, one for each index of dimension " +
                           std::to_string(quantization.axis) + ", but got " +
                           std::to_string(count));
  return true;
}

bool Reader::readTensor(const schema::Tensor &table, Graph &graph) {
  auto index = static_cast<int32_t>(graph.tensors.size());
  Tensor &tensor = graph.tensors.emplace_back();
  if (table.name() && !spend(table.name()->size(), "file"))
    return false;
  tensor.name = table.name() ? table.name()->str() : "";
  tensor.type = table.type();
  tensor.isVariable = table.is_variable();
  tensor.offset = offsetOf(&table);
  std::string where = describeTensor(graph, index);
  return readShape(table, tensor, where) && readData(table, tensor, where) &&
         readQuantization(table, tensor, where);
}

bool Reader::readNumbers(const flatbuffers::Vector<int32_t> *list,
                         int32_t least, const Graph &graph,
                         const std::string &where, const char *what,
                         std::vector<int32_t> &numbers) {
  if (!list)
    return true;
  if (!spend(list->size(), where))
    return false;
  numbers.assign(list->begin(), list->end());
  auto count = static_cast<int64_t>(graph.tensors.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] < least || numbers[i] >= count)
      return fail(where, std::string(what) + " " + std::to_string(i) +
                             " to be one of " + std::to_string(count) +
                             " tensors, but got " + std::to_string(numbers[i]));
  return true;
}

bool Reader::readOperator(const schema::Operator &table, Graph &graph) {
  size_t index = graph.operators.size();
  Operator &op = graph.operators.emplace_back();
  op.table = &table;
  op.offset = offsetOf(&table);
  const auto *codes = model->operator_codes();
  size_t count = codes ? codes->size() : 0;
  if (table.opcode_index() >= count)
    return fail("operator " + std::to_string(index) + " at byte " +
                    hex(op.offset),
                "its code to be one of " + std::to_string(count) +
                    ", but got " + std::to_string(table.opcode_index()));
  const schema::OperatorCode &code = *codes->Get(table.opcode_index());
  // Old files have the small number only, new ones both for small ones.
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
      // A tensor of no elements needs no data.
      if (input < 0 || isKnown[static_cast<size_t>(input)] ||
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
                    "an output that nothing else gives, but got " +
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
      "graph '" + graph.name + "' at byte " + hex(offsetOf(&table));
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
  // Behind 2 GB there are no tables, only data that buffers point to.
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
