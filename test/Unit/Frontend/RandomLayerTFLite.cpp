// SPDX-License-Identifier: Apache-2.0
//
// Layers as a file of TFLite.

#include "RandomLayer.h"

#include "TFLite_generated.h"

using namespace mli::test;
namespace schema = mli::tflite::schema;
using Kind = RandomLayer::Kind;

namespace {

/// Operators in the order of the codes that the file lists.
constexpr int32_t operatorCodes[] = {/*CONV_2D=*/3, /*DEPTHWISE_CONV_2D=*/4,
                                     /*FULLY_CONNECTED=*/9,
                                     /*TRANSPOSE_CONV=*/67};

class Writer {
public:
  std::string run(const std::vector<RandomLayer> &layers) {
    buffers.push_back(schema::CreateBuffer(builder));
    for (size_t i = 0; i < layers.size(); ++i)
      add(layers[i], "y" + std::to_string(i));
    auto graph = schema::CreateSubGraphDirect(builder, &tensors, &inputs,
                                              &outputs, &operators, "main");
    std::vector<flatbuffers::Offset<schema::OperatorCode>> codes;
    for (int32_t code : operatorCodes)
      codes.push_back(schema::CreateOperatorCode(
          builder, static_cast<int8_t>(code), 0, 1, code));
    std::vector<flatbuffers::Offset<schema::SubGraph>> graphs = {graph};
    builder.Finish(schema::CreateModelDirect(builder, 3, &codes, &graphs,
                                             nullptr, &buffers),
                   "TFL3");
    return {reinterpret_cast<const char *>(builder.GetBufferPointer()),
            builder.GetSize()};
  }

private:
  template <typename Number>
  uint32_t addBuffer(const std::vector<Number> &data) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(data.data());
    std::vector<uint8_t> copy(bytes, bytes + data.size() * sizeof(Number));
    buffers.push_back(schema::CreateBufferDirect(builder, &copy));
    return static_cast<uint32_t>(buffers.size() - 1);
  }

  int32_t addTensor(const std::vector<int32_t> &shape, schema::TensorType type,
                    uint32_t buffer, const std::vector<float> &scales,
                    const std::vector<int64_t> &zeros, int32_t axis = 0,
                    const std::string &name = "") {
    auto quantization = schema::CreateQuantizationParametersDirect(
        builder, nullptr, nullptr, &scales, &zeros, 0, 0, axis);
    tensors.push_back(schema::CreateTensorDirect(builder, &shape, type, buffer,
                                                 name.c_str(), quantization));
    return static_cast<int32_t>(tensors.size() - 1);
  }

  int32_t addWeights(const RandomLayer &layer) {
    auto extent = [](int64_t number) { return static_cast<int32_t>(number); };
    std::vector<int64_t> zeros(layer.scales.size(), 0);
    bool isDepthwise = layer.kind == Kind::Depthwise;
    uint32_t buffer =
        addBuffer(isDepthwise ? layer.outputsLast() : layer.weights);
    std::vector<int32_t> shape = {
        extent(layer.outputs), extent(layer.kernel[0]), extent(layer.kernel[1]),
        extent(layer.groupChannels())};
    if (isDepthwise)
      std::swap(shape.front(), shape.back());
    if (layer.kind == Kind::Connected)
      shape = {shape.front(), shape.back()};
    return addTensor(shape, schema::TensorType::INT8, buffer, layer.scales,
                     zeros, isDepthwise ? 3 : 0);
  }

  void add(const RandomLayer &layer, const std::string &name) {
    auto map = [](int64_t h, int64_t w, int64_t c) {
      return std::vector<int32_t>{1, static_cast<int32_t>(h),
                                  static_cast<int32_t>(w),
                                  static_cast<int32_t>(c)};
    };
    std::vector<int32_t> in = map(layer.height, layer.width, layer.channels);
    std::vector<int32_t> out =
        map(layer.outHeight(), layer.outWidth(), layer.outputs);
    if (layer.kind == Kind::Connected) {
      in = {1, in.back()};
      out = {1, out.back()};
    }
    int32_t x = addTensor(in, schema::TensorType::INT8, 0, {layer.inScale},
                          {layer.inZero});
    int32_t weights = addWeights(layer);
    int32_t bias =
        addTensor({static_cast<int32_t>(layer.outputs)},
                  schema::TensorType::INT32, addBuffer(layer.bias), {1}, {0});
    int32_t y = addTensor(out, schema::TensorType::INT8, 0, {layer.outScale},
                          {layer.outZero}, 0, name);
    std::vector<int32_t> operands = {x, weights, bias};
    if (layer.kind == Kind::Transposed)
      operands = {
          addTensor({4}, schema::TensorType::INT32, addBuffer(out), {}, {}),
          weights, x, bias};
    inputs.push_back(x);
    outputs.push_back(y);
    addOperator(layer, operands, {y});
  }

  void addOperator(const RandomLayer &layer,
                   const std::vector<int32_t> &operands,
                   const std::vector<int32_t> &results) {
    auto stride = static_cast<int32_t>(layer.stride);
    auto padding =
        layer.isPadded ? schema::Padding::SAME : schema::Padding::VALID;
    auto activation = static_cast<schema::ActivationFunctionType>(
        static_cast<int>(layer.activation));
    flatbuffers::Offset<void> options;
    schema::BuiltinOptions type;
    uint32_t code = 0;
    switch (layer.kind) {
    case Kind::Conv:
    case Kind::Grouped:
      type = schema::BuiltinOptions::Conv2DOptions;
      options = schema::CreateConv2DOptions(builder, padding, stride, stride,
                                            activation)
                    .Union();
      break;
    case Kind::Depthwise:
      code = 1;
      type = schema::BuiltinOptions::DepthwiseConv2DOptions;
      options =
          schema::CreateDepthwiseConv2DOptions(
              builder, padding, stride, stride,
              static_cast<int32_t>(layer.outputs / layer.channels), activation)
              .Union();
      break;
    case Kind::Connected:
      code = 2;
      type = schema::BuiltinOptions::FullyConnectedOptions;
      options =
          schema::CreateFullyConnectedOptions(builder, activation).Union();
      break;
    case Kind::Transposed:
      code = 3;
      type = schema::BuiltinOptions::TransposeConvOptions;
      options = schema::CreateTransposeConvOptions(builder, padding, stride,
                                                   stride, activation)
                    .Union();
      break;
    }
    operators.push_back(schema::CreateOperatorDirect(builder, code, &operands,
                                                     &results, type, options));
  }

  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<schema::Buffer>> buffers;
  std::vector<flatbuffers::Offset<schema::Tensor>> tensors;
  std::vector<flatbuffers::Offset<schema::Operator>> operators;
  std::vector<int32_t> inputs, outputs;
};

} // namespace

std::string mli::test::toTFLite(const std::vector<RandomLayer> &layers) {
  return Writer().run(layers);
}
