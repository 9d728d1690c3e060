// SPDX-License-Identifier: Apache-2.0
//
// Products with weights in networks of TFLite.

#include "TFLiteProgram.h"

#include <algorithm>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using schema::BuiltinOptions;
using schema::Padding;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {

/// Weights and bias of a layer from `input` to a result of `scale`.
struct LayerConstants {
  LayerConstants(TFLiteNetwork &network, const TFLiteMap &input,
                 ArrayRef<int64_t> dims, int64_t axis)
      : network(network), input(input), shape(dims), axis(axis),
        scale(network.chooseScale(input.type)) {
    int64_t outputs = shape[axis];
    LayerSize size{outputs, llvm::product_of(shape) / outputs, input.isWide()};
    for (const auto &[other, found] : network.layers)
      if (other == size && network.random.chance(25)) {
        layer = found;
        return;
      }
    layer = chooseLayer(network.types, network.random, size);
    network.layers.emplace_back(size, layer);
  }

  /// Adds the tensors of weights and bias; the second is -1 if there is none.
  std::pair<int32_t, int32_t> write();
  /// Makes `weights` uint8, and `codes` theirs: some, less the zero point, are
  /// no int8.
  void makeUnsigned(TFLiteTensor &weights, std::vector<int8_t> &codes) const;

  TFLiteNetwork &network;
  TFLiteMap input;
  SmallVector<int64_t> shape;
  int64_t axis;
  float scale;
  LayerChoice layer;
};

} // namespace

/// The constant of `bias` with the scales of `tensor`.
static int32_t addBias(TFLiteNetwork &network, ArrayRef<int64_t> bias,
                       TFLiteTensor tensor, bool isLong) {
  tensor.shape = {static_cast<int32_t>(bias.size())};
  tensor.type = isLong ? TFLiteType::INT64 : TFLiteType::INT32;
  if (isLong) {
    tensor.buffer = network.writer.addBuffer(bias);
  } else {
    std::vector<int32_t> narrow;
    for (int64_t each : bias)
      narrow.push_back(static_cast<int32_t>(
          std::clamp<int64_t>(each, INT32_MIN, INT32_MAX)));
    tensor.buffer = network.writer.addBuffer(narrow);
  }
  return network.writer.addTensor(tensor);
}

void LayerConstants::makeUnsigned(TFLiteTensor &weights,
                                  std::vector<int8_t> &codes) const {
  weights.type = TFLiteType::UINT8;
  for (int64_t &zeroPoint : weights.zeroPoints)
    zeroPoint = network.random.chance(70) ? network.random.pick(118, 138)
                                          : network.random.pick(0, 255);
  for (int8_t &code : codes)
    code = static_cast<int8_t>(code ^ 0x80);
}

std::pair<int32_t, int32_t> LayerConstants::write() {
  TFLiteTensor tensor, sums;
  for (double factor : layer.factors) {
    tensor.scales.push_back(static_cast<float>(factor / input.scale * scale));
    sums.scales.push_back(std::max(tensor.scales.back() * input.scale, 1e-37F));
  }
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.zeroPoints.assign(layer.factors.size(), 0);
  sums.zeroPoints = tensor.zeroPoints;
  tensor.axis = static_cast<int32_t>(axis);
  std::vector<int8_t> codes =
      axis == 0 ? layer.weights : layer.getOutputsLast();
  if (input.type == TFLiteType::UINT8 && network.random.chance(70))
    makeUnsigned(tensor, codes);
  tensor.buffer = network.addWeights(codes);
  int32_t weights = network.writer.addTensor(tensor);
  bool isZero =
      llvm::all_of(layer.bias, [](int64_t each) { return each == 0; });
  if (isZero || network.random.chance(5))
    return {weights, -1};
  bool isLong = input.isWide() && network.random.chance(80);
  return {weights, addBias(network, layer.bias, sums, isLong)};
}

