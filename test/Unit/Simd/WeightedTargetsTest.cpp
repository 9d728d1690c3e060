// SPDX-License-Identifier: Apache-2.0
//
// Convolutions, matrix products and packed layers on every instruction set.

#include "TargetsTest.h"
#include "mli/Runtime/C/mli_api.h"
#include "mli/Runtime/C/mli_packed.h"

#include <cstdlib>

using namespace mli::test;

namespace {

enum class Kind { Conv2d, DepthwiseConv2d, GroupConv2d, TransposeConv2d };

using ConvolutionCall = mli_status (*)(const mli_tensor *, const mli_tensor *,
                                       const mli_tensor *,
                                       const mli_conv2d_cfg *, mli_tensor *);

struct ConvolutionKernel {
  const char *name;
  Kind kind;
  Combination types;
  int size;
  ConvolutionCall call;
};

constexpr ConvolutionKernel convolutions[] = {
#define MLI_CONVOLUTION(name, op, types, size)                                 \
  {#name, Kind::op, combined::types, size, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

/// The extents of a random convolution along one dimension.
struct Extent {
  int64_t in, kernel, out;
  uint8_t stride, before, after, dilation;
};

uint8_t byteIn(Random &random, int64_t low, int64_t high) {
  return static_cast<uint8_t>(random.in(low, high));
}

Extent randomExtent(Random &random, const ConvolutionKernel &kernel) {
  Extent e = {};
  e.dilation = 1;
  e.kernel = kernel.size ? kernel.size : random.in(1, 5);
  if (kernel.kind == Kind::TransposeConv2d) {
    e.stride = kernel.size ? 2 : byteIn(random, 1, e.kernel);
    do {
      e.in = random.in(1, 6);
      e.before = byteIn(random, 0, e.kernel - 1);
      e.after = byteIn(random, 0, e.kernel - 1);
      e.out = (e.in - 1) * e.stride + e.kernel - e.before - e.after;
    } while (e.out < 1);
    return e;
  }
  e.stride = byteIn(random, 1, 3);
  e.dilation = random.oneIn(3) ? byteIn(random, 1, 3) : 1;
  int64_t effective = (e.kernel - 1) * e.dilation + 1;
  do {
    e.in = random.in(1, 12);
    e.before = byteIn(random, 0, effective - 1);
    e.after = byteIn(random, 0, effective - 1);
  } while (e.in + e.before + e.after < effective);
  e.out = (e.in + e.before + e.after - effective) / e.stride + 1;
  return e;
}

/// Extents that leave vectors full, partial and empty.
int64_t randomChannels(Random &random) {
  return random.oneIn(4) ? random.in(1, 80) : random.in(1, 20);
}

/// Codes at the limits of their type only, to reach saturation.
void stress(Random &random, RandomTensor &tensor) {
  int64_t count = mli::ref::countOf(mli::ref::shapeOf(*tensor));
  int64_t limit = int64_t{1} << (mli::ref::bitsOf(tensor->el_type) - 1);
  for (int64_t i = 0; i < count; ++i)
    tensor.set(i, random.oneIn(2) ? -limit : limit - 1);
}

/// The operands of one convolution.
struct ConvolutionCase {
  ConvolutionCase(Random &random, const ConvolutionKernel &kernel)
      : h(randomExtent(random, kernel)), w(randomExtent(random, kernel)),
        outputs(randomChannels(random)),
        groups(kernel.kind == Kind::GroupConv2d ? random.in(1, 3) : 1),
        depth(kernel.kind == Kind::DepthwiseConv2d ? 1
                                                   : randomChannels(random)),
        in(random, kernel.types.in,
           {h.in, w.in,
            kernel.kind == Kind::DepthwiseConv2d ? outputs : groups * depth}),
        weights(random, kernel.types.weights,
                {h.kernel, w.kernel, depth, groups * outputs}),
        bias(random, kernel.types.bias, {groups * outputs}, false),
        out(random, kernel.types.in, {h.out, w.out, groups * outputs}) {
    for (RandomTensor *tensor : {&in, &weights, &bias})
      tensor->fill(random);
    if (random.oneIn(8))
      stress(random, weights);
    if (random.oneIn(8))
      stress(random, in);
    quantiseProduct(random, in, weights, bias, out, random.oneIn(2) ? 3 : -1);
    cfg = {{static_cast<mli_relu_type>(random.in(0, 3))},
           w.stride,
           h.stride,
           w.before,
           w.after,
           h.before,
           h.after,
           w.dilation,
           h.dilation};
  }

  Extent h, w;
  int64_t outputs, groups, depth;
  RandomTensor in, weights, bias, out;
  mli_conv2d_cfg cfg;
};

TEST(WeightedTargets, convolutions) {
  Random random(11);
  for (const ConvolutionKernel &kernel : convolutions)
    for (int i = 0; i < targetCases() && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      ConvolutionCase c(random, kernel);
      expectSameOnTargets(c.out, [&] {
        return kernel.call(c.in, c.weights, c.bias, &c.cfg, c.out);
      });
    }
}

struct ProductKernel {
  const char *name;
  Combination types;
  mli_status (*call)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                     const mli_fully_connected_cfg *, mli_tensor *);
};

constexpr ProductKernel products[] = {
#define MLI_FULLY_CONNECTED(name, op, types) {#name, combined::types, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

/// The operands of one matrix product.
struct ProductCase {
  ProductCase(Random &random, const Combination &types)
      : inputs(random.in(1, random.oneIn(4) ? 300 : 40)),
        outputs(random.in(1, random.oneIn(4) ? 300 : 40)),
        in(random, types.in, {inputs}, false),
        weights(random, types.weights, {inputs, outputs}),
        bias(random, types.bias, {outputs}, false),
        out(random, types.in, {outputs}, false) {
    for (RandomTensor *tensor : {&in, &weights, &bias})
      tensor->fill(random);
    if (random.oneIn(8))
      stress(random, weights);
    quantiseProduct(random, in, weights, bias, out, random.oneIn(2) ? 1 : -1);
    cfg = {{static_cast<mli_relu_type>(random.in(0, 3))}};
  }

  int64_t inputs, outputs;
  RandomTensor in, weights, bias, out;
  mli_fully_connected_cfg cfg;
};

TEST(WeightedTargets, matrixProducts) {
  Random random(12);
  for (const ProductKernel &kernel : products)
    for (int i = 0; i < targetCases() && !HasFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      ProductCase c(random, kernel.types);
      expectSameOnTargets(c.out, [&] {
        return kernel.call(c.in, c.weights, c.bias, &c.cfg, c.out);
      });
    }
}

/// Matrices beyond the size from which on they are walked by rows.
TEST(WeightedTargets, largeMatrix) {
  Random random(13);
  RandomTensor in(random, MLI_EL_SA_8, {701}, false);
  RandomTensor weights(random, MLI_EL_SA_8, {701, 417});
  RandomTensor bias(random, MLI_EL_SA_32, {417}, false);
  RandomTensor out(random, MLI_EL_SA_8, {417}, false);
  for (RandomTensor *tensor : {&in, &weights, &bias})
    tensor->fill(random);
  quantiseProduct(random, in, weights, bias, out, 1);
  mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
  expectSameOnTargets(out, [&] {
    return mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, &cfg, out);
  });
}

/// Memory for a packed layer.
class Packed {
public:
  template <typename Pack>
  mli_status pack(Pack function) {
    mli_status status = function(&container);
    if (status != MLI_STATUS_OK)
      return status;
    size_t bytes = (size_t{container.capacity} + 63) / 64 * 64;
    memory.reset(static_cast<int8_t *>(std::aligned_alloc(64, bytes)));
    container.mem.pi8 = memory.get();
    return function(&container);
  }
  const mli_data_container *get() const { return &container; }

private:
  struct Free {
    void operator()(int8_t *bytes) const { std::free(bytes); }
  };
  std::unique_ptr<int8_t, Free> memory;
  mli_data_container container = {};
};

/// A packed layer computes on every target what the plain call does, in either
/// order and with any number of threads. Adds to `packedLayers` those that have
/// a fast kernel.
template <typename Plain, typename Pack>
void expectSamePacked(int &packedLayers, Random &random, const RandomTensor &in,
                      RandomTensor &out, Plain plain, Pack pack) {
  out.remember();
  ASSERT_EQ(plain(), MLI_STATUS_OK);
  std::vector<int8_t> expected = out.allBytes();
  for (mli_simd_target target : targetsHere()) {
    mli_set_simd_target(target);
    for (mli_pack_order order :
         {MLI_PACK_BEST, MLI_PACK_PAIRS, MLI_PACK_QUADS}) {
      Packed packed;
      mli_status status = packed.pack([&](mli_data_container *container) {
        return pack(order, container);
      });
      if (status == MLI_STATUS_NOT_SUPPORTED)
        continue;
      ASSERT_EQ(status, MLI_STATUS_OK);
      ++packedLayers;
      out.restore();
      int threads = random.oneIn(16) ? static_cast<int>(random.in(2, 4)) : 1;
      ASSERT_EQ(mli_krn_packed(&in.tensor, packed.get(), threads, out),
                MLI_STATUS_OK);
      ASSERT_EQ(out.allBytes(), expected)
          << mli_simd_target_name(target) << ", order " << order;
    }
  }
}

TEST(WeightedTargets, packedConvolutions) {
  mli_simd_target chosen = mli_get_simd_target();
  Random random(14);
  int packedLayers = 0;
  for (const ConvolutionKernel &kernel : convolutions) {
    if (kernel.kind != Kind::Conv2d || kernel.size != 0)
      continue;
    for (int i = 0; i < targetCases() && !HasFatalFailure(); ++i) {
      SCOPED_TRACE(std::string(kernel.name) + ", case " + std::to_string(i));
      mli_set_simd_target(MLI_SIMD_SCALAR);
      ConvolutionCase c(random, kernel);
      expectSamePacked(
          packedLayers, random, c.in, c.out,
          [&] { return kernel.call(c.in, c.weights, c.bias, &c.cfg, c.out); },
          [&](mli_pack_order order, mli_data_container *container) {
            return mli_pack_conv2d(c.in, c.weights, c.bias, &c.cfg, c.out,
                                   order, container);
          });
    }
  }
  mli_set_simd_target(chosen);
  EXPECT_TRUE(packedLayers > targetCases() || targetsHere().empty());
}

TEST(WeightedTargets, packedMatrixProducts) {
  mli_simd_target chosen = mli_get_simd_target();
  Random random(15);
  int packedLayers = 0;
  for (int i = 0; i < targetCases() && !HasFatalFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    mli_set_simd_target(MLI_SIMD_SCALAR);
    ProductCase c(random, combined::sa8_sa8_sa32);
    expectSamePacked(
        packedLayers, random, c.in, c.out,
        [&] {
          return mli_krn_fully_connected_sa8_sa8_sa32(c.in, c.weights, c.bias,
                                                      &c.cfg, c.out);
        },
        [&](mli_pack_order order, mli_data_container *container) {
          return mli_pack_fully_connected(c.in, c.weights, c.bias, &c.cfg,
                                          c.out, order, container);
        });
  }
  mli_set_simd_target(chosen);
  EXPECT_TRUE(packedLayers > targetCases() || targetsHere().empty());
}

} // namespace
