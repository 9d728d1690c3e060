// SPDX-License-Identifier: Apache-2.0
//
// XNNPACK of 2022 by its operators, as Debian has it, without threads.

#include "XnnpackOperator.h"

namespace mli::opponents {
namespace {

/// An operator, and the memory that it works with.
class Operator : public XnnpackOperator {
public:
  using XnnpackOperator::XnnpackOperator;

  /// Also of fully connected layers: as a convolution of one pixel they have
  /// scales per channel.
  xnn_status createConvolution() {
    bool isDepthwise = layer.isDepthwise();
    xnn_status status = xnn_create_convolution2d_nhwc_qc8(
        layer.pad_top, layer.pad_right, layer.pad_bottom, layer.pad_left,
        layer.kernel_height, layer.kernel_width, layer.stride_height,
        layer.stride_width, 1, 1, isDepthwise ? layer.inputs : 1,
        isDepthwise ? 1 : layer.inputs, isDepthwise ? 1 : layer.outputs,
        layer.inputs, layer.outputs, toByte(operands.in_zero),
        operands.in_scale, operands.weight_scales, operands.weights_by_output,
        operands.bias, toByte(operands.out_zero), operands.out_scale, -128, 127,
        isDepthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, &op);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_convolution2d_nhwc_qc8(op, 1, layer.height, layer.width,
                                            in.data(), out.data(), nullptr);
  }

  xnn_status createSum() {
    xnn_status status = xnn_create_add_nd_qs8(
        toByte(operands.in_zero), operands.in_scale, toByte(operands.in2_zero),
        operands.in2_scale, toByte(operands.out_zero), operands.out_scale, -128,
        127, 0, &op);
    if (status != xnn_status_success)
      return status;
    size_t shape[1] = {layer.outputCount()};
    return xnn_setup_add_nd_qs8(op, 1, shape, 1, shape, in.data(), in2.data(),
                                out.data(), nullptr);
  }

  xnn_status createMaxPool() {
    size_t channels = layer.inputs;
    xnn_status status = xnn_create_max_pooling2d_nhwc_s8(
        layer.pad_top, layer.pad_right, layer.pad_bottom, layer.pad_left,
        layer.kernel_height, layer.kernel_width, layer.stride_height,
        layer.stride_width, 1, 1, channels, channels, channels, -128, 127, 0,
        &op);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_max_pooling2d_nhwc_s8(op, 1, layer.height, layer.width,
                                           in.data(), out.data(), nullptr);
  }

  /// The mean of all pixels.
  xnn_status createMean() {
    size_t channels = layer.inputs;
    xnn_status status = xnn_create_global_average_pooling_nwc_qs8(
        channels, channels, channels, toByte(operands.in_zero),
        operands.in_scale, toByte(operands.out_zero), operands.out_scale, -128,
        127, 0, &op);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_global_average_pooling_nwc_qs8(
        op, 1, static_cast<size_t>(layer.height) * layer.width, in.data(),
        out.data(), nullptr);
  }

  xnn_status createSoftmax() {
    size_t channels = layer.inputs;
    xnn_status status = xnn_create_softmax_nc_qu8(
        channels, channels, channels, operands.in_scale, 0, 1.0F / 256, 0, &op);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_softmax_nc_qu8(
        op, 1, reinterpret_cast<const uint8_t *>(in.data()),
        reinterpret_cast<uint8_t *>(out.data()), nullptr);
  }
};

void create(const mli_bench_layer *given, const mli_bench_operands *operands,
            const mli_bench_receiver *receiver) {
  LayerView layer(*given);
  if (layer.is("avgpool") && !layer.isGlobal())
    return;
  auto variant = std::make_unique<Operator>(layer, *operands);
  xnn_status status = layer.hasWeights()    ? variant->createConvolution()
                      : layer.is("add")     ? variant->createSum()
                      : layer.is("maxpool") ? variant->createMaxPool()
                      : layer.is("avgpool") ? variant->createMean()
                                            : variant->createSoftmax();
  std::string name = layer.hasWeights() ? "conv" : layer.kind;
  Variants variants(*receiver);
  if (status == xnn_status_success)
    variants.add(name, std::move(variant));
  else
    variants.decline(name, "xnn_status " + std::to_string(status));
}

const char *start() {
  return xnn_initialize(nullptr) == xnn_status_success
             ? nullptr
             : "xnn_initialize does not succeed";
}

// Neither its headers nor the library name a version.
const mli_bench_opponent opponent = {MLI_BENCH_INTERFACE,
                                     "XNNPACK",
                                     nullptr,
                                     []() -> const char * { return nullptr; },
                                     nullptr,
                                     start,
                                     create,
                                     nullptr};

} // namespace
} // namespace mli::opponents

const mli_bench_opponent *mli_bench_get_opponent() {
  return &mli::opponents::opponent;
}
