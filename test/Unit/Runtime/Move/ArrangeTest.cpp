// SPDX-License-Identifier: Apache-2.0
//
// argmax, permute, transposed convolution, and names without a kernel.

#include "../TestTensor.h"

#include <gtest/gtest.h>

using namespace mli::test;

namespace {

std::vector<int32_t> topOf(const std::vector<int16_t> &values, int32_t count) {
  Fx16 in({static_cast<uint32_t>(values.size())}, values);
  Sa32 out({1, static_cast<uint32_t>(count)});
  const mli_argmax_cfg cfg = {-1, count};
  EXPECT_EQ(mli_krn_argmax_fx16(in, &cfg, out), MLI_STATUS_OK);
  return out.codes;
}

// K42
TEST(Argmax, OrderOfEqualValues) {
  const std::vector<int16_t> values = {7, 7, 3, 7, 1};
  EXPECT_EQ(topOf(values, 1), (std::vector<int32_t>{3}));
  EXPECT_EQ(topOf(values, 2), (std::vector<int32_t>{1, 3}));
  EXPECT_EQ(topOf(values, 3), (std::vector<int32_t>{1, 0, 3}));
  EXPECT_EQ(topOf(values, 4), (std::vector<int32_t>{1, 0, 3, 2}));
}

// K42
TEST(Argmax, IndicesAreOffsetsAndTheAxisSelects) {
  Fx16 in({2, 3}, {1, 9, 0, 5, 2, 0});
  in->shape[1] = 2;
  Sa32 out({2, 1});
  const mli_argmax_cfg rows = {0, 1};
  ASSERT_EQ(mli_krn_argmax_fx16(in, &rows, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int32_t>{1, 3}));
  const mli_argmax_cfg columns = {1, 1};
  ASSERT_EQ(mli_krn_argmax_fx16(in, &columns, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int32_t>{3, 1}));
  const mli_argmax_cfg tooMany = {0, 3};
  EXPECT_EQ(mli_krn_argmax_fx16(in, &tooMany, out), MLI_STATUS_BAD_FUNC_CFG);
  const mli_argmax_cfg none = {0, 0};
  EXPECT_EQ(mli_krn_argmax_fx16(in, &none, out), MLI_STATUS_SHAPE_MISMATCH);
}

// K42
TEST(Argmax, OutputsHaveTwoDimensionsOrMore) {
  Fx16 in({2, 3}, {1, 9, 0, 5, 2, 0});
  const mli_argmax_cfg cfg = {0, 1};
  Sa32 wide({2, 1, 1});
  ASSERT_EQ(mli_krn_argmax_fx16(in, &cfg, wide), MLI_STATUS_OK);
  EXPECT_EQ(wide.codes, (std::vector<int32_t>{1, 3}));
  Sa32 flat({2});
  EXPECT_EQ(mli_krn_argmax_fx16(in, &cfg, flat), MLI_STATUS_SHAPE_MISMATCH);
}

// K43
TEST(Permute, OwnAndSharedParameters) {
  Sa8 in({2, 3}, {1, 2, 3, 4, 5, 6});
  in.axis(1, {10, 20, 30}, {1, 2, 3}, {-1, -2, -3});
  Sa8 shared({3, 2});
  const mli_permute_cfg cfg = {{1, 0}};
  ASSERT_EQ(mli_krn_permute_sa8(in, &cfg, shared),
            MLI_STATUS_SPEC_PARAM_MISMATCH)
      << "the values of per-tensor parameters are no pointers";
  std::memset(&shared->el_params, 0, sizeof(mli_element_params));
  ASSERT_EQ(mli_krn_permute_sa8(in, &cfg, shared), MLI_STATUS_OK);
  EXPECT_EQ(shared.codes, (std::vector<int8_t>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(shared->el_params.sa.dim, 0);
  EXPECT_EQ(shared->el_params.sa.scale.mem.pi16,
            in->el_params.sa.scale.mem.pi16);
  Sa8 own({3, 2});
  own.axis(0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0});
  ASSERT_EQ(mli_krn_permute_sa8(in, &cfg, own), MLI_STATUS_OK);
  EXPECT_NE(own->el_params.sa.scale.mem.pi16, in->el_params.sa.scale.mem.pi16);
  EXPECT_EQ(mli_hlp_tensor_scale(own, 2), 30);
  EXPECT_EQ(mli_hlp_tensor_zero_offset(own, 1), -2);
}

/// A permutation along an axis, whose output has arrays of its own.
struct AxisPermutation {
  AxisPermutation() {
    in.axis(1, {10, 20, 30}, {1, 2, 3}, {-1, -2, -3});
    out.axis(0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0});
  }

  /// Expects it to be refused with all parameters as they were.
  void expectRefused(mli_status status) {
    const mli_permute_cfg cfg = {{1, 0}};
    EXPECT_EQ(mli_krn_permute_sa8(in, &cfg, out), status);
    for (uint32_t i = 0; i < 3; ++i) {
      EXPECT_EQ(from.scale.mem.pi16[i], 10 * (static_cast<int>(i) + 1));
      EXPECT_EQ(from.zero_point.mem.pi16[i], -1 - static_cast<int>(i));
      EXPECT_EQ(from.scale_frac_bits.mem.pi8[i], 1 + static_cast<int>(i));
    }
    EXPECT_EQ(out.codes, std::vector<int8_t>(6));
  }

  Sa8 in{{2, 3}, {1, 2, 3, 4, 5, 6}};
  Sa8 out{{3, 2}};
  decltype(mli_element_params::sa) &from = in->el_params.sa;
  decltype(mli_element_params::sa) &to = out->el_params.sa;
};

// K43
TEST(Permute, ParametersAreSharedTogether) {
  for (int shared = 1; shared < 7; ++shared) {
    AxisPermutation p;
    if (shared & 1)
      p.to.scale = p.from.scale;
    if (shared & 2)
      p.to.zero_point = p.from.zero_point;
    if (shared & 4)
      p.to.scale_frac_bits = p.from.scale_frac_bits;
    p.expectRefused(MLI_STATUS_SPEC_PARAM_MISMATCH);
  }
}

// K55
TEST(Permute, OwnParametersAreNobodyElses) {
  AxisPermutation swapped;
  swapped.to.scale = swapped.from.zero_point;
  swapped.to.zero_point = swapped.from.scale;
  swapped.expectRefused(MLI_STATUS_INCOMPATEBLE_TENSORS);
  AxisPermutation shifted;
  shifted.to.scale.mem.pi16 = shifted.from.scale.mem.pi16 + 1;
  shifted.expectRefused(MLI_STATUS_INCOMPATEBLE_TENSORS);
  AxisPermutation twice;
  twice.to.zero_point = twice.to.scale;
  twice.expectRefused(MLI_STATUS_INCOMPATEBLE_TENSORS);
  AxisPermutation elements;
  elements.to.scale_frac_bits.mem.pi8 = elements.in.codes.data();
  elements.expectRefused(MLI_STATUS_INCOMPATEBLE_TENSORS);
  elements.to.scale_frac_bits.mem.pi8 = elements.out.codes.data() + 3;
  elements.expectRefused(MLI_STATUS_INCOMPATEBLE_TENSORS);
}

// K56
TEST(Permute, OwnParametersAreAligned) {
  Sa8 in({2, 3});
  in.axis(1, {10, 20, 30}, {1, 2, 3}, {-1, -2, -3});
  Sa8 own({3, 2});
  own.axis(0, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0});
  ++own->el_params.sa.zero_point.mem.pi8;
  const mli_permute_cfg cfg = {{1, 0}};
  EXPECT_EQ(mli_krn_permute_sa8(in, &cfg, own), MLI_STATUS_MISALIGNMENT_ERROR);
}

