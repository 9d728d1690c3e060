// SPDX-License-Identifier: Apache-2.0
//
// Packed layers against the reference, by every instruction set, in either
// order and with any number of threads.

#include "../Runtime/Reference/WeightedCase.h"
#include "../Runtime/TestTensor.h"
#include "mli/Runtime/C/mli_packed.h"

#include <cstdlib>

using namespace mli::test;

namespace {

/// Memory for a packed layer, with guards around it.
class Packed {
public:
  template <typename Pack>
  mli_status pack(Pack function) {
    mli_status status = function(&container);
    if (status != MLI_STATUS_OK)
      return status;
    size_t bytes = (size_t{container.capacity} + 63) / 64 * 64 + 2 * guard;
    memory.reset(static_cast<int8_t *>(std::aligned_alloc(64, bytes)));
    std::fill_n(memory.get(), bytes, mark);
    container.mem.pi8 = memory.get() + guard;
    return function(&container);
  }
  const mli_data_container *get() const { return &container; }
  std::vector<int8_t> bytes() const {
    return {container.mem.pi8, container.mem.pi8 + container.capacity};
  }
  bool hasGuards() const {
    auto isMark = [](int8_t byte) { return byte == mark; };
    const int8_t *end = container.mem.pi8 + container.capacity;
    return std::all_of(memory.get(), memory.get() + guard, isMark) &&
           std::all_of(end, end + guard, isMark);
  }

private:
  struct Free {
    void operator()(int8_t *bytes) const { std::free(bytes); }
  };
  static constexpr size_t guard = 64;
  static constexpr int8_t mark = 0x5a;
  std::unique_ptr<int8_t, Free> memory;
  mli_data_container container = {};
};

/// Packs and runs a layer on every target, which all have to compute
/// `expected`, of the same bytes. Returns how many had a packed form.
template <typename Pack>
int expectPacked(Random &random, ProductOperands &c,
                 const mli::ref::Codes &expected, Pack pack) {
  int layers = 0;
  for (mli_pack_order order : {MLI_PACK_BEST, MLI_PACK_PAIRS, MLI_PACK_QUADS}) {
    SCOPED_TRACE(order);
    int threads = random.oneIn(64) ? static_cast<int>(random.in(2, 4)) : 1;
    std::vector<int8_t> bytes;
    expectOnTargets({{c.out, expected}, c.in, c.weights, c.bias}, [&] {
      Packed packed;
      mli_status status = packed.pack([&](mli_data_container *container) {
        return pack(order, container);
      });
      if (status == MLI_STATUS_NOT_SUPPORTED) {
        c.out.becomeExpected();
        return MLI_STATUS_OK;
      }
      EXPECT_EQ(status, MLI_STATUS_OK);
      ++layers;
      if (bytes.empty() || order == MLI_PACK_BEST)
        bytes = packed.bytes();
      EXPECT_EQ(packed.bytes(), bytes);
      status = mli_krn_packed(c.in, packed.get(), threads, c.out);
      EXPECT_TRUE(packed.hasGuards());
      return status;
    });
  }
  return layers;
}

/// The kernels of any size of window of `kind`, whose random cases `pack`
/// packs.
template <typename Pack>
void expectPackedConvolutions(mli::ref::Convolution kind, int seed, Pack pack) {
  Random random(seed);
  int layers = 0;
  auto run = [&](const ConvolutionKernel &kernel) {
    ConvolutionCase c(random, kernel);
    layers += expectPacked(
        random, c, mli::ref::convolution(kernel.kind, c.product(), c.cfg),
        [&](mli_pack_order order, mli_data_container *container) {
          return pack(c, order, container);
        });
  };
  std::vector<ConvolutionKernel> packable;
  for (const ConvolutionKernel &kernel : convolutions)
    if (kernel.kind == kind && kernel.size == 0)
      packable.push_back(kernel);
  forEachCase(packable, 400, run);
  EXPECT_TRUE(layers > caseCount(400) || targetsHere().size() == 1);
}

TEST(PackedTargets, convolutions) {
  expectPackedConvolutions(mli::ref::Convolution::Conv2d, 14,
                           [](ConvolutionCase &c, mli_pack_order order,
                              mli_data_container *container) {
                             return mli_pack_conv2d(c.in, c.weights, c.bias,
                                                    &c.cfg, c.out, order,
                                                    container);
                           });
}

TEST(PackedTargets, depthwiseConvolutions) {
  expectPackedConvolutions(
      mli::ref::Convolution::DepthwiseConv2d, 18,
      [](ConvolutionCase &c, mli_pack_order, mli_data_container *container) {
        return mli_pack_depthwise_conv2d(c.in, c.weights, c.bias, &c.cfg, c.out,
                                         container);
      });
}

TEST(PackedTargets, matrixProducts) {
  Random random(15);
  int layers = 0;
  for (int i = 0; i < caseCount(400) && !HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    ProductCase c(random, combined::sa8_sa8_sa32);
    layers += expectPacked(
        random, c, mli::ref::fullyConnected(false, c.product(), c.cfg),
        [&](mli_pack_order order, mli_data_container *container) {
          return mli_pack_fully_connected(c.in, c.weights, c.bias, &c.cfg,
                                          c.out, order, container);
        });
  }
  EXPECT_TRUE(layers > caseCount(400) || targetsHere().size() == 1);
}

/// A layer with so much to do that threads start gives with them what it gives
/// without.
template <typename Out>
void expectSameInThreads(const mli_tensor *in, const Packed &packed, Out &out) {
  ASSERT_EQ(mli_krn_packed(in, packed.get(), 1, out), MLI_STATUS_OK);
  std::vector<int8_t> expected = out.codes;
  for (int threads : {2, 3, 64, 1000}) {
    std::fill(out.codes.begin(), out.codes.end(), int8_t{99});
    ASSERT_EQ(mli_krn_packed(in, packed.get(), threads, out), MLI_STATUS_OK);
    EXPECT_EQ(out.codes, expected) << threads << " threads";
  }
}

std::vector<int8_t> randomCodes(Random &random, size_t count) {
  std::vector<int8_t> codes(count);
  for (int8_t &code : codes)
    code = static_cast<int8_t>(random.in(-128, 127));
  return codes;
}

TEST(PackedThreads, shareRows) {
  Random random(16);
  TestTensor<int8_t, MLI_EL_SA_8> in({61, 47, 48},
                                     randomCodes(random, size_t{61} * 47 * 48));
  TestTensor<int8_t, MLI_EL_SA_8> weights(
      {3, 3, 48, 24}, randomCodes(random, size_t{9} * 48 * 24));
  TestTensor<int32_t, MLI_EL_SA_32> bias({24});
  TestTensor<int8_t, MLI_EL_SA_8> out({61, 47, 24});
  in.params(16384, 15, 3);
  weights.params(16384, 15, 0);
  bias.params(16384, 16, 0);
  out.params(16384, 6, -3);
  mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 1, 1, 1, 1, 1, 1};
  Packed packed;
  ASSERT_EQ(packed.pack([&](mli_data_container *container) {
    return mli_pack_conv2d(in, weights, bias, &cfg, out, MLI_PACK_PAIRS,
                           container);
  }),
            MLI_STATUS_OK);
  expectSameInThreads(in, packed, out);
}

TEST(PackedThreads, shareChannels) {
  Random random(17);
  TestTensor<int8_t, MLI_EL_SA_8> in({2048}, randomCodes(random, 2048));
  TestTensor<int8_t, MLI_EL_SA_8> weights(
      {2048, 8200}, randomCodes(random, size_t{2048} * 8200));
  TestTensor<int32_t, MLI_EL_SA_32> bias({8200});
  TestTensor<int8_t, MLI_EL_SA_8> out({8200});
  in.params(16384, 15, 3);
  weights.params(16384, 15, 0);
  bias.params(16384, 16, 0);
  out.params(16384, 6, -3);
  mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
  Packed packed;
  ASSERT_EQ(packed.pack([&](mli_data_container *container) {
    return mli_pack_fully_connected(in, weights, bias, &cfg, out,
                                    MLI_PACK_QUADS, container);
  }),
            MLI_STATUS_OK);
  expectSameInThreads(in, packed, out);
}

} // namespace
