// SPDX-License-Identifier: Apache-2.0
//
// What rows of packed convolutions reject, and how that is reported.

#include "PackedFixture.h"

using namespace mli::test;

namespace {

/// Rows of a convolution of 4x4 pixels of 3 channels, which has both kinds of
/// packed layers.
class PackedRows : public Packed<2048> {
protected:
  PackedRows() {
    for (auto *map : {&in, &out})
      map->params(16384, map == &in ? 15 : 12, 0);
    for (auto *kernel : {&weights, &depthwise})
      kernel->params(16384, 15, 0);
    bias.params(16384, 16, 0);
  }

  mli_status pack() override {
    return mli_pack_conv2d(in, weights, bias, &cfg, out, MLI_PACK_PAIRS,
                           &container);
  }
  mli_status packDepthwise() {
    return mli_pack_depthwise_conv2d(in, depthwise, bias, &cfg, out,
                                     &container);
  }
  mli_status run() override {
    return mli_krn_packed_rows(in, &container, &rows, 1, out);
  }

  /// Rejects `rows` of either kind, with `message`.
  void expectRejected(mli_status status, const std::string &message) {
    ASSERT_EQ(pack(), MLI_STATUS_OK);
    EXPECT_EQ(run(), status);
    EXPECT_EQ(messages.last, message);
    messages.last.clear();
    ASSERT_EQ(packDepthwise(), MLI_STATUS_OK);
    EXPECT_EQ(run(), status);
    EXPECT_EQ(messages.last, message);
  }

  TestTensor<int8_t, MLI_EL_SA_8> in{{4, 4, 3}};
  TestTensor<int8_t, MLI_EL_SA_8> weights{{3, 3, 3, 3}};
  TestTensor<int8_t, MLI_EL_SA_8> depthwise{{3, 3, 1, 3}};
  TestTensor<int32_t, MLI_EL_SA_32> bias{{3}};
  TestTensor<int8_t, MLI_EL_SA_8> out{{4, 4, 3}};
  mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 1, 1, 1, 1, 1, 1};
  mli_packed_rows rows = {1, 1};
};

TEST_F(PackedRows, AreNull) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  EXPECT_EQ(mli_krn_packed_rows(in, &container, nullptr, 1, out),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_krn_packed_rows: expected 'rows' to be a "
                           "configuration, but got null");
}

TEST_F(PackedRows, HaveNoTensor) {
  for (bool isDepthwise : {false, true}) {
    ASSERT_EQ(isDepthwise ? packDepthwise() : pack(), MLI_STATUS_OK);
    EXPECT_EQ(mli_krn_packed_rows(nullptr, &container, &rows, 1, out),
              MLI_STATUS_BAD_TENSOR);
    EXPECT_EQ(mli_krn_packed_rows(in, &container, &rows, 1, nullptr),
              MLI_STATUS_BAD_TENSOR);
  }
}

TEST_F(PackedRows, AreMissing) {
  rows.padding_bottom = 0;
  expectRejected(MLI_STATUS_BAD_FUNC_CFG,
                 "mli_krn_packed_rows: expected 'in' to be padded to the "
                 "needed extent of 6, but got 5");
}

TEST_F(PackedRows, HaveTooMuchPaddingAbove) {
  rows.padding_top = 3;
  expectRejected(MLI_STATUS_BAD_FUNC_CFG,
                 "mli_krn_packed_rows: expected 'padding_top' to be less than "
                 "the effective kernel of 3, but got 3");
}

TEST_F(PackedRows, HaveTooMuchPaddingBelow) {
  rows.padding_bottom = 4;
  expectRejected(MLI_STATUS_BAD_FUNC_CFG,
                 "mli_krn_packed_rows: expected 'padding_bottom' to be less "
                 "than the effective kernel of 3, but got 4");
}

TEST_F(PackedRows, HaveAnotherWidth) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  TestTensor<int8_t, MLI_EL_SA_8> wider({4, 5, 3});
  EXPECT_EQ(mli_krn_packed_rows(wider, &container, &rows, 1, out),
            MLI_STATUS_SHAPE_MISMATCH);
}

// K62
TEST_F(PackedRows, OfDamagedLayers) { expectDamageIsRefused(); }

/// Rows whose arguments are checked once.
class CheckedRows : public PackedRows {
protected:
  mli_status run() override {
    return mli_krn_packed_rows_unchecked(in, &container, &rows, 1, out);
  }
};

TEST_F(CheckedRows, AreAccepted) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  EXPECT_EQ(mli_check_packed_rows(in, &container, &rows, out), MLI_STATUS_OK);
}

TEST_F(CheckedRows, AreRejected) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  rows.padding_top = 3;
  EXPECT_EQ(mli_check_packed_rows(in, &container, &rows, out),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_check_packed_rows: expected 'padding_top' to be less than the "
            "effective kernel of 3, but got 3");
  EXPECT_EQ(mli_check_packed_rows(in, &container, nullptr, out),
            MLI_STATUS_BAD_FUNC_CFG);
}

TEST_F(CheckedRows, LackData) {
  int8_t *data = in->data.mem.pi8;
  for (bool isDepthwise : {false, true}) {
    ASSERT_EQ(isDepthwise ? packDepthwise() : pack(), MLI_STATUS_OK);
    in->data.mem.pi8 = nullptr;
    EXPECT_EQ(run(), MLI_STATUS_BAD_TENSOR);
    EXPECT_EQ(messages.last, "mli_krn_packed_rows_unchecked: expected 'in' to "
                             "have data, but got null");
    in->data.mem.pi8 = data;
  }
}

TEST_F(CheckedRows, ShareMemory) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  out->data.mem.pi8 = in->data.mem.pi8 + 1;
  EXPECT_EQ(run(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  EXPECT_EQ(messages.last,
            "mli_krn_packed_rows_unchecked: expected 'in' to share no memory "
            "with 'out', but got buffers of 48 and 48 bytes that start 1 bytes "
            "apart");
}

TEST_F(CheckedRows, NeedTheUsualModes) {
  ASSERT_EQ(pack(), MLI_STATUS_OK);
  mli_set_rounding_mode(MLI_ROUND_CONVERGENT);
  EXPECT_EQ(run(), MLI_STATUS_NOT_SUPPORTED);
  mli_set_rounding_mode(MLI_ROUND_UP);
  EXPECT_EQ(run(), MLI_STATUS_OK);
}

} // namespace
