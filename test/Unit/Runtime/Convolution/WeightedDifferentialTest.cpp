// SPDX-License-Identifier: Apache-2.0
//
// Convolutions, matrix products and pooling against the reference, on random
// shapes, strides, paddings, types and modes, by every instruction set.

#include "../Reference/WeightedCase.h"

#include <iterator>

using namespace mli::test;

namespace {

// K10, K11, K12, K13, K17, K20, K36
TEST(WeightedDifferential, Convolutions) {
  Random random(1);
  forEachCaseInModes(random, convolutions, 100, [&](const auto &kernel) {
    ConvolutionCase c(random, kernel);
    mli::ref::Codes expected =
        mli::ref::convolution(kernel.kind, c.product(), c.cfg);
    expectOnTargets({{c.out, expected}, c.in, c.weights, c.bias}, [&] {
      return kernel.call(c.in, c.weights, c.bias, &c.cfg, c.out);
    });
  });
}

/// Rows of three taps that are long enough for several pixels at once, of
/// channels that leave panels full, partial and empty.
// K10, K11, K12, K13, K17, K20
TEST(WeightedDifferential, LongDepthwiseRows) {
  Random random(16);
  constexpr int64_t channels[] = {8,  15, 16, 17, 24, 32,
                                  33, 48, 64, 65, 80, 144};
  std::vector<ConvolutionKernel> kernels;
  for (const ConvolutionKernel &kernel : convolutions)
    if (kernel.kind == mli::ref::Convolution::DepthwiseConv2d &&
        kernel.types.in == MLI_EL_SA_8 && kernel.size != 5)
      kernels.push_back(kernel);
  forEachCaseInModes(random, kernels, 200, [&](const auto &kernel) {
    ConvolutionShape shape(random, kernel);
    shape.w = randomWindow(random, 3, random.in(1, 40), 3, 1);
    shape.inputs = shape.outputs =
        channels[random.in(0, std::size(channels) - 1)];
    ConvolutionCase c(random, kernel, shape);
    mli::ref::Codes expected =
        mli::ref::convolution(kernel.kind, c.product(), c.cfg);
    expectOnTargets({{c.out, expected}, c.in, c.weights, c.bias}, [&] {
      return kernel.call(c.in, c.weights, c.bias, &c.cfg, c.out);
    });
  });
}

/// Weights that are packed in parts, and inputs that pass in strips, as they
/// are and with padding.
TEST(WeightedDifferential, LargeConvolutions) {
  struct LargeShape {
    std::vector<int64_t> in, weights, out;
    uint8_t padding;
  };
  const LargeShape shapes[] = {{{4, 5, 300}, {3, 3, 300, 131}, {2, 3, 131}, 0},
                               {{3, 3, 300}, {3, 3, 300, 70}, {3, 3, 70}, 1},
                               {{62, 20, 100}, {1, 1, 100, 5}, {62, 20, 5}, 0},
                               {{50, 20, 100}, {3, 3, 100, 3}, {50, 20, 3}, 1}};
  Random random(17);
  for (const ConvolutionKernel &kernel : convolutions)
    for (const LargeShape &shape : shapes) {
      if (kernel.kind != mli::ref::Convolution::Conv2d || kernel.size != 0)
        continue;
      SCOPED_TRACE(kernel.name);
      ProductOperands c(random, kernel.types, shape.in, true, shape.weights,
                        shape.out, 3);
      uint8_t p = shape.padding;
      mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, p, p, p, p, 1, 1};
      mli::ref::Codes expected =
          mli::ref::convolution(kernel.kind, c.product(), cfg);
      expectOnTargets({{c.out, expected}, c.in, c.weights, c.bias}, [&] {
        return kernel.call(c.in, c.weights, c.bias, &cfg, c.out);
      });
    }
}

struct ConnectedKernel {
  const char *name;
  bool hasExtBias;
  Combination types;
  mli_status (*call)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                     const mli_fully_connected_cfg *, mli_tensor *);
};

