// SPDX-License-Identifier: Apache-2.0
//
// Pools and reductions.

#include "TFLiteBounds.h"

#include <cmath>

using namespace mli;
using namespace mli::fuzz;

namespace {

/// What is in one window.
struct Window {
  int64_t sum = 0, count = 0, greatest = INT64_MIN;

  void add(int64_t number) {
    sum += number;
    ++count;
    greatest = std::max(greatest, number);
  }
};

} // namespace

static Bounds getMean(const TFLiteOperand &input, const TFLiteOperand &output,
                      long double number, Bounds limits) {
  number *= static_cast<long double>(input.getScale()) / output.getScale();
  return around(number + static_cast<long double>(output.getZero()), 1, limits);
}

static void computePool(TFLiteRun &run, bool isMax) {
  const auto &options = run.getOptions<schema::Pool2DOptions>();
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  int64_t height = input.getExtent(1), width = input.getExtent(2),
          channels = input.getExtent(3), rows = output.getExtent(1),
          columns = output.getExtent(2);
  auto getBefore = [&](int64_t in, int64_t out, int64_t stride,
                       int64_t kernel) {
    return options.padding() == schema::Padding::SAME
               ? std::max<int64_t>((out - 1) * stride + kernel - in, 0) / 2
               : 0;
  };
  int64_t top = getBefore(height, rows, options.stride_h(),
                          options.filter_height()),
          left = getBefore(width, columns, options.stride_w(),
                           options.filter_width());
  Bounds limits = clip(output, options.fused_activation_function());
  run.setEach(0, [&](int64_t i) {
    int64_t c = i % channels, x = i / channels % columns,
            y = i / channels / columns % rows,
            n = i / channels / columns / rows;
    Window window;
    for (int64_t ky = 0; ky < options.filter_height(); ++ky)
      for (int64_t kx = 0; kx < options.filter_width(); ++kx) {
        int64_t iy = y * options.stride_h() - top + ky,
                ix = x * options.stride_w() - left + kx;
        if (iy >= 0 && ix >= 0 && iy < height && ix < width)
          window.add(
              input.get(((n * height + iy) * width + ix) * channels + c));
      }
    if (isMax)
      return round(static_cast<long double>(window.greatest + output.getZero()),
                   0, limits);
    return getMean(input, output,
                   static_cast<long double>(window.sum) / window.count, limits);
  });
}

static void computeReduction(TFLiteRun &run, llvm::StringRef name) {
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  llvm::ArrayRef<int64_t> shape = input.getShape();
  auto rank = static_cast<int64_t>(shape.size());
  llvm::SmallVector<bool> isReduced(rank);
  for (size_t i = 0; i < run.inputs[1].codes.size(); ++i) {
    int64_t axis = run.getInteger(1, static_cast<int64_t>(i));
    isReduced[axis < 0 ? axis + rank : axis] = true;
  }
  std::vector<Window> windows(output.getNumElements());
  for (int64_t i = 0; i < input.getNumElements(); ++i) {
    int64_t rest = i, step = 1, to = 0;
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      if (!isReduced[dim]) {
        to += rest % shape[dim] * step;
        step *= shape[dim];
      }
      rest /= shape[dim];
    }
    windows[to].add(input.get(i));
  }
  run.setEach(0, [&](int64_t i) {
    const Window &window = windows[i];
    if (name == "REDUCE_MAX")
      return round(static_cast<long double>(window.greatest + output.getZero()),
                   0, output.getLimits());
    auto number = static_cast<long double>(window.sum);
    if (name == "MEAN")
      number /= static_cast<long double>(window.count);
    return getMean(input, output, number, output.getLimits());
  });
}

bool fuzz::computeWindows(TFLiteRun &run) {
  llvm::StringRef name = run.op->name;
  if (name == "MAX_POOL_2D" || name == "AVERAGE_POOL_2D")
    computePool(run, name == "MAX_POOL_2D");
  else if (name == "MEAN" || name == "SUM" || name == "REDUCE_MAX")
    computeReduction(run, name);
  else
    return false;
  return true;
}
