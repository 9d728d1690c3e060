// SPDX-License-Identifier: Apache-2.0
//
// Where the documents of MLI 2.0 and the reference differ.

#include "../TestTensor.h"

#include <gmock/gmock.h>

#include <cstddef>
#include <type_traits>

using namespace mli::test;

namespace {

using Sa = decltype(mli_element_params::sa);

using Numbers = std::vector<size_t>;

// R1
TEST(Differences, OrderOfTheTensor) {
  EXPECT_EQ(
      (Numbers{offsetof(mli_tensor, data), offsetof(mli_tensor, mem_stride),
               offsetof(mli_tensor, shape), offsetof(mli_tensor, rank),
               offsetof(mli_tensor, el_type), offsetof(mli_tensor, el_params),
               sizeof(mli_tensor)}),
      (Numbers{0, 16, 32, 48, 52, 56, 120}));
}

// R2
TEST(Differences, FractionBitsAreSigned) {
  EXPECT_TRUE(
      (std::is_same_v<decltype(mli_element_params::fx.frac_bits), int8_t>));
  Fx8 in({1}, {3});
  Fx16 out({1});
  in.fracBits(-2);
  EXPECT_EQ(mli_hlp_convert_tensor_safx(in, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 12);
}

// R3
TEST(Differences, OrderOfTheParameters) {
  EXPECT_EQ(
      (Numbers{offsetof(Sa, type), offsetof(Sa, zero_point),
               offsetof(Sa, scale), offsetof(Sa, dim),
               offsetof(Sa, scale_frac_bits), sizeof(mli_element_params)}),
      (Numbers{0, 8, 24, 40, 48, 64}));
}

TEST(Differences, SizesOfTheConfigurations) {
  EXPECT_EQ(
      (Numbers{sizeof(mli_lut), sizeof(mli_conv2d_cfg), sizeof(mli_pool_cfg),
               sizeof(mli_rnn_cell_cfg_depr), sizeof(mli_rnn_dense_cfg),
               sizeof(mli_rnn_cell_cfg), sizeof(mli_point_to_subtsr_cfg),
               sizeof(mli_sub_tensor_cfg), sizeof(mli_mov_cfg_t),
               sizeof(mli_argmax_cfg), sizeof(mli_mov_handle_t)}),
      (Numbers{40, 12, 8, 16, 1, 32, 20, 36, 92, 8, 12}));
}

// R4
TEST(Differences, NamesOfTheDocuments) {
  EXPECT_EQ(MLI_EL_SA8, MLI_EL_SA_8);
  Fx8 in({2, 3});
  mli_tensor byDocument;
  mli_tensor byReference;
  const mli_subtensor_cfg cfg = {{1, 1}, {1, 2}, 1};
  EXPECT_EQ(mli_hlp_subtensor(in, &cfg, &byDocument), MLI_STATUS_OK);
  EXPECT_EQ(mli_hlp_create_subtensor(in, &cfg, &byReference), MLI_STATUS_OK);
  EXPECT_EQ(byDocument.data.mem.pi8, in->data.mem.pi8 + 4);
  EXPECT_EQ(byReference.data.mem.pi8, in->data.mem.pi8 + 4);
  EXPECT_EQ(byDocument.rank, 1U);
}

// R5
TEST(Differences, EnumerationsHave32Bits) {
  constexpr int large[] = {
      MLI_STATUS_LARGE_ENUM, MLI_EL_LARGE_ENUM,   MLI_EL_PARAM_LARGE_ENUM,
      MLI_RELU_LARGE_ENUM,   RNN_MODE_LARGE_ENUM, RNN_ACT_LARGE_ENUM,
      RNN_DIR_LARGE_ENUM,    RNN_OUT_LARGE_ENUM,  MLI_MOV_LARGE_ENUM};
  for (int value : large)
    EXPECT_EQ(value, 0x02000000);
  EXPECT_EQ(sizeof(mli_status), 4U);
  EXPECT_EQ(sizeof(mli_element_type), 4U);
  EXPECT_EQ(sizeof(mli_relu_type), 4U);
}

// R6
TEST(Differences, ParametersAlongAnAxis) {
  Sa8 tensor({2, 2});
  tensor.axis(0, {5, 6}, {1, -2}, {-3, 4});
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 1), 6);
  EXPECT_EQ(mli_hlp_tensor_scale_shift(tensor, 1), -2);
  EXPECT_EQ(mli_hlp_tensor_zero_offset(tensor, 1), 4);
  EXPECT_TRUE(
      (std::is_same_v<decltype(mli_hlp_tensor_scale(tensor, 0)), int32_t>));
}

