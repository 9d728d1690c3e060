// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and matrix products on shapes of small networks. Every kernel
// of the list that fits a shape is a benchmark.

#include "Runtime/Convolution.h"
#include "mli/Runtime/C/mli_api.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

using namespace mli::rt;

namespace {

/// A contiguous tensor with codes of its own.
class BenchTensor {
public:
  BenchTensor(mli_element_type type, const std::vector<uint32_t> &shape,
              int8_t fracBits) {
    std::memset(&tensor, 0, sizeof(tensor));
    tensor.el_type = type;
    tensor.rank = static_cast<uint32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), tensor.shape);
    mli_hlp_set_tensor_mem_strides(&tensor);
    tensor.data.capacity = mli_hlp_count_elem_num(&tensor, 0) *
                           mli_hlp_tensor_element_size(&tensor);
    bytes.resize(tensor.data.capacity);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<int8_t>(i * 37 % 251);
    tensor.data.mem.pi8 = bytes.data();
    if (type == MLI_EL_FX_8 || type == MLI_EL_FX_16) {
      tensor.el_params.fx.frac_bits = fracBits;
      return;
    }
    tensor.el_params.sa.dim = -1;
    tensor.el_params.sa.scale.mem.i16 = 16384;
    tensor.el_params.sa.scale_frac_bits.mem.i8 = fracBits;
  }
  mli_tensor *get() { return &tensor; }

private:
  mli_tensor tensor;
  std::vector<int8_t> bytes;
};

constexpr uint32_t channels = 64;
constexpr uint32_t side = 24;

/// A convolution of the list: the input channels that each output channel sees,
/// and whether inputs are spread over outputs.
struct Operation {
  uint32_t depth;
  bool isTransposed = false;
};
constexpr Operation conv2d = {channels};
constexpr Operation depthwiseConv2d = {1};
constexpr Operation groupConv2d = {channels / 4};
constexpr Operation transposeConv2d = {channels, true};

/// The operation of a name in the list.
constexpr Operation operationOf(ConvolutionKind kind) {
  switch (kind) {
  case ConvolutionKind::Conv2d:
    return conv2d;
  case ConvolutionKind::DepthwiseConv2d:
    return depthwiseConv2d;
  case ConvolutionKind::GroupConv2d:
    return groupConv2d;
  case ConvolutionKind::TransposeConv2d:
    break;
  }
  return transposeConv2d;
}

using ConvKernel = mli_status (*)(const mli_tensor *, const mli_tensor *,
                                  const mli_tensor *, const mli_conv2d_cfg *,
                                  mli_tensor *);

void runConvolution(benchmark::State &state, ConvKernel kernel,
                    const TypeCombination &types, ConvolutionKind kind,
                    uint32_t size) {
  auto [depth, isTransposed] = operationOf(kind);
  uint32_t taps = size ? size : 3;
  // Transposed specialisations have stride 2.
  uint32_t stride = isTransposed && size ? 2 : 1;
  uint32_t out =
      isTransposed ? (side - 1) * stride + taps : (side - taps) / stride + 1;
  BenchTensor in(types.input, {side, side, channels}, 14);
  BenchTensor weights(types.weights, {taps, taps, depth, channels}, 14);
  BenchTensor bias(types.bias, {channels}, 14);
  BenchTensor result(types.input, {out, out, channels}, 14);
  // The scale of a bias is that of the products: 2^14 * 2^14 * 2^-28.
  mli_conv2d_cfg cfg = {};
  cfg.stride_width = cfg.stride_height = static_cast<uint8_t>(stride);
  cfg.dilation_width = cfg.dilation_height = 1;
  for (auto iteration : state)
    if (kernel(in.get(), weights.get(), bias.get(), &cfg, result.get()) !=
        MLI_STATUS_OK) {
      state.SkipWithError("the kernel refused its arguments");
      return;
    }
  uint32_t positions = isTransposed ? side * side : out * out;
  state.SetItemsProcessed(state.iterations() * positions * taps * taps * depth *
                          channels);
}

using FullyConnectedKernel = mli_status (*)(const mli_tensor *,
                                            const mli_tensor *,
                                            const mli_tensor *,
                                            const mli_fully_connected_cfg *,
                                            mli_tensor *);

void runFullyConnected(benchmark::State &state, FullyConnectedKernel kernel,
                       const TypeCombination &types) {
  constexpr uint32_t inputs = 1024;
  constexpr uint32_t outputs = 256;
  BenchTensor in(types.input, {inputs}, 14);
  BenchTensor weights(types.weights, {inputs, outputs}, 14);
  BenchTensor bias(types.bias, {outputs}, 14);
  BenchTensor result(types.input, {outputs}, 14);
  const mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
  for (auto iteration : state)
    if (kernel(in.get(), weights.get(), bias.get(), &cfg, result.get()) !=
        MLI_STATUS_OK) {
      state.SkipWithError("the kernel refused its arguments");
      return;
    }
  state.SetItemsProcessed(state.iterations() * inputs * outputs);
}

} // namespace

#define MLI_CONVOLUTION(name, op, types, size)                                 \
  BENCHMARK_CAPTURE(runConvolution, name, name, weighted::types::combination,  \
                    ConvolutionKind::op, size);
#define MLI_FULLY_CONNECTED(name, op, types)                                   \
  BENCHMARK_CAPTURE(runFullyConnected, name, name,                             \
                    weighted::types::combination);
#include "mli/Runtime/C/api/mli_kernels.def"
