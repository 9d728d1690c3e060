// SPDX-License-Identifier: Apache-2.0
//
// A .tflite file, read and checked: everything that an index, a size or an
// offset in it refers to is there. Knows no MLIR.

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

/// How codes stand for real numbers; without scales they do not.
struct Quantization {
  /// One, or one for each index of dimension `axis`; finite and positive.
  std::vector<float> scales;
  /// As many.
  std::vector<int64_t> zeroPoints;
  int32_t axis = 0;

  bool isPerAxis() const { return scales.size() > 1; }
};

struct Tensor {
  std::string name;
  schema::TensorType type;
  /// Every extent is in [0, 2^31), the bytes of all elements too.
  std::vector<int64_t> shape;
  /// The elements of a constant, little endian; empty for other tensors.
  std::string_view data;
  bool isConstant = false;
  /// Keeps its elements from one run to the next.
  bool isVariable = false;
  Quantization quantization;
  /// Of its table, in bytes from the start of the file.
  uint64_t offset = 0;

  int64_t getNumElements() const;
};

struct Operator {
  /// As numbered by the format, `builtinCustom` for one of somebody's own.
  int32_t code = 0;
  /// `CONV_2D`; for a custom one the name that it was given.
  std::string name;
  /// Numbers of tensors; -1 for an input that is left out.
  std::vector<int32_t> inputs, outputs, intermediates;
  /// The table of its options lies in the file.
  const schema::Operator *table = nullptr;
  uint64_t offset = 0;

  /// Input `index`; -1 also where the list is shorter.
  int32_t getInput(size_t index) const {
    return index < inputs.size() ? inputs[index] : -1;
  }
};

/// A graph whose operators stand in an order in which they can run: each input
/// is one of the graph, a constant, a variable or an earlier output.
struct Graph {
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  std::vector<int32_t> inputs, outputs;
};

/// Views of the bytes it was read from, which have to stay.
struct Model {
  /// At least one; the first is the network.
  std::vector<Graph> graphs;
  std::string description;
  /// The file.
  std::string_view bytes;
};

inline constexpr int32_t builtinCustom = 32;

/// The name of a builtin operator, `CONV_2D`, or `BUILTIN_999`.
std::string getOperatorName(int32_t code);

/// `int8`, ...; `type 77` for what the format does not have.
std::string getTypeName(schema::TensorType type);

/// Bytes of an element; 0 for strings and what else has no fixed size.
unsigned getElementBytes(schema::TensorType type);

/// A place in the file, `0x2a`.
std::string formatOffset(uint64_t offset);

/// `operator 3 (CONV_2D) at byte 0x1f4`, `tensor 7 'name' at byte 0x2a`.
std::string describeOperator(const Graph &graph, size_t index);
std::string describeTensor(const Graph &graph, int32_t index);

/// The model in `bytes`, a whole file whose start is aligned to 16 bytes. For
/// any other input there is none and `error` says what was expected and what
/// is there. Reads nothing behind `bytes`; weights are not copied.
std::optional<Model> readModel(std::string_view bytes, std::string &error);

} // namespace mli::tflite

#endif // MLI_IMPORT_TFLITEMODEL_H