// R7
TEST(Differences, TheShiftOfFixedPointIsItsFractionBits) {
  Fx16 fx({1});
  fx.fracBits(9);
  Fp32 fp({1});
  EXPECT_EQ(mli_hlp_tensor_scale_shift(fx, 0), 9);
  EXPECT_EQ(mli_hlp_tensor_scale_shift(fp, 0), 0);
  EXPECT_EQ(mli_hlp_tensor_scale(fx, 0), 1);
  EXPECT_EQ(mli_hlp_tensor_zero_offset(fx, 0), 0);
}

// R8
TEST(Differences, ElementSizes) {
  Fx16 tensor({3});
  EXPECT_EQ(mli_hlp_tensor_element_size(tensor), 2U);
  tensor->el_type = MLI_EL_FX_4;
  EXPECT_EQ(mli_hlp_tensor_element_size(tensor), 0U);
}

// R20
TEST(Differences, KindsOfParametersAreNotRead) {
  Sa8 in({1}, {-3});
  Sa8 out({1});
  in->el_params.sa.type = static_cast<mli_el_param_type>(7);
  const mli_relu_cfg cfg = {MLI_RELU_GEN};
  EXPECT_EQ(mli_krn_relu_sa8(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 0);
}

// R21
TEST(Differences, ScalarsAreToldByTheirRank) {
  Fx8 in({1}, {-8});
  Fx8 slope({1}, {2});
  Fx8 out({1});
  slope->rank = 0;
  slope->data.mem.i8 = 3;
  slope->data.capacity = 5;
  EXPECT_EQ(mli_krn_leaky_relu_fx8(in, slope, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], -24);
  Sa8 sa({1});
  sa->el_params.sa.zero_point.capacity = 2;
  const mli_relu_cfg cfg = {MLI_RELU_GEN};
  EXPECT_EQ(mli_krn_relu_sa8(sa, &cfg, sa), MLI_STATUS_BAD_TENSOR);
}

// H6
TEST(Differences, QuestionsAboutInvalidTensors) {
  Sa8 tensor({2});
  tensor.axis(0, {3, 5}, {1, 2}, {7, 9});
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 1), 5);
  tensor->el_params.sa.dim = 1; // not a dimension
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 1), 0);
  EXPECT_EQ(mli_hlp_tensor_scale_shift(tensor, 1), 0);
  EXPECT_EQ(mli_hlp_tensor_zero_offset(tensor, 1), 0);
  tensor->el_type = MLI_EL_FX_4;
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 0), 0);
}

// E10
TEST(Differences, ConversionsInPlace) {
  Fx8 src({2, 2}, {1, 2, 3, 4});
  Sa8 dst({2, 2});
  dst.params(1, 1, -128);
  dst->data = src->data;
  EXPECT_EQ(mli_hlp_convert_tensor_safx(src, dst), MLI_STATUS_OK);
  EXPECT_THAT(src.codes, testing::ElementsAre(-126, -124, -122, -120));
  // Other steps would overtake what is still to be read.
  dst->shape[0] = src->shape[0] = 1;
  dst->data.mem.pi8 += 1;
  dst->data.capacity -= 1;
  EXPECT_EQ(mli_hlp_convert_tensor_safx(src, dst),
            MLI_STATUS_INCOMPATEBLE_TENSORS);
  Fx16 wide({1, 2});
  src->data = wide->data;
  EXPECT_EQ(mli_hlp_convert_tensor_safx(src, wide),
            MLI_STATUS_INCOMPATEBLE_TENSORS);
}

// R9
TEST(Differences, CountingFromTheRankOn) {
  Fx8 tensor({2, 3});
  for (mli_check_mode mode :
       {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES, MLI_CHECK_MESSAGES}) {
    CheckMode scope(mode);
    EXPECT_EQ(mli_hlp_count_elem_num(tensor, 2), 1U);
  }
  EXPECT_EQ(mli_hlp_count_elem_num(tensor, 3), 0U);
}

// R10
TEST(Differences, ConversionsFillStrides) {
  for (mli_check_mode mode : {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES}) {
    CheckMode scope(mode);
    Fx8 src({2, 3}, {1, 2, 3, 4, 5, 6});
    Fx16 dst({2, 3});
    dst->mem_stride[0] = dst->mem_stride[1] = 0;
    ASSERT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_OK);
    EXPECT_EQ(dst->mem_stride[0], 3);
    EXPECT_EQ(dst->mem_stride[1], 1);
    EXPECT_EQ(dst.codes, (std::vector<int16_t>{1, 2, 3, 4, 5, 6}));
  }
}

