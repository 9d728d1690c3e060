// SPDX-License-Identifier: Apache-2.0
//
// The contents of a .tflite file, checked: each index, size and offset refers
// to existing data. Depends on no MLIR.

#ifndef MLI_IMPORT_TFLITEMODEL_H
#define MLI_IMPORT_TFLITEMODEL_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mli::tflite {

namespace schema {
enum class TensorType : int8_t;
struct Operator;
} // namespace schema

/// The relation of quantized values to real numbers; there is none without
/// scales.
struct Quantization {
  /// One scale, or one for each index of dimension `axis`; finite and positive.
  std::vector<float> scales;
  /// As many zero points as scales.
  std::vector<int64_t> zeroPoints;
  int32_t axis = 0;

  bool isPerAxis() const { return scales.size() > 1; }
};

struct Tensor {
  std::string name;
  schema::TensorType type;
  /// Each extent is in [0, 2^31), and so are the bytes of all elements.
  std::vector<int64_t> shape;
  /// The elements of a constant, little endian; empty for other tensors.
  std::string_view data;
  bool isConstant = false;
  /// Whether the elements persist from one run to the next.
  bool isVariable = false;
  Quantization quantization;
  /// The offset of the tensor's table, in bytes from the start of the file.
  uint64_t offset = 0;

  int64_t getNumElements() const;
};

struct Operator {
  /// The number in the format; `builtinCustom` for custom operators.
  int32_t code = 0;
  /// The name, as `CONV_2D`; of a custom operator its own.
  std::string name;
  /// Indices of tensors; -1 for an input that is left out.
  std::vector<int32_t> inputs, outputs, intermediates;
  /// The table of the options, which lies in the file.
  const schema::Operator *table = nullptr;
  uint64_t offset = 0;

  /// The tensor of input `index`; -1 if it is left out or the list is shorter.
  int32_t getInput(size_t index) const {
    return index < inputs.size() ? inputs[index] : -1;
  }
};

/// A graph whose operators are in executable order: each input is an input of
/// the graph, a constant, a variable or an earlier output.
struct Graph {
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  std::vector<int32_t> inputs, outputs;
};

/// A network as views of the bytes that it was read from, which have to stay
/// alive.
struct Model {
  /// The graphs, at least one; the first is the network.
  std::vector<Graph> graphs;
  std::string description;
  /// The bytes of the file.
  std::string_view bytes;
};

inline constexpr int32_t builtinCustom = 32;

/// The name of a builtin operator, `CONV_2D`, or `BUILTIN_999`.
std::string getOperatorName(int32_t code);

/// The name of a type, as `int8`; `type 77` for unknown ones.
std::string getTypeName(schema::TensorType type);

/// The bytes of an element; 0 for types without a fixed size, as strings.
unsigned getElementBytes(schema::TensorType type);

/// Formats an offset in the file, as `0x2a`.
std::string formatOffset(uint64_t offset);

/// Describe `operator 3 (CONV_2D) at byte 0x1f4` and `tensor 7 'name' at byte
/// 0x2a`.
std::string describeOperator(const Graph &graph, size_t index);
std::string describeTensor(const Graph &graph, int32_t index);

/// Reads the model in `bytes`, a whole file whose start is aligned to 16 bytes.
/// Returns nothing for other input and sets `error` to what was expected and
/// found. Reads nothing beyond `bytes`; weights are not copied.
std::optional<Model> readModel(std::string_view bytes, std::string &error);

} // namespace mli::tflite

#endif // MLI_IMPORT_TFLITEMODEL_H
