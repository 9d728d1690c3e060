// SPDX-License-Identifier: Apache-2.0
//
// Writes files of TFLite.

#ifndef MLI_TEST_FUZZ_GENERATOR_TFLITEWRITER_H
#define MLI_TEST_FUZZ_GENERATOR_TFLITEWRITER_H

#include "TFLite_generated.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>
#include <vector>

namespace mli::fuzz {

namespace schema = mli::tflite::schema;
/// What elements are stored as.
using TFLiteType = schema::TensorType;

/// The codes of the builtin operators, in the order of the format.
enum class TFLiteCode : int32_t {
#define MLI_TFLITE_OPERATOR(NAME, ...) NAME,
#include "Import/Model/TFLiteOperators.def"
};

/// A tensor of a file. It is quantised if it has scales.
struct TFLiteTensor {
  std::vector<int32_t> shape;
  TFLiteType type = TFLiteType::INT8;
  std::vector<float> scales = {};
  std::vector<int64_t> zeroPoints = {};
  /// The dimension of the scales, if they are several.
  int32_t axis = 0;
  /// What holds its elements; 0 for what is not constant.
  uint32_t buffer = 0;
  std::string name = {};
  bool isVariable = false;
};

/// A file under construction, graph after graph.
class TFLiteWriter {
public:
  TFLiteWriter();

  /// A buffer of the elements `data`, which several tensors may share.
  template <typename Number>
  uint32_t addBuffer(llvm::ArrayRef<Number> data) {
    return addBytes({reinterpret_cast<const uint8_t *>(data.data()),
                     data.size() * sizeof(Number)});
  }
  template <typename Number>
  uint32_t addBuffer(const std::vector<Number> &data) {
    return addBuffer(llvm::ArrayRef<Number>(data));
  }
  /// The index of the new tensor in its graph.
  int32_t addTensor(const TFLiteTensor &tensor);
  /// A constant of int32 without a scale.
  int32_t addIntegers(llvm::ArrayRef<int32_t> numbers);
  /// An operator whose options are `options`, made by `builder`.
  void addOperator(TFLiteCode code, llvm::ArrayRef<int32_t> inputs,
                   llvm::ArrayRef<int32_t> outputs,
                   schema::BuiltinOptions type = schema::BuiltinOptions::NONE,
                   flatbuffers::Offset<void> options = 0,
                   llvm::ArrayRef<int32_t> intermediates = {});
  /// Ends the graph that tensors and operators were added to, and starts the
  /// next one.
  void endGraph(llvm::ArrayRef<int32_t> inputs, llvm::ArrayRef<int32_t> outputs,
                const char *name);
  /// The bytes of the file.
  std::string finish();

  flatbuffers::FlatBufferBuilder builder;

private:
  uint32_t addBytes(llvm::ArrayRef<uint8_t> bytes);
  uint32_t getCode(TFLiteCode code);

  template <typename Table>
  using Offsets = std::vector<flatbuffers::Offset<Table>>;

  Offsets<schema::Buffer> buffers;
  Offsets<schema::Tensor> tensors;
  Offsets<schema::Operator> operators;
  Offsets<schema::OperatorCode> codes;
  Offsets<schema::SubGraph> graphs;
  std::map<TFLiteCode, uint32_t> codeIndices;
};

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_GENERATOR_TFLITEWRITER_H
