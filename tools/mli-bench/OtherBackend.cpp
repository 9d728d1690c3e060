// SPDX-License-Identifier: Apache-2.0
//
// Kernels that other libraries are not compared with: fixed point, moves and
// recurrent cells. A kind of these has the name of the function after its
// prefix, or that of what a move does.

#include "Backend.h"
#include "mli/Runtime/C/mli_api.h"
#include "mli/Runtime/C/mli_runtime.h"
#include "mli/Runtime/C/mli_simd.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace mli::bench {
namespace {

/// An element type as names of kernels have it at their end.
struct TypeName {
  const char *name;
  mli_element_type type;
};
constexpr TypeName typeNames[] = {
    {"fx16_fx8_fx8", MLI_EL_FX_16}, {"sa8_sa8_sa32", MLI_EL_SA_8},
    {"fx16", MLI_EL_FX_16},         {"fx8", MLI_EL_FX_8},
    {"sa8", MLI_EL_SA_8},           {"sa32", MLI_EL_SA_32},
    {"fp32", MLI_EL_FP_32}};

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

mli_element_type getType(const std::string &kind) {
  for (const TypeName &type : typeNames)
    if (endsWith(kind, type.name))
      return type.type;
  return MLI_EL_FX_16;
}

/// A tensor with memory of its own.
class OwnTensor {
public:
  void set(mli_element_type type, const std::vector<int> &shape, int fracBits) {
    std::memset(&tensor, 0, sizeof(tensor));
    tensor.el_type = type;
    tensor.rank = static_cast<uint32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), tensor.shape);
    mli_hlp_set_tensor_mem_strides(&tensor);
    uint32_t bytes = mli_hlp_count_elem_num(&tensor, 0) * (type & 0xff) / 8;
    memory.resize(bytes);
    tensor.data.mem.pi8 = memory.data();
    tensor.data.capacity = bytes;
    if (type != MLI_EL_SA_8 && type != MLI_EL_SA_32) {
      tensor.el_params.fx.frac_bits = static_cast<int8_t>(fracBits);
      return;
    }
    auto &sa = tensor.el_params.sa;
    sa.type = MLI_EL_PARAM_SC16_ZP16;
    sa.dim = -1;
    sa.scale.mem.i16 = 16384;
    sa.scale_frac_bits.mem.i8 = static_cast<int8_t>(14 + fracBits);
  }
  /// Repeats the bytes of `codes`; as numbers for fp32.
  void fill(const std::vector<int8_t> &codes) {
    if (tensor.el_type == MLI_EL_FP_32) {
      for (size_t i = 0; i < memory.size() / sizeof(float); ++i)
        tensor.data.mem.pf32[i] = codes[i % codes.size()] / 16.0F;
      return;
    }
    for (size_t i = 0; i < memory.size(); ++i)
      memory[i] = codes[i % codes.size()];
  }

  mli_tensor tensor;
  std::vector<int8_t> memory;
};

class OtherKernel : public Kernel {
public:
  OtherKernel(const Layer &layer, const Operands &operands, bool isScalar)
      : layer(layer), type(getType(layer.kind)), isScalar(isScalar) {
    bool isRecurrent = layer.kind.find("cell") != std::string::npos;
    if (isRecurrent || layer.kind.rfind("rnn", 0) == 0)
      setRecurrent(isRecurrent);
    else
      setMap();
    for (OwnTensor *own : {&in, &other, &weights, &weightsOut, &bias})
      if (!own->memory.empty())
        own->fill(operands.in);
    configure();
    mli_status status = call();
    isOffered = status == MLI_STATUS_OK;
    if (!isOffered)
      std::fprintf(stderr, "%s: expected MLI_STATUS_OK, but got %s\n",
                   layer.name.c_str(), mli_status_name(status));
  }

  void run() override {
    mli_simd_target target = mli_get_simd_target();
    if (isScalar)
      mli_set_simd_target(MLI_SIMD_SCALAR);
    call();
    mli_set_simd_target(target);
  }
  std::vector<int8_t> output() const override { return out.memory; }

