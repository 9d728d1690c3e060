// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and fully connected layers.

#include "TFLiteBounds.h"

#include <cmath>

using namespace mli;
using namespace mli::fuzz;
using schema::Padding;

namespace {

/// A layer whose sums are added up one product after the other.
class Layer {
public:
  Layer(TFLiteRun &run, size_t input, size_t bias, int64_t outputAxis)
      : run(run), input(run.inputs[input]), weights(run.inputs[1]),
        output(run.outputs[0]), outputAxis(outputAxis),
        sums(output.getNumElements()) {
    int64_t count = getOutputs();
    if (run.hasInput(bias))
      for (size_t i = 0; i < sums.size(); ++i)
        sums[i] = static_cast<int64_t>(run.inputs[bias].codes[i % count]);
  }

  int64_t getOutputs() const { return weights.getExtent(outputAxis); }
  /// Adds the product of two elements to element `at` of the output.
  void add(int64_t at, int64_t from, int64_t weight) {
    sums[at] += input.get(from) * (static_cast<int64_t>(weights.codes[weight]) -
                                   weights.getZero(at % getOutputs()));
  }
  void finish(schema::ActivationFunctionType activation) {
    Bounds limits = clip(output, activation);
    int64_t count = getOutputs();
    run.setEach(0, [&](int64_t i) {
      long double number =
          static_cast<long double>(sums[i]) * getFactor(i % count) +
          static_cast<long double>(output.getZero());
      // Several kernels compute one layer of 16 bits.
      return output.isByte() ? round(number, middle, limits)
                             : around(number, 2, limits);
    });
  }

  TFLiteRun &run;
  TFLiteOperand input, weights, output;

private:
  /// As TFLite holds it: 31 bits, and none for what shifts all of them out.
  long double getFactor(int64_t index) const {
    double factor =
        input.getScale() * weights.getScale(index) / output.getScale();
    int exponent = 0;
    double mantissa = std::frexp(factor, &exponent);
    if (exponent < -31)
      return 0;
    return std::ldexp(
        static_cast<long double>(std::llround(std::ldexp(mantissa, 31))),
        exponent - 31);
  }

  int64_t outputAxis;
  std::vector<int64_t> sums;
};

/// A window along rows or columns.
struct Window {
  int64_t input, output, kernel, stride, dilation = 1, before = 0;

  void pad(Padding padding) {
    int64_t reach = (kernel - 1) * dilation + 1;
    if (padding == Padding::SAME)
      before = std::max<int64_t>((output - 1) * stride + reach - input, 0) / 2;
  }
};

} // namespace

template <typename Options>
static std::pair<Window, Window> getWindows(const Layer &layer,
                                            const Options &options) {
  auto get = [&](int64_t dim, int64_t stride, int64_t dilation) {
    Window window{layer.input.getExtent(dim), layer.output.getExtent(dim),
                  layer.weights.getExtent(dim), stride, dilation};
    window.pad(options.padding());
    return window;
  };
  return {get(1, options.stride_h(), options.dilation_h_factor()),
          get(2, options.stride_w(), options.dilation_w_factor())};
}

/// Calls `visit` with the places of an output, of an input, and of the weights
/// between them, all without channels.
template <typename Visit>
static void forEachTap(const Layer &layer, Window rows, Window columns,
                       Visit visit) {
  for (int64_t n = 0; n < layer.output.getExtent(0); ++n)
    for (int64_t y = 0; y < rows.output; ++y)
      for (int64_t x = 0; x < columns.output; ++x)
        for (int64_t ky = 0; ky < rows.kernel; ++ky)
          for (int64_t kx = 0; kx < columns.kernel; ++kx) {
            int64_t iy = y * rows.stride - rows.before + ky * rows.dilation;
            int64_t ix =
                x * columns.stride - columns.before + kx * columns.dilation;
            if (iy >= 0 && ix >= 0 && iy < rows.input && ix < columns.input)
              visit((n * rows.output + y) * columns.output + x,
                    (n * rows.input + iy) * columns.input + ix,
                    ky * columns.kernel + kx);
          }
}

static void computeConv(TFLiteRun &run) {
  const auto &options = run.getOptions<schema::Conv2DOptions>();
  Layer layer(run, 0, 2, 0);
  auto [rows, columns] = getWindows(layer, options);
  int64_t taps = rows.kernel * columns.kernel, outputs = layer.getOutputs(),
          channels = layer.input.getExtent(3),
          depth = layer.weights.getExtent(3),
          filters = outputs / (channels / depth);
  forEachTap(layer, rows, columns, [&](int64_t to, int64_t from, int64_t tap) {
    for (int64_t o = 0; o < outputs; ++o)
      for (int64_t c = 0; c < depth; ++c)
        layer.add(to * outputs + o, from * channels + o / filters * depth + c,
                  (o * taps + tap) * depth + c);
  });
  layer.finish(options.fused_activation_function());
}

