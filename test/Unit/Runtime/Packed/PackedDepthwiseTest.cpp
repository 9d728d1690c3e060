// SPDX-License-Identifier: Apache-2.0
//
// What packed depthwise convolutions reject, and how that is reported.

#include "PackedFixture.h"

#include <algorithm>
#include <numeric>

using namespace mli::test;

namespace {

/// A depthwise convolution of 4x4 pixels of 3 channels, quantised by channel.
class PackedDepthwise : public Packed<1024> {
protected:
  PackedDepthwise() {
    in.params(16384, 15, 0);
    weights.axis(3, {16384, 16384, 16384}, {15, 15, 15}, {0, 0, 0});
    bias.axis(0, {16384, 16384, 16384}, {16, 16, 16}, {0, 0, 0});
    out.params(16384, 12, 0);
  }

  mli_status pack() override {
    return mli_pack_depthwise_conv2d(in, weights, bias, &cfg, out, &container);
  }
  mli_status run() override { return mli_krn_packed(in, &container, 1, out); }

  TestTensor<int8_t, MLI_EL_SA_8> in{{4, 4, 3}};
  TestTensor<int8_t, MLI_EL_SA_8> weights{{3, 3, 1, 3}};
  TestTensor<int32_t, MLI_EL_SA_32> bias{{3}};
  TestTensor<int8_t, MLI_EL_SA_8> out{{4, 4, 3}};
  mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 1, 1, 1, 1, 1, 1};
};

// A header; scales, zero points and fraction bits; the bias, the weights and
// the block of 16 channels.
TEST_F(PackedDepthwise, TellsItsSize) {
  container.mem.pi8 = nullptr;
  EXPECT_EQ(pack(), MLI_STATUS_OK);
  EXPECT_EQ(container.capacity, 256U + 5 * 64U + 128U);
}

// Only strides and dilations have 8 bits.
TEST_F(PackedDepthwise, HasTallKernels) {
  TestTensor<int8_t, MLI_EL_SA_8> in({257, 2, 3}), weights({256, 1, 1, 3});
  TestTensor<int8_t, MLI_EL_SA_8> out({2, 2, 3});
  TestTensor<int32_t, MLI_EL_SA_32> bias({3});
  in.params(16384, 15, 0);
  weights.params(16384, 15, 0);
  bias.params(16384, 16, 0);
  out.params(16384, 12, 0);
  std::iota(in.codes.begin(), in.codes.end(), int8_t{-100});
  for (size_t i = 0; i < weights.codes.size(); ++i)
    weights.codes[i] = static_cast<int8_t>(i % 7) - 3;
  cfg.padding_top = cfg.padding_bottom = 0;
  cfg.padding_left = cfg.padding_right = 0;
  alignas(64) int8_t tall[4096];
  container.mem.pi8 = tall;
  container.capacity = sizeof(tall);
  ASSERT_EQ(mli_pack_depthwise_conv2d(in, weights, bias, &cfg, out, &container),
            MLI_STATUS_OK)
      << messages.last;
  ASSERT_EQ(mli_krn_packed(in, &container, 1, out), MLI_STATUS_OK)
      << messages.last;
  for (uint32_t at = 0; at < 12; ++at) {
    int64_t sum = 0;
    for (uint32_t row = 0; row < 256; ++row)
      sum += int64_t{in.codes[(at / 6 + row) * 6 + at % 6]} *
             weights.codes[row * 3 + at % 3];
    // In steps of 4, of what is in steps of 1/4.
    EXPECT_EQ(out.codes[at], std::clamp<int64_t>((sum + 8) >> 4, -128, 127))
        << at;
  }
}

// The size is told before anything is read.
TEST_F(PackedDepthwise, IsTooLarge) {
  const uint32_t channels = (1U << 29) - 1;
  for (mli_tensor *map : {&*in.operator->(), &*out.operator->()}) {
    map->shape[0] = map->shape[1] = 1;
    map->shape[2] = channels;
    map->mem_stride[0] = map->mem_stride[1] = static_cast<int32_t>(channels);
    map->data.capacity = channels;
  }
  TestTensor<int8_t, MLI_EL_SA_8> weights({2, 2, 1, 1});
  TestTensor<int32_t, MLI_EL_SA_32> bias({1});
  weights.params(16384, 15, 0);
  weights->shape[3] = channels;
  weights->mem_stride[0] = static_cast<int32_t>(2 * channels);
  weights->mem_stride[1] = weights->mem_stride[2] =
      static_cast<int32_t>(channels);
  weights->data.capacity = 4 * channels;
  bias.params(16384, 16, 0);
  bias->shape[0] = channels;
  bias->data.capacity = 4 * channels;
  cfg.padding_top = cfg.padding_left = 0;
  container.mem.pi8 = nullptr;
  // Apart, though nothing is there.
  int8_t *base = in.codes.data();
  auto at = [base](uint64_t place) { return base + (place << 33); };
  in->data.mem.pi8 = at(0);
  weights->data.mem.pi8 = at(1);
  bias->data.mem.pi8 = at(2);
  out->data.mem.pi8 = at(3);
  EXPECT_EQ(mli_pack_depthwise_conv2d(in, weights, bias, &cfg, out, &container),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(messages.last, "mli_pack_depthwise_conv2d: expected a layer of "
                           "less than 2^32 bytes, but got 4294967552");
}

TEST_F(PackedDepthwise, HasLittleMemory) {
  container.capacity = 300;
  EXPECT_EQ(pack(), MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(messages.last,
            "mli_pack_depthwise_conv2d: expected 'packed' to have a capacity "
            "of at least 704 bytes, but got 300");
}

TEST_F(PackedDepthwise, NeedsTheUsualModes) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  mli_set_rounding_mode(MLI_ROUND_CONVERGENT);
  EXPECT_EQ(run(), MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(pack(), MLI_STATUS_NOT_SUPPORTED);
  mli_set_rounding_mode(MLI_ROUND_UP);
  EXPECT_EQ(run(), MLI_STATUS_OK);
}

TEST_F(PackedDepthwise, HasOtherTensors) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  TestTensor<int8_t, MLI_EL_SA_8> wider({4, 5, 3});
  EXPECT_EQ(mli_krn_packed(wider, &container, 1, out),
            MLI_STATUS_SHAPE_MISMATCH);
  out.params(16384, 11, 0);
  EXPECT_EQ(run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
}

// K62
TEST_F(PackedDepthwise, IsDamaged) { expectDamageIsRefused(); }

} // namespace