  bool isOffered = false;

private:
  void setMap() {
    std::vector<int> shape = {layer.height, layer.width, layer.inputs};
    in.set(type, shape, 7);
    // The smaller and the larger one are of two operands of one format.
    bool isOfOneFormat = is("eltwise_min") || is("eltwise_max");
    other.set(type, shape, isOfOneFormat ? 7 : 6);
    std::vector<int> result = {layer.outHeight, layer.outWidth, layer.outputs};
    out.set(type, result, 5);
    // The kind names both types.
    if (is("convert"))
      in.set(getType(layer.kind.substr(0, layer.kind.rfind('_'))), shape, 12);
    if (is("argmax"))
      out.set(MLI_EL_SA_32, {1, 1}, 0);
    // Both operands have one format; slopes lie along the channels.
    if (is("leaky_relu") || is("prelu")) {
      bool isLeaky = is("leaky_relu");
      other.set(type,
                isLeaky ? std::vector<int>{1}
                        : std::vector<int>{1, 1, layer.inputs},
                7);
      out.set(type, result, 7);
    }
  }

  /// height is the number of frames.
  void setRecurrent(bool isCell) {
    bool isNarrow = endsWith(layer.kind, "fx16_fx8_fx8");
    bool isSa = type == MLI_EL_SA_8;
    mli_element_type weightType = isNarrow ? MLI_EL_FX_8 : type;
    mli_element_type biasType = isSa ? MLI_EL_SA_32 : weightType;
    int gates = layer.kind.rfind("gru", 0) == 0 ? 3 : 4;
    int cells = layer.outputs;
    if (!isCell) {
      in.set(type, {layer.inputs}, 7);
      weights.set(weightType, {layer.inputs, cells}, 7);
      bias.set(biasType, {cells}, isSa ? 14 : 5);
      out.set(type, {cells}, 5);
      return;
    }
    in.set(type, {layer.height, layer.inputs}, 7);
    other.set(type, {cells}, 7);
    weights.set(weightType, {gates, layer.inputs, cells}, 7);
    weightsOut.set(weightType, {gates, cells, cells}, 7);
    bias.set(biasType, {gates, cells}, isSa ? 14 : 5);
    state.set(type, {cells}, 7);
    out.set(type, {layer.height, cells}, 7);
    scratch.resize(static_cast<size_t>(gates) * cells * 2);
  }

  void configure() {
    auto byte = [](int value) { return static_cast<uint8_t>(value); };
    pool = {byte(layer.kernelWidth), byte(layer.kernelHeight),
            byte(layer.strideWidth), byte(layer.strideHeight),
            byte(layer.padLeft),     byte(layer.padRight),
            byte(layer.padTop),      byte(layer.padBottom)};
    cell.direction = RNN_DIR_FORWARD;
    cell.results = RNN_OUT_ALL;
    cell.act = RNN_ACT_TANH;
    cell.scratch_data.mem.pi8 = scratch.data();
    cell.scratch_data.capacity = static_cast<uint32_t>(scratch.size());
    relu.type = MLI_RELU_6;
    makeTable(tanh, mli_krn_tanh_get_lut_size(), mli_krn_tanh_create_lut);
    makeTable(sigm, mli_krn_sigm_get_lut_size(), mli_krn_sigm_create_lut);
    makeTable(root, mli_krn_l2_normalize_get_lut_size(),
              mli_krn_l2_normalize_create_lut);
    mli_mov_cfg_for_copy(&move);
    // Rows of the second of two slices, rows and columns of zeros, every second
    // row and column or every second channel; channels first and last.
    if (is("mov_concat"))
      move.dst_offset[2] = static_cast<uint32_t>(layer.outputs - layer.inputs);
    if (is("mov_pad"))
      for (int dim : {0, 1})
        move.padding_pre[dim] = move.padding_post[dim] = 1;
    if (is("mov_subsample"))
      move.sub_sample_step[0] = move.sub_sample_step[1] = 2;
    if (is("mov_channels"))
      move.sub_sample_step[2] = 2;
    bool isFirst = is("mov_chw") || is("permute_chw");
    const uint8_t chw[] = {2, 0, 1}, hwc[] = {1, 2, 0};
    if (isFirst || is("mov_hwc") || is("permute_hwc"))
      for (int i = 0; i < 3; ++i)
        move.perm_dim[i] = permute.perm_dim[i] = isFirst ? chw[i] : hwc[i];
  }

  struct OwnTable {
    mli_lut lut;
    std::vector<int16_t> entries;
  };
  static void makeTable(OwnTable &table, int32_t bytes,
                        mli_status (*create)(mli_lut *)) {
    std::memset(&table.lut, 0, sizeof(table.lut));
    table.entries.resize(bytes / 2);
    table.lut.data.mem.pi16 = table.entries.data();
    table.lut.data.capacity = static_cast<uint32_t>(bytes);
    create(&table.lut);
  }

