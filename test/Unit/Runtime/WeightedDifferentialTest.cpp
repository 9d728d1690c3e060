// SPDX-License-Identifier: Apache-2.0
//
// Convolutions, matrix products and pooling against the reference, on random
// shapes, strides, paddings, types and modes.

#include "Reference/RandomCase.h"
#include "Reference/Weighted.h"

#include <array>

using namespace mli::test;
using mli::ref::Convolution;

namespace {

mli_relu_cfg randomRelu(Random &random) {
  return {static_cast<mli_relu_type>(random.in(0, 3))};
}

uint8_t byteIn(Random &random, int64_t low, int64_t high) {
  return static_cast<uint8_t>(random.in(low, high));
}

struct ConvolutionKernel {
  const char *name;
  Convolution kind;
  Combination types;
  int size;
  mli_status (*call)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                     const mli_conv2d_cfg *, mli_tensor *);
};

constexpr ConvolutionKernel convolutions[] = {
#define MLI_CONVOLUTION(name, op, types, size)                                 \
  {#name, Convolution::op, combined::types, size, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

/// The extents of a random convolution along one dimension.
struct ConvolutionExtent {
  int64_t in;
  int64_t kernel;
  int64_t out;
  uint8_t stride;
  uint8_t before;
  uint8_t after;
  uint8_t dilation = 1;
};

ConvolutionExtent randomExtent(Random &random,
                               const ConvolutionKernel &kernel) {
  ConvolutionExtent e;
  e.kernel = kernel.size ? kernel.size : random.in(1, 4);
  if (kernel.kind == Convolution::TransposeConv2d) {
    e.stride = kernel.size ? 2 : byteIn(random, 1, e.kernel);
    do {
      e.in = random.in(1, 5);
      e.before = byteIn(random, 0, e.kernel - 1);
      e.after = byteIn(random, 0, e.kernel - 1);
      e.out = (e.in - 1) * e.stride + e.kernel - e.before - e.after;
    } while (e.out < 1);
    return e;
  }
  e.stride = byteIn(random, 1, 3);
  e.dilation = byteIn(random, 1, 3);
  int64_t effective = (e.kernel - 1) * e.dilation + 1;
  int64_t room = 0;
  do {
    e.in = random.in(1, 7);
    e.before = byteIn(random, 0, effective - 1);
    e.after = byteIn(random, 0, effective - 1);
    room = e.in + e.before + e.after - effective;
  } while (room < 0);
  // A smaller output than fits is legal, too.
  e.out = room / e.stride + 1;
  if (random.oneIn(4))
    e.out = random.in(1, e.out);
  return e;
}

/// Channels of input, of one filter, and of output.
std::array<int64_t, 3> randomChannels(Random &random, Convolution kind) {
  int64_t outputs = random.oneIn(12) ? random.in(60, 70) : random.in(1, 6);
  int64_t inputs = random.in(1, 5);
  switch (kind) {
  case Convolution::DepthwiseConv2d:
    return {outputs, 1, outputs};
  case Convolution::GroupConv2d: {
    int64_t groups = random.in(1, 3);
    return {groups * inputs, inputs, groups * outputs};
  }
  default:
    return {inputs, inputs, outputs};
  }
}

void runConvolution(Random &random, const ConvolutionKernel &kernel) {
  RandomModes modes(random);
  ConvolutionExtent h = randomExtent(random, kernel);
  ConvolutionExtent w = randomExtent(random, kernel);
  auto [inputs, depth, outputs] = randomChannels(random, kernel.kind);
  RandomTensor in(random, kernel.types.in, {h.in, w.in, inputs});
  RandomTensor weights(random, kernel.types.weights,
                       {h.kernel, w.kernel, depth, outputs});
  RandomTensor bias(random, kernel.types.bias, {outputs}, /*hasGaps=*/false);
  RandomTensor out(random, kernel.types.in, {h.out, w.out, outputs});
  for (RandomTensor *tensor : {&in, &weights, &bias})
    tensor->fill(random);
  quantiseProduct(random, in, weights, bias, out, random.oneIn(2) ? 3 : -1);
  mli_conv2d_cfg cfg = {
      randomRelu(random), w.stride, h.stride,   w.before,  w.after,
      h.before,           h.after,  w.dilation, h.dilation};
  out.remember();
  mli::ref::Codes expected =
      mli::ref::convolution(kernel.kind, {*in, *weights, *bias, *out}, cfg);
  ASSERT_EQ(kernel.call(in, weights, bias, &cfg, out), MLI_STATUS_OK);
  EXPECT_TRUE(out.holds(expected));
}

// K10, K11, K12, K13, K17, K20, K36
TEST(WeightedDifferential, convolutions) {
  Random random(1);
  forEachCase(convolutions, 20,
              [&](const auto &kernel) { runConvolution(random, kernel); });
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

void runConnected(Random &random, const ConnectedKernel &kernel) {
  RandomModes modes(random);
  std::vector<int64_t> shape;
  for (int64_t rank = random.in(1, 4); rank > 0; --rank)
    shape.push_back(random.in(1, 4));
  int64_t outputs = random.oneIn(8) ? random.in(60, 140) : random.in(1, 9);
  RandomTensor in(random, kernel.types.in, shape, /*hasGaps=*/false);
  RandomTensor weights(random, kernel.types.weights,
                       {mli::ref::countOf(shape), outputs});
  RandomTensor bias(random, kernel.types.bias, {outputs}, /*hasGaps=*/false);
  RandomTensor out(random, kernel.types.in, {outputs}, /*hasGaps=*/false);
  for (RandomTensor *tensor : {&in, &weights, &bias})
    tensor->fill(random);
  quantiseProduct(random, in, weights, bias, out, random.oneIn(2) ? 1 : -1);
  mli_fully_connected_cfg cfg = {randomRelu(random)};
  out.remember();
  mli::ref::Codes expected = mli::ref::fullyConnected(
      kernel.hasExtBias, {*in, *weights, *bias, *out}, cfg);
  ASSERT_EQ(kernel.call(in, weights, bias, &cfg, out), MLI_STATUS_OK);
  EXPECT_TRUE(out.holds(expected));
}

// K10, K11, K12, K13, K17
TEST(WeightedDifferential, matrixProducts) {
  Random random(2);
  forEachCase(connectedKernels, 200,
              [&](const auto &kernel) { runConnected(random, kernel); });
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
  RandomModes modes(random);
  // The geometry of a convolution without dilation.
  auto extent = [&] {
    ConvolutionExtent e;
    e.kernel = kernel.size ? kernel.size : random.in(1, 5);
    e.stride = byteIn(random, 1, 4);
    do {
      e.in = random.in(1, 7);
      e.before = byteIn(random, 0, e.kernel - 1);
      e.after = byteIn(random, 0, e.kernel - 1);
    } while (e.in + e.before + e.after < e.kernel);
    e.out = (e.in + e.before + e.after - e.kernel) / e.stride + 1;
    if (random.oneIn(4))
      e.out = random.in(1, e.out);
    return e;
  };
  ConvolutionExtent h = extent();
  ConvolutionExtent w = extent();
  int64_t channels = random.oneIn(8) ? random.in(30, 40) : random.in(1, 5);
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
  out.remember();
  mli::ref::Codes expected = mli::ref::pool(kernel.isAverage, *in, cfg, *out);
  ASSERT_EQ(kernel.call(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_TRUE(out.holds(expected));
}

// K7, K8, K23, K54
TEST(WeightedDifferential, pools) {
  Random random(3);
  forEachCase(pools, 100, [&](const auto &kernel) { runPool(random, kernel); });
}

} // namespace
