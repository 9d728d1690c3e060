// SPDX-License-Identifier: Apache-2.0
//
// The messages of the checks of helpers and moves, whole.

#include "MessageRows.h"

using namespace mli::test;

namespace {

class MessagesOf : public testing::TestWithParam<Row> {};

TEST_P(MessagesOf, AFault) { expectMessage(GetParam()); }

constexpr Row helperRows[] = {
    {"mli_hlp_convert_tensor",
     [](Spoilt &s) {
       s.tensor(1).el_type = MLI_EL_FX_16;
       s.tensor(1).data.mem = s.tensor(0).data.mem;
       s.tensor(1).mem_stride[0] = 5;
     },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'dst' to have the mem_stride[0] of 'src', 4, in the same buffer, but got "
     "5"},
    {"mli_hlp_convert_tensor",
     [](Spoilt &s) {
       s.tensor(0).el_type = MLI_EL_SA_8;
       s.quantise(0, 0);
       s.quantise(1, 1);
     },
     MLI_STATUS_SIZE_MISMATCH,
     "'dst' to be quantised along dimension 0 as 'src', but got 1"},
    {"mli_hlp_convert_tensor",
     [](Spoilt &s) { s.tensor(0).rank = s.tensor(1).rank = 0; },
     MLI_STATUS_SHAPE_MISMATCH, "'dst' to have a rank over 0, but got 0"},
    {"mli_hlp_convert_tensor_safx",
     [](Spoilt &s) { s.tensor(1).el_type = MLI_EL_FP_32; },
     MLI_STATUS_TYPE_MISMATCH,
     "'src' and 'dst' to have types with a conversion, but got el_type 0x10 "
     "and "
     "0x220"},
    {"mli_hlp_create_subtensor",
     [](Spoilt &s) { s.tensor(0).el_type = MLI_EL_FP_16; },
     MLI_STATUS_NOT_SUPPORTED,
     "'in' to have a type with a size, but got el_type 0x210"},
    {"mli_hlp_create_subtensor",
     [](Spoilt &s) { s.pointer<mli_sub_tensor_cfg>().sub_tensor_rank = 3; },
     MLI_STATUS_BAD_FUNC_CFG,
     "'cfg' to have a sub_tensor_rank of at most 2, but got 3"},
    {"mli_hlp_create_subtensor",
     [](Spoilt &s) { s.pointer<mli_sub_tensor_cfg>().size[1] = 4; },
     MLI_STATUS_BAD_FUNC_CFG,
     "'cfg' to cut dimension 1 within 4, but got offset 1 and size 4"},
    {"mli_hlp_point_to_subtensor",
     [](Spoilt &s) { s.pointer<mli_point_to_subtsr_cfg>().coord_num = 3; },
     MLI_STATUS_BAD_FUNC_CFG,
     "'cfg' to have a coord_num from 0 to 2, but got 3"},
    {"mli_hlp_point_to_subtensor",
     [](Spoilt &s) {
       s.pointer<mli_point_to_subtsr_cfg>().first_out_dim_size = 4;
     },
     MLI_STATUS_BAD_FUNC_CFG,
     "'cfg' to stay within the 4 elements of dimension 1, but got an end of 5"},
    {"mli_hlp_point_to_subtensor",
     [](Spoilt &s) { s.tensor(0).el_type = MLI_EL_FX_4; },
     MLI_STATUS_NOT_SUPPORTED,
     "'in' to have a type with a size, but got el_type 0x4"},
    {"mli_hlp_point_to_subtensor",
     [](Spoilt &s) { s.tensor(1).mem_stride[0] = 2; },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "'out' to be of rank 1 with mem_stride 1, but got rank 1 with mem_stride "
     "2"},
};

constexpr Row moveRows[] = {
    {"mli_mov_tensor_sync", [](Spoilt &s) { s.mov().perm_dim[1] = 2; },
     MLI_STATUS_BAD_FUNC_CFG, "'cfg' to have perm_dim[1] below 2, but got 2"},
    {"mli_mov_tensor_sync", [](Spoilt &s) { s.mov().sub_sample_step[0] = 0; },
     MLI_STATUS_BAD_FUNC_CFG,
     "'cfg' to have a positive sub_sample_step[0], but got 0"},
    {"mli_mov_tensor_sync",
     [](Spoilt &s) { s.tensor(0).el_type = MLI_EL_FX_4; },
     MLI_STATUS_TYPE_MISMATCH,
     "'src' to have a type with a size, but got el_type 0x4"},
    {"mli_mov_tensor_sync", [](Spoilt &s) { s.tensor(0).rank = 0; },
     MLI_STATUS_SHAPE_MISMATCH, "'src' to have a rank over 0, but got 0"},
    {"mli_mov_tensor_sync",
     [](Spoilt &s) {
       s.tensor(0).el_type = MLI_EL_SA_8;
       s.quantise(0, 1);
       s.mov().offset[1] = 1;
       s.mov().size[1] = 4;
     },
     MLI_STATUS_BAD_FUNC_CFG,
     "'cfg' to end dimension 1 at 4 or before, but got 5"},
    {"mli_mov_tensor_sync",
     [](Spoilt &s) {
       s.tensor(0).el_type = MLI_EL_SA_8;
       s.quantise(0, 1);
       s.quantise(1, 1);
       s.sa(1).scale.mem.pi16 = s.scales + 4;
     },
     MLI_STATUS_SPEC_PARAM_MISMATCH,
     "'dst' to bring none, all of those of 'src' or all three own parameter "
     "arrays, but got a mixture"},
    {"mli_mov_tensor_sync",
     [](Spoilt &s) {
       s.tensor(0).el_type = MLI_EL_SA_8;
       s.quantise(0, 1);
       s.quantise(1, 1);
       s.sa(1).scale.mem.pi16 = s.zeros;
       s.sa(1).zero_point.mem.pi16 = s.scales;
       s.sa(1).scale_frac_bits.mem.pi8 = s.bits + 4;
     },
     MLI_STATUS_INCOMPATEBLE_TENSORS,
     "the scale array of 'dst' to share no memory with the zero_point array of "
     "'src', but got some that overlap"},
    {"mli_mov_tensor_sync",
     [](Spoilt &s) {
       s.tensor(0).el_type = MLI_EL_SA_8;
       s.quantise(0, 1);
       s.sa(1) = {};
       s.mov().offset[1] = 1;
     },
     MLI_STATUS_SPEC_PARAM_MISMATCH,
     "'dst' to bring parameter arrays for a changed quantised dimension 1, but "
     "got none"},
    {"mli_mov_release_handle",
     [](Spoilt &s) { s.pointer<mli_mov_handle_t>() = {15, 2, {}}; },
     MLI_STATUS_BAD_FUNC_CFG,
     "'h' to name channels within 16, but got 2 from 15 on"},
    {"mli_mov_wait", [](Spoilt &s) { s.call.pointers[0] = nullptr; },
     MLI_STATUS_BAD_FUNC_CFG, "'h' to be a handle, but got null"},
    {"mli_mov_wait",
     [](Spoilt &s) {
       s.pointer<mli_mov_handle_t>().state = MLI_MOV_STATE_PREPARED;
     },
     MLI_STATUS_BAD_FUNC_CFG, "'h' to be a started transfer, but got state 2"},
};

INSTANTIATE_TEST_SUITE_P(Helpers, MessagesOf, testing::ValuesIn(helperRows));
INSTANTIATE_TEST_SUITE_P(Moves, MessagesOf, testing::ValuesIn(moveRows));

TEST(Messages, Channels) {
  mli_mov_handle_t handle;
  Messages messages;
  EXPECT_EQ(mli_mov_acquire_handle(17, &handle), MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_EQ(messages.last, "mli_mov_acquire_handle: expected 'num_ch' to be "
                           "that of available channels in a row, but got 17");
}

} // namespace