static SmallVector<int32_t> operandsOf(const TFLiteMap &input,
                                       std::pair<int32_t, int32_t> constants,
                                       Random &random) {
  SmallVector<int32_t> operands = {input.index, constants.first};
  if (constants.second >= 0 || random.chance(50))
    operands.push_back(constants.second);
  return operands;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {

/// The windows of a convolution over a map.
struct Windows {
  WindowChoice rows, columns;
  Padding padding = Padding::SAME;
};

} // namespace

static int32_t narrow(int64_t number) { return static_cast<int32_t>(number); }

static void setOutput(WindowChoice &window, Padding padding) {
  int64_t reach = (window.kernel - 1) * window.dilation + 1;
  int64_t windows =
      padding == Padding::SAME ? window.input : window.input - reach + 1;
  window.output = (windows + window.stride - 1) / window.stride;
}

static Windows chooseWindows(TFLiteNetwork &network, const TFLiteMap &input) {
  Random &random = network.random;
  Windows windows;
  windows.rows = chooseWindow(random, input.shape[1], /*hasDilation=*/true);
  windows.columns = chooseWindow(random, input.shape[2], /*hasDilation=*/true);
  if (random.chance(50))
    windows.padding = Padding::VALID;
  for (WindowChoice *window : {&windows.rows, &windows.columns})
    if ((window->kernel - 1) * window->dilation >= window->input)
      windows.padding = Padding::SAME;
  setOutput(windows.rows, windows.padding);
  setOutput(windows.columns, windows.padding);
  return windows;
}

static bool makeConv(TFLiteNetwork &network, int64_t groups) {
  Random &random = network.random;
  TFLiteMap input = network.need(4, /*hasWide=*/true);
  int64_t channels = input.shape[3];
  if (channels % groups != 0)
    return false;
  Windows windows = chooseWindows(network, input);
  int64_t outputs =
      groups * (groups == 1 ? network.types.getExtent() : random.pick(1, 3));
  LayerConstants constants(
      network, input,
      {outputs, windows.rows.kernel, windows.columns.kernel, channels / groups},
      0);
  TFLiteMap result = network.addMap(
      {input.shape[0], windows.rows.output, windows.columns.output, outputs},
      input.type, constants.scale, network.chooseZeroPoint(input.type));
  SmallVector<int32_t> operands = operandsOf(input, constants.write(), random);
  network.add(
      TFLiteCode::CONV_2D, operands, result, BuiltinOptions::Conv2DOptions,
      schema::CreateConv2DOptions(
          network.builder(), windows.padding, narrow(windows.columns.stride),
          narrow(windows.rows.stride), network.chooseActivation(),
          narrow(windows.columns.dilation), narrow(windows.rows.dilation))
          .Union());
  return true;
}

bool fuzz::makeConv2d(TFLiteNetwork &network) { return makeConv(network, 1); }

bool fuzz::makeGroupConv2d(TFLiteNetwork &network) {
  return makeConv(network, network.random.pick(2, 4));
}

bool fuzz::makeDepthwiseConv2d(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap input = network.need(4, /*hasWide=*/true);
  Windows windows = chooseWindows(network, input);
  int64_t multiplier = random.chance(70) ? 1 : random.pick(2, 4);
  int64_t outputs = input.shape[3] * multiplier;
  LayerConstants constants(
      network, input, {1, windows.rows.kernel, windows.columns.kernel, outputs},
      3);
  TFLiteMap result = network.addMap(
      {input.shape[0], windows.rows.output, windows.columns.output, outputs},
      input.type, constants.scale, network.chooseZeroPoint(input.type));
  SmallVector<int32_t> operands = operandsOf(input, constants.write(), random);
  network.add(TFLiteCode::DEPTHWISE_CONV_2D, operands, result,
              BuiltinOptions::DepthwiseConv2DOptions,
              schema::CreateDepthwiseConv2DOptions(
                  network.builder(), windows.padding,
                  narrow(windows.columns.stride), narrow(windows.rows.stride),
                  narrow(multiplier), network.chooseActivation(),
                  narrow(windows.columns.dilation),
                  narrow(windows.rows.dilation))
                  .Union());
  return true;
}

bool fuzz::makeTransposeConv2d(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap input = network.need(4, /*hasWide=*/true);
  Padding padding = random.chance(50) ? Padding::SAME : Padding::VALID;
  WindowChoice windows[] = {chooseTransposedWindow(random, input.shape[1]),
                            chooseTransposedWindow(random, input.shape[2])};
  for (WindowChoice &window : windows) {
    int64_t whole = (window.input - 1) * window.stride + window.kernel;
    window.output = padding == Padding::VALID
                        ? whole
                        : std::min(window.input * window.stride -
                                       random.pick(0, window.stride - 1),
                                   whole);
  }
  int64_t outputs = network.types.getExtent();
  LayerConstants constants(
      network, input,
      {outputs, windows[0].kernel, windows[1].kernel, input.shape[3]}, 0);
  TFLiteMap result = network.addMap(
      {input.shape[0], windows[0].output, windows[1].output, outputs},
      input.type, constants.scale, network.chooseZeroPoint(input.type));
  auto [weights, bias] = constants.write();
  SmallVector<int32_t> operands = {network.addIntegers(result.shape), weights,
                                   input.index};
  if (bias >= 0)
    operands.push_back(bias);
  network.add(TFLiteCode::TRANSPOSE_CONV, operands, result,
              BuiltinOptions::TransposeConvOptions,
              schema::CreateTransposeConvOptions(
                  network.builder(), padding, narrow(windows[1].stride),
                  narrow(windows[0].stride), network.chooseActivation())
                  .Union());
  return true;
}

bool fuzz::makeFullyConnected(TFLiteNetwork &network) {
  Random &random = network.random;
  TFLiteMap input = network.need(random.pick(2, 4), /*hasWide=*/true);
  // Importers hold many weights in another way than few.
  bool isLarge = network.has(Feature::Large) && random.chance(20);
  if (isLarge)
    input = network.addInput({1, 600}, network.chooseType(/*hasWide=*/true));
  bool isFlat = random.chance(30);
  int64_t inputs = isFlat ? input.getNumElements() : input.shape.back();
  int64_t outputs = isLarge ? 120 : network.types.getExtent();
  if (inputs > 2000)
    return false;
  LayerConstants constants(network, input, {outputs, inputs}, 0);
  bool keepsDims = !isFlat && random.chance(50);
  SmallVector<int64_t> shape = {input.getNumElements() / inputs, outputs};
  if (keepsDims) {
    shape = input.shape;
    shape.back() = outputs;
  }
  TFLiteMap result = network.addMap(shape, input.type, constants.scale,
                                    network.chooseZeroPoint(input.type));
  SmallVector<int32_t> operands = operandsOf(input, constants.write(), random);
  network.add(TFLiteCode::FULLY_CONNECTED, operands, result,
              BuiltinOptions::FullyConnectedOptions,
              schema::CreateFullyConnectedOptions(
                  network.builder(), network.chooseActivation(), 0, keepsDims)
                  .Union());
  return true;
}
