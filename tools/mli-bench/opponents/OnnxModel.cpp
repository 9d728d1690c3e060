// SPDX-License-Identifier: Apache-2.0
//
// The numbers of fields are those of onnx.proto.

#include "OnnxModel.h"

#include <utility>

namespace mli::opponents {

/// Wire types of protobuf.
enum : int { Varint = 0, Length = 2 };

void Message::addVarint(uint64_t value) {
  for (; value >= 128; value >>= 7)
    text += static_cast<char>(value | 128);
  text += static_cast<char>(value);
}

void Message::addKey(int field, int wireType) {
  addVarint(static_cast<uint64_t>(field) << 3 |
            static_cast<uint64_t>(wireType));
}

void Message::addInteger(int field, int64_t value) {
  addKey(field, Varint);
  addVarint(static_cast<uint64_t>(value));
}

void Message::addBytes(int field, const std::string &bytes) {
  addKey(field, Length);
  addVarint(bytes.size());
  text += bytes;
}

/// A ValueInfoProto: the name and the type of an input or an output.
static Message makeValue(const std::string &name, OnnxType type,
                         const Shape &shape) {
  Message dims, tensor, kind, value;
  for (int64_t extent : shape) {
    Message dim;
    dim.addInteger(1, extent);
    dims.add(1, dim);
  }
  tensor.addInteger(1, static_cast<int64_t>(type));
  tensor.add(2, dims);
  kind.add(1, tensor);
  value.addBytes(1, name);
  value.add(2, kind);
  return value;
}

void OnnxModel::addInput(const std::string &name, OnnxType type,
                         const Shape &shape) {
  graph.add(11, makeValue(name, type, shape));
  addOperand(name);
}

void OnnxModel::addTensor(OnnxType type, const Shape &shape,
                          const std::string &bytes) {
  std::string name = "c" + std::to_string(constants++);
  Message tensor;
  for (int64_t extent : shape)
    tensor.addInteger(1, extent);
  tensor.addInteger(2, static_cast<int64_t>(type));
  tensor.addBytes(8, name);
  tensor.addBytes(9, bytes);
  graph.add(5, tensor);
  addOperand(name);
}

void OnnxModel::addZero(OnnxType type, int32_t zero) {
  auto byte = static_cast<uint8_t>(zero);
  addConstant(type, {}, &byte, 1);
}

void OnnxModel::addAttribute(const std::string &name, int64_t value) {
  constexpr int64_t typeInt = 2;
  Message attribute;
  attribute.addBytes(1, name);
  attribute.addInteger(3, value);
  attribute.addInteger(20, typeInt);
  node.add(5, attribute);
}

void OnnxModel::addAttribute(const std::string &name, const Shape &values) {
  constexpr int64_t typeInts = 7;
  Message attribute;
  attribute.addBytes(1, name);
  for (int64_t value : values)
    attribute.addInteger(8, value);
  attribute.addInteger(20, typeInts);
  node.add(5, attribute);
}

std::string OnnxModel::finish(const std::string &operation,
                              const std::string &domain, OnnxType type,
                              const Shape &shape) const {
  Message last = node;
  last.addBytes(2, "y");
  last.addBytes(4, operation);
  if (!domain.empty())
    last.addBytes(7, domain);
  Message whole = graph;
  whole.add(1, last);
  whole.addBytes(2, "layer");
  whole.add(12, makeValue("y", type, shape));
  Message model;
  constexpr int64_t irVersion = 8;
  model.addInteger(1, irVersion);
  model.add(7, whole);
  // The standard operations, and those that ONNX Runtime adds.
  constexpr std::pair<const char *, int64_t> versions[] = {
      {"", 17}, {"com.microsoft", 1}};
  for (auto [name, version] : versions) {
    Message set;
    set.addBytes(1, name);
    set.addInteger(2, version);
    model.add(8, set);
  }
  return model.bytes();
}

} // namespace mli::opponents
