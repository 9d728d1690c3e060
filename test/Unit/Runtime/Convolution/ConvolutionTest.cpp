// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and matrix products, where golden vectors say nothing.

#include "../TestTensor.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace mli::test;

namespace {

mli_conv2d_cfg convConfig() {
  mli_conv2d_cfg cfg = {};
  cfg.stride_width = cfg.stride_height = 1;
  cfg.dilation_width = cfg.dilation_height = 1;
  return cfg;
}

/// An image of 1, 2, 3, ... and weights of 1.
struct Conv {
  Conv(uint32_t kernel, uint32_t outSize)
      : in({4, 4, 1}), weights({kernel, kernel, 1, 1}), bias({1}),
        out({outSize, outSize, 1}) {
    std::iota(in.codes.begin(), in.codes.end(), 1);
    std::fill(weights.codes.begin(), weights.codes.end(), 1);
  }
  Fx16 in;
  Fx16 weights;
  Fx16 bias;
  Fx16 out;
};

// K20
TEST(Convolution, PaddingIsRealZero) {
  Conv conv(3, 4);
  mli_conv2d_cfg cfg = convConfig();
  cfg.padding_left = cfg.padding_right = cfg.padding_top = cfg.padding_bottom =
      1;
  ASSERT_EQ(mli_krn_conv2d_hwcn_fx16_k3x3(conv.in, conv.weights, conv.bias,
                                          &cfg, conv.out),
            MLI_STATUS_OK);
  EXPECT_EQ(conv.out.codes[0], 1 + 2 + 5 + 6);
  EXPECT_EQ(conv.out.codes[5], 1 + 2 + 3 + 5 + 6 + 7 + 9 + 10 + 11);
  EXPECT_EQ(conv.out.codes[15], 11 + 12 + 15 + 16);
}

// K20
TEST(Convolution, StrideAndDilation) {
  Conv conv(2, 1);
  mli_conv2d_cfg cfg = convConfig();
  cfg.stride_width = cfg.stride_height = 2;
  cfg.dilation_width = cfg.dilation_height = 3;
  ASSERT_EQ(mli_krn_conv2d_hwcn_fx16(conv.in, conv.weights, conv.bias, &cfg,
                                     conv.out),
            MLI_STATUS_OK);
  EXPECT_EQ(conv.out.codes[0], 1 + 4 + 13 + 16);
}

// K20
TEST(Convolution, K1x1IgnoresPadding) {
  CheckMode off(MLI_CHECK_OFF);
  Conv conv(1, 4);
  mli_conv2d_cfg cfg = convConfig();
  cfg.padding_left = cfg.padding_top = 1;
  mli_krn_conv2d_hwcn_fx16_k1x1(conv.in, conv.weights, conv.bias, &cfg,
                                conv.out);
  EXPECT_EQ(conv.out.codes, conv.in.codes);
}

TEST(Convolution, SpecialisationsNameTheirKernel) {
  Conv conv(3, 2);
  mli_conv2d_cfg cfg = convConfig();
  auto run = [&](auto kernel) {
    return kernel(conv.in, conv.weights, conv.bias, &cfg, conv.out);
  };
  EXPECT_EQ(run(mli_krn_conv2d_hwcn_fx16_k1x1), MLI_STATUS_SHAPE_MISMATCH);
  EXPECT_EQ(run(mli_krn_conv2d_hwcn_fx16_k3x3), MLI_STATUS_OK);
  EXPECT_EQ(run(mli_krn_conv2d_hwcn_fx16_k5x5), MLI_STATUS_SHAPE_MISMATCH);
  EXPECT_EQ(run(mli_krn_depthwise_conv2d_hwcn_fx16_k3x3), MLI_STATUS_OK);
  EXPECT_EQ(run(mli_krn_depthwise_conv2d_hwcn_fx16_k5x5),
            MLI_STATUS_SHAPE_MISMATCH);
  EXPECT_EQ(run(mli_krn_group_conv2d_hwcn_fx16_k3x3), MLI_STATUS_OK);
  EXPECT_EQ(run(mli_krn_group_conv2d_hwcn_fx16_k5x5),
            MLI_STATUS_SHAPE_MISMATCH);
}

// K21
TEST(Convolution, MessagesNameWhatIsWrong) {
  Messages messages;
  Conv conv(3, 2);
  mli_conv2d_cfg cfg = convConfig();
  auto run = [&] {
    messages.last.clear();
    return mli_krn_conv2d_hwcn_fx16(conv.in, conv.weights, conv.bias, &cfg,
                                    conv.out);
  };
  conv.in->rank = 2;
  EXPECT_EQ(run(), MLI_STATUS_SHAPE_MISMATCH);
  EXPECT_EQ(messages.last, "mli_krn_conv2d_hwcn_fx16: expected 'in' to have "
                           "rank 3, but got 2");
  conv.in->rank = 3;
  conv.bias->shape[0] = 2;
  conv.bias->data.capacity = 4;
  EXPECT_EQ(run(), MLI_STATUS_SHAPE_MISMATCH);
  EXPECT_EQ(messages.last, "mli_krn_conv2d_hwcn_fx16: expected 'bias' to have "
                           "shape[0] of 1, but got 2");
  conv.bias->shape[0] = 1;
  cfg.padding_top = 3;
  EXPECT_EQ(run(), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_krn_conv2d_hwcn_fx16: expected 'padding_top' to be less than "
            "the effective kernel of 3, but got 3");
  cfg.padding_top = 0;
  cfg.stride_width = 2;
  EXPECT_EQ(run(), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_krn_conv2d_hwcn_fx16: expected 'in' to be "
                           "padded to the needed extent of 5, but got 4");
}

// K18
TEST(Convolution, FractionBitsOfBiasAndOutput) {
  Conv conv(3, 2);
  mli_conv2d_cfg cfg = convConfig();
  auto run = [&] {
    return mli_krn_conv2d_hwcn_fx16(conv.in, conv.weights, conv.bias, &cfg,
                                    conv.out);
  };
  conv.in.fracBits(3);
  conv.weights.fracBits(4);
  conv.bias.fracBits(7);
  conv.out.fracBits(7);
  EXPECT_EQ(run(), MLI_STATUS_OK);
  conv.bias.fracBits(8);
  EXPECT_EQ(run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  conv.bias.fracBits(7);
  conv.out.fracBits(8);
  EXPECT_EQ(run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
}

/// The worked example of the arithmetic: one output, dot product -17865.
struct Product {
  Product()
      : in({2}, {127, 56}), weights({2, 1}, {-127, -31}), bias({1}, {100749}),
        out({1}) {
    in.params(32613, 14, 0);
    weights.params(16556, 30, 0);
    bias.params(16478, 29, 0);
    out.params(30093, 17, -85);
  }
  mli_status run() {
    return mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, &cfg, out);
  }
  Sa8 in;
  Sa8 weights;
  Sa32 bias;
  Sa8 out;
  mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
};

// K17
TEST(FullyConnected, WorkedExample) {
  Product product;
  ASSERT_EQ(product.run(), MLI_STATUS_OK);
  EXPECT_EQ(product.out.codes[0], -74);
}

// K17
TEST(FullyConnected, LowerLimitWinsOverUpper) {
  // A zero point of 200 puts the lower limit over the container: 200 as int8.
  CheckMode off(MLI_CHECK_OFF);
  Product product;
  product.out.params(30093, 17, 200);
  product.cfg.relu.type = MLI_RELU_GEN;
  product.run();
  EXPECT_EQ(product.out.codes[0], static_cast<int8_t>(200));
}

// K19
TEST(FullyConnected, QuantisationOfWeightsAndBias) {
  Product product;
  product.bias.params(16480, 29, 0);
  EXPECT_EQ(product.run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  product.bias.params(16478, 29, 0);
  product.weights.axis(1, {16556}, {30}, {0});
  EXPECT_EQ(product.run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  product.bias.axis(0, {16478}, {29}, {0});
  EXPECT_EQ(product.run(), MLI_STATUS_OK);
  EXPECT_EQ(product.out.codes[0], -74);
  product.weights.axis(0, {16556, 16556}, {30, 30}, {0, 0});
  EXPECT_EQ(product.run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  product.weights.axis(1, {16556}, {30}, {1});
  EXPECT_EQ(product.run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
}

// K22
TEST(FullyConnected, Shapes) {
  Product product;
  product.in->shape[0] = 1;
  EXPECT_EQ(product.run(), MLI_STATUS_SHAPE_MISMATCH);
  product.in->shape[0] = 2;
  product.out->mem_stride[0] = 2;
  EXPECT_EQ(product.run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
}

// K2
TEST(FullyConnected, AccumulatorsWrap) {
  // 133,228 times 127 * 127 is 2,148,834,412 and wraps to -2,146,132,884, which
  // is -2.0 with 30 fraction bits.
  constexpr uint32_t inputs = 133228;
  Fx8 in({inputs}, std::vector<int8_t>(inputs, 127));
  Fx8 weights({inputs, 1}, std::vector<int8_t>(inputs, 127));
  Fx8 bias({1});
  Fx8 out({1});
  in.fracBits(15);
  weights.fracBits(15);
  bias.fracBits(0);
  const mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
  ASSERT_EQ(mli_krn_fully_connected_fx8(in, weights, bias, &cfg, out),
            MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], -2);
}

} // namespace
