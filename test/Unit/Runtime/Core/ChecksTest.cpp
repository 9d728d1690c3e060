// SPDX-License-Identifier: Apache-2.0
//
// The check mode, the rules about single tensors, and their messages.

#include "../TestTensor.h"

#include <gtest/gtest.h>

using namespace mli::test;

namespace {

const mli_relu_cfg relu = {MLI_RELU_GEN};

// K61
TEST(Checks, ModeIsSettable) {
  EXPECT_EQ(mli_get_check_mode(), MLI_CHECK_RETURN_CODES);
  {
    CheckMode off(MLI_CHECK_OFF);
    EXPECT_EQ(mli_get_check_mode(), MLI_CHECK_OFF);
    mli_set_check_mode(static_cast<mli_check_mode>(7));
    EXPECT_EQ(mli_get_check_mode(), MLI_CHECK_OFF);
  }
  EXPECT_EQ(mli_get_check_mode(), MLI_CHECK_RETURN_CODES);
}

// K61
TEST(Checks, OffLooksAtNothing) {
  CheckMode off(MLI_CHECK_OFF);
  Fx8 in({2}, {-1, 1});
  Fx8 out({2});
  out->data.capacity = 0;
  EXPECT_EQ(mli_krn_relu_fx8(in, &relu, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{0, 1}));
}

TEST(Checks, StatusNames) {
  EXPECT_STREQ(mli_status_name(MLI_STATUS_INCOMPATEBLE_TENSORS),
               "MLI_STATUS_INCOMPATEBLE_TENSORS");
  EXPECT_STREQ(mli_status_name(MLI_STATUS_MISALIGNMENT_ERROR),
               "MLI_STATUS_MISALIGNMENT_ERROR");
  EXPECT_STREQ(mli_status_name(static_cast<mli_status>(99)), "unknown status");
}

TEST(Checks, FailuresGoToTheHandler) {
  std::string told;
  mli_set_failure_handler(
      [](mli_status status, const char *where, void *cookie) {
        *static_cast<std::string *>(cookie) =
            std::string(where) + " " + mli_status_name(status);
      },
      &told);
  mli_report_failure(MLI_STATUS_BAD_TENSOR, "relu");
  mli_set_failure_handler(nullptr, nullptr);
  EXPECT_EQ(told, "relu MLI_STATUS_BAD_TENSOR");
}

TEST(Checks, ProgramsTellWhatTheyFound) {
  Messages messages;
  EXPECT_EQ(mli_report_mismatch(MLI_STATUS_OK, "size 0 to be", 2, 3),
            MLI_STATUS_OK);
  EXPECT_EQ(messages.last, "");
  EXPECT_EQ(mli_report_mismatch(MLI_STATUS_BAD_FUNC_CFG, "size 0 to be", 2, -3),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "expected size 0 to be 2, but got -3");
  messages.last.clear();
  CheckMode codes(MLI_CHECK_RETURN_CODES);
  EXPECT_EQ(mli_report_mismatch(MLI_STATUS_BAD_FUNC_CFG, "size 0 to be", 2, 3),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "");
}

/// What relu says of its input.
std::string messageOf(Fx8 &in, mli_status expected) {
  Messages messages;
  Fx8 out({2, 3});
  EXPECT_EQ(mli_krn_relu_fx8(in, &relu, out), expected);
  return messages.last;
}

// K15
TEST(Checks, TensorNamesArgumentRuleAndValue) {
  Fx8 noData({2, 3});
  noData->data.mem.pi8 = nullptr;
  EXPECT_EQ(messageOf(noData, MLI_STATUS_BAD_TENSOR),
            "mli_krn_relu_fx8: expected 'in' to have data, but got null");

  Fx8 rank({2, 3});
  rank->rank = 5;
  EXPECT_EQ(messageOf(rank, MLI_STATUS_BAD_TENSOR),
            "mli_krn_relu_fx8: expected 'in' to have a rank of at most 4, but "
            "got 5");

  Fx8 stride({2, 3});
  stride->mem_stride[0] = 2;
  EXPECT_EQ(messageOf(stride, MLI_STATUS_BAD_TENSOR),
            "mli_krn_relu_fx8: expected 'in' to have mem_stride[0] of at least "
            "3, but got 2");

  Fx8 zeroStride({2, 3});
  zeroStride->mem_stride[1] = 0;
  EXPECT_EQ(messageOf(zeroStride, MLI_STATUS_BAD_TENSOR),
            "mli_krn_relu_fx8: expected 'in' to have a positive mem_stride[1], "
            "but got 0");

  Fx8 empty({2, 3});
  empty->shape[0] = 0;
  EXPECT_EQ(messageOf(empty, MLI_STATUS_BAD_TENSOR),
            "mli_krn_relu_fx8: expected 'in' to have shape[0] from 1 to "
            "2147483647, but got 0");

  Fx8 small({2, 3});
  small->data.capacity = 5;
  EXPECT_EQ(messageOf(small, MLI_STATUS_NOT_ENGH_MEM),
            "mli_krn_relu_fx8: expected 'in' to have a capacity of at least 6 "
            "bytes, but got 5");
}

// K15
TEST(Checks, HugeViewsAreRefusedNotOverflown) {
  Fx8 huge({2, 3});
  huge->shape[0] = INT32_MAX;
  huge->mem_stride[0] = INT32_MAX;
  EXPECT_NE(messageOf(huge, MLI_STATUS_NOT_ENGH_MEM), "");
}

TEST(Checks, NullsAreRefused) {
  Fx8 tensor({2});
  Fx8 out({2});
  EXPECT_EQ(mli_krn_relu_fx8(nullptr, &relu, out), MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(mli_krn_relu_fx8(tensor, nullptr, out), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_krn_relu_fx8(tensor, &relu, nullptr), MLI_STATUS_BAD_TENSOR);
  const mli_conv2d_cfg conv = {};
  EXPECT_EQ(mli_krn_conv2d_hwcn_fx16(nullptr, tensor, tensor, &conv, out),
            MLI_STATUS_BAD_TENSOR);
}

// K55
TEST(Checks, ViewsBetweenEachOthersElements) {
  // Channels 0 and 1, and 2 and 3, of one image of two pixels.
  Fx8 image({1, 2, 4}, {-1, 2, 0, 0, -3, 4, 0, 0});
  Fx8 in({1, 2, 2});
  Fx8 out({1, 2, 2});
  in->mem_stride[0] = out->mem_stride[0] = 8;
  in->mem_stride[1] = out->mem_stride[1] = 4;
  in->data = image->data;
  out->data.mem.pi8 = image->data.mem.pi8 + 2;
  in->data.capacity = out->data.capacity = 6;
  EXPECT_EQ(mli_krn_relu_fx8(in, &relu, out), MLI_STATUS_OK);
  EXPECT_EQ(image.codes, (std::vector<int8_t>{-1, 2, 0, 2, -3, 4, 0, 4}));
  // One channel further left they share channel 1.
  --out->data.mem.pi8;
  Messages messages;
  EXPECT_EQ(mli_krn_relu_fx8(in, &relu, out), MLI_STATUS_INCOMPATEBLE_TENSORS);
  EXPECT_EQ(messages.last,
            "mli_krn_relu_fx8: expected 'out' to be in the place of 'in' or "
            "apart from it, but got a view 1 bytes from it");
  --out->data.mem.pi8;
  EXPECT_EQ(mli_krn_relu_fx8(in, &relu, out), MLI_STATUS_OK);
}

// K56
TEST(Checks, MisalignmentIsTold) {
  Messages messages;
  Fx16 in({2, 2});
  Fx16 out({2, 2});
  ++in->data.mem.pi8;
  EXPECT_EQ(mli_krn_relu_fx16(in, &relu, out), MLI_STATUS_MISALIGNMENT_ERROR);
  EXPECT_EQ(messages.last, "mli_krn_relu_fx16: expected 'in' to have data at a "
                           "multiple of 2 bytes, but got an address 1 beyond "
                           "one");
}

// K16
TEST(Checks, QuantisationParameters) {
  Sa8 in({2, 2});
  Sa8 out({2, 2});
  auto status = [&] { return mli_krn_relu_sa8(in, &relu, out); };
  EXPECT_EQ(status(), MLI_STATUS_OK);
  in.params(0, 0, 0);
  EXPECT_EQ(status(), MLI_STATUS_BAD_TENSOR);
  in.params(1, 0, 128);
  EXPECT_EQ(status(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  in.params(1, 0, -128);
  EXPECT_EQ(status(), MLI_STATUS_OK);
  in->el_params.sa.scale.capacity = 2;
  EXPECT_EQ(status(), MLI_STATUS_BAD_TENSOR);
  in->el_params.sa.scale.capacity = 0;
  in->el_params.sa.dim = 2;
  EXPECT_EQ(status(), MLI_STATUS_BAD_TENSOR);
  in.axis(1, {1, 1}, {0, 0}, {0, 0});
  EXPECT_EQ(status(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  in->el_params.sa.zero_point.capacity = 3;
  EXPECT_EQ(status(), MLI_STATUS_BAD_TENSOR);
}

} // namespace