// R10
TEST(Differences, ConversionsKeepStridesThatAreThere) {
  for (mli_check_mode mode : {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES}) {
    CheckMode scope(mode);
    Fx8 src({2, 2}, {1, 2, 3, 4});
    Fx16 dst({5}, {9, 9, 9, 9, 9});
    dst->rank = 0;
    dst->shape[0] = 0;
    dst->mem_stride[0] = 3;
    dst->mem_stride[1] = 1;
    ASSERT_EQ(mli_hlp_convert_tensor_safx(src, dst), MLI_STATUS_OK);
    EXPECT_EQ(dst->rank, 2U);
    EXPECT_EQ(dst->shape[1], 2U);
    EXPECT_EQ(dst.codes, (std::vector<int16_t>{1, 2, 9, 3, 4}));
  }
}

/// A description, byte for byte.
std::string getBytes(const mli_tensor *tensor) {
  return {reinterpret_cast<const char *>(tensor), sizeof(*tensor)};
}

// R10
TEST(Differences, AMismatchKeepsItsStatusAndItsDestination) {
  Fx8 src({2, 3});
  Fx16 dst({6});
  dst->mem_stride[0] = 0;
  std::string before = getBytes(dst);
  EXPECT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(getBytes(dst), before);
  // A destination that is filled and too small is left as it was.
  dst->rank = 0;
  dst->shape[0] = 0;
  dst->data.capacity = 11;
  std::string open = getBytes(dst);
  EXPECT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(getBytes(dst), open);
}

// R11
TEST(Differences, ZeroStridesAreRefused) {
  Fx8 in({2, 3});
  Fx8 out({2, 3});
  out->mem_stride[0] = 0;
  const mli_relu_cfg cfg = {MLI_RELU_GEN};
  EXPECT_EQ(mli_krn_relu_fx8(in, &cfg, out), MLI_STATUS_BAD_TENSOR);
  in->mem_stride[0] = 0;
  EXPECT_EQ(mli_hlp_convert_tensor(in, out), MLI_STATUS_BAD_TENSOR);
}

// R12
TEST(Differences, ConversionsKeepTheAxis) {
  Sa8 src({1, 2});
  Sa8 dst({1, 2});
  src.axis(0, {1}, {0}, {0});
  dst.axis(1, {1, 1}, {0, 0}, {0, 0});
  EXPECT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_SIZE_MISMATCH);
  CheckMode off(MLI_CHECK_OFF);
  src.params(1, 0, 0);
  EXPECT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_OK);
}

// R13
TEST(Differences, ViewsOfFloats) {
  for (mli_check_mode mode : {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES}) {
    CheckMode scope(mode);
    Fp32 in({2, 3}, {0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 2.5F});
    Fp32 out({1});
    const mli_sub_tensor_cfg row = {{1, 1}, {1, 2}, 1};
    ASSERT_EQ(mli_hlp_create_subtensor(in, &row, out), MLI_STATUS_OK);
    EXPECT_EQ(out->data.mem.pf32, in->data.mem.pf32 + 4);
    EXPECT_EQ(out->data.capacity, in->data.capacity - 16);
    EXPECT_EQ(out->el_type, MLI_EL_FP_32);
    EXPECT_EQ(out->shape[0], 2U);
    // One element is its value.
    const mli_sub_tensor_cfg one = {{1, 2}, {1, 1}, 0};
    ASSERT_EQ(mli_hlp_create_subtensor(in, &one, out), MLI_STATUS_OK);
    EXPECT_EQ(out->rank, 0U);
    EXPECT_EQ(out->data.mem.f32, 2.5F);
  }
}

