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
     return store(a, a.call(name __VA_OPT__(, ) __VA_ARGS__));                 \
   }}

#define MLI_TENSOR_CALL(name, ...)                                             \
  {#name, [](Arguments &a) { return a.call(name, __VA_ARGS__); }}

/// Calls without a body read no argument.
#define MLI_MISSING_CALL(name, ...)                                            \
  {#name, [](Arguments &a) { return a.call(name, __VA_ARGS__); }}
#define MLI_BASIC_CELL(name)                                                   \
  MLI_MISSING_CALL(name, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr)

#define MLI_CONVOLUTION(name, op, types, size)                                 \
  MLI_TENSOR_CALL(name, a.tensor("in"), a.tensor("weights"), a.tensor("bias"), \
                  ConfigArgument<mli_conv2d_cfg>(a), a.tensor("out")),
#define MLI_POOLING(name, op, type, size)                                      \
  MLI_TENSOR_CALL(name, a.tensor("in"), ConfigArgument<mli_pool_cfg>(a),       \
                  a.tensor("out")),
#define MLI_FULLY_CONNECTED(name, op, types)                                   \
  MLI_TENSOR_CALL(name, a.tensor("in"), a.tensor("weights"), a.tensor("bias"), \
                  ConfigArgument<mli_fully_connected_cfg>(a),                  \
                  a.tensor("out")),
#define MLI_ELTWISE(name, op, type)                                            \
  MLI_TENSOR_CALL(name, a.tensor("in1"), a.tensor("in2"), a.tensor("out")),
#define MLI_RELU(name, type)                                                   \
  MLI_TENSOR_CALL(name, a.tensor("in"), ConfigArgument<mli_relu_cfg>(a),       \
                  a.tensor("out")),
#define MLI_LUT_ARGUMENT(name, function)                                       \
  LutArgument(a, name, mli_krn_##function##_get_lut_size,                      \
              mli_krn_##function##_create_lut)
#define MLI_SOFTMAX(name, type)                                                \
  MLI_TENSOR_CALL(name, a.tensor("in"), MLI_LUT_ARGUMENT("lut", softmax),      \
                  ConfigArgument<mli_softmax_cfg>(a), a.tensor("out")),

#define MLI_RNN_DENSE(name, types)                                             \
  MLI_TENSOR_CALL(name, TensorArray(a, "in"), TensorArray(a, "weights"),       \
                  a.tensor("bias"), ConfigArgument<mli_rnn_dense_cfg>(a),      \
                  a.tensor("out")),
#define MLI_CELL_ARGUMENTS                                                     \
  a.tensor("in"), a.tensor("prev_out"), a.tensor("weights_in"),                \
      a.tensor("weights_out"), a.tensor("bias"),                               \
      MLI_LUT_ARGUMENT("tanh_lut", tanh), MLI_LUT_ARGUMENT("sigm_lut", sigm),  \
      CellArgument(a)
#define MLI_LSTM_CELL(name, types)                                             \
  MLI_TENSOR_CALL(name, MLI_CELL_ARGUMENTS, a.tensor("cell"), a.tensor("out")),
#define MLI_GRU_CELL(name, types)                                              \
  MLI_TENSOR_CALL(name, MLI_CELL_ARGUMENTS, a.tensor("out")),
#define MLI_LEAKY_RELU(name, type)                                             \
  MLI_TENSOR_CALL(name, a.tensor("in"), a.tensor("slope_coeff"),               \
                  a.tensor("out")),
#define MLI_PRELU(name, type)                                                  \
  MLI_TENSOR_CALL(name, a.tensor("in"), a.tensor("slope_coeff"),               \
                  ConfigArgument<mli_prelu_cfg>(a), a.tensor("out")),
#define MLI_ACTIVATION(name, function, type)                                   \
  MLI_TENSOR_CALL(name, a.tensor("in"), MLI_LUT_ARGUMENT("lut", function),     \
                  a.tensor("out")),
#define MLI_L2_NORMALIZE(name, type)                                           \
  MLI_TENSOR_CALL(name, a.tensor("in"), nullptr,                               \
                  MLI_LUT_ARGUMENT("lut", l2_normalize),                       \
                  ConfigArgument<mli_l2_normalize_cfg>(a), a.tensor("out")),
#define MLI_ARGMAX(name, type)                                                 \
  MLI_TENSOR_CALL(name, a.tensor("in"), ConfigArgument<mli_argmax_cfg>(a),     \
                  a.tensor("out")),
#define MLI_PERMUTE(name, type)                                                \
  MLI_TENSOR_CALL(name, a.tensor("in"), ConfigArgument<mli_permute_cfg>(a),    \
                  a.tensor("out")),

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
           return store(a, a.call(mli_hlp_tensor_data_ptr_cmp, in1, in2));
         }},
        {"mli_hlp_compile_options_string",
         [](Arguments &a) {
           // Vectors are of a build without checks.
           mli_check_mode mode = mli_get_check_mode();
           mli_set_check_mode(MLI_CHECK_OFF);
           a.text = mli_hlp_compile_options_string();
           mli_set_check_mode(mode);
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
           a.call(mli_hlp_set_tensor_mem_strides, a.tensor("in"));
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