// K43
TEST(Permute, BadPermutations) {
  Fx8 in({2, 2});
  Fx8 out({2, 2});
  const mli_permute_cfg twice = {{0, 0}};
  EXPECT_EQ(mli_krn_permute_fx8(in, &twice, out), MLI_STATUS_BAD_FUNC_CFG);
  const mli_permute_cfg beyond = {{0, 2}};
  EXPECT_EQ(mli_krn_permute_fx8(in, &beyond, out), MLI_STATUS_BAD_FUNC_CFG);
  const mli_permute_cfg swap = {{1, 0}};
  EXPECT_EQ(mli_krn_permute_fx8(in, &swap, in),
            MLI_STATUS_INCOMPATEBLE_TENSORS);
}

// K36
TEST(TransposeConv2d, SpreadsInputsOverOutputs) {
  Fx16 in({1, 2, 1}, {1, 10});
  Fx16 weights({2, 2, 1, 1}, {1, 2, 3, 4});
  Fx16 bias({1});
  Fx16 out({2, 4, 1});
  mli_conv2d_cfg cfg = {};
  cfg.stride_width = cfg.stride_height = 2;
  cfg.dilation_width = cfg.dilation_height = 1;
  for (auto kernel : {mli_krn_transpose_conv2d_hwcn_fx16,
                      mli_krn_transpose_conv2d_hwcn_fx16_k2x2_str2}) {
    ASSERT_EQ(kernel(in, weights, bias, &cfg, out), MLI_STATUS_OK);
    EXPECT_EQ(out.codes, (std::vector<int16_t>{1, 2, 10, 20, 3, 4, 30, 40}));
  }
  EXPECT_EQ(mli_krn_transpose_conv2d_hwcn_fx16_k4x4_str2(in, weights, bias,
                                                         &cfg, out),
            MLI_STATUS_INCOMPATEBLE_TENSORS);
  cfg.stride_width = cfg.stride_height = 1;
  EXPECT_EQ(mli_krn_transpose_conv2d_hwcn_fx16(in, weights, bias, &cfg, out),
            MLI_STATUS_BAD_FUNC_CFG);
}

TEST(Unsupported, DeclaredOnly) {
  Fx8 t({1});
  EXPECT_EQ(mli_krn_permute_sa32(t, nullptr, t), MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_krn_fully_connected_fx8w16d(t, t, t, nullptr, t),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_krn_basic_rnn_cell_fx8(t, t, t, t, nullptr, t),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_krn_basic_rnn_cell_fx16(t, t, t, t, nullptr, t),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_krn_basic_rnn_cell_fx8w16d(t, t, t, t, nullptr, t),
            MLI_STATUS_NOT_SUPPORTED);
}

} // namespace
