// SPDX-License-Identifier: Apache-2.0
//
// Names and describes the contents of a file for messages.

#include "mli/Import/TFLiteModel.h"

#include "TFLite_generated.h"

namespace mli::tflite {

using schema::TensorType;

std::string getOperatorName(int32_t code) {
  static const char *const names[] = {
#define MLI_TFLITE_OPERATOR(NAME, ...) #NAME,
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

static std::optional<TypeFacts> getFacts(TensorType type) {
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
  std::optional<TypeFacts> facts = getFacts(type);
  return facts ? facts->name : "type " + std::to_string(static_cast<int>(type));
}

unsigned getElementBytes(TensorType type) {
  std::optional<TypeFacts> facts = getFacts(type);
  return facts ? facts->bytes : 0;
}

std::string formatOffset(uint64_t offset) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  do
    text.insert(text.begin(), digits[offset % 16]);
  while (offset /= 16);
  return "0x" + text;
}

std::string describeOperator(const Graph &graph, size_t index) {
  const Operator &op = graph.operators[index];
  return "operator " + std::to_string(index) + " (" + op.name + ") at byte " +
         formatOffset(op.offset);
}

std::string describeTensor(const Graph &graph, int32_t index) {
  const Tensor &tensor = graph.tensors[static_cast<size_t>(index)];
  return "tensor " + std::to_string(index) + " '" + tensor.name + "' at byte " +
         formatOffset(tensor.offset);
}

int64_t Tensor::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

} // namespace mli::tflite
