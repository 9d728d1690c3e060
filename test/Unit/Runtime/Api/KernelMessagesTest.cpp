// SPDX-License-Identifier: Apache-2.0
//
// The messages of the checks of kernels, whole.

#include "MessageRows.h"

using namespace mli::test;

namespace {

class MessagesOf : public testing::TestWithParam<Row> {};

TEST_P(MessagesOf, AFault) { expectMessage(GetParam()); }

constexpr Row tensorRows[] = {
    {"mli_krn_relu_fx8",
     [](Spoilt &s) { s.tensor(0).data.capacity = 1U << 31; },
     MLI_STATUS_BAD_TENSOR,
     "'in' to have a capacity of at most 2147483647, but got 2147483648"},
    {"mli_krn_leaky_relu_fx8",
     [](Spoilt &s) { s.arguments[1] = s.arguments[0]; },
     MLI_STATUS_SHAPE_MISMATCH,
     "'slope_coeff' to have one element, but got 12"},
    {"mli_krn_conv2d_hwcn_fx16",
     [](Spoilt &s) {
       s.tensor(2).mem_stride[0] = 2;
       s.tensor(2).data.capacity += 2;
     },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'bias' to have an innermost mem_stride of 1, but got 2"},
    {"mli_krn_conv2d_hwcn_fx16",
     [](Spoilt &s) { s.tensor(1).el_type = MLI_EL_FX_8; },
     MLI_STATUS_TYPE_MISMATCH, "'weights' to have el_type 0x10, but got 0x8"},
    {"mli_krn_relu_fx8", [](Spoilt &s) { s.call.pointers[0] = nullptr; },
     MLI_STATUS_BAD_FUNC_CFG, "'cfg' to be a configuration, but got null"},
    {"mli_krn_softmax_fx8",
     [](Spoilt &s) { s.pointer<mli_softmax_cfg>(1).axis = 2; },
     MLI_STATUS_BAD_FUNC_CFG, "'cfg' to have an axis below 2, but got 2"},
    {"mli_krn_maxpool_hwc_fx8",
     [](Spoilt &s) { s.tensor(1).data = s.tensor(0).data; },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'in' to share no memory with 'out', but got buffers of 108 and 108 bytes "
     "that start 0 bytes apart"},
};

constexpr Row quantisationRows[] = {
    {"mli_krn_relu_sa8", [](Spoilt &s) { s.sa(0).scale.capacity = 2; },
     MLI_STATUS_BAD_TENSOR, "'in' to have a scale capacity of 0, but got 2"},
    {"mli_krn_conv2d_hwcn_sa8_sa8_sa32",
     [](Spoilt &s) {
       s.quantise(1, 3);
       s.sa(1).zero_point.capacity = 3;
     },
     MLI_STATUS_BAD_TENSOR,
     "'weights' to have a zero_point capacity of at least 4 bytes, but got 3"},
    {"mli_krn_conv2d_hwcn_sa8_sa8_sa32",
     [](Spoilt &s) {
       s.quantise(1, 3);
       s.sa(1).scale_frac_bits.mem.pi8 = nullptr;
     },
     MLI_STATUS_BAD_TENSOR,
     "'weights' to have a scale_frac_bits array, but got null"},
    {"mli_krn_relu_sa8", [](Spoilt &s) { s.sa(0).dim = 2; },
     MLI_STATUS_BAD_TENSOR,
     "'in' to be quantised along a dimension below 2, but got 2"},
    {"mli_krn_relu_sa8", [](Spoilt &s) { s.sa(0).scale.mem.i16 = -1; },
     MLI_STATUS_BAD_TENSOR, "'in' to have a positive scale, but got -1"},
    {"mli_krn_relu_sa8", [](Spoilt &s) { s.sa(0).zero_point.mem.i16 = 128; },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'in' to have a zero point from -128 to 127, but got 128"},
    {"mli_krn_relu_sa8", [](Spoilt &s) { s.quantise(0, 1); },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'in' to be quantised per tensor, but got dim 1"},
    {"mli_krn_fully_connected_fx16",
     [](Spoilt &s) { s.tensor(3).el_params.fx.frac_bits = 1; },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'out' to have at most the 0 fraction bits of 'in' and 'weights', but got "
     "1"},
    {"mli_krn_fully_connected_sa8_sa8_sa32",
     [](Spoilt &s) { s.sa(2).scale.mem.i16 = 7; },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'bias' to have the scale of 'in' times 'weights' for channel 0, but got "
     "7*2^-0 for 1*2^-0 times 1*2^-0"},
    {"mli_krn_fully_connected_sa8_sa8_sa32",
     [](Spoilt &s) { s.quantise(1, 0); }, MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'weights' to be quantised per tensor or along dimension 1, but got dim "
     "0"},
    {"mli_krn_fully_connected_sa8_sa8_sa32",
     [](Spoilt &s) { s.quantise(1, 1); }, MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'bias' to be quantised per channel as 'weights', but got dim -1"},
};

constexpr Row weightedRows[] = {
    {"mli_krn_group_conv2d_hwcn_fx16",
     [](Spoilt &s) {
       s.tensor(0).shape[1] = 4;
       s.tensor(0).shape[2] = s.tensor(0).mem_stride[1] = 3;
       s.tensor(1).shape[1] = 1;
       s.tensor(1).shape[2] = 2;
       s.tensor(1).mem_stride[1] = 4;
     },
     MLI_STATUS_SHAPE_MISMATCH,
     "'in' to have channels in groups of 2, but got 3"},
    {"mli_krn_group_conv2d_hwcn_fx16",
     [](Spoilt &s) {
       s.tensor(0).shape[1] = 3;
       s.tensor(0).shape[2] = 3;
       s.tensor(0).mem_stride[1] = 3;
     },
     MLI_STATUS_SHAPE_MISMATCH,
     "'weights' to have filters for 3 groups, but got 2"},
    {"mli_krn_lstm_cell_fx16",
     [](Spoilt &s) {
       s.tensor(6).shape[0] = 1;
       s.tensor(6).data.capacity = 23;
     },
     MLI_STATUS_BAD_TENSOR,
     "'out' to have a capacity of at least 24 bytes, but got 23"},
    {"mli_krn_lstm_cell_fx16",
     [](Spoilt &s) {
       s.tensor(6).rank = 0;
       ++s.tensor(6).data.mem.pi8;
     },
     MLI_STATUS_MISALIGNMENT_ERROR,
     "'out' to have data at a multiple of 2 bytes, but got an address 1 beyond "
     "one"},
    {"mli_krn_gru_cell_sa8_sa8_sa32", [](Spoilt &s) { s.quantise(4, 0); },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'bias' to be quantised per tensor as 'weights_in', but got dim 0"},
    {"mli_krn_rnn_dense_fx16",
     [](Spoilt &s) { s.pointer<mli_rnn_dense_cfg>().inputs_num = 5; },
     MLI_STATUS_BAD_FUNC_CFG, "'inputs_num' to be from 1 to 4, but got 5"},
};

/// Members of configurations that name one of several choices.
template <typename Enum>
void spoil(Enum &choice, int value) {
  choice = static_cast<Enum>(value);
}
mli_rnn_cell_cfg &cellOf(Spoilt &s) { return s.pointer<mli_rnn_cell_cfg>(2); }

// K64
constexpr Row choiceRows[] = {
    {"mli_krn_lstm_cell_fx16", [](Spoilt &s) { spoil(cellOf(s).direction, 2); },
     MLI_STATUS_BAD_FUNC_CFG,
     "'direction' to be an enumerator from 0 to 1, but got 2"},
    {"mli_krn_lstm_cell_sa8_sa8_sa32",
     [](Spoilt &s) { spoil(cellOf(s).results, 2); }, MLI_STATUS_BAD_FUNC_CFG,
     "'results' to be an enumerator from 0 to 1, but got 2"},
    {"mli_krn_lstm_cell_fx16_fx8_fx8",
     [](Spoilt &s) { spoil(cellOf(s).act, 3); }, MLI_STATUS_BAD_FUNC_CFG,
     "'act' to be an enumerator from 0 to 2, but got 3"},
    {"mli_krn_gru_cell_fx16", [](Spoilt &s) { spoil(cellOf(s).direction, 5); },
     MLI_STATUS_BAD_FUNC_CFG,
     "'direction' to be an enumerator from 0 to 1, but got 5"},
    {"mli_krn_gru_cell_sa8_sa8_sa32",
     [](Spoilt &s) { spoil(cellOf(s).act, 3); }, MLI_STATUS_BAD_FUNC_CFG,
     "'act' to be an enumerator from 0 to 2, but got 3"},
};

constexpr Row elementRows[] = {
    {"mli_krn_eltwise_add_fx8",
     [](Spoilt &s) { s.tensor(2).el_type = MLI_EL_SA_8; },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'out' to have el_type 0x8, but got 0x108"},
    {"mli_krn_eltwise_max_fx8",
     [](Spoilt &s) { s.tensor(1).el_params.fx.frac_bits = 1; },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'in2' to have the format of 'in1' (el_type 0x8), but got el_type 0x8 or "
     "other parameters"},
    {"mli_krn_eltwise_add_fx8",
     [](Spoilt &s) { s.tensor(0).rank = s.tensor(1).rank = 0; },
     MLI_STATUS_NOT_SUPPORTED,
     "'in1' or 'in2' to have a rank over 0, but got 0"},
    {"mli_krn_eltwise_add_fx8",
     [](Spoilt &s) {
       s.tensor(0).rank = 1;
       s.tensor(0).shape[0] = s.tensor(0).mem_stride[0] = 1;
       s.tensor(1).rank = s.tensor(2).rank = 0;
     },
     MLI_STATUS_SHAPE_MISMATCH, "'out' to have a rank over 0, but got 0"},
    {"mli_krn_relu_fx8",
     [](Spoilt &s) { s.tensor(0).rank = s.tensor(1).rank = 0; },
     MLI_STATUS_SHAPE_MISMATCH, "'out' to have a rank over 0, but got 0"},
    {"mli_krn_permute_fx8",
     [](Spoilt &s) { s.tensor(0).rank = s.tensor(1).rank = 0; },
     MLI_STATUS_SHAPE_MISMATCH, "'out' to have a rank over 0, but got 0"},
    {"mli_krn_leaky_relu_fx8",
     [](Spoilt &s) { s.tensor(2).el_params.fx.frac_bits = 1; },
     MLI_STATUS_SPEC_PARAM_MISMATCH,
     "'out' to have 0 fraction bits as 'in', but got 1"},
    {"mli_krn_prelu_fx8", [](Spoilt &s) { s.tensor(1).shape[0] = 2; },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'slope_coeff' to have shape[0] of 3, but got 2"},
    {"mli_krn_prelu_fx8", [](Spoilt &s) { s.tensor(1).rank = 1; },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'slope_coeff' to have rank 2 as 'in', but got 1"},
    {"mli_krn_prelu_fx8",
     [](Spoilt &s) { s.pointer<mli_prelu_cfg>().axis = -2; },
     MLI_STATUS_BAD_FUNC_CFG, "'cfg' to have an axis from -1 to 1, but got -2"},
    {"mli_krn_prelu_fx8",
     [](Spoilt &s) { s.tensor(0).rank = s.tensor(2).rank = 0; },
     MLI_STATUS_BAD_FUNC_CFG, "'cfg' to have an axis from -1 to -1, but got 0"},
    {"mli_krn_prelu_fx8",
     [](Spoilt &s) {
       for (size_t i = 0; i < 3; ++i)
         s.tensor(i).rank = 0;
       s.pointer<mli_prelu_cfg>().axis = -1;
     },
     MLI_STATUS_SHAPE_MISMATCH, "'out' to have a rank over 0, but got 0"},
    {"mli_krn_argmax_sa8",
     [](Spoilt &s) { s.pointer<mli_argmax_cfg>().topk = 5; },
     MLI_STATUS_BAD_FUNC_CFG, "'cfg' to have a topk of at most 4, but got 5"},
    {"mli_krn_permute_sa8",
     [](Spoilt &s) { s.pointer<mli_permute_cfg>().perm_dim[1] = 1; },
     MLI_STATUS_BAD_FUNC_CFG,
     "'cfg' to name each dimension below 2 once, but got perm_dim[1] of 1"},
    {"mli_krn_permute_sa8",
     [](Spoilt &s) {
       s.quantise(0, 0);
       s.quantise(1, 0);
       s.sa(1).scale.mem.pi16 = nullptr;
     },
     MLI_STATUS_SPEC_PARAM_MISMATCH,
     "'out' to bring none, all of those of 'in' or all three own parameter "
     "arrays, but got a mixture"},
    {"mli_krn_permute_sa8",
     [](Spoilt &s) {
       s.quantise(0, 0);
       s.quantise(1, 0);
       s.sa(1).zero_point.mem.pi16 = s.scales + 4;
     },
     MLI_STATUS_SPEC_PARAM_MISMATCH,
     "'out' to bring none, all of those of 'in' or all three own parameter "
     "arrays, but got a mixture"},
    {"mli_krn_maxpool_hwc_fx8", [](Spoilt &s) { s.pool().stride_width = 0; },
     MLI_STATUS_BAD_FUNC_CFG,
     "'cfg' to have a positive stride of the width, but got 0"},
    {"mli_krn_maxpool_hwc_fx8", [](Spoilt &s) { s.pool().stride_height = 2; },
     MLI_STATUS_BAD_FUNC_CFG,
     "'in' to have a padded height of at least 8, but got 6"},
    {"mli_krn_maxpool_hwc_fx8_k3x3",
     [](Spoilt &s) { s.pool().kernel_height = 2; }, MLI_STATUS_SHAPE_MISMATCH,
     "'cfg' to have a kernel of 3x3, but got 2x3"},
    {"mli_krn_maxpool_hwc_fx8", [](Spoilt &s) { s.tensor(1).shape[2] = 2; },
     MLI_STATUS_BAD_FUNC_CFG, "'out' to have 3 channels, but got 2"},
};

constexpr Row tableRows[] = {
    {"mli_krn_sigm_fx8", [](Spoilt &s) { s.call.pointers[0] = nullptr; },
     MLI_STATUS_BAD_FUNC_CFG, "'lut' to be a table with data, but got null"},
    {"mli_krn_sigm_fx8", [](Spoilt &s) { s.pointer<mli_lut>().length = 1; },
     MLI_STATUS_BAD_FUNC_CFG, "'lut' to have at least 2 entries, but got 1"},
    {"mli_krn_sigm_fx8",
     [](Spoilt &s) { s.pointer<mli_lut>().type = MLI_EL_FX_8; },
     MLI_STATUS_TYPE_MISMATCH, "'lut' to have type 0x10, but got 0x8"},
    {"mli_krn_tanh_create_lut", [](Spoilt &s) { s.call.pointers[0] = nullptr; },
     MLI_STATUS_BAD_FUNC_CFG, "'lut' to be a table, but got null"},
    {"mli_krn_tanh_create_lut",
     [](Spoilt &s) { s.pointer<mli_lut>().data.capacity = 687; },
     MLI_STATUS_NOT_ENGH_MEM,
     "'lut' to have a capacity of at least 688 bytes, but got 687"},
    {"mli_krn_tanh_create_lut",
     [](Spoilt &s) { s.pointer<mli_lut>().data.mem.pi8 = nullptr; },
     MLI_STATUS_BAD_FUNC_CFG, "'lut' to have data, but got null"},
    {"mli_krn_tanh_create_lut",
     [](Spoilt &s) { ++s.pointer<mli_lut>().data.mem.pi8; },
     MLI_STATUS_MISALIGNMENT_ERROR,
     "'lut' to have data at a multiple of 2 bytes, but got an address 1 beyond "
     "one"},
};

INSTANTIATE_TEST_SUITE_P(Tensors, MessagesOf, testing::ValuesIn(tensorRows));
INSTANTIATE_TEST_SUITE_P(Quantisation, MessagesOf,
                         testing::ValuesIn(quantisationRows));
INSTANTIATE_TEST_SUITE_P(Weighted, MessagesOf, testing::ValuesIn(weightedRows));
INSTANTIATE_TEST_SUITE_P(Choices, MessagesOf, testing::ValuesIn(choiceRows));
INSTANTIATE_TEST_SUITE_P(Elements, MessagesOf, testing::ValuesIn(elementRows));
INSTANTIATE_TEST_SUITE_P(Tables, MessagesOf, testing::ValuesIn(tableRows));

TEST(Messages, ArraysOfTensors) {
  Fx16 tensor({1});
  const mli_tensor *tensors[] = {tensor};
  const mli_rnn_dense_cfg cfg = {1};
  Messages messages;
  EXPECT_EQ(mli_krn_rnn_dense_fx16(nullptr, tensors, tensor, &cfg, tensor),
            MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(messages.last, "mli_krn_rnn_dense_fx16: expected 'in' to be an "
                           "array of tensors, but got null");
  EXPECT_EQ(mli_krn_rnn_dense_fx16(tensors, nullptr, tensor, &cfg, tensor),
            MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(messages.last, "mli_krn_rnn_dense_fx16: expected 'weights' to be "
                           "an array of tensors, but got null");
}

} // namespace
