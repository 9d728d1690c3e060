// SPDX-License-Identifier: Apache-2.0
//
// Models of one node, in the format of ONNX.

#ifndef MLI_TOOLS_MLI_BENCH_OPPONENTS_ONNXMODEL_H
#define MLI_TOOLS_MLI_BENCH_OPPONENTS_ONNXMODEL_H

#include <cstdint>
#include <string>
#include <vector>

namespace mli::opponents {

/// A message of protobuf that is being written: fields by their numbers.
class Message {
public:
  void addInteger(int field, int64_t value);
  void addBytes(int field, const std::string &bytes);
  void add(int field, const Message &message) { addBytes(field, message.text); }
  const std::string &bytes() const { return text; }

private:
  void addVarint(uint64_t value);
  void addKey(int field, int wireType);

  std::string text;
};

/// Element types, by the numbers of TensorProto.
enum class OnnxType { Float = 1, Uint8 = 2, Int8 = 3, Int32 = 6 };

using Shape = std::vector<int64_t>;

/// One node, whose operands are added in their order.
class OnnxModel {
public:
  /// Adds an input of the model.
  void addInput(const std::string &name, OnnxType type, const Shape &shape);
  /// Adds an operand that does not change.
  template <typename T>
  void addConstant(OnnxType type, const Shape &shape, const T *data,
                   size_t count) {
    addTensor(
        type, shape,
        std::string(reinterpret_cast<const char *>(data), count * sizeof(T)));
  }
  void addScale(float scale) { addConstant(OnnxType::Float, {}, &scale, 1); }
  /// Adds a zero point of one byte.
  void addZero(OnnxType type, int32_t zero);
  void addAttribute(const std::string &name, int64_t value);
  void addAttribute(const std::string &name, const Shape &values);

  /// Returns the bytes of the model, whose output is "y". `domain` may be
  /// empty.
  std::string finish(const std::string &operation, const std::string &domain,
                     OnnxType type, const Shape &shape) const;

private:
  void addTensor(OnnxType type, const Shape &shape, const std::string &bytes);
  void addOperand(const std::string &name) { node.addBytes(1, name); }

  int constants = 0;
  Message node, graph;
};

} // namespace mli::opponents

#endif // MLI_TOOLS_MLI_BENCH_OPPONENTS_ONNXMODEL_H