static void computeDepthwise(TFLiteRun &run) {
  const auto &options = run.getOptions<schema::DepthwiseConv2DOptions>();
  Layer layer(run, 0, 2, 3);
  auto [rows, columns] = getWindows(layer, options);
  int64_t outputs = layer.getOutputs(), channels = layer.input.getExtent(3),
          multiplier = outputs / channels;
  forEachTap(layer, rows, columns, [&](int64_t to, int64_t from, int64_t tap) {
    for (int64_t o = 0; o < outputs; ++o)
      layer.add(to * outputs + o, from * channels + o / multiplier,
                tap * outputs + o);
  });
  layer.finish(options.fused_activation_function());
}

static void computeTransposeConv(TFLiteRun &run) {
  const auto &options = run.getOptions<schema::TransposeConvOptions>();
  Layer layer(run, 2, 3, 0);
  int64_t outputs = layer.getOutputs(), channels = layer.input.getExtent(3);
  // The windows of the convolution that leads back.
  auto get = [&](int64_t dim, int64_t stride) {
    Window window{layer.output.getExtent(dim), layer.input.getExtent(dim),
                  layer.weights.getExtent(dim), stride};
    if (options.padding() == Padding::SAME)
      window.output = (window.input + stride - 1) / stride;
    window.pad(options.padding());
    window.output = layer.input.getExtent(dim);
    return window;
  };
  Window rows = get(1, options.stride_h()),
         columns = get(2, options.stride_w());
  int64_t taps = rows.kernel * columns.kernel;
  for (int64_t n = 0; n < layer.input.getExtent(0); ++n)
    for (int64_t y = 0; y < rows.output; ++y)
      for (int64_t x = 0; x < columns.output; ++x)
        for (int64_t tap = 0; tap < taps; ++tap) {
          int64_t oy = y * rows.stride - rows.before + tap / columns.kernel;
          int64_t ox =
              x * columns.stride - columns.before + tap % columns.kernel;
          if (oy < 0 || ox < 0 || oy >= rows.input || ox >= columns.input)
            continue;
          int64_t to = (n * rows.input + oy) * columns.input + ox;
          int64_t from = (n * rows.output + y) * columns.output + x;
          for (int64_t o = 0; o < outputs; ++o)
            for (int64_t c = 0; c < channels; ++c)
              layer.add(to * outputs + o, from * channels + c,
                        (o * taps + tap) * channels + c);
        }
  layer.finish(options.fused_activation_function());
}

static void computeFullyConnected(TFLiteRun &run) {
  const auto &options = run.getOptions<schema::FullyConnectedOptions>();
  Layer layer(run, 0, 2, 0);
  int64_t outputs = layer.getOutputs(), inputs = layer.weights.getExtent(1);
  for (int64_t i = 0; i < layer.output.getNumElements(); ++i)
    for (int64_t k = 0; k < inputs; ++k)
      layer.add(i, i / outputs * inputs + k, i % outputs * inputs + k);
  layer.finish(options.fused_activation_function());
}

/// Matrices are the last two dimensions of operands.
static void computeMatrices(TFLiteRun &run) {
  const auto &options = run.getOptions<schema::BatchMatMulOptions>();
  auto rank = static_cast<int64_t>(run.inputs[1].getShape().size());
  Layer layer(run, 0, 2, rank - (options.adj_y() ? 2 : 1));
  int64_t columns = layer.getOutputs(),
          inner = layer.weights.getExtent(rank - (options.adj_y() ? 1 : 2)),
          size =
              layer.input.getExtent(rank - 1) * layer.input.getExtent(rank - 2),
          rows = size / inner;
  for (int64_t i = 0; i < layer.output.getNumElements(); ++i) {
    int64_t column = i % columns, row = i / columns % rows,
            batch = i / columns / rows;
    for (int64_t k = 0; k < inner; ++k)
      layer.add(
          i,
          batch * size + (options.adj_x() ? k * rows + row : row * inner + k),
          batch * inner * columns +
              (options.adj_y() ? column * inner + k : k * columns + column));
  }
  layer.finish(schema::ActivationFunctionType::NONE);
}

bool fuzz::computeProducts(TFLiteRun &run) {
  llvm::StringRef name = run.op->name;
  if (name == "CONV_2D")
    computeConv(run);
  else if (name == "DEPTHWISE_CONV_2D")
    computeDepthwise(run);
  else if (name == "TRANSPOSE_CONV")
    computeTransposeConv(run);
  else if (name == "FULLY_CONNECTED")
    computeFullyConnected(run);
  else if (name == "BATCH_MATMUL")
    computeMatrices(run);
  else
    return false;
  return true;
}
