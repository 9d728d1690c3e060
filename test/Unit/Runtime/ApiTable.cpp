// SPDX-License-Identifier: Apache-2.0

#include "ApiTable.h"

namespace mli::test {
namespace {

enum class ConvolutionKind {
  Conv2d,
  DepthwiseConv2d,
  GroupConv2d,
  TransposeConv2d
};

/// Builds a call: tensors in the order of the prototype.
class Builder {
public:
  explicit Builder(const char *name) : random(20) { call.name = name; }

  RandomTensor &in(mli_element_type type, const std::vector<int64_t> &shape) {
    return add(type, shape, false);
  }
  RandomTensor &out(mli_element_type type, const std::vector<int64_t> &shape) {
    return add(type, shape, true);
  }

  /// A pointer argument that points to a copy of `value`.
  template <typename Value>
  void pointer(const Value &value) {
    struct Link {
      Value value;
      std::shared_ptr<void> previous;
    };
    auto link = std::make_shared<Link>(Link{value, call.owned});
    call.pointers.push_back(&link->value);
    call.owned = link;
  }

  /// A pointer argument to a table of the library.
  void table(int32_t (*size)(), mli_status (*create)(mli_lut *)) {
    struct Link {
      mli_lut lut;
      std::vector<int16_t> values;
      std::shared_ptr<void> previous;
    };
    auto link = std::make_shared<Link>();
    std::memset(&link->lut, 0, sizeof(link->lut));
    link->values.resize(size() / 2);
    link->previous = call.owned;
    link->lut.data.mem.pi16 = link->values.data();
    link->lut.data.capacity = static_cast<uint32_t>(size());
    EXPECT_EQ(create(&link->lut), MLI_STATUS_OK);
    call.pointers.push_back(&link->lut);
    call.owned = link;
  }

  template <typename Run>
  ApiCall finish(Run run) {
    call.run = run;
    return std::move(call);
  }

  ApiCall call;

private:
  RandomTensor &add(mli_element_type type, const std::vector<int64_t> &shape,
                    bool isOutput) {
    call.tensors.push_back(
        {std::make_unique<RandomTensor>(random, type, shape, false), isOutput});
    RandomTensor &tensor = *call.tensors.back().tensor;
    tensor.fill(random);
    return tensor;
  }

  Random random;
};

using Pointers = std::vector<const void *>;

template <typename Config>
const Config *config(const Pointers &pointers, size_t index = 0) {
  return static_cast<const Config *>(pointers[index]);
}

/// The bias of input and weights with scale 1 and 0 fraction bits.
template <typename Kernel>
ApiCall convolution(const char *name, ConvolutionKind kind,
                    const Combination &types, int size, Kernel *kernel) {
  Builder b(name);
  int64_t k = size ? size : 3;
  int64_t depth = kind == ConvolutionKind::DepthwiseConv2d ||
                          kind == ConvolutionKind::GroupConv2d
                      ? 1
                      : 2;
  bool isTransposed = kind == ConvolutionKind::TransposeConv2d;
  int64_t out = isTransposed ? 10 + k : 6 - k + 1;
  b.in(types.in, {6, 6, 2});
  b.in(types.weights, {k, k, depth, 2});
  b.in(types.bias, {2});
  b.out(types.in, {out, out, 2});
  auto stride = static_cast<uint8_t>(isTransposed ? 2 : 1);
  b.pointer(mli_conv2d_cfg{{MLI_RELU_GEN}, stride, stride, 0, 0, 0, 0, 1, 1});
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], t[1], t[2], config<mli_conv2d_cfg>(p), t[3]);
  });
}

template <typename Kernel>
ApiCall connected(const char *name, const Combination &types, Kernel *kernel) {
  Builder b(name);
  b.in(types.in, {2, 3});
  b.in(types.weights, {6, 4});
  b.in(types.bias, {4});
  b.out(types.in, {4});
  b.pointer(mli_fully_connected_cfg{{MLI_RELU_NONE}});
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], t[1], t[2], config<mli_fully_connected_cfg>(p), t[3]);
  });
}

template <typename Kernel>
ApiCall rnnDense(const char *name, const Combination &types, Kernel *kernel) {
  Builder b(name);
  b.in(types.in, {3});
  b.in(types.in, {2});
  b.in(types.weights, {3, 4});
  b.in(types.weights, {2, 4});
  b.in(types.bias, {4});
  b.out(types.in, {4});
  b.pointer(mli_rnn_dense_cfg{2});
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    const mli_tensor *ins[] = {t[0], t[1]};
    const mli_tensor *weights[] = {t[2], t[3]};
    return kernel(ins, weights, t[4], config<mli_rnn_dense_cfg>(p), t[5]);
  });
}

