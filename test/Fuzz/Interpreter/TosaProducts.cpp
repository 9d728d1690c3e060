// SPDX-License-Identifier: Apache-2.0
//
// Products with weights.

#include "TosaValue.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

namespace {

/// The operands of a convolution.
struct Convolution {
  const TosaValue &input, &weights, &bias;
  int64_t inputZero, weightZero;
  TosaValue &result;

  Convolution(TosaOperands operands, TosaValue &result)
      : input(operands[0]), weights(operands[1]), bias(operands[2]),
        inputZero(operands[3].elements.front()),
        weightZero(operands[4].elements.front()), result(result) {
    for (int64_t i = 0; i < result.getNumElements(); ++i)
      result.elements.push_back(
          bias.elements[i % result.shape[3] % bias.getNumElements()]);
  }

  bool isInside(int64_t y, int64_t x, const TosaValue &map) const {
    return y >= 0 && x >= 0 && y < map.shape[1] && x < map.shape[2];
  }
  static int64_t getPixel(const TosaValue &map, int64_t n, int64_t y,
                          int64_t x) {
    return ((n * map.shape[1] + y) * map.shape[2] + x) * map.shape[3];
  }
  void add(int64_t to, int64_t from, int64_t weight) {
    result.elements[to] += (input.elements[from] - inputZero) *
                           (weights.elements[weight] - weightZero);
  }
};

} // namespace

/// Calls `visit` with row and column of a map, and those of the kernel.
template <typename Visit>
static void forEachTap(const TosaValue &map, int64_t rows, int64_t columns,
                       Visit visit) {
  for (int64_t n = 0; n < map.shape[0]; ++n)
    for (int64_t y = 0; y < map.shape[1]; ++y)
      for (int64_t x = 0; x < map.shape[2]; ++x)
        for (int64_t ky = 0; ky < rows; ++ky)
          for (int64_t kx = 0; kx < columns; ++kx)
            visit(n, y, x, ky, kx);
}

/// Calls `visit` with a pixel of the result and one of the input that it needs,
/// and row and column of the kernel. `Op` has windows that move over the input.
template <typename Op, typename Visit>
static void forEachInput(Op op, const Convolution &conv, int64_t rows,
                         int64_t columns, Visit visit) {
  forEachTap(conv.result, rows, columns,
             [&](int64_t n, int64_t y, int64_t x, int64_t ky, int64_t kx) {
               int64_t iy = y * op.getStride()[0] - op.getPad()[0] +
                            ky * op.getDilation()[0];
               int64_t ix = x * op.getStride()[1] - op.getPad()[2] +
                            kx * op.getDilation()[1];
               if (conv.isInside(iy, ix, conv.input))
                 visit(Convolution::getPixel(conv.result, n, y, x),
                       Convolution::getPixel(conv.input, n, iy, ix), ky, kx);
             });
}

static void computeConv(tosa::Conv2DOp op, Convolution conv) {
  int64_t rows = conv.weights.shape[1], columns = conv.weights.shape[2],
          depth = conv.weights.shape[3];
  forEachInput(op, conv, rows, columns,
               [&](int64_t to, int64_t from, int64_t ky, int64_t kx) {
                 for (int64_t o = 0; o < conv.result.shape[3]; ++o)
                   for (int64_t c = 0; c < depth; ++c)
                     conv.add(to + o, from + c,
                              ((o * rows + ky) * columns + kx) * depth + c);
               });
}

static void computeDepthwise(tosa::DepthwiseConv2DOp op, Convolution conv) {
  int64_t rows = conv.weights.shape[0], columns = conv.weights.shape[1],
          outputs = conv.result.shape[3], multiplier = conv.weights.shape[3];
  forEachInput(op, conv, rows, columns,
               [&](int64_t to, int64_t from, int64_t ky, int64_t kx) {
                 for (int64_t o = 0; o < outputs; ++o)
                   conv.add(to + o, from + o / multiplier,
                            (ky * columns + kx) * outputs + o);
               });
}

static void computeTransposed(tosa::TransposeConv2DOp op, Convolution conv) {
  int64_t rows = conv.weights.shape[1], columns = conv.weights.shape[2],
          depth = conv.weights.shape[3];
  forEachTap(conv.input, rows, columns,
             [&](int64_t n, int64_t y, int64_t x, int64_t ky, int64_t kx) {
               int64_t oy = y * op.getStride()[0] + op.getOutPad()[0] + ky,
                       ox = x * op.getStride()[1] + op.getOutPad()[2] + kx;
               if (!conv.isInside(oy, ox, conv.result))
                 return;
               int64_t to = Convolution::getPixel(conv.result, n, oy, ox),
                       from = Convolution::getPixel(conv.input, n, y, x);
               for (int64_t o = 0; o < conv.result.shape[3]; ++o)
                 for (int64_t c = 0; c < depth; ++c)
                   conv.add(to + o, from + c,
                            ((o * rows + ky) * columns + kx) * depth + c);
             });
}

static void computeMatMul(TosaOperands operands, TosaValue &result) {
  const TosaValue &a = operands[0], &b = operands[1];
  int64_t aZero = operands[2].elements.front(),
          bZero = operands[3].elements.front();
  int64_t rows = a.shape[1], inner = a.shape[2], columns = b.shape[2];
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    int64_t column = i % columns, row = i / columns, batch = row / rows,
            sum = 0;
    for (int64_t k = 0; k < inner; ++k)
      sum += (a.elements[row * inner + k] - aZero) *
             (b.elements[(batch * inner + k) * columns + column] - bZero);
    result.elements.push_back(sum);
  }
}

bool fuzz::computeTosaProduct(Operation *op, TosaOperands operands,
                              TosaValue &result) {
  if (auto conv = dyn_cast<tosa::Conv2DOp>(op))
    computeConv(conv, Convolution(operands, result));
  else if (auto conv = dyn_cast<tosa::DepthwiseConv2DOp>(op))
    computeDepthwise(conv, Convolution(operands, result));
  else if (auto conv = dyn_cast<tosa::TransposeConv2DOp>(op))
    computeTransposed(conv, Convolution(operands, result));
  else if (isa<tosa::MatMulOp>(op))
    computeMatMul(operands, result);
  else
    return false;
  return true;
}
