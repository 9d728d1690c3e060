// SPDX-License-Identifier: Apache-2.0
//
// Helpers: questions, conversions and views.

#include "../TestTensor.h"

#include <gtest/gtest.h>

using namespace mli::test;

namespace {

TEST(Helpers, CompileOptions) {
  EXPECT_STREQ(mli_hlp_compile_options_string(),
               " MLI_BUILD_REFERENCE=OFF ROUND_MODE=UP "
               "MLI_DEBUG_MODE=DBG_MODE_RET_CODES");
}

TEST(Helpers, DataPointersCompareWithinATypeOnly) {
  Fx8 a({2});
  Fx8 b({2});
  EXPECT_FALSE(mli_hlp_tensor_data_ptr_cmp(a, b));
  b->data = a->data;
  EXPECT_TRUE(mli_hlp_tensor_data_ptr_cmp(a, b));
  b->el_type = MLI_EL_SA_8;
  EXPECT_FALSE(mli_hlp_tensor_data_ptr_cmp(a, b));
  b->el_type = MLI_EL_FX_8;
  b->rank = 0;
  EXPECT_FALSE(mli_hlp_tensor_data_ptr_cmp(a, b));
}

// H1
TEST(Helpers, CountElements) {
  Fx8 tensor({2, 3, 4});
  EXPECT_EQ(mli_hlp_count_elem_num(tensor, 1), 12u);
  EXPECT_EQ(mli_hlp_count_elem_num(tensor, 3), 1u);
  EXPECT_EQ(mli_hlp_count_elem_num(tensor, 4), 0u);
  tensor->rank = 5;
  EXPECT_EQ(mli_hlp_count_elem_num(tensor, 0), 0u);
  CheckMode off(MLI_CHECK_OFF);
  tensor->rank = 3;
  EXPECT_EQ(mli_hlp_count_elem_num(tensor, 3), 1u);
}

// E8
TEST(Convert, TypesWithoutConversion) {
  Fx8 fx({2});
  Fp32 fp({2});
  EXPECT_EQ(mli_hlp_convert_tensor(fx, fp), MLI_STATUS_OK);
  for (mli_check_mode mode : {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES}) {
    CheckMode scope(mode);
    EXPECT_EQ(mli_hlp_convert_tensor_safx(fx, fp), MLI_STATUS_TYPE_MISMATCH);
    Fx8 half({2});
    half->el_type = MLI_EL_FP_16;
    EXPECT_EQ(mli_hlp_convert_tensor(fx, half), MLI_STATUS_TYPE_MISMATCH);
  }
}

// K4
TEST(Convert, TheDestinationsAxisWins) {
  CheckMode off(MLI_CHECK_OFF);
  Sa8 src({2, 2}, {1, 1, 1, 1});
  Sa8 dst({2, 2});
  src.axis(0, {1, 2}, {0, 0}, {0, 0});
  dst.axis(1, {1, 1}, {0, 1}, {0, 0});
  ASSERT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_OK);
  // Along dimension 1 the scales are 1/1 and 2/0.5, whatever the row.
  EXPECT_EQ(dst.codes, (std::vector<int8_t>{1, 4, 1, 4}));
}

TEST(Convert, DifferentAxesAreRefused) {
  Sa8 src({2, 2});
  Sa8 dst({2, 2});
  src.axis(0, {1, 2}, {0, 0}, {0, 0});
  dst.axis(1, {1, 1}, {0, 1}, {0, 0});
  EXPECT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_SIZE_MISMATCH);
}

// K30
TEST(Convert, CompletesADestinationLeftOpen) {
  for (mli_check_mode mode : {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES}) {
    CheckMode scope(mode);
    Fx8 src({2, 3}, {1, 2, 3, 4, 5, 6});
    Fx16 dst({6});
    dst->rank = 0;
    dst->shape[0] = 0;
    dst->mem_stride[0] = 0;
    ASSERT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_OK);
    EXPECT_EQ(dst.codes, (std::vector<int16_t>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(dst->rank, 2u);
    EXPECT_EQ(dst->shape[1], 3u);
    EXPECT_EQ(dst->mem_stride[0], 3);
    EXPECT_EQ(dst->mem_stride[1], 1);
  }
}

// K30
TEST(Convert, AShapeThatIsThereMustMatch) {
  Fx8 src({2, 3});
  Fx16 dst({3, 2});
  EXPECT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_SHAPE_MISMATCH);
}