void cellArguments(Builder &b, const Combination &types, int64_t gates) {
  b.in(types.in, {3, 2});
  b.in(types.in, {4});
  b.in(types.weights, {gates, 2, 4});
  b.in(types.weights, {gates, 4, 4});
  b.in(types.bias, {gates, 4});
  b.table(mli_krn_tanh_get_lut_size, mli_krn_tanh_create_lut);
  b.table(mli_krn_sigm_get_lut_size, mli_krn_sigm_create_lut);
  auto scratch = std::make_shared<std::vector<int16_t>>(64);
  mli_rnn_cell_cfg cfg = {};
  cfg.results = RNN_OUT_ALL;
  cfg.scratch_data.capacity = 128;
  cfg.scratch_data.mem.pi16 = scratch->data();
  b.pointer(cfg);
  b.pointer(scratch);
  b.call.pointers.pop_back(); // Only kept alive.
}

template <typename Kernel>
ApiCall lstm(const char *name, const Combination &types, Kernel *kernel) {
  Builder b(name);
  cellArguments(b, types, 4);
  b.out(types.in, {4});
  b.out(types.in, {3, 4});
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], t[1], t[2], t[3], t[4], config<mli_lut>(p, 0),
                  config<mli_lut>(p, 1), config<mli_rnn_cell_cfg>(p, 2), t[5],
                  t[6]);
  });
}

template <typename Kernel>
ApiCall gru(const char *name, const Combination &types, Kernel *kernel) {
  Builder b(name);
  cellArguments(b, types, 3);
  b.out(types.in, {3, 4});
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], t[1], t[2], t[3], t[4], config<mli_lut>(p, 0),
                  config<mli_lut>(p, 1), config<mli_rnn_cell_cfg>(p, 2), t[5]);
  });
}

/// One input and one output of the same shape, and a configuration.
template <typename Config, typename Kernel>
ApiCall unary(const char *name, mli_element_type type, const Config &cfg,
              const std::vector<int64_t> &shape,
              const std::vector<int64_t> &outShape, Kernel *kernel) {
  Builder b(name);
  b.in(type, shape);
  b.out(type, outShape);
  b.pointer(cfg);
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], config<Config>(p), t[1]);
  });
}

template <typename Kernel>
ApiCall pooling(const char *name, mli_element_type type, int size,
                Kernel *kernel) {
  auto k = static_cast<uint8_t>(size ? size : 4);
  return unary(name, type, mli_pool_cfg{k, k, 1, 1, 0, 0, 0, 0}, {6, 6, 3},
               {7 - k, 7 - k, 3}, kernel);
}

template <typename Kernel>
ApiCall eltwise(const char *name, mli_element_type type, Kernel *kernel) {
  Builder b(name);
  b.in(type, {3, 4});
  b.in(type, {3, 4});
  b.out(type, {3, 4});
  return b.finish([=](const ApiArguments &t, const Pointers &) {
    return kernel(t[0], t[1], t[2]);
  });
}

template <typename Kernel>
ApiCall leaky(const char *name, mli_element_type type, Kernel *kernel) {
  Builder b(name);
  b.in(type, {3, 4});
  b.in(type, {1});
  b.out(type, {3, 4});
  return b.finish([=](const ApiArguments &t, const Pointers &) {
    return kernel(t[0], t[1], t[2]);
  });
}

template <typename Kernel>
ApiCall prelu(const char *name, mli_element_type type, Kernel *kernel) {
  Builder b(name);
  b.in(type, {3, 4});
  b.in(type, {3, 1});
  b.out(type, {3, 4});
  b.pointer(mli_prelu_cfg{0});
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], t[1], config<mli_prelu_cfg>(p), t[2]);
  });
}

template <typename Kernel>
ApiCall activation(const char *name, mli_element_type type, Kernel *kernel) {
  Builder b(name);
  b.in(type, {3, 4});
  b.out(type, {3, 4});
  b.table(mli_krn_sigm_get_lut_size, mli_krn_sigm_create_lut);
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], config<mli_lut>(p), t[1]);
  });
}

template <typename Kernel>
ApiCall softmax(const char *name, mli_element_type type, Kernel *kernel) {
  Builder b(name);
  b.in(type, {3, 4});
  b.out(type, {3, 4});
  b.table(mli_krn_softmax_get_lut_size, mli_krn_softmax_create_lut);
  b.pointer(mli_softmax_cfg{1});
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], config<mli_lut>(p), config<mli_softmax_cfg>(p, 1),
                  t[1]);
  });
}

template <typename Kernel>
ApiCall normalize(const char *name, mli_element_type type, Kernel *kernel) {
  Builder b(name);
  b.in(type, {3, 4});
  b.out(type, {3, 4});
  b.table(mli_krn_l2_normalize_get_lut_size, mli_krn_l2_normalize_create_lut);
  b.pointer(mli_l2_normalize_cfg{-1});
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], nullptr, config<mli_lut>(p),
                  config<mli_l2_normalize_cfg>(p, 1), t[1]);
  });
}

