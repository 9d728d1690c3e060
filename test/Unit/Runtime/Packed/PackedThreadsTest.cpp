// SPDX-License-Identifier: Apache-2.0
//
// Packed layers with so much to do that workers share it: the same bytes for
// any number of threads, and for callers at the same time.

#include "../Reference/WeightedCase.h"
#include "PackedMemory.h"
#include "Runtime/Simd/Threads.h"

#include <optional>
#include <thread>

using namespace mli::test;

namespace {

/// A layer, and what one thread computes of it.
class Layer {
public:
  virtual ~Layer() = default;

  /// False if it has no packed form.
  bool prepare() {
    mli_status status = packed.pack(
        [&](mli_data_container *container) { return pack(container); });
    if (status == MLI_STATUS_NOT_SUPPORTED)
      return false;
    EXPECT_EQ(status, MLI_STATUS_OK);
    operands().out.expectNoChange();
    expected = run(1);
    return true;
  }
  bool isSameIn(int threads) { return run(threads) == expected; }

protected:
  virtual mli_status pack(mli_data_container *container) = 0;
  virtual ProductOperands &operands() = 0;

private:
  /// All bytes of the output, its gaps and guards.
  std::vector<int8_t> run(int threads) {
    ProductOperands &c = operands();
    c.out.restore();
    EXPECT_EQ(mli_krn_packed(c.in, packed.get(), threads, c.out),
              MLI_STATUS_OK);
    EXPECT_TRUE(packed.hasGuards());
    return c.out.allBytes();
  }

  PackedMemory packed;
  std::vector<int8_t> expected;
};

/// Extents of some millions of products.
ConvolutionShape largeShape(Random &random, const ConvolutionKernel &kernel) {
  bool isDepthwise = kernel.kind == mli::ref::Convolution::DepthwiseConv2d;
  ConvolutionShape shape(random, kernel);
  int64_t dilation = random.oneIn(4) ? 2 : 1;
  shape.h =
      randomWindow(random, random.in(1, 4), random.in(1, 30), 2, dilation);
  shape.w =
      randomWindow(random, random.in(1, 4), random.in(8, 30), 2, dilation);
  shape.outputs = random.oneIn(2) ? random.in(20, 150) : random.in(200, 600);
  shape.inputs = isDepthwise ? shape.outputs : random.in(8, 80);
  shape.depth = isDepthwise ? 1 : shape.inputs;
  return shape;
}

class ConvolutionLayer : public Layer {
public:
  ConvolutionLayer(Random &random, const ConvolutionKernel &kernel)
      : kernel(kernel), c(random, kernel, largeShape(random, kernel)),
        order(random.oneIn(2) ? MLI_PACK_PAIRS : MLI_PACK_BEST) {}

private:
  mli_status pack(mli_data_container *container) override {
    if (kernel.kind == mli::ref::Convolution::DepthwiseConv2d)
      return mli_pack_depthwise_conv2d(c.in, c.weights, c.bias, &c.cfg, c.out,
                                       container);
    return mli_pack_conv2d(c.in, c.weights, c.bias, &c.cfg, c.out, order,
                           container);
  }
  ProductOperands &operands() override { return c; }

  const ConvolutionKernel &kernel;
  ConvolutionCase c;
  mli_pack_order order;
};

class ProductLayer : public Layer {
public:
  ProductLayer(Random &random, const Combination &types, int64_t inputs,
               int64_t outputs)
      : c(random, types, {inputs}, /*inGaps=*/false, {inputs, outputs},
          {outputs}, 1),
        cfg{randomRelu(random)} {}

private:
  mli_status pack(mli_data_container *container) override {
    return mli_pack_fully_connected(c.in, c.weights, c.bias, &cfg, c.out,
                                    MLI_PACK_PAIRS, container);
  }
  ProductOperands &operands() override { return c; }

  ProductOperands c;
  mli_fully_connected_cfg cfg;
};

/// A layer of any kind and type that can be packed.
std::unique_ptr<Layer> randomLayer(Random &random) {
  if (random.oneIn(6)) {
    constexpr Combination types[] = {combined::sa8_sa8_sa32,
                                     combined::fx16_fx8_fx8, combined::fx16};
    return std::make_unique<ProductLayer>(random, types[random.in(0, 2)],
                                          random.in(1000, 2000),
                                          random.in(500, 1500));
  }
  static const auto packable = [] {
    std::vector<ConvolutionKernel> kernels;
    for (const ConvolutionKernel &kernel : convolutions)
      if (kernel.size == 0 && kernel.types.in != MLI_EL_FX_8 &&
          (kernel.kind == mli::ref::Convolution::Conv2d ||
           kernel.kind == mli::ref::Convolution::DepthwiseConv2d))
        kernels.push_back(kernel);
    return kernels;
  }();
  return std::make_unique<ConvolutionLayer>(
      random,
      packable[random.in(0, static_cast<int64_t>(packable.size()) - 1)]);
}

TEST(PackedThreads, ComputeTheSame) {
  Random random(16);
  int layers = 0;
  for (int i = 0; i < 200 && !HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    std::unique_ptr<Layer> layer = randomLayer(random);
    if (!layer->prepare())
      continue;
    ++layers;
    for (int threads : {2, 3, 4, 1000, 0, -1})
      EXPECT_TRUE(layer->isSameIn(threads)) << threads << " threads";
  }
  EXPECT_GT(layers, 100);
}

/// Four callers, each with layers of its own.
TEST(PackedThreads, ServeCallersAtTheSameTime) {
  std::atomic<int> differences{0};
  std::atomic<int> calls{0};
  std::vector<std::thread> callers(4);
  for (int i = 0; i < 4; ++i)
    callers[i] = std::thread([&, i] {
      Random random(100 + i);
      for (int j = 0; j < 15; ++j) {
        std::unique_ptr<Layer> layer = randomLayer(random);
        if (!layer->prepare())
          continue;
        for (int k = 0; k < 10; ++k, ++calls)
          differences += !layer->isSameIn(static_cast<int>(random.in(1, 4)));
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(differences, 0);
  EXPECT_GT(calls, 200);
}

void expectPartition(double products, int threads, int64_t units,
                     mli::rt::simd::Partition expected) {
  auto partition = mli::rt::simd::partitionWork(products, threads, units);
  EXPECT_EQ(partition.threads, expected.threads);
  EXPECT_EQ(partition.items, expected.items);
}

TEST(PackedThreads, AreNotStartedForLittle) {
  constexpr double each = mli::rt::simd::threadProducts;
  constexpr double item = mli::rt::simd::itemProducts;
  expectPartition(2 * each - 1, 4, 100, {1, 1});
  expectPartition(2 * each, 4, 100, {2, 2});
  expectPartition(4 * item - 1, 4, 100, {4, 4});
  expectPartition(7 * item, 4, 100, {4, 7});
  expectPartition(1e12, 4, 100, {4, 16});
  expectPartition(1e12, 4, 7, {4, 7});
  expectPartition(1e12, 4, 3, {3, 3});
  expectPartition(1e12, 4, 1, {1, 1});
  expectPartition(1e12, 1000, 1000, {64, 256});
  expectPartition(1e12, 1, 100, {1, 1});
  expectPartition(1e12, -5, 100, {1, 1});
}

} // namespace