// K30
TEST(Convert, ZeroScalesDoNotCrash) {
  Sa8 src({1}, {5});
  Sa8 dst({1});
  dst.params(0, 0, 0);
  EXPECT_EQ(mli_hlp_convert_tensor(src, dst), MLI_STATUS_OK);
  EXPECT_EQ(dst.codes[0], 0);
}

// K58
TEST(Helpers, KernelsKeepTheStridesOfTheirOutput) {
  Fx8 in({2, 3}, {1, 2, 3, 4, 5, 6});
  Fx8 out({16});
  out->rank = 2;
  out->shape[0] = 2;
  out->shape[1] = 3;
  out->mem_stride[0] = 8;
  out->mem_stride[1] = 1;
  const mli_relu_cfg cfg = {MLI_RELU_NONE};
  ASSERT_EQ(mli_krn_relu_fx8(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(out->mem_stride[0], 8);
  EXPECT_EQ(out->mem_stride[1], 1);
  // A move writes what is open.
  mli_mov_cfg_t copy;
  ASSERT_EQ(mli_mov_cfg_for_copy(&copy), MLI_STATUS_OK);
  out->mem_stride[0] = out->mem_stride[1] = 0;
  ASSERT_EQ(mli_mov_tensor_sync(in, &copy, out), MLI_STATUS_OK);
  EXPECT_EQ(out->mem_stride[0], 3);
  EXPECT_EQ(out->mem_stride[1], 1);
}

// K31, K60
TEST(Subtensor, DropsTheFirstDimensionsOfSizeOne) {
  Fx8 in({2, 3, 4});
  Fx8 out({1});
  mli_sub_tensor_cfg cfg = {{1, 2, 0}, {1, 1, 4}, 2};
  ASSERT_EQ(mli_hlp_create_subtensor(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(out->rank, 2u);
  EXPECT_EQ(out->shape[0], 1u);
  EXPECT_EQ(out->shape[1], 4u);
  EXPECT_EQ(out->mem_stride[0], 4);
  EXPECT_EQ(out->data.mem.pi8, in->data.mem.pi8 + 12 + 8);
  EXPECT_EQ(out->data.capacity, 4u);
}

// K31
TEST(Subtensor, MovesAlongTheQuantisedAxis) {
  Sa8 in({1, 3});
  in.axis(1, {1, 2, 3}, {4, 5, 6}, {7, 8, 9});
  Sa8 out({1});
  mli_sub_tensor_cfg cfg = {{0, 1}, {1, 2}, 1};
  ASSERT_EQ(mli_hlp_create_subtensor(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(out->el_params.sa.dim, 0);
  EXPECT_EQ(mli_hlp_tensor_scale(out, 0), 2);
  EXPECT_EQ(mli_hlp_tensor_scale_shift(out, 1), 6);
  EXPECT_EQ(mli_hlp_tensor_zero_offset(out, 1), 9);
}

/// Capacities of the parameter arrays, in entries.
std::vector<uint32_t> getEntries(const mli_tensor *tensor) {
  const auto &sa = tensor->el_params.sa;
  return {sa.scale.capacity / 2, sa.zero_point.capacity / 2,
          sa.scale_frac_bits.capacity};
}

// K60
TEST(Subtensor, ParameterArraysEndWhereTheyDid) {
  Sa8 in({4, 100});
  in.axis(0, {1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4});
  Sa8 view({1});
  mli_sub_tensor_cfg last = {{3, 0}, {1, 100}, 2};
  ASSERT_EQ(mli_hlp_create_subtensor(in, &last, view), MLI_STATUS_OK);
  EXPECT_EQ(getEntries(view), (std::vector<uint32_t>{1, 1, 1}));
  // A view may take the place of its tensor.
  mli_sub_tensor_cfg middle = {{1, 0}, {2, 100}, 2};
  ASSERT_EQ(mli_hlp_create_subtensor(in, &middle, in), MLI_STATUS_OK);
  EXPECT_EQ(getEntries(in), (std::vector<uint32_t>{3, 3, 3}));
  // A move of four entries would not fit.
  Sa8 column({4, 1});
  column.axis(0, {5, 6, 7, 8}, {5, 6, 7, 8}, {5, 6, 7, 8});
  mli_mov_cfg_t copy;
  ASSERT_EQ(mli_mov_cfg_for_copy(&copy), MLI_STATUS_OK);
  view->mem_stride[0] = view->mem_stride[1] = 0;
  EXPECT_EQ(mli_mov_tensor_sync(column, &copy, view),
            MLI_STATUS_SPEC_PARAM_MISMATCH);
  EXPECT_EQ(mli_hlp_tensor_scale(view, 0), 4);
}

// K60
TEST(Subtensor, ParameterArraysWithoutCapacityKeepNone) {
  CheckMode off(MLI_CHECK_OFF);
  Sa8 in({4, 100});
  in.axis(0, {1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4});
  auto &sa = in->el_params.sa;
  sa.scale.capacity = sa.zero_point.capacity = sa.scale_frac_bits.capacity = 1;
  Sa8 view({1});
  mli_sub_tensor_cfg last = {{3, 0}, {1, 100}, 2};
  ASSERT_EQ(mli_hlp_create_subtensor(in, &last, view), MLI_STATUS_OK);
  EXPECT_EQ(getEntries(view), (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(mli_hlp_tensor_scale(view, 0), 4);
}

// K31
TEST(Subtensor, TheQuantisedAxisMustSurvive) {
  Sa8 in({3, 2});
  in.axis(0, {1, 2, 3}, {4, 5, 6}, {7, 8, 9});
  Sa8 out({1});
  mli_sub_tensor_cfg cfg = {{1, 0}, {1, 2}, 1};
  Messages messages;
  EXPECT_EQ(mli_hlp_create_subtensor(in, &cfg, out), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_hlp_create_subtensor: expected 'cfg' to keep "
                           "the quantised dimension 0, but got a "
                           "sub_tensor_rank of 1 that drops it");
}

// K31
TEST(Subtensor, OfRankZeroHoldsItsValue) {
  Fx16 in({2, 3}, {1, 2, 3, 4, 5, -600});
  Fx16 out({1});
  mli_sub_tensor_cfg cfg = {{1, 2}, {1, 1}, 0};
  ASSERT_EQ(mli_hlp_create_subtensor(in, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(out->rank, 0u);
  EXPECT_EQ(out->data.capacity, 0u);
  EXPECT_EQ(out->data.mem.i16, -600);
  Fx16 sum({2});
  Fx16 two({2}, {1, 2});
  ASSERT_EQ(mli_krn_eltwise_add_fx16(two, out, sum), MLI_STATUS_OK);
  EXPECT_EQ(sum.codes, (std::vector<int16_t>{-599, -598}));
}

// K16
TEST(Subtensor, ParameterArraysAreThere) {
  Sa8 in({3, 2});
  in.axis(0, {1, 2, 3}, {4, 5, 6}, {7, 8, 9});
  in->el_params.sa.zero_point.mem.pi16 = nullptr;
  Sa8 out({1});
  mli_sub_tensor_cfg cfg = {{1, 0}, {1, 2}, 2};
  EXPECT_EQ(mli_hlp_create_subtensor(in, &cfg, out), MLI_STATUS_BAD_TENSOR);
}

TEST(PointToSubtensor, OfAScalarThereIsNone) {
  Fx8 in({});
  in->data.mem.i8 = 7;
  Fx8 out({1});
  const mli_point_to_subtsr_cfg cfg = {{0}, 0, 1};
  Messages messages;
  EXPECT_EQ(mli_hlp_point_to_subtensor(in, &cfg, out), MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(messages.last, "mli_hlp_point_to_subtensor: expected 'in' to have "
                           "a rank over 0, but got 0");
}

TEST(Subtensor, TypesForFutureUseAreNotSupported) {
  Fx8 in({2});
  Fx8 out({2});
  mli_sub_tensor_cfg cfg = {{0}, {1}, 1};
  for (mli_element_type type : {MLI_EL_FX_4, MLI_EL_FP_16}) {
    in->el_type = type;
    for (mli_check_mode mode : {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES}) {
      CheckMode scope(mode);
      EXPECT_EQ(mli_hlp_create_subtensor(in, &cfg, out),
                MLI_STATUS_NOT_SUPPORTED);
    }
  }
}

TEST(Subtensor, Bounds) {
  Fx8 in({2, 3});
  Fx8 out({1});
  auto status = [&](const mli_sub_tensor_cfg &cfg) {
    return mli_hlp_create_subtensor(in, &cfg, out);
  };
  EXPECT_EQ(status({{0, 0}, {2, 3}, 2}), MLI_STATUS_OK);
  EXPECT_EQ(status({{0, 1}, {2, 3}, 2}), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(status({{2, 0}, {1, 3}, 2}), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(status({{0, 0}, {1, 1}, 3}), MLI_STATUS_BAD_FUNC_CFG);
  // An end that overflows 32 bits.
  EXPECT_EQ(status({{1, 0}, {UINT32_MAX, 3}, 2}), MLI_STATUS_BAD_FUNC_CFG);
}

} // namespace
