// SPDX-License-Identifier: Apache-2.0
//
// Random convolutions and matrix products: the operands, small enough for many
// of them, and now and then as long as vectors, tiles and panels are.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_WEIGHTEDCASE_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_WEIGHTEDCASE_H

#include "RandomCase.h"
#include "Weighted.h"

namespace mli::test {

inline uint8_t byteIn(Random &random, int64_t low, int64_t high) {
  return static_cast<uint8_t>(random.in(low, high));
}

inline mli_relu_cfg randomRelu(Random &random) {
  return {static_cast<mli_relu_type>(random.in(0, 3))};
}

/// Around the length of a vector, a tile of pixels or a panel of channels.
inline int64_t longExtent(Random &random) {
  if (random.oneIn(3))
    return random.in(10, 80);
  return random.in(1, 9) * (random.oneIn(3) ? 14 : 16) + random.in(-1, 1);
}

struct ConvolutionKernel {
  const char *name;
  ref::Convolution kind;
  Combination types;
  /// Of a specialisation, or 0.
  int size;
  mli_status (*call)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                     const mli_conv2d_cfg *, mli_tensor *);
};

inline constexpr ConvolutionKernel convolutions[] = {
#define MLI_CONVOLUTION(name, op, types, size)                                 \
  {#name, ref::Convolution::op, combined::types, size, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

/// The extents of a random window that moves along one dimension.
struct WindowExtent {
  int64_t in;
  int64_t kernel;
  int64_t out;
  uint8_t stride;
  uint8_t before;
  uint8_t after;
  uint8_t dilation = 1;
};

/// Of a kernel over `kernel` inputs, `in` of which there are at least.
inline WindowExtent randomWindow(Random &random, int64_t kernel, int64_t in,
                                 int64_t mostStride, int64_t mostDilation) {
  WindowExtent e;
  e.kernel = kernel;
  e.stride = byteIn(random, 1, mostStride);
  e.dilation = byteIn(random, 1, mostDilation);
  int64_t effective = (e.kernel - 1) * e.dilation + 1;
  e.before = byteIn(random, 0, effective - 1);
  e.after = byteIn(random, 0, effective - 1);
  e.in = std::max(in, effective - e.before - e.after);
  e.out = (e.in + e.before + e.after - effective) / e.stride + 1;
  // A smaller output than fits is legal, too.
  if (random.oneIn(8))
    e.out = random.in(1, e.out);
  return e;
}

inline WindowExtent randomTransposed(Random &random, int64_t size) {
  WindowExtent e;
  e.kernel = size ? size : random.in(1, 4);
  e.stride = size ? 2 : byteIn(random, 1, e.kernel);
  do {
    e.in = random.in(1, 5);
    e.before = byteIn(random, 0, e.kernel - 1);
    e.after = byteIn(random, 0, e.kernel - 1);
    e.out = (e.in - 1) * e.stride + e.kernel - e.before - e.after;
  } while (e.out < 1);
  return e;
}

/// What is long in a case; most are short everywhere.
enum class Long { Nothing, Inputs, Outputs, Row, All };

inline Long randomLong(Random &random) {
  if (random.oneIn(200))
    return Long::All;
  return random.oneIn(3) ? static_cast<Long>(random.in(1, 3)) : Long::Nothing;
}

/// Quantised operands of a product, in part at the limits of their types.
class ProductOperands {
public:
  ProductOperands(Random &random, const Combination &types,
                  const std::vector<int64_t> &inShape, bool inGaps,
                  const std::vector<int64_t> &weightShape,
                  const std::vector<int64_t> &outShape, int32_t axis)
      : in(random, types.in, inShape, inGaps),
        weights(random, types.weights, weightShape),
        bias(random, types.bias, {weightShape.back()}, /*hasGaps=*/false),
        out(random, types.in, outShape, inGaps) {
    for (RandomTensor *tensor : {&in, &weights, &bias})
      if (random.oneIn(8))
        tensor->fillWithLimits(random);
      else
        tensor->fill(random);
    quantiseProduct(random, in, weights, bias, out,
                    random.oneIn(2) ? axis : -1);
    if (types.bias == MLI_EL_SA_32 && random.oneIn(4)) {
      weights.fillWithZeros();
      placeBetweenCodes(random, in, weights, bias, ref::quantOf(*out), 1);
    }
  }
  ref::Product product() const { return {*in, *weights, *bias, *out}; }

  RandomTensor in;
  RandomTensor weights;
  RandomTensor bias;
  RandomTensor out;
};

/// The extents of one convolution.
struct ConvolutionShape {
  ConvolutionShape(Random &random, const ConvolutionKernel &kernel) {
    Long what = randomLong(random);
    auto extent = [&](Long which, int64_t most) {
      return what == which || what == Long::All ? longExtent(random)
                                                : random.in(1, most);
    };
    if (kernel.kind == ref::Convolution::TransposeConv2d) {
      h = randomTransposed(random, kernel.size);
      w = randomTransposed(random, kernel.size);
    } else {
      auto size = [&] {
        return kernel.size ? kernel.size
                           : random.in(1, random.oneIn(16) ? 7 : 4);
      };
      int64_t dilation = random.oneIn(3) ? 3 : 1;
      h = randomWindow(random, size(), random.in(1, 6), 3, dilation);
      w = randomWindow(random, size(),
                       std::min<int64_t>(extent(Long::Row, 7), 40), 3,
                       dilation);
    }
    outputs = extent(Long::Outputs, 9);
    inputs = depth = extent(Long::Inputs, 9);
    if (kernel.kind == ref::Convolution::DepthwiseConv2d) {
      inputs = outputs;
      depth = 1;
    }
    if (kernel.kind == ref::Convolution::GroupConv2d) {
      int64_t groups = random.in(1, 3);
      inputs *= groups;
      outputs *= groups;
    }
  }

  WindowExtent h;
  WindowExtent w;
  int64_t inputs;
  /// Channels of one filter.
  int64_t depth;
  int64_t outputs;
};

struct ConvolutionCase : ConvolutionShape, ProductOperands {
  ConvolutionCase(Random &random, const ConvolutionKernel &kernel)
      : ConvolutionCase(random, kernel, ConvolutionShape(random, kernel)) {}

  ConvolutionCase(Random &random, const ConvolutionKernel &kernel,
                  const ConvolutionShape &shape)
      : ConvolutionShape(shape),
        ProductOperands(random, kernel.types, {h.in, w.in, inputs}, true,
                        {h.kernel, w.kernel, depth, outputs},
                        {h.out, w.out, outputs}, 3),
        cfg{randomRelu(random), w.stride, h.stride,   w.before,  w.after,
            h.before,           h.after,  w.dilation, h.dilation} {}

  mli_conv2d_cfg cfg;
};

/// The extents of one matrix product.
struct ProductShape {
  explicit ProductShape(Random &random) {
    Long what = randomLong(random);
    outputs = random.in(1, 9);
    for (int64_t rank = random.in(1, 4); rank > 0; --rank)
      inputs.push_back(random.in(1, 4));
    if (what == Long::Outputs || what == Long::All)
      outputs = longExtent(random) * (random.oneIn(8) ? 4 : 1);
    if (what == Long::Inputs || what == Long::All)
      inputs = {longExtent(random) * (random.oneIn(8) ? 4 : 1)};
  }

  std::vector<int64_t> inputs;
  int64_t outputs;
};

struct ProductCase : ProductShape, ProductOperands {
  ProductCase(Random &random, const Combination &types)
      : ProductShape(random),
        ProductOperands(random, types, inputs, false,
                        {ref::countOf(inputs), outputs}, {outputs}, 1),
        cfg{randomRelu(random)} {}

  mli_fully_connected_cfg cfg;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_WEIGHTEDCASE_H
