// SPDX-License-Identifier: Apache-2.0

#include "ApiCallBuilder.h"

namespace mli::test {
namespace {

enum class ConvolutionKind {
  Conv2d,
  DepthwiseConv2d,
  GroupConv2d,
  TransposeConv2d
};

constexpr Lut tanhLut = {mli_krn_tanh_get_lut_size, mli_krn_tanh_create_lut};
constexpr Lut sigmLut = {mli_krn_sigm_get_lut_size, mli_krn_sigm_create_lut};
constexpr Lut softmaxLut = {mli_krn_softmax_get_lut_size,
                            mli_krn_softmax_create_lut};
constexpr Lut normalizeLut = {mli_krn_l2_normalize_get_lut_size,
                              mli_krn_l2_normalize_create_lut};

class Kernels {
public:
  explicit Kernels(std::vector<ApiCall> &calls) : calls(calls) {}

  template <typename Kernel, typename... Specs>
  void add(const char *name, Kernel *kernel, const Specs &...specs) {
    calls.push_back(
        ApiCallBuilder(name, ApiKind::Kernel).build(kernel, specs...));
  }

  template <typename Kernel>
  void convolution(const char *name, ConvolutionKind kind,
                   const Combination &types, int size, Kernel *kernel) {
    int64_t k = size ? size : 3;
    bool isTransposed = kind == ConvolutionKind::TransposeConv2d;
    bool isDense = isTransposed || kind == ConvolutionKind::Conv2d;
    int64_t out = isTransposed ? 10 + k : 6 - k + 1;
    auto stride = static_cast<uint8_t>(isTransposed ? 2 : 1);
    add(name, kernel, In{types.in, {6, 6, 2}},
        In{types.weights, {k, k, isDense ? 2 : 1, 2}}, In{types.bias, {2}},
        To{mli_conv2d_cfg{{MLI_RELU_GEN}, stride, stride, 0, 0, 0, 0, 1, 1}},
        Out{types.in, {out, out, 2}});
  }

  template <typename Kernel>
  void pooling(const char *name, mli_element_type type, int size,
               Kernel *kernel) {
    auto k = static_cast<uint8_t>(size ? size : 4);
    add(name, kernel, In{type, {6, 6, 3}},
        To{mli_pool_cfg{k, k, 1, 1, 0, 0, 0, 0}}, Out{type, {7 - k, 7 - k, 3}});
  }

  /// A cell with `gates` gates, and `state` before its output if it has one.
  template <typename Kernel, typename... State>
  void cell(const char *name, const Combination &types, int64_t gates,
            Kernel *kernel, const State &...state) {
    static int16_t scratch[64];
    mli_rnn_cell_cfg cfg = {};
    cfg.results = RNN_OUT_ALL;
    cfg.scratch_data.capacity = sizeof(scratch);
    cfg.scratch_data.mem.pi16 = scratch;
    add(name, kernel, In{types.in, {3, 2}}, In{types.in, {4}},
        In{types.weights, {gates, 2, 4}}, In{types.weights, {gates, 4, 4}},
        In{types.bias, {gates, 4}}, tanhLut, sigmLut, To{cfg}, state...,
        Out{types.in, {3, 4}});
  }

private:
  std::vector<ApiCall> &calls;
};

} // namespace

void addKernels(std::vector<ApiCall> &calls) {
  Kernels kernels(calls);
#define MLI_CONVOLUTION(name, op, types, size)                                 \
  kernels.convolution(#name, ConvolutionKind::op, combined::types, size, name);
#define MLI_POOLING(name, op, type, size)                                      \
  kernels.pooling(#name, single::type, size, name);
#define MLI_FULLY_CONNECTED(name, op, types)                                   \
  kernels.add(#name, name, In{combined::types.in, {2, 3}},                     \
              In{combined::types.weights, {6, 4}},                             \
              In{combined::types.bias, {4}},                                   \
              To{mli_fully_connected_cfg{{MLI_RELU_NONE}}},                    \
              Out{combined::types.in, {4}});
#define MLI_RNN_DENSE(name, types)                                             \
  kernels.add(#name, name, Ins{combined::types.in, {{3}, {2}}},                \
              Ins{combined::types.weights, {{3, 4}, {2, 4}}},                  \
              In{combined::types.bias, {4}}, To{mli_rnn_dense_cfg{2}},         \
              Out{combined::types.in, {4}});
#define MLI_LSTM_CELL(name, types)                                             \
  kernels.cell(#name, combined::types, 4, name, Out{combined::types.in, {4}});
#define MLI_GRU_CELL(name, types) kernels.cell(#name, combined::types, 3, name);
#define MLI_ELTWISE(name, op, type)                                            \
  kernels.add(#name, name, In{single::type, {3, 4}}, In{single::type, {3, 4}}, \
              Out{single::type, {3, 4}});
#define MLI_RELU(name, type)                                                   \
  kernels.add(#name, name, In{single::type, {3, 4}},                           \
              To{mli_relu_cfg{MLI_RELU_6}}, Out{single::type, {3, 4}});
#define MLI_LEAKY_RELU(name, type)                                             \
  kernels.add(#name, name, In{single::type, {3, 4}}, In{single::type, {1}},    \
              Out{single::type, {3, 4}});
#define MLI_PRELU(name, type)                                                  \
  kernels.add(#name, name, In{single::type, {3, 4}}, In{single::type, {3, 1}}, \
              To{mli_prelu_cfg{0}}, Out{single::type, {3, 4}});
#define MLI_ACTIVATION(name, function, type)                                   \
  kernels.add(#name, name, In{single::type, {3, 4}}, function##Lut,            \
              Out{single::type, {3, 4}});
#define MLI_SOFTMAX(name, type)                                                \
  kernels.add(#name, name, In{single::type, {3, 4}}, softmaxLut,               \
              To{mli_softmax_cfg{1}}, Out{single::type, {3, 4}});
#define MLI_L2_NORMALIZE(name, type)                                           \
  kernels.add(#name, name, In{single::type, {3, 4}}, nullptr, normalizeLut,    \
              To{mli_l2_normalize_cfg{-1}}, Out{single::type, {3, 4}});
#define MLI_ARGMAX(name, type)                                                 \
  kernels.add(#name, name, In{single::type, {3, 4}}, To{mli_argmax_cfg{0, 2}}, \
              Out{MLI_EL_SA_32, {3, 2}});
#define MLI_PERMUTE(name, type)                                                \
  kernels.add(#name, name, In{single::type, {3, 4}},                           \
              To{mli_permute_cfg{{1, 0}}}, Out{single::type, {4, 3}});
#include "mli/Runtime/C/api/mli_kernels.def"
}

} // namespace mli::test
