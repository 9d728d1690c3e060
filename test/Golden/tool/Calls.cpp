// SPDX-License-Identifier: Apache-2.0

#include "Calls.h"

#include "Configs.h"
#include "mli/Runtime/C/mli_runtime.h"

using namespace llvm;

namespace mli::golden {
namespace {

/// What a function that has no status returns.
template <typename Result>
mli_status store(Arguments &arguments, Result result) {
  arguments.returned = static_cast<int64_t>(result);
  return MLI_STATUS_OK;
}

#define MLI_QUESTION(name, ...)                                                \
  {#name, [](Arguments &a) {                                                   \
     return store(a, a.call(#name, name __VA_OPT__(, ) __VA_ARGS__));          \
   }}

#define MLI_TENSOR_CALL(name, ...)                                             \
  {#name, [](Arguments &a) { return a.call(#name, name, __VA_ARGS__); }}

/// Calls without a body read no argument.
#define MLI_MISSING_CALL(name, ...)                                            \
  {#name, [](Arguments &a) { return a.call(#name, name, __VA_ARGS__); }}
#define MLI_BASIC_CELL(name)                                                   \
  MLI_MISSING_CALL(name, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr)

#define MLI_GOLDEN_INPUT(name) a.tensor(#name)
#define MLI_GOLDEN_INPUTS(name) TensorArray(a, #name)
#define MLI_GOLDEN_UNREAD(name) nullptr
#define MLI_GOLDEN_TABLE(name, function)                                       \
  LutArgument(a, #name, mli_krn_##function##_get_lut_size,                     \
              mli_krn_##function##_create_lut)
#define MLI_GOLDEN_CONFIG(type) ConfigArgument<type>(a)
#define MLI_GOLDEN_OUTPUT(name) a.tensor(#name)
#define MLI_KERNEL(name, signature)                                            \
  MLI_TENSOR_CALL(name, signature(MLI_GOLDEN)),

} // namespace

const StringMap<Call> &allCalls() {
  static const StringMap<Call> calls = [] {
    StringMap<Call> calls = {
#include "mli/Runtime/C/api/mli_kernels.def"
        MLI_TENSOR_CALL(mli_hlp_convert_tensor, a.tensor("in"),
                        a.tensor("out")),
        MLI_TENSOR_CALL(mli_hlp_convert_tensor_safx, a.tensor("in"),
                        a.tensor("out")),
        MLI_TENSOR_CALL(mli_hlp_create_subtensor, a.tensor("in"),
                        ConfigArgument<mli_sub_tensor_cfg>(a), a.tensor("out")),
        MLI_TENSOR_CALL(mli_hlp_subtensor, a.tensor("in"),
                        ConfigArgument<mli_sub_tensor_cfg>(a), a.tensor("out")),
        MLI_TENSOR_CALL(mli_mov_tensor_sync, a.tensor("in"),
                        ConfigArgument<mli_mov_cfg_t>(a), a.tensor("out")),
        MLI_TENSOR_CALL(mli_hlp_point_to_subtensor, a.tensor("in"),
                        ConfigArgument<mli_point_to_subtsr_cfg>(a),
                        a.tensor("out")),
        MLI_QUESTION(mli_hlp_accu_guard_bits_sa8_sa8),
        MLI_QUESTION(mli_hlp_accu_guard_bits_fx16_fx16),
        MLI_QUESTION(mli_hlp_accu_guard_bits_fx16_fx8),
        MLI_QUESTION(mli_hlp_count_elem_num, a.tensor("in"),
                     a.number<uint32_t>("start_dim")),
        MLI_QUESTION(mli_hlp_tensor_element_size, a.tensor("in")),
        MLI_QUESTION(mli_hlp_tensor_scale, a.tensor("in"),
                     a.number<uint32_t>("idx")),
        MLI_QUESTION(mli_hlp_tensor_scale_shift, a.tensor("in"),
                     a.number<uint32_t>("idx")),
        MLI_QUESTION(mli_hlp_tensor_zero_offset, a.tensor("in"),
                     a.number<uint32_t>("idx")),
        {"mli_hlp_tensor_data_ptr_cmp",
         [](Arguments &a) {
           mli_tensor *in1 = a.tensor("in1"), *in2 = a.tensor("in2");
           if (a.isInPlace() && in1 && in2)
             in2->data.mem = in1->data.mem;
           return store(a, a.call("mli_hlp_tensor_data_ptr_cmp",
                                  mli_hlp_tensor_data_ptr_cmp, in1, in2));
         }},
        {"mli_hlp_compile_options_string",
         [](Arguments &a) {
           // Vectors are of a build without checks.
           mli_check_mode mode = mli_get_check_mode();
           a.callBeside("mli_set_check_mode", mli_set_check_mode,
                        MLI_CHECK_OFF);
           a.text = a.call("mli_hlp_compile_options_string",
                           mli_hlp_compile_options_string);
           a.callBeside("mli_set_check_mode", mli_set_check_mode, mode);
           return MLI_STATUS_OK;
         }},
        MLI_MISSING_CALL(mli_krn_fully_connected_fx8w16d, nullptr, nullptr,
                         nullptr, nullptr, nullptr),
        MLI_MISSING_CALL(mli_krn_permute_sa32, nullptr, nullptr, nullptr),
        MLI_BASIC_CELL(mli_krn_basic_rnn_cell_fx8),
        MLI_BASIC_CELL(mli_krn_basic_rnn_cell_fx16),
        MLI_BASIC_CELL(mli_krn_basic_rnn_cell_fx8w16d),
        {"mli_hlp_set_tensor_mem_strides",
         [](Arguments &a) {
           a.call("mli_hlp_set_tensor_mem_strides",
                  mli_hlp_set_tensor_mem_strides, a.tensor("in"));
           return MLI_STATUS_OK;
         }},
    };
    for (const auto &[name, call] : moveCalls())
      calls[name] = call;
    return calls;
  }();
  return calls;
}

Call findCall(StringRef function) {
  auto it = allCalls().find(function);
  return it == allCalls().end() ? nullptr : it->second;
}

} // namespace mli::golden
