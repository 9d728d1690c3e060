// SPDX-License-Identifier: Apache-2.0

#include "Calls.h"

#include "llvm/ADT/StringMap.h"

#include <cstring>

using namespace llvm;

namespace mli::golden {

mli_tensor *Arguments::tensor(const std::string &name) {
  auto it = tensors.find(name);
  if (it == tensors.end()) {
    // Checks refuse an empty tensor, and the error is seen after the call.
    error = "expected tensor at inputs." + name;
    return &absent.get();
  }
  return it->second.pointer();
}

int64_t Arguments::numberOf(StringRef field, const json::Value &value) {
  if (std::optional<int64_t> number = value.getAsInteger())
    return *number;
  static const StringMap<int64_t> enumerators = {
#define MLI_ENUMERATOR(name) {#name, name}
      MLI_ENUMERATOR(MLI_RELU_NONE),   MLI_ENUMERATOR(MLI_RELU_GEN),
      MLI_ENUMERATOR(MLI_RELU_1),      MLI_ENUMERATOR(MLI_RELU_6),
      MLI_ENUMERATOR(RNN_DIR_FORWARD), MLI_ENUMERATOR(RNN_DIR_BACKWARD),
      MLI_ENUMERATOR(RNN_OUT_LAST),    MLI_ENUMERATOR(RNN_OUT_ALL),
      MLI_ENUMERATOR(RNN_ACT_NONE),    MLI_ENUMERATOR(RNN_ACT_TANH),
      MLI_ENUMERATOR(RNN_ACT_SIGM),
#undef MLI_ENUMERATOR
  };
  if (std::optional<StringRef> name = value.getAsString())
    if (auto it = enumerators.find(*name); it != enumerators.end())
      return it->second;
  if (error.empty())
    error = ("expected number or enumerator at cfg." + field).str();
  return 0;
}

int64_t Arguments::number(StringRef field, int64_t fallback) {
  const json::Value *value = cfg ? cfg->get(field) : nullptr;
  return value ? numberOf(field, *value) : fallback;
}

void Arguments::numbers(StringRef field,
                        function_ref<void(size_t, int64_t)> set) {
  const json::Value *value = cfg ? cfg->get(field) : nullptr;
  if (!value)
    return;
  const json::Array *array = value->getAsArray();
  if (!array || array->size() > MLI_MAX_RANK) {
    error = ("expected array of at most 4 numbers at cfg." + field).str();
    return;
  }
  for (size_t i = 0; i < array->size(); ++i)
    set(i, numberOf(field, (*array)[i]));
}

namespace {

template <typename Value>
void set(Value &target, Arguments &arguments, StringRef field) {
  target = static_cast<Value>(arguments.number(field));
}

void read(mli_relu_cfg &cfg, Arguments &a) {
  set(cfg.type, a, a.cfg->get("type") ? "type" : "relu");
}

void read(mli_fully_connected_cfg &cfg, Arguments &a) { read(cfg.relu, a); }

void read(mli_conv2d_cfg &cfg, Arguments &a) {
  read(cfg.relu, a);
  set(cfg.stride_width, a, "stride_width");
  set(cfg.stride_height, a, "stride_height");
  set(cfg.padding_left, a, "padding_left");
  set(cfg.padding_right, a, "padding_right");
  set(cfg.padding_top, a, "padding_top");
  set(cfg.padding_bottom, a, "padding_bottom");
  set(cfg.dilation_width, a, "dilation_width");
  set(cfg.dilation_height, a, "dilation_height");
}

void read(mli_pool_cfg &cfg, Arguments &a) {
  set(cfg.kernel_width, a, "kernel_width");
  set(cfg.kernel_height, a, "kernel_height");
  set(cfg.stride_width, a, "stride_width");
  set(cfg.stride_height, a, "stride_height");
  set(cfg.padding_left, a, "padding_left");
  set(cfg.padding_right, a, "padding_right");
  set(cfg.padding_top, a, "padding_top");
  set(cfg.padding_bottom, a, "padding_bottom");
}

void read(mli_prelu_cfg &cfg, Arguments &a) { set(cfg.axis, a, "axis"); }

void read(mli_argmax_cfg &cfg, Arguments &a) {
  set(cfg.axis, a, "axis");
  set(cfg.topk, a, "topk");
}

void read(mli_permute_cfg &cfg, Arguments &a) {
  a.array("perm_dim", cfg.perm_dim);
}

void read(mli_rnn_dense_cfg &cfg, Arguments &a) {
  set(cfg.inputs_num, a, "inputs_num");
}

void read(mli_point_to_subtsr_cfg &cfg, Arguments &a) {
  a.array("start_coord", cfg.start_coord);
  set(cfg.coord_num, a, "coord_num");
  set(cfg.first_out_dim_size, a, "first_out_dim_size");
}

void read(mli_sub_tensor_cfg &cfg, Arguments &a) {
  a.array("offset", cfg.offset);
  a.array("size", cfg.size);
  set(cfg.sub_tensor_rank, a, "sub_tensor_rank");
}

void read(mli_mov_cfg_t &cfg, Arguments &a) {
  a.array("offset", cfg.offset);
  a.array("size", cfg.size);
  a.array("sub_sample_step", cfg.sub_sample_step);
  a.array("dst_offset", cfg.dst_offset);
  a.array("dst_mem_stride", cfg.dst_mem_stride);
  a.array("perm_dim", cfg.perm_dim);
  a.array("padding_pre", cfg.padding_pre);
  a.array("padding_post", cfg.padding_post);
}

/// A configuration as an argument: null where the vector says so.
template <typename Config>
class ConfigArgument {
public:
  explicit ConfigArgument(Arguments &arguments) : isNull(!arguments.cfg) {
    if (!isNull)
      read(cfg, arguments);
  }
  operator const Config *() const { return isNull ? nullptr : &cfg; }

private:
  Config cfg = {};
  bool isNull;
};

/// The table that a kernel is given.
class LutArgument {
public:
  LutArgument(Arguments &arguments, const char *name, int32_t (*size)(),
              mli_status (*create)(mli_lut *))
      : values(size() / sizeof(int16_t)) {
    std::memset(&lut, 0, sizeof(lut));
    lut.data.capacity = static_cast<uint32_t>(size());
    lut.data.mem.pi16 = values.data();
    create(&lut);
    auto it = arguments.lutCapacities.find(name);
    if (it != arguments.lutCapacities.end())
      lut.data.capacity = it->second;
  }
  operator const mli_lut *() const { return &lut; }

private:
  std::vector<int16_t> values;
  mli_lut lut;
};

/// The configuration of a recurrent cell, with memory for its gates.
class CellArgument {
public:
  explicit CellArgument(Arguments &a) : isNull(!a.cfg) {
    set(cfg.direction, a, "direction");
    set(cfg.results, a, "results");
    set(cfg.act, a, "act");
    auto capacity = static_cast<uint32_t>(
        a.scratchCapacity.value_or(a.number("scratch_capacity")));
    bytes.allocate(std::min<size_t>(capacity, 1 << 20), 0x5A);
    cfg.scratch_data.capacity = capacity;
    if (!a.nullScratch)
      cfg.scratch_data.mem.pi8 = reinterpret_cast<int8_t *>(bytes.data());
  }
  operator const mli_rnn_cell_cfg *() const { return isNull ? nullptr : &cfg; }

private:
  mli_rnn_cell_cfg cfg = {};
  Buffer bytes;
  bool isNull;
};

/// The tensors `prefix`0, `prefix`1, ... as an array.
class TensorArray {
public:
  TensorArray(Arguments &arguments, const std::string &prefix) {
    for (size_t i = 0; i < std::size(tensors); ++i) {
      auto name = prefix + std::to_string(i);
      if (arguments.tensors.count(name))
        tensors[i] = arguments.tensor(name);
    }
  }
  operator const mli_tensor **() { return tensors; }

private:
  const mli_tensor *tensors[4] = {};
};

template <typename Result>
mli_status store(Arguments &arguments, Result result) {
  arguments.returned = static_cast<int64_t>(result);
  return MLI_STATUS_OK;
}

using Config = mli_mov_cfg_t;

/// The array arguments of the builders of move configurations.
struct MoveArrays {
  int offsets[MLI_MAX_RANK] = {};
  int sizes[MLI_MAX_RANK] = {};
  int steps[MLI_MAX_RANK] = {};
  int dstOffsets[MLI_MAX_RANK] = {};
  int dstStrides[MLI_MAX_RANK] = {};
  uint8_t permutation[MLI_MAX_RANK] = {};
  uint8_t left = 0;
  uint8_t right = 0;
  uint8_t top = 0;
  uint8_t bottom = 0;
};

/// Runs a builder on a structure without a zero in it.
mli_status buildMove(Arguments &a,
                     mli_status (*build)(Config *, MoveArrays &)) {
  MoveArrays arrays;
  a.array("offsets", arrays.offsets);
  a.array("sizes", arrays.sizes);
  a.array("sub_sample_step", arrays.steps);
  a.array("subsample_step", arrays.steps);
  a.array("dst_offsets", arrays.dstOffsets);
  a.array("dst_mem_stride", arrays.dstStrides);
  a.array("perm_dim", arrays.permutation);
  set(arrays.left, a, "padleft");
  set(arrays.right, a, "padright");
  set(arrays.top, a, "padtop");
  set(arrays.bottom, a, "padbot");
  a.movConfig.emplace();
  std::memset(&*a.movConfig, 0xAA, sizeof(Config));
  return build(&*a.movConfig, arrays);
}

#define MLI_MOVE_BUILDER(name, ...)                                            \
  {#name, [](Arguments &a) {                                                   \
     return buildMove(a,                                                       \
                      [](Config *cfg, [[maybe_unused]] MoveArrays &arrays) {   \
                        return name(cfg __VA_OPT__(, ) __VA_ARGS__);           \
                      });                                                      \
   }}

#define MLI_QUESTION(name, ...)                                                \
  {#name, [](Arguments &a) { return store(a, name(__VA_ARGS__)); }}

#define MLI_TENSOR_CALL(name, ...)                                             \
  {#name, [](Arguments &a) { return name(__VA_ARGS__); }}

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

const StringMap<Call> &allCalls() {
  static const StringMap<Call> calls = {
#include "mli/Runtime/C/api/mli_kernels.def"
      MLI_TENSOR_CALL(mli_hlp_convert_tensor, a.tensor("in"), a.tensor("out")),
      MLI_TENSOR_CALL(mli_hlp_convert_tensor_safx, a.tensor("in"),
                      a.tensor("out")),
      MLI_TENSOR_CALL(mli_hlp_create_subtensor, a.tensor("in"),
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
                   static_cast<uint32_t>(a.number("start_dim"))),
      MLI_QUESTION(mli_hlp_tensor_element_size, a.tensor("in")),
      MLI_QUESTION(mli_hlp_tensor_scale, a.tensor("in"),
                   static_cast<uint32_t>(a.number("idx"))),
      MLI_QUESTION(mli_hlp_tensor_scale_shift, a.tensor("in"),
                   static_cast<uint32_t>(a.number("idx"))),
      MLI_QUESTION(mli_hlp_tensor_zero_offset, a.tensor("in"),
                   static_cast<uint32_t>(a.number("idx"))),
      {"mli_hlp_set_tensor_mem_strides",
       [](Arguments &a) {
         mli_hlp_set_tensor_mem_strides(a.tensor("in"));
         return MLI_STATUS_OK;
       }},
      MLI_MOVE_BUILDER(mli_mov_cfg_for_copy),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_slice, arrays.offsets, arrays.sizes,
                       arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_concat, arrays.dstOffsets,
                       arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_subsample, arrays.steps,
                       arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_permute, arrays.permutation),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_padding2d_chw, arrays.left, arrays.right,
                       arrays.top, arrays.bottom, arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_for_padding2d_hwc, arrays.left, arrays.right,
                       arrays.top, arrays.bottom, arrays.dstStrides),
      MLI_MOVE_BUILDER(mli_mov_cfg_all, arrays.offsets, arrays.sizes,
                       arrays.steps, arrays.dstOffsets, arrays.dstStrides,
                       arrays.permutation, arrays.left, arrays.right,
                       arrays.top, arrays.bottom),
  };
  return calls;
}

} // namespace

Call findCall(StringRef function) {
  auto it = allCalls().find(function);
  return it == allCalls().end() ? nullptr : it->second;
}

} // namespace mli::golden