  bool is(const char *prefix) const { return layer.kind.rfind(prefix, 0) == 0; }

  mli_status call() {
    // The state of a cell would make each run another one.
    std::fill(state.memory.begin(), state.memory.end(), int8_t{1});
    const mli_tensor *inputs[] = {&in.tensor};
    const mli_tensor *matrices[] = {&weights.tensor};
    mli_rnn_dense_cfg dense = {1};
    mli_l2_normalize_cfg normalize = {-1};
    mli_prelu_cfg channels = {2};
    if (is("convert"))
      return mli_hlp_convert_tensor(&in.tensor, &out.tensor);
    if (is("mov"))
      return mli_mov_tensor_sync(&in.tensor, &move, &out.tensor);
    if (is("l2_normalize_axis"))
      normalize.axis = 2;
    if (is("l2_normalize_columns"))
      normalize.axis = 0;
// The kind is the name of the function without "mli_krn_".
#define MLI_BENCH_CASE(name, ...)                                              \
  if (layer.kind == &#name[8])                                                 \
    return name(__VA_ARGS__);
#define MLI_ELTWISE(name, op, type)                                            \
  MLI_BENCH_CASE(name, &in.tensor, &other.tensor, &out.tensor)
#define MLI_POOLING(name, op, type, size)                                      \
  MLI_BENCH_CASE(name, &in.tensor, &pool, &out.tensor)
#define MLI_RELU(name, type)                                                   \
  MLI_BENCH_CASE(name, &in.tensor, &relu, &out.tensor)
#define MLI_LEAKY_RELU(name, type)                                             \
  MLI_BENCH_CASE(name, &in.tensor, &other.tensor, &out.tensor)
#define MLI_PRELU(name, type)                                                  \
  MLI_BENCH_CASE(name, &in.tensor, &other.tensor, &channels, &out.tensor)
#define MLI_RNN_DENSE(name, types)                                             \
  MLI_BENCH_CASE(name, inputs, matrices, &bias.tensor, &dense, &out.tensor)
#define MLI_LSTM_CELL(name, types)                                             \
  MLI_BENCH_CASE(name, &in.tensor, &other.tensor, &weights.tensor,             \
                 &weightsOut.tensor, &bias.tensor, &tanh.lut, &sigm.lut,       \
                 &cell, &state.tensor, &out.tensor)
#define MLI_GRU_CELL(name, types)                                              \
  MLI_BENCH_CASE(name, &in.tensor, &other.tensor, &weights.tensor,             \
                 &weightsOut.tensor, &bias.tensor, &tanh.lut, &sigm.lut,       \
                 &cell, &out.tensor)
#define MLI_L2_NORMALIZE(name, type)                                           \
  if (is("l2_normalize") && endsWith(layer.kind, #type))                       \
    return name(&in.tensor, nullptr, &root.lut, &normalize, &out.tensor);
#define MLI_ARGMAX(name, type)                                                 \
  MLI_BENCH_CASE(name, &in.tensor, &argmax, &out.tensor)
#define MLI_PERMUTE(name, type)                                                \
  if (is("permute") && endsWith(layer.kind, #type))                            \
    return name(&in.tensor, &permute, &out.tensor);
#include "mli/Runtime/C/api/mli_kernels.def"
    return MLI_STATUS_NOT_SUPPORTED;
  }

  const Layer &layer;
  mli_element_type type;
  bool isScalar;
  OwnTensor in, other, weights, weightsOut, bias, state, out;
  std::vector<int8_t> scratch;
  OwnTable tanh, sigm, root;
  mli_pool_cfg pool = {};
  mli_relu_cfg relu = {};
  mli_rnn_cell_cfg cell = {};
  mli_permute_cfg permute = {};
  mli_argmax_cfg argmax = {-1, 1};
  mli_mov_cfg_t move;
};

} // namespace

std::unique_ptr<Kernel> createOther(const Layer &layer,
                                    const Operands &operands, bool isScalar) {
  // The file may have any shapes: the first call is with checks.
  mli_check_mode mode = mli_get_check_mode();
  mli_set_check_mode(MLI_CHECK_RETURN_CODES);
  auto kernel = std::make_unique<OtherKernel>(layer, operands, isScalar);
  mli_set_check_mode(mode);
  if (!kernel->isOffered)
    return nullptr;
  return kernel;
}

} // namespace mli::bench
