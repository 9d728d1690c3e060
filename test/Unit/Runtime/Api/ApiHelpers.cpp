// SPDX-License-Identifier: Apache-2.0

#include "ApiCallBuilder.h"

namespace mli::test {

#define MLI_ADD(kind, function, ...)                                           \
  calls.push_back(ApiCallBuilder(#function, ApiKind::kind)                     \
                      .build(function __VA_OPT__(, ) __VA_ARGS__))

static In input() { return {MLI_EL_FX_16, {3, 4}}; }
static Out output() { return {MLI_EL_FX_16, {3, 4}}; }
static Out view() { return {MLI_EL_FX_16, {1}}; }
/// Of sa8, so that each parameter differs from zero.
static In quantised() { return {MLI_EL_SA_8, {3, 4}, {3, 2, 1}}; }

/// What no library implements.
static void addMissing(std::vector<ApiCall> &calls) {
  MLI_ADD(Missing, mli_krn_fully_connected_fx8w16d, input(), input(), input(),
          To{mli_fully_connected_cfg{}}, output());
  MLI_ADD(Missing, mli_krn_permute_sa32, input(), To{mli_permute_cfg{}},
          output());
#define MLI_BASIC_CELL(name)                                                   \
  MLI_ADD(Missing, name, input(), input(), input(), input(),                   \
          To{mli_rnn_cell_cfg_depr{}}, output())
  MLI_BASIC_CELL(mli_krn_basic_rnn_cell_fx8);
  MLI_BASIC_CELL(mli_krn_basic_rnn_cell_fx16);
  MLI_BASIC_CELL(mli_krn_basic_rnn_cell_fx8w16d);
#undef MLI_BASIC_CELL
}

/// A table to be filled.
static To<mli_lut> emptyLut() {
  static int16_t values[512];
  mli_lut lut;
  std::memset(&lut, 0, sizeof(lut));
  lut.data.capacity = sizeof(values);
  lut.data.mem.pi16 = values;
  return {lut};
}

void addHelpers(std::vector<ApiCall> &calls) {
  MLI_ADD(Convert, mli_hlp_convert_tensor, input(), Out{MLI_EL_SA_32, {3, 4}});
  MLI_ADD(Convert, mli_hlp_convert_tensor_safx, input(),
          Out{MLI_EL_SA_32, {3, 4}});
  To window{mli_sub_tensor_cfg{{1, 1}, {2, 2}, 2}};
  MLI_ADD(View, mli_hlp_create_subtensor, input(), window, view());
  MLI_ADD(View, mli_hlp_subtensor, input(), window, view());
  MLI_ADD(View, mli_hlp_point_to_subtensor, input(),
          To{mli_point_to_subtsr_cfg{{1, 1}, 2, 2}}, view());
  MLI_ADD(Question, mli_hlp_count_elem_num, input(), 0U);
  MLI_ADD(Question, mli_hlp_tensor_element_size, input());
  MLI_ADD(Question, mli_hlp_tensor_scale, quantised(), 0U);
  MLI_ADD(Question, mli_hlp_tensor_scale_shift, quantised(), 0U);
  MLI_ADD(Question, mli_hlp_tensor_zero_offset, quantised(), 0U);
  MLI_ADD(Question, mli_hlp_tensor_data_ptr_cmp, input(), input());
  std::vector<ApiTensor> &same = calls.back().tensors;
  (*same[1].tensor)->data = (*same[0].tensor)->data;
  MLI_ADD(Question, mli_hlp_set_tensor_mem_strides, input());
  MLI_ADD(Plain, mli_hlp_compile_options_string);
  MLI_ADD(Plain, mli_hlp_accu_guard_bits_sa8_sa8);
  MLI_ADD(Plain, mli_hlp_accu_guard_bits_fx16_fx16);
  MLI_ADD(Plain, mli_hlp_accu_guard_bits_fx16_fx8);
#define MLI_LUT(name, function)                                                \
  MLI_ADD(Plain, name##_get_lut_size);                                         \
  MLI_ADD(Plain, name##_create_lut, emptyLut());
#include "mli/Runtime/C/api/mli_kernels.def"
  addMissing(calls);
}

static void ignoreCookie(int32_t /*cookie*/) {}

static To<mli_mov_cfg_t> copyConfig() {
  mli_mov_cfg_t cfg;
  mli_mov_cfg_for_copy(&cfg);
  return {cfg};
}

/// What fills a configuration: every pointer must be there.
static void addConfigurations(std::vector<ApiCall> &calls) {
  To cfg{mli_mov_cfg_t{}};
  To four{std::array<int, MLI_MAX_RANK>{1, 1, 1, 1}};
  To order{std::array<uint8_t, MLI_MAX_RANK>{0, 1, 2, 3}};
  uint8_t none = 0;
  MLI_ADD(Plain, mli_mov_cfg_for_copy, cfg);
  MLI_ADD(Plain, mli_mov_cfg_for_slice, cfg, four, four, four);
  MLI_ADD(Plain, mli_mov_cfg_for_concat, cfg, four, four);
  MLI_ADD(Plain, mli_mov_cfg_for_subsample, cfg, four, four);
  MLI_ADD(Plain, mli_mov_cfg_for_permute, cfg, order);
  MLI_ADD(Plain, mli_mov_cfg_for_padding2d_chw, cfg, none, none, none, none,
          four);
  MLI_ADD(Plain, mli_mov_cfg_for_padding2d_hwc, cfg, none, none, none, none,
          four);
  MLI_ADD(Plain, mli_mov_cfg_all, cfg, four, four, four, four, four, order,
          none, none, none, none);
}

void addMoves(std::vector<ApiCall> &calls) {
  To handle{mli_mov_handle_t{0, 0, MLI_MOV_STATE_DONE}};
  MLI_ADD(Move, mli_mov_tensor_sync, input(), copyConfig(), output());
  MLI_ADD(Move, mli_mov_prepare, handle, input(), copyConfig(), output());
  // The transfer has been prepared: its tensors are not read again.
  MLI_ADD(Plain, mli_mov_start, handle, nullptr, nullptr, nullptr);
  MLI_ADD(Plain, mli_mov_isdone, handle);
  MLI_ADD(Plain, mli_mov_wait, handle);
  MLI_ADD(Plain, mli_mov_registercallback, handle, ignoreCookie, 1);
  MLI_ADD(Plain, mli_mov_set_num_dma_ch, 0, 16);
  MLI_ADD(Plain, mli_mov_acquire_handle, 1, handle);
  MLI_ADD(Plain, mli_mov_release_handle, handle);
  addConfigurations(calls);
}

std::vector<ApiCall> apiCalls() {
  std::vector<ApiCall> calls;
  addKernels(calls);
  addHelpers(calls);
  addMoves(calls);
  return calls;
}

} // namespace mli::test
