// SPDX-License-Identifier: Apache-2.0
//
// Layers as a file of TFLite.

#include "RandomLayer.h"

#include "../../Fuzz/Generator/TFLiteWriter.h"

using namespace mli::fuzz;
using namespace mli::test;
using Kind = RandomLayer::Kind;

static int32_t extent(int64_t number) { return static_cast<int32_t>(number); }

static TFLiteType typeOf(const RandomLayer &layer) {
  return layer.isUnsigned() ? TFLiteType::UINT8 : TFLiteType::INT8;
}

static int32_t addWeights(TFLiteWriter &writer, const RandomLayer &layer) {
  bool isDepthwise = layer.kind == Kind::Depthwise;
  TFLiteTensor weights;
  weights.shape = {extent(layer.outputs), extent(layer.kernel[0]),
                   extent(layer.kernel[1]), extent(layer.groupChannels())};
  if (isDepthwise)
    std::swap(weights.shape.front(), weights.shape.back());
  if (layer.kind == Kind::Connected)
    weights.shape = {weights.shape.front(), weights.shape.back()};
  weights.scales = layer.scales;
  weights.zeroPoints = layer.weightsZeros;
  weights.type = typeOf(layer);
  weights.axis = isDepthwise ? 3 : 0;
  weights.buffer = writer.addBuffer(layer.codes());
  return writer.addTensor(weights);
}

static int32_t addBias(TFLiteWriter &writer, const RandomLayer &layer) {
  TFLiteTensor bias{{extent(layer.outputs)}, TFLiteType::INT32};
  bias.scales = {1};
  bias.zeroPoints = {0};
  bias.buffer = writer.addBuffer(layer.bias);
  return writer.addTensor(bias);
}

static void addOperator(TFLiteWriter &writer, const RandomLayer &layer,
                        const std::vector<int32_t> &operands, int32_t result) {
  using schema::BuiltinOptions;
  auto &builder = writer.builder;
  int32_t stride = extent(layer.stride);
  auto padding =
      layer.isPadded ? schema::Padding::SAME : schema::Padding::VALID;
  auto activation = static_cast<schema::ActivationFunctionType>(
      static_cast<int>(layer.activation));
  switch (layer.kind) {
  case Kind::Conv:
  case Kind::Grouped:
    writer.addOperator(TFLiteCode::CONV_2D, operands, {result},
                       BuiltinOptions::Conv2DOptions,
                       schema::CreateConv2DOptions(builder, padding, stride,
                                                   stride, activation)
                           .Union());
    break;
  case Kind::Depthwise:
    writer.addOperator(TFLiteCode::DEPTHWISE_CONV_2D, operands, {result},
                       BuiltinOptions::DepthwiseConv2DOptions,
                       schema::CreateDepthwiseConv2DOptions(
                           builder, padding, stride, stride,
                           extent(layer.outputs / layer.channels), activation)
                           .Union());
    break;
  case Kind::Connected:
    writer.addOperator(
        TFLiteCode::FULLY_CONNECTED, operands, {result},
        BuiltinOptions::FullyConnectedOptions,
        schema::CreateFullyConnectedOptions(builder, activation).Union());
    break;
  case Kind::Transposed:
    writer.addOperator(TFLiteCode::TRANSPOSE_CONV, operands, {result},
                       BuiltinOptions::TransposeConvOptions,
                       schema::CreateTransposeConvOptions(
                           builder, padding, stride, stride, activation)
                           .Union());
    break;
  }
}

std::string mli::test::toTFLite(const std::vector<RandomLayer> &layers) {
  TFLiteWriter writer;
  std::vector<int32_t> inputs, outputs;
  for (const RandomLayer &layer : layers) {
    TFLiteTensor in{
        {1, extent(layer.height), extent(layer.width), extent(layer.channels)}};
    TFLiteTensor out{{1, extent(layer.outHeight()), extent(layer.outWidth()),
                      extent(layer.outputs)}};
    if (layer.kind == Kind::Connected) {
      in.shape = {1, in.shape.back()};
      out.shape = {1, out.shape.back()};
    }
    in.scales = {layer.inScale};
    int64_t offset = layer.isUnsigned() ? 128 : 0;
    in.type = out.type = typeOf(layer);
    in.zeroPoints = {layer.inZero + offset};
    out.scales = {layer.outScale};
    out.zeroPoints = {layer.outZero + offset};
    out.name = "y" + std::to_string(outputs.size());
    int32_t x = writer.addTensor(in), weights = addWeights(writer, layer),
            bias = addBias(writer, layer), y = writer.addTensor(out);
    std::vector<int32_t> operands = {x, weights, bias};
    if (layer.kind == Kind::Transposed)
      operands = {writer.addIntegers(out.shape), weights, x, bias};
    inputs.push_back(x);
    outputs.push_back(y);
    addOperator(writer, layer, operands, y);
  }
  writer.endGraph(inputs, outputs, "main");
  return writer.finish();
}