// NOLINTBEGIN(readability-identifier-naming): the names in the list of kernels.
constexpr bool FullyConnected = false;
constexpr bool FullyConnectedExtBias = true;
// NOLINTEND(readability-identifier-naming)
constexpr ConnectedKernel connectedKernels[] = {
#define MLI_FULLY_CONNECTED(name, op, types) {#name, op, combined::types, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

void expectProduct(const ConnectedKernel &kernel, ProductOperands &c,
                   const mli_fully_connected_cfg &cfg) {
  mli::ref::Codes expected =
      mli::ref::fullyConnected(kernel.hasExtBias, c.product(), cfg);
  expectOnTargets({{c.out, expected}, c.in, c.weights, c.bias}, [&] {
    return kernel.call(c.in, c.weights, c.bias, &cfg, c.out);
  });
}

// K10, K11, K12, K13, K17
TEST(WeightedDifferential, MatrixProducts) {
  Random random(2);
  forEachCaseInModes(random, connectedKernels, 400, [&](const auto &kernel) {
    ProductCase c(random, kernel.types);
    expectProduct(kernel, c, c.cfg);
  });
}

/// Matrices beyond the size from which on they are walked by rows.
TEST(WeightedDifferential, LargeMatrices) {
  Random random(13);
  for (const ConnectedKernel &kernel : connectedKernels) {
    SCOPED_TRACE(kernel.name);
    ProductOperands c(random, kernel.types, {701}, false, {701, 417}, {417}, 1);
    expectProduct(kernel, c, {{MLI_RELU_NONE}});
  }
}

struct PoolKernel {
  const char *name;
  bool isAverage;
  mli_element_type type;
  int size;
  mli_status (*call)(const mli_tensor *, const mli_pool_cfg *, mli_tensor *);
};

// NOLINTBEGIN(readability-identifier-naming): the names in the list of kernels.
constexpr bool AvePool = true;
constexpr bool MaxPool = false;
// NOLINTEND(readability-identifier-naming)
constexpr PoolKernel pools[] = {
#define MLI_POOLING(name, op, type, size) {#name, op, single::type, size, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

void runPool(Random &random, const PoolKernel &kernel) {
  // Some sums leave 16 bits: those of more than 256 samples of 8 bits.
  bool isLarge = random.oneIn(8);
  auto size = [&] {
    return kernel.size ? kernel.size
           : isLarge   ? random.in(6, 24)
                       : random.in(1, 5);
  };
  WindowExtent h = randomWindow(random, size(), random.in(1, 7), 4, 1);
  WindowExtent w = randomWindow(random, size(), random.in(1, 7), 4, 1);
  int64_t channels = random.oneIn(4) ? longExtent(random) : random.in(1, 9);
  RandomTensor in(random, kernel.type, {h.in, w.in, channels});
  RandomTensor out(random, kernel.type, {h.out, w.out, channels});
  in.fill(random);
  mli::ref::Quant q = randomQuant(random, kernel.type);
  mli::ref::Quant o = randomQuant(random, kernel.type);
  o.f = matchingBits(static_cast<double>(q.s), q.f, o.s, random.in(-4, 2));
  in.quantise(q);
  out.quantise(o);
  mli_pool_cfg cfg = {static_cast<uint8_t>(w.kernel),
                      static_cast<uint8_t>(h.kernel),
                      w.stride,
                      h.stride,
                      w.before,
                      w.after,
                      h.before,
                      h.after};
  mli::ref::Codes expected = mli::ref::pool(kernel.isAverage, *in, cfg, *out);
  expectOnTargets({{out, expected}, in},
                  [&] { return kernel.call(in, &cfg, out); });
}

// K7, K8, K23, K54
TEST(WeightedDifferential, Pools) {
  Random random(3);
  forEachCaseInModes(random, pools, 400,
                     [&](const auto &kernel) { runPool(random, kernel); });
}

} // namespace
