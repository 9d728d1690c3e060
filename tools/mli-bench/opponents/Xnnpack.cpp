// SPDX-License-Identifier: Apache-2.0
//
// XNNPACK of 2026 by its operators, without threads: they are created, reshaped
// and set up in advance.

#include "XnnpackOperator.h"

#include <algorithm>

namespace mli::opponents {
namespace {

/// An operator, and the memory that it works with. Its functions return what
/// the first call that does not succeed returns.
class Operator : public XnnpackOperator {
public:
  using XnnpackOperator::XnnpackOperator;

  xnn_status createConvolution() {
    bool isDepthwise = layer.isDepthwise();
    xnn_status status = xnn_create_convolution2d_nhwc_qs8_qc8w(
        layer.pad_top, layer.pad_right, layer.pad_bottom, layer.pad_left,
        layer.kernel_height, layer.kernel_width, layer.stride_height,
        layer.stride_width, 1, 1, isDepthwise ? layer.inputs : 1,
        isDepthwise ? 1 : layer.inputs, isDepthwise ? 1 : layer.outputs,
        layer.inputs, layer.outputs, toByte(operands.in_zero),
        operands.in_scale, operands.weight_scales, operands.weights_by_output,
        operands.bias, toByte(operands.out_zero), operands.out_scale, -128, 127,
        isDepthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, nullptr, &op);
    size_t bytes = 0, height = 0, width = 0;
    if (status == xnn_status_success)
      status = xnn_reshape_convolution2d_nhwc_qs8_qc8w(
          op, 1, layer.height, layer.width, &bytes, &height, &width, nullptr);
    if (status != xnn_status_success)
      return status;
    workspace.resize(bytes);
    return xnn_setup_convolution2d_nhwc_qs8_qc8w(op, workspace.data(),
                                                 in.data(), out.data());
  }

  xnn_status createProduct() {
    xnn_status status = xnn_create_fully_connected_nc_qs8_qc8w(
        layer.inputs, layer.outputs, layer.inputs, layer.outputs,
        toByte(operands.in_zero), operands.in_scale, operands.weight_scales,
        operands.weights_by_output, operands.bias, toByte(operands.out_zero),
        operands.out_scale, -128, 127, 0, nullptr, &op);
    if (status == xnn_status_success)
      status =
          xnn_reshape_fully_connected_nc_qs8_qc8w(op, layer.pixels(), nullptr);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_fully_connected_nc_qs8_qc8w(op, in.data(), out.data());
  }

  xnn_status createSum() {
    xnn_quantization_params a = {operands.in_zero, operands.in_scale};
    xnn_quantization_params b = {operands.in2_zero, operands.in2_scale};
    xnn_quantization_params to = {operands.out_zero, operands.out_scale};
    size_t shape[1] = {layer.outputCount()};
    xnn_status status = xnn_create_binary_elementwise_nd(
        xnn_binary_add, xnn_datatype_qint8, &a, &b, &to, 0, &op);
    if (status == xnn_status_success)
      status =
          xnn_reshape_binary_elementwise_nd(op, 1, shape, 1, shape, nullptr);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_binary_elementwise_nd(op, in.data(), in2.data(),
                                           out.data());
  }

  xnn_status createMaxPool() {
    xnn_status status = xnn_create_max_pooling2d_nhwc_s8(
        layer.pad_top, layer.pad_right, layer.pad_bottom, layer.pad_left,
        layer.kernel_height, layer.kernel_width, layer.stride_height,
        layer.stride_width, 1, 1, -128, 127, 0, &op);
    size_t height = 0, width = 0;
    if (status == xnn_status_success)
      status = xnn_reshape_max_pooling2d_nhwc_s8(
          op, 1, layer.height, layer.width, layer.inputs, layer.inputs,
          layer.inputs, &height, &width, nullptr);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_max_pooling2d_nhwc_s8(op, in.data(), out.data());
  }

  /// The mean of all pixels.
  xnn_status createMean() {
    xnn_quantization_params from = {operands.in_zero, operands.in_scale};
    xnn_quantization_params to = {operands.out_zero, operands.out_scale};
    int64_t axes[2] = {1, 2};
    size_t shape[4] = {1, static_cast<size_t>(layer.height),
                       static_cast<size_t>(layer.width),
                       static_cast<size_t>(layer.inputs)};
    size_t bytes = 0;
    xnn_status status = xnn_create_reduce_nd(
        xnn_reduce_mean, xnn_datatype_qint8, &from, &to, 0, &op);
    if (status == xnn_status_success)
      status = xnn_reshape_reduce_nd(op, 2, axes, 4, shape, &bytes, nullptr);
    if (status != xnn_status_success)
      return status;
    workspace.resize(bytes);
    return xnn_setup_reduce_nd(op, workspace.data(), in.data(), out.data());
  }

  xnn_status createSoftmax() {
    xnn_status status =
        xnn_create_softmax_nc_qu8(operands.in_scale, 0, 1.0F / 256, 0, &op);
    if (status == xnn_status_success)
      status = xnn_reshape_softmax_nc_qu8(op, layer.inputs, layer.inputs,
                                          layer.inputs, 1, nullptr);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_softmax_nc_qu8(op, reinterpret_cast<uint8_t *>(in.data()),
                                    reinterpret_cast<uint8_t *>(out.data()));
  }

private:
  Memory workspace;
};

void create(const mli_bench_layer *given, const mli_bench_operands *operands,
            const mli_bench_receiver *receiver) {
  LayerView layer(*given);
  Variants variants(*receiver);
  auto add = [&](const char *name, xnn_status (Operator::*prepare)()) {
    auto variant = std::make_unique<Operator>(layer, *operands);
    xnn_status status = ((*variant).*prepare)();
    if (status == xnn_status_success)
      variants.add(name, std::move(variant));
    else
      variants.decline(name, "xnn_status " + std::to_string(status));
  };
  if (layer.is("conv") || layer.isDepthwise())
    add("conv", &Operator::createConvolution);
  if (layer.isProduct())
    add("fc", &Operator::createProduct);
  if (layer.is("add"))
    add("add", &Operator::createSum);
  if (layer.is("maxpool"))
    add("maxpool", &Operator::createMaxPool);
  if (layer.is("avgpool") && layer.isGlobal())
    add("mean", &Operator::createMean);
  if (layer.is("softmax"))
    add("softmax", &Operator::createSoftmax);
}

const char *start() {
  return xnn_initialize(nullptr) == xnn_status_success
             ? nullptr
             : "xnn_initialize does not succeed";
}

/// There are no versions: a number of the build says which one it is.
const char *getBuild() {
  static std::string build;
  if (!build.empty())
    return build.c_str();
  const auto *data = static_cast<const uint8_t *>(
      xnn_experimental_get_build_identifier_data());
  size_t size = xnn_experimental_get_build_identifier_size();
  build = "build-";
  for (size_t i = 0; i < std::min<size_t>(size, 4); ++i)
    for (int shift : {4, 0})
      build += "0123456789abcdef"[data[i] >> shift & 15];
  return build.c_str();
}

// The headers name no version that could be compared.
int hasInterface() { return 1; }

const mli_bench_opponent opponent = {
    MLI_BENCH_INTERFACE, "XNNPACK", nullptr, getBuild,
    hasInterface,        start,     create,  nullptr};

} // namespace
} // namespace mli::opponents

const mli_bench_opponent *mli_bench_get_opponent() {
  return &mli::opponents::opponent;
}
