// SPDX-License-Identifier: Apache-2.0

#include "TFLiteWriter.h"

using namespace mli::fuzz;

// Buffer 0 is that of no data.
TFLiteWriter::TFLiteWriter() { addBytes({}); }

uint32_t TFLiteWriter::addBytes(llvm::ArrayRef<uint8_t> bytes) {
  if (bytes.empty()) {
    buffers.push_back(schema::CreateBuffer(builder));
  } else {
    builder.ForceVectorAlignment(bytes.size(), sizeof(uint8_t), 16);
    auto data = builder.CreateVector(bytes.data(), bytes.size());
    buffers.push_back(schema::CreateBuffer(builder, data));
  }
  return static_cast<uint32_t>(buffers.size() - 1);
}

int32_t TFLiteWriter::addTensor(const TFLiteTensor &tensor) {
  flatbuffers::Offset<schema::QuantizationParameters> quantization = 0;
  if (!tensor.scales.empty())
    quantization = schema::CreateQuantizationParametersDirect(
        builder, nullptr, nullptr, &tensor.scales, &tensor.zeroPoints, 0, 0,
        tensor.axis);
  tensors.push_back(schema::CreateTensorDirect(
      builder, &tensor.shape, tensor.type, tensor.buffer, tensor.name.c_str(),
      quantization, tensor.isVariable));
  return static_cast<int32_t>(tensors.size() - 1);
}

int32_t TFLiteWriter::addIntegers(llvm::ArrayRef<int32_t> numbers) {
  TFLiteTensor tensor{{static_cast<int32_t>(numbers.size())},
                      TFLiteType::INT32};
  tensor.buffer = addBuffer(numbers);
  return addTensor(tensor);
}

uint32_t TFLiteWriter::getCode(TFLiteCode code) {
  auto [it, isNew] =
      codeIndices.try_emplace(code, static_cast<uint32_t>(codes.size()));
  if (isNew) {
    // Old readers know the small number only; it ends at 127.
    auto number = static_cast<int32_t>(code);
    codes.push_back(schema::CreateOperatorCode(
        builder, static_cast<int8_t>(std::min(number, 127)), 0, 1, number));
  }
  return it->second;
}

void TFLiteWriter::addOperator(TFLiteCode code, llvm::ArrayRef<int32_t> inputs,
                               llvm::ArrayRef<int32_t> outputs,
                               schema::BuiltinOptions type,
                               flatbuffers::Offset<void> options,
                               llvm::ArrayRef<int32_t> intermediates) {
  std::vector<int32_t> from = inputs.vec(), to = outputs.vec(),
                       between = intermediates.vec();
  operators.push_back(schema::CreateOperatorDirect(
      builder, getCode(code), &from, &to, type, options, nullptr, 0, nullptr,
      between.empty() ? nullptr : &between));
}

void TFLiteWriter::endGraph(llvm::ArrayRef<int32_t> inputs,
                            llvm::ArrayRef<int32_t> outputs, const char *name) {
  std::vector<int32_t> from = inputs.vec(), to = outputs.vec();
  graphs.push_back(schema::CreateSubGraphDirect(builder, &tensors, &from, &to,
                                                &operators, name));
  tensors.clear();
  operators.clear();
}

std::string TFLiteWriter::finish() {
  builder.Finish(
      schema::CreateModelDirect(builder, 3, &codes, &graphs, nullptr, &buffers),
      schema::ModelIdentifier());
  return {reinterpret_cast<const char *>(builder.GetBufferPointer()),
          builder.GetSize()};
}
