// SPDX-License-Identifier: Apache-2.0
//
// XNNPACK as Debian has it, without threads.

#include "Backend.h"

#include <xnnpack.h>

#include <cstdio>

namespace mli::bench {
namespace {

class XnnpackKernel : public Kernel {
public:
  XnnpackKernel(const Layer &layer, const Operands &operands)
      : layer(layer), operands(operands), in(operands.in),
        out(layer.outputCount() + 256) {
    for (const Scale &scale : operands.weightScales)
      scales.push_back(scale.real());
    // Only unsigned softmax is offered: the same values, 128 higher.
    if (isUnsigned())
      for (int8_t &code : in)
        code = static_cast<int8_t>(code ^ 0x80);
  }
  ~XnnpackKernel() override { xnn_delete_operator(op); }

  bool create() {
    if (xnn_initialize(nullptr) != xnn_status_success)
      return false;
    xnn_status status = layer.hasWeights()        ? createConvolution()
                        : layer.kind == "add"     ? createAdd()
                        : layer.kind == "maxpool" ? createMaxPool()
                        : layer.kind == "avgpool" ? createAveragePool()
                                                  : createSoftmax();
    if (status != xnn_status_success)
      std::fprintf(stderr, "%s: expected XNNPACK to take it, but got %d\n",
                   layer.name.c_str(), static_cast<int>(status));
    return status == xnn_status_success;
  }

  void run() override { xnn_run_operator(op, nullptr); }

  std::vector<int8_t> output() const override {
    std::vector<int8_t> codes(out.begin(), out.end() - 256);
    if (isUnsigned())
      for (int8_t &code : codes)
        code = static_cast<int8_t>(code ^ 0x80);
    return codes;
  }

private:
  bool isUnsigned() const { return layer.kind == "softmax"; }

  /// Also of fully connected layers: as a convolution of one pixel they have
  /// scales per channel.
  xnn_status createConvolution() {
    bool isDepthwise = layer.isDepthwise();
    xnn_status status = xnn_create_convolution2d_nhwc_qc8(
        layer.padTop, layer.padRight, layer.padBottom, layer.padLeft,
        layer.kernelHeight, layer.kernelWidth, layer.strideHeight,
        layer.strideWidth, 1, 1, isDepthwise ? layer.inputs : 1,
        isDepthwise ? 1 : layer.inputs, isDepthwise ? 1 : layer.outputs,
        layer.inputs, layer.outputs, static_cast<int8_t>(operands.inZero),
        operands.inScale.real(), scales.data(), operands.weightsByOutput.data(),
        operands.bias.data(), static_cast<int8_t>(operands.outZero),
        operands.outScale.real(), -128, 127,
        isDepthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, &op);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_convolution2d_nhwc_qc8(op, 1, layer.height, layer.width,
                                            in.data(), out.data(), nullptr);
  }

  xnn_status createAdd() {
    xnn_status status = xnn_create_add_nd_qs8(
        static_cast<int8_t>(operands.inZero), operands.inScale.real(),
        static_cast<int8_t>(operands.in2Zero), operands.in2Scale.real(),
        static_cast<int8_t>(operands.outZero), operands.outScale.real(), -128,
        127, 0, &op);
    if (status != xnn_status_success)
      return status;
    size_t shape[1] = {layer.outputCount()};
    return xnn_setup_add_nd_qs8(op, 1, shape, 1, shape, in.data(),
                                operands.in2.data(), out.data(), nullptr);
  }

  xnn_status createMaxPool() {
    size_t channels = layer.inputs;
    xnn_status status = xnn_create_max_pooling2d_nhwc_s8(
        layer.padTop, layer.padRight, layer.padBottom, layer.padLeft,
        layer.kernelHeight, layer.kernelWidth, layer.strideHeight,
        layer.strideWidth, 1, 1, channels, channels, channels, -128, 127, 0,
        &op);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_max_pooling2d_nhwc_s8(op, 1, layer.height, layer.width,
                                           in.data(), out.data(), nullptr);
  }

  /// Only of whole maps.
  xnn_status createAveragePool() {
    if (layer.outHeight != 1 || layer.outWidth != 1)
      return xnn_status_unsupported_parameter;
    size_t channels = layer.inputs;
    xnn_status status = xnn_create_global_average_pooling_nwc_qs8(
        channels, channels, channels, static_cast<int8_t>(operands.inZero),
        operands.inScale.real(), static_cast<int8_t>(operands.outZero),
        operands.outScale.real(), -128, 127, 0, &op);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_global_average_pooling_nwc_qs8(
        op, 1, static_cast<size_t>(layer.height) * layer.width, in.data(),
        out.data(), nullptr);
  }

  xnn_status createSoftmax() {
    size_t channels = layer.inputs;
    xnn_status status = xnn_create_softmax_nc_qu8(channels, channels, channels,
                                                  operands.inScale.real(), 0,
                                                  1.0F / 256, 0, &op);
    if (status != xnn_status_success)
      return status;
    return xnn_setup_softmax_nc_qu8(
        op, 1, reinterpret_cast<const uint8_t *>(in.data()),
        reinterpret_cast<uint8_t *>(out.data()), nullptr);
  }

  const Layer &layer;
  const Operands &operands;
  std::vector<int8_t> in;
  std::vector<int8_t> out;
  std::vector<float> scales;
  xnn_operator_t op = nullptr;
};

std::unique_ptr<Kernel> create(const Layer &layer, const Operands &operands) {
  auto kernel = std::make_unique<XnnpackKernel>(layer, operands);
  if (!kernel->create())
    return nullptr;
  return kernel;
}

} // namespace

const Backend xnnpack = {"XNNPACK", create};

} // namespace mli::bench
