// SPDX-License-Identifier: Apache-2.0

#include "../TestTensor.h"

#include <gtest/gtest.h>

using namespace mli::test;

namespace {

mli_pool_cfg poolConfig(uint8_t kernel, uint8_t stride, uint8_t padding) {
  return {kernel, kernel, stride, stride, padding, padding, padding, padding};
}

// K23
TEST(Pooling, AverageDividesByTheSamplesInside) {
  Fx8 in({2, 2, 1}, {4, 8, 12, 16});
  Fx8 out({2, 2, 1});
  mli_pool_cfg cfg = poolConfig(3, 1, 1);
  ASSERT_EQ(mli_krn_avepool_hwc_fx8_k3x3(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{10, 10, 10, 10}));
  mli_pool_cfg corner = poolConfig(2, 2, 1);
  ASSERT_EQ(mli_krn_avepool_hwc_fx8_k2x2(in, &corner, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, in.codes);
}

// K23
TEST(Pooling, OutputSmallerThanTheBorderIsNotOverrun) {
  // Padding 4 with stride 1 is deeper than the two rows of the output.
  Fx8 in({9, 9, 1}, std::vector<int8_t>(81, 5));
  Fx8 out({4, 4, 1}, std::vector<int8_t>(16, 77));
  out->shape[0] = out->shape[1] = 2;
  mli_pool_cfg cfg = poolConfig(5, 1, 4);
  ASSERT_EQ(mli_krn_maxpool_hwc_fx8(in, &cfg, out), MLI_STATUS_OK);
  for (size_t i = 0; i < out.codes.size(); ++i)
    EXPECT_EQ(out.codes[i], i % 4 < 2 && i / 4 < 2 ? 5 : 77) << i;
}

TEST(Pooling, MaximumKeepsTheQuantisation) {
  Sa8 in({2, 2, 1}, {-3, -9, -128, -5});
  Sa8 out({1, 1, 1});
  in.params(7, 3, -4);
  mli_pool_cfg cfg = poolConfig(2, 1, 0);
  ASSERT_EQ(mli_krn_maxpool_hwc_sa8_k2x2(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], -3);
  EXPECT_EQ(out->el_params.sa.scale.mem.i16, 7);
  EXPECT_EQ(out->el_params.sa.zero_point.mem.i16, -4);
}

// K24
TEST(Pooling, Checks) {
  Fx8 in({4, 4, 1});
  Fx8 out({2, 2, 1});
  mli_pool_cfg cfg = poolConfig(3, 1, 0);
  EXPECT_EQ(mli_krn_maxpool_hwc_fx8_k3x3(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(mli_krn_maxpool_hwc_fx8_k2x2(in, &cfg, out),
            MLI_STATUS_SHAPE_MISMATCH);
  EXPECT_EQ(mli_krn_maxpool_hwc_fx8(in, nullptr, out), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_krn_maxpool_hwc_fx16(in, &cfg, out), MLI_STATUS_TYPE_MISMATCH);
  mli_pool_cfg noStride = poolConfig(3, 0, 0);
  EXPECT_EQ(mli_krn_maxpool_hwc_fx8(in, &noStride, out),
            MLI_STATUS_BAD_FUNC_CFG);
  mli_pool_cfg wide = poolConfig(3, 2, 0);
  EXPECT_EQ(mli_krn_avepool_hwc_fx8(in, &wide, out), MLI_STATUS_BAD_FUNC_CFG);
  mli_pool_cfg padded = poolConfig(3, 1, 3);
  Messages messages;
  EXPECT_EQ(mli_krn_avepool_hwc_fx8(in, &padded, out), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_krn_avepool_hwc_fx8: expected 'cfg' to pad the height by less "
            "than the kernel of 3, but got 3 and 3");
}

} // namespace