template <typename Kernel>
ApiCall argmax(const char *name, mli_element_type type, Kernel *kernel) {
  Builder b(name);
  b.in(type, {3, 4});
  b.out(MLI_EL_SA_32, {3, 2});
  b.pointer(mli_argmax_cfg{0, 2});
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], config<mli_argmax_cfg>(p), t[1]);
  });
}

template <typename Kernel>
ApiCall convert(const char *name, Kernel *kernel) {
  Builder b(name);
  b.in(MLI_EL_FX_16, {3, 4});
  b.out(MLI_EL_SA_32, {3, 4});
  for (ApiTensor &tensor : b.call.tensors)
    tensor.isAnyType = true;
  return b.finish([=](const ApiArguments &t, const Pointers &) {
    return kernel(t[0], t[1]);
  });
}

template <typename Config, typename Kernel>
ApiCall view(const char *name, const Config &cfg, Kernel *kernel) {
  ApiCall call = unary(name, MLI_EL_FX_16, cfg, {3, 4}, {1}, kernel);
  call.isView = true;
  for (ApiTensor &tensor : call.tensors)
    tensor.isAnyType = true;
  return call;
}

template <typename Kernel>
ApiCall move(const char *name, Kernel *kernel) {
  Builder b(name);
  b.in(MLI_EL_FX_16, {3, 4});
  b.out(MLI_EL_FX_16, {3, 4});
  for (ApiTensor &tensor : b.call.tensors)
    tensor.isAnyType = true;
  mli_mov_cfg_t cfg;
  mli_mov_cfg_for_copy(&cfg);
  b.pointer(cfg);
  return b.finish([=](const ApiArguments &t, const Pointers &p) {
    return kernel(t[0], config<mli_mov_cfg_t>(p), t[1]);
  });
}

mli_status prepareMove(const mli_tensor *src, const mli_mov_cfg_t *cfg,
                       mli_tensor *dst) {
  mli_mov_handle_t handle = {0, 0, MLI_MOV_STATE_OPEN};
  return mli_mov_prepare(&handle, src, cfg, dst);
}

} // namespace

std::vector<ApiCall> apiCalls() {
  std::vector<ApiCall> calls;
#define MLI_CONVOLUTION(name, op, types, size)                                 \
  calls.push_back(                                                             \
      convolution(#name, ConvolutionKind::op, combined::types, size, name));
#define MLI_POOLING(name, op, type, size)                                      \
  calls.push_back(pooling(#name, single::type, size, name));
#define MLI_FULLY_CONNECTED(name, op, types)                                   \
  calls.push_back(connected(#name, combined::types, name));
#define MLI_RNN_DENSE(name, types)                                             \
  calls.push_back(rnnDense(#name, combined::types, name));
#define MLI_LSTM_CELL(name, types)                                             \
  calls.push_back(lstm(#name, combined::types, name));
#define MLI_GRU_CELL(name, types)                                              \
  calls.push_back(gru(#name, combined::types, name));
#define MLI_ELTWISE(name, op, type)                                            \
  calls.push_back(eltwise(#name, single::type, name));
#define MLI_RELU(name, type)                                                   \
  calls.push_back(unary(#name, single::type, mli_relu_cfg{MLI_RELU_6}, {3, 4}, \
                        {3, 4}, name));
#define MLI_LEAKY_RELU(name, type)                                             \
  calls.push_back(leaky(#name, single::type, name));
#define MLI_PRELU(name, type) calls.push_back(prelu(#name, single::type, name));
#define MLI_ACTIVATION(name, function, type)                                   \
  calls.push_back(activation(#name, single::type, name));
#define MLI_SOFTMAX(name, type)                                                \
  calls.push_back(softmax(#name, single::type, name));
#define MLI_L2_NORMALIZE(name, type)                                           \
  calls.push_back(normalize(#name, single::type, name));
#define MLI_ARGMAX(name, type)                                                 \
  calls.push_back(argmax(#name, single::type, name));
#define MLI_PERMUTE(name, type)                                                \
  calls.push_back(unary(#name, single::type, mli_permute_cfg{{1, 0}}, {3, 4},  \
                        {4, 3}, name));
#include "mli/Runtime/C/api/mli_kernels.def"
  calls.push_back(convert("mli_hlp_convert_tensor", mli_hlp_convert_tensor));
  calls.push_back(
      convert("mli_hlp_convert_tensor_safx", mli_hlp_convert_tensor_safx));
  calls.push_back(view("mli_hlp_create_subtensor",
                       mli_sub_tensor_cfg{{1, 1}, {2, 2}, 2},
                       mli_hlp_create_subtensor));
  calls.push_back(view("mli_hlp_point_to_subtensor",
                       mli_point_to_subtsr_cfg{{1, 1}, 2, 2},
                       mli_hlp_point_to_subtensor));
  calls.push_back(move("mli_mov_tensor_sync", mli_mov_tensor_sync));
  calls.push_back(move("mli_mov_prepare", prepareMove));
  return calls;
}

} // namespace mli::test
