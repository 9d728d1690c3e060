// SPDX-License-Identifier: Apache-2.0
//
// Products with weights in networks of TOSA.

#include "LayerChoice.h"
#include "TosaProgram.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static LayerChoice chooseConstants(TosaNetwork &network, int64_t outputs,
                                   int64_t count) {
  LayerChoice layer =
      chooseLayer(network.types, network.random, {outputs, count});
  for (double &factor : layer.factors)
    if (network.has(Feature::DeadChannels) && network.random.chance(20))
      factor = 0;
  return layer;
}

static Value addBias(TosaNetwork &network, const LayerChoice &layer) {
  bool isOne = llvm::all_equal(layer.bias) && network.random.chance(50);
  ArrayRef<int64_t> bias(layer.bias);
  if (isOne)
    bias = bias.take_front();
  return network.constant({static_cast<int64_t>(bias.size())}, 32, bias);
}

/// Rescales `sums`, at once or in two steps, and clips the result now and then.
static TosaMap addRescale(TosaNetwork &network, Value sums,
                          const LayerChoice &layer) {
  Random &random = network.random;
  int64_t zeroPoint = network.chooseZeroPoint();
  Value result;
  if (random.chance(10)) {
    SmallVector<double> first(layer.factors);
    bool isSmall = true;
    for (double &factor : first) {
      factor *= 64;
      isSmall &= factor < 1;
    }
    if (isSmall) {
      Value wide = network.rescale(sums, 0, first, 0, 32);
      result = network.rescale(wide, 0, 1.0 / 64, zeroPoint, 8);
    }
  }
  if (!result)
    result = network.rescale(sums, 0, layer.factors, zeroPoint, 8);
  TosaMap map = network.add(result, network.chooseScale(), zeroPoint);
  if (!random.chance(30))
    return map;
  int64_t low = random.chance(70) ? zeroPoint : random.pick(-128, 127);
  int64_t high = random.chance(50) ? 127 : random.pick(low, 127);
  OpBuilder &builder = network.builder;
  Value clipped = tosa::ClampOp::create(
      builder, network.loc, result.getType(), result,
      builder.getI8IntegerAttr(static_cast<int8_t>(low)),
      builder.getI8IntegerAttr(static_cast<int8_t>(high)));
  return network.add(clipped, map);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {

/// A convolution's windows, which divide the padded map exactly.
struct Windows {
  WindowChoice rows, columns;
  SmallVector<int64_t> pad, stride, dilation;
};

} // namespace

/// Adds to or takes from the end of `window` what makes it exact.
static bool makeExact(WindowChoice &window) {
  int64_t reach = (window.kernel - 1) * window.dilation + 1;
  int64_t excess =
      (window.input + window.before + window.after - reach) % window.stride;
  window.after += excess <= window.after ? -excess : window.stride - excess;
  window.output =
      (window.input + window.before + window.after - reach) / window.stride + 1;
  return window.after < reach && window.before < reach;
}

static std::optional<Windows> chooseWindows(TosaNetwork &network,
                                            ArrayRef<int64_t> shape) {
  Windows windows;
  windows.rows = chooseWindow(network.random, shape[1], /*hasDilation=*/true);
  windows.columns =
      chooseWindow(network.random, shape[2], /*hasDilation=*/true);
  for (WindowChoice *window : {&windows.rows, &windows.columns}) {
    if (!makeExact(*window))
      return std::nullopt;
    windows.pad.append({window->before, window->after});
    windows.stride.push_back(window->stride);
    windows.dilation.push_back(window->dilation);
  }
  return windows;
}

/// A pad in front of a convolution, which may take it over.
static TosaMap padFirst(TosaNetwork &network, const TosaMap &input) {
  Random &random = network.random;
  SmallVector<int64_t> amounts(8, 0), shape(input.getShape());
  for (int i = 2; i < 6; ++i) {
    amounts[i] = random.pick(0, 2);
    shape[i / 2] += amounts[i];
  }
  int64_t border = random.chance(80) ? input.zeroPoint : random.pick(-128, 127);
  Value padded = tosa::PadOp::create(
      network.builder, network.loc, network.getType(shape, 8), input.value,
      network.sizes(amounts), network.zero(border));
  return network.add(padded, input);
}

bool fuzz::makeConv2d(TosaNetwork &network) {
  TosaMap input = network.need(4);
  if (network.random.chance(15))
    input = padFirst(network, input);
  ArrayRef<int64_t> shape = input.getShape();
  auto windows = chooseWindows(network, shape);
  if (!windows)
    return false;
  int64_t outputs = network.types.getExtent(), rows = windows->rows.kernel,
          columns = windows->columns.kernel;
  LayerChoice layer =
      chooseConstants(network, outputs, rows * columns * shape[3]);
  Value sums = tosa::Conv2DOp::create(
      network.builder, network.loc,
      network.getType(
          {shape[0], windows->rows.output, windows->columns.output, outputs},
          32),
      input.value,
      network.constant({outputs, rows, columns, shape[3]}, layer.weights),
      addBias(network, layer), network.zero(input.zeroPoint), network.zero(0),
      windows->pad, windows->stride, windows->dilation,
      network.builder.getI32Type());
  addRescale(network, sums, layer);
  return true;
}

bool fuzz::makeDepthwiseConv2d(TosaNetwork &network) {
  TosaMap input = network.need(4);
  if (network.random.chance(15))
    input = padFirst(network, input);
  ArrayRef<int64_t> shape = input.getShape();
  auto windows = chooseWindows(network, shape);
  if (!windows)
    return false;
  int64_t multiplier =
      network.random.chance(70) ? 1 : network.random.pick(2, 4);
  int64_t outputs = shape[3] * multiplier, rows = windows->rows.kernel,
          columns = windows->columns.kernel;
  LayerChoice layer = chooseConstants(network, outputs, rows * columns);
  Value sums = tosa::DepthwiseConv2DOp::create(
      network.builder, network.loc,
      network.getType(
          {shape[0], windows->rows.output, windows->columns.output, outputs},
          32),
      input.value,
      network.constant({rows, columns, shape[3], multiplier},
                       layer.getOutputsLast()),
      addBias(network, layer), network.zero(input.zeroPoint), network.zero(0),
      windows->pad, windows->stride, windows->dilation,
      network.builder.getI32Type());
  addRescale(network, sums, layer);
  return true;
}

bool fuzz::makeTransposeConv2d(TosaNetwork &network) {
  TosaMap input = network.need(4);
  ArrayRef<int64_t> shape = input.getShape();
  WindowChoice rows = chooseTransposedWindow(network.random, shape[1]),
               columns = chooseTransposedWindow(network.random, shape[2]);
  int64_t outputs = network.types.getExtent();
  LayerChoice layer = chooseConstants(network, outputs,
                                      rows.kernel * columns.kernel * shape[3]);
  Value sums = tosa::TransposeConv2DOp::create(
      network.builder, network.loc,
      network.getType({shape[0], rows.output, columns.output, outputs}, 32),
      input.value,
      network.constant({outputs, rows.kernel, columns.kernel, shape[3]},
                       layer.weights),
      addBias(network, layer), network.zero(input.zeroPoint), network.zero(0),
      ArrayRef<int64_t>{-rows.before, -rows.after, -columns.before,
                        -columns.after},
      ArrayRef<int64_t>{rows.stride, columns.stride},
      network.builder.getI32Type());
  addRescale(network, sums, layer);
  return true;
}

//===----------------------------------------------------------------------===//
// Fully connected
//===----------------------------------------------------------------------===//

/// A product with a constant matrix, without a bias.
static bool makeMatMul(TosaNetwork &network) {
  TosaMap input = network.need(3);
  ArrayRef<int64_t> shape = input.getShape();
  if (shape[0] != 1)
    return false;
  int64_t outputs = network.types.getExtent();
  LayerChoice layer = chooseConstants(network, outputs, shape[2]);
  layer.bias.assign(outputs, 0);
  Value sums = tosa::MatMulOp::create(
      network.builder, network.loc, network.getType({1, shape[1], outputs}, 32),
      input.value,
      network.constant({1, shape[2], outputs}, layer.getOutputsLast()),
      network.zero(input.zeroPoint), network.zero(0));
  addRescale(network, sums, layer);
  return true;
}

/// A 1 x 1 convolution between reshapes, or a product of matrices.
bool fuzz::makeFullyConnected(TosaNetwork &network) {
  if (network.random.chance(40))
    return makeMatMul(network);
  TosaMap input = network.need(2);
  int64_t rows = input.getShape()[0], inputs = input.getShape()[1];
  int64_t outputs = network.types.getExtent();
  TosaMap map =
      network.add(network.reshape(input.value, {rows, 1, 1, inputs}), input);
  LayerChoice layer = chooseConstants(network, outputs, inputs);
  Value sums = tosa::Conv2DOp::create(
      network.builder, network.loc, network.getType({rows, 1, 1, outputs}, 32),
      map.value, network.constant({outputs, 1, 1, inputs}, layer.weights),
      addBias(network, layer), network.zero(input.zeroPoint), network.zero(0),
      ArrayRef<int64_t>{0, 0, 0, 0}, ArrayRef<int64_t>{1, 1},
      ArrayRef<int64_t>{1, 1}, network.builder.getI32Type());
  TosaMap result = addRescale(network, sums, layer);
  network.add(network.reshape(result.value, {rows, outputs}), result);
  return true;
}