// R14
TEST(Differences, HelpersThatTheDocumentsLack) {
  Fx8 in({2, 3});
  Fx8 out({1});
  const mli_point_to_subtsr_cfg cfg = {{1, 1}, 2, 2};
  ASSERT_EQ(mli_hlp_point_to_subtensor(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(out->data.mem.pi8, in->data.mem.pi8 + 4);
  EXPECT_EQ(out->shape[0], 2U);
  EXPECT_TRUE(mli_hlp_tensor_data_ptr_cmp(in, in));
  in->mem_stride[0] = 0;
  mli_hlp_set_tensor_mem_strides(in);
  EXPECT_EQ(in->mem_stride[0], 3);
}

// R15
TEST(Differences, TheOutputOffsetOfATableIsNotRead) {
  std::vector<int16_t> values(320);
  mli_lut lut;
  std::memset(&lut, 0, sizeof(lut));
  lut.data.capacity = 640;
  lut.data.mem.pi16 = values.data();
  ASSERT_EQ(mli_krn_sigm_create_lut(&lut), MLI_STATUS_OK);
  EXPECT_EQ(lut.output_offset, 0);
  lut.output_offset = 1000;
  Fx16 in({1});
  Fx16 out({1});
  ASSERT_EQ(mli_krn_sigm_fx16(in, &lut, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 16384);
}

// R17
TEST(Differences, OrderOfTheConvolution) {
  EXPECT_EQ(offsetof(mli_conv2d_cfg, relu), 0U);
  EXPECT_EQ(offsetof(mli_conv2d_cfg, stride_width), 4U);
  EXPECT_EQ(offsetof(mli_conv2d_cfg, stride_height), 5U);
  EXPECT_EQ(offsetof(mli_conv2d_cfg, padding_left), 6U);
  EXPECT_EQ(offsetof(mli_conv2d_cfg, padding_bottom), 9U);
  EXPECT_EQ(offsetof(mli_conv2d_cfg, dilation_width), 10U);
  EXPECT_EQ(offsetof(mli_conv2d_cfg, dilation_height), 11U);
}

// R18
TEST(Differences, AnExtendedBiasSubtractsTheZeroPoint) {
  Sa8 in({2}, {10, 20});
  Sa8 weights({2, 1}, {3, -5});
  Sa32 bias({1}, {100});
  Sa8 plain({1});
  Sa8 extended({1});
  in.params(1, 0, 7);
  const mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
  ASSERT_EQ(
      mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, &cfg, plain),
      MLI_STATUS_OK);
  bias.codes[0] = 100 - 7 * (3 - 5);
  ASSERT_EQ(mli_krn_fully_connected_sa8_sa8_sa32_ext_bias(in, weights, bias,
                                                          &cfg, extended),
            MLI_STATUS_OK);
  EXPECT_EQ(plain.codes[0], 100 + 3 * 3 - 13 * 5);
  EXPECT_EQ(extended.codes, plain.codes);
}

// R19
TEST(Differences, AKernelMayExceedTheInput) {
  Fx16 in({1, 1, 1}, {7});
  Fx16 weights({3, 3, 1, 1}, std::vector<int16_t>(9, 2));
  Fx16 bias({1});
  Fx16 out({1, 1, 1});
  const mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(mli_krn_conv2d_hwcn_fx16(in, weights, bias, &cfg, out),
            MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 14);
}

/// No test of this program sets channels, for none could take that back.
TEST(Differences, NoChannelsUntilTheyAreSet) {
  mli_mov_handle_t none;
  ASSERT_EQ(mli_mov_acquire_handle(0, &none), MLI_STATUS_OK);
  EXPECT_EQ(none.dma_ch, 0);
  EXPECT_EQ(none.num_ch, 0);
  EXPECT_EQ(none.state, MLI_MOV_STATE_OPEN);
  mli_mov_handle_t handle;
  for (int channels : {1, 16})
    EXPECT_EQ(mli_mov_acquire_handle(channels, &handle),
              MLI_STATUS_NOT_ENGH_MEM);
  // A handle without channels is enough for a move.
  Fx8 src({2}, {1, 2});
  Fx8 dst({2});
  mli_mov_cfg_t cfg;
  ASSERT_EQ(mli_mov_cfg_for_copy(&cfg), MLI_STATUS_OK);
  ASSERT_EQ(mli_mov_prepare(&none, src, &cfg, dst), MLI_STATUS_OK);
  ASSERT_EQ(mli_mov_start(&none, src, &cfg, dst), MLI_STATUS_OK);
  EXPECT_EQ(mli_mov_wait(&none), MLI_STATUS_OK);
  EXPECT_EQ(dst.codes, src.codes);
  EXPECT_EQ(mli_mov_tensor_sync(src, &cfg, dst), MLI_STATUS_OK);
}

// R16
TEST(Differences, FunctionsWithoutABodySaySo) {
  Messages messages;
  EXPECT_EQ(mli_krn_permute_sa32(nullptr, nullptr, nullptr),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(messages.last,
            "mli_krn_permute_sa32: expected a kernel that exists, but got "
            "'mli_krn_permute_sa32'");
}

} // namespace
