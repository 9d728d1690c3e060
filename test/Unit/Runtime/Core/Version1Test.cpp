// SPDX-License-Identifier: Apache-2.0
//
// Data of MLI 1.x.

#include "../TestTensor.h"
#include "mli/Runtime/C/mli_v1.h"

#include <gtest/gtest.h>

#include <memory>

using namespace mli::test;

namespace {

/// A tensor of MLI 1.x as a program fills it.
template <typename Code>
mli_v1_tensor version1(std::vector<Code> &codes,
                       const std::vector<uint32_t> &shape, unsigned fracBits) {
  mli_v1_tensor tensor = {};
  tensor.data = codes.data();
  tensor.capacity = static_cast<uint32_t>(codes.size() * sizeof(Code));
  std::copy(shape.begin(), shape.end(), tensor.shape);
  tensor.rank = static_cast<uint32_t>(shape.size());
  tensor.el_type = sizeof(Code) == 1 ? MLI_V1_EL_FX_8 : MLI_V1_EL_FX_16;
  tensor.el_params.fx.frac_bits = fracBits;
  return tensor;
}

template <typename Code>
mli_tensor converted(std::vector<Code> &codes,
                     const std::vector<uint32_t> &shape, unsigned fracBits) {
  mli_v1_tensor from = version1(codes, shape, fracBits);
  mli_tensor to;
  EXPECT_EQ(mli_v1_to_tensor(&from, &to), MLI_STATUS_OK);
  return to;
}

// M1, M2
TEST(Version1, MatricesOfRowsAndColumns) {
  std::vector<int8_t> codes = {1, 2, 3, 4, 5, 6};
  mli_tensor tensor = converted(codes, {2, 3}, 5);
  EXPECT_EQ(tensor.el_type, MLI_EL_FX_8);
  EXPECT_EQ(tensor.rank, 2U);
  EXPECT_EQ(tensor.mem_stride[0], 3);
  EXPECT_EQ(tensor.mem_stride[1], 1);
  EXPECT_EQ(tensor.el_params.fx.frac_bits, 5);
  EXPECT_EQ(tensor.data.mem.pi8, codes.data());
  EXPECT_EQ(tensor.data.capacity, 6U);
  const mli_relu_cfg relu = {MLI_RELU_GEN};
  codes = {-1, 2, -3, 4, -5, 6};
  EXPECT_EQ(mli_krn_relu_fx8(&tensor, &relu, &tensor), MLI_STATUS_OK);
  EXPECT_EQ(codes, (std::vector<int8_t>{0, 2, 0, 4, 0, 6}));
}

// M1
TEST(Version1, ThereAndBack) {
  std::vector<int16_t> codes(24);
  mli_v1_tensor from = version1(codes, {2, 3, 4}, 9);
  mli_tensor tensor;
  mli_v1_tensor back;
  ASSERT_EQ(mli_v1_to_tensor(&from, &tensor), MLI_STATUS_OK);
  ASSERT_EQ(mli_v1_from_tensor(&tensor, &back), MLI_STATUS_OK);
  EXPECT_EQ(std::memcmp(&from, &back, sizeof(from)), 0);
}

// M1, M2
TEST(Version1, WhatCannotGoBack) {
  mli_v1_tensor back;
  Fx16 tensor({2, 3});
  tensor.fracBits(-1);
  Messages messages;
  EXPECT_EQ(mli_v1_from_tensor(tensor, &back), MLI_STATUS_SPEC_PARAM_MISMATCH);
  EXPECT_EQ(messages.last, "mli_v1_from_tensor: expected 'from' to have no "
                           "negative fraction bits, but got -1");
  tensor.fracBits(1);
  EXPECT_EQ(mli_v1_from_tensor(tensor, nullptr), MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(mli_v1_from_tensor(nullptr, &back), MLI_STATUS_BAD_TENSOR);
  tensor->shape[1] = 2;
  EXPECT_EQ(mli_v1_from_tensor(tensor, &back), MLI_STATUS_INCOMPATEBLE_TENSORS);
  Sa8 sa({1});
  EXPECT_EQ(mli_v1_from_tensor(sa, &back), MLI_STATUS_TYPE_MISMATCH);
  EXPECT_EQ(messages.last, "mli_v1_from_tensor: expected 'from' to have an fx "
                           "type, but got el_type 0x108");
}

// M3
TEST(Version1, Scalars) {
  std::vector<int16_t> codes = {-8, 8};
  mli_tensor in = converted(codes, {2}, 0);
  std::vector<int16_t> one = {3};
  mli_tensor slope = converted(one, {1}, 2);
  Fx16 out({2});
  EXPECT_EQ(mli_krn_leaky_relu_fx16(&in, &slope, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int16_t>{-6, 8}));
  // The value in the data field itself.
  mli_v1_tensor held = {};
  int16_t value = 3;
  std::memcpy(static_cast<void *>(&held.data), &value, sizeof(value));
  held.el_type = MLI_V1_EL_FX_16;
  held.el_params.fx.frac_bits = 2;
  mli_tensor scalar;
  ASSERT_EQ(mli_v1_to_tensor(&held, &scalar), MLI_STATUS_OK);
  EXPECT_EQ(scalar.rank, 0U);
  EXPECT_EQ(scalar.data.mem.i16, 3);
  EXPECT_EQ(mli_krn_leaky_relu_fx16(&in, &scalar, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int16_t>{-6, 8}));
  scalar.el_params.fx.frac_bits = 0;
  EXPECT_EQ(mli_krn_eltwise_add_fx16(&in, &scalar, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int16_t>{-5, 11}));
}

// M4
TEST(Version1, ConflictingFields) {
  std::vector<int16_t> codes(6);
  mli_tensor to;
  Messages messages;
  auto status = [&](auto spoil) {
    mli_v1_tensor from = version1(codes, {2, 3}, 4);
    spoil(from);
    return mli_v1_to_tensor(&from, &to);
  };
  EXPECT_EQ(status([](mli_v1_tensor &t) { t.shape[0] = 3; }),
            MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(status([](mli_v1_tensor &t) { t.rank = 5; }),
            MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(messages.last, "mli_v1_to_tensor: expected 'from' to have a rank "
                           "of at most 4, but got 5");
  EXPECT_EQ(status([](mli_v1_tensor &t) { t.data = nullptr; }),
            MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(status([](mli_v1_tensor &t) { t.shape[1] = 0; }),
            MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(status([](mli_v1_tensor &t) { t.el_params.fx.frac_bits = 128; }),
            MLI_STATUS_SPEC_PARAM_MISMATCH);
  EXPECT_EQ(messages.last, "mli_v1_to_tensor: expected 'from' to have at most "
                           "127 fraction bits, but got 128");
  EXPECT_EQ(status([](mli_v1_tensor &t) {
              t.el_type = static_cast<mli_v1_element_type>(2);
            }),
            MLI_STATUS_TYPE_MISMATCH);
  EXPECT_EQ(messages.last, "mli_v1_to_tensor: expected 'from' to have el_type "
                           "0 or 1, but got 2");
  EXPECT_EQ(mli_v1_to_tensor(nullptr, &to), MLI_STATUS_BAD_TENSOR);
  mli_v1_tensor good = version1(codes, {2, 3}, 4);
  EXPECT_EQ(mli_v1_to_tensor(&good, nullptr), MLI_STATUS_BAD_TENSOR);
}

/// A permuted copy of `in`, in the order of `perm`.
template <typename Tensor>
std::unique_ptr<Tensor> permuted(mli_tensor *in,
                                 const std::vector<uint8_t> &perm) {
  std::vector<uint32_t> shape;
  mli_permute_cfg cfg = {};
  for (size_t i = 0; i < perm.size(); ++i) {
    cfg.perm_dim[i] = perm[i];
    shape.push_back(in->shape[perm[i]]);
  }
  auto out = std::make_unique<Tensor>(shape);
  EXPECT_EQ(mli_krn_permute_fx16(in, &cfg, *out), MLI_STATUS_OK);
  return out;
}

// M5
TEST(Version1, FeatureMapsInChw) {
  // Two channels of 3x3, and one filter that takes 1 of the first and 10 of the
  // second.
  std::vector<int16_t> image = {1, 2, 3, 4, 5, 6, 7, 8, 9,
                                0, 0, 0, 0, 1, 0, 0, 0, 0};
  std::vector<int16_t> kernel = {1, 1, 1, 1, 10, 10, 10, 10};
  mli_tensor chw = converted(image, {2, 3, 3}, 0);
  mli_tensor nchw = converted(kernel, {1, 2, 2, 2}, 0);
  auto in = permuted<Fx16>(&chw, {1, 2, 0});
  auto weights = permuted<Fx16>(&nchw, {2, 3, 1, 0});
  EXPECT_EQ((*in)->shape[FMAP_C_DIM_HWC], 2U);
  EXPECT_EQ((*weights)->shape[KRNL_C_DIM_HWCN], 1U);
  Fx16 bias({1});
  Fx16 out({2, 2, 1});
  const mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 0, 0, 0, 0, 1, 1};
  ASSERT_EQ(mli_krn_conv2d_hwcn_fx16(*in, *weights, bias, &cfg, out),
            MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int16_t>{22, 26, 34, 38}));
  // And back.
  auto back = permuted<Fx16>(*in, {2, 0, 1});
  EXPECT_EQ(back->codes, image);
}

// M5
TEST(Version1, PoolingInChw) {
  std::vector<int16_t> image = {1, 2, 3, 4, 50, 60, 70, 80};
  mli_tensor chw = converted(image, {2, 2, 2}, 3);
  auto in = permuted<Fx16>(&chw, {1, 2, 0});
  Fx16 out({1, 1, 2});
  const mli_pool_cfg cfg = {2, 2, 1, 1, 0, 0, 0, 0};
  ASSERT_EQ(mli_krn_maxpool_hwc_fx16(*in, &cfg, out), MLI_STATUS_OK);
  auto back = permuted<Fx16>(out, {2, 0, 1});
  EXPECT_EQ(back->codes, (std::vector<int16_t>{4, 80}));
  EXPECT_EQ((*back)->el_params.fx.frac_bits, 3);
}

} // namespace
