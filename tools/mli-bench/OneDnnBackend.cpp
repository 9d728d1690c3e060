// SPDX-License-Identifier: Apache-2.0
//
// oneDNN as Debian has it, on one thread: layers with weights. Its fast kernels
// take no zero point of the input, so the bias has it, and padding counts as
// the real number 0 less that: borders differ.

#include "Backend.h"

#include <dnnl.hpp>

#include <cstdio>
#include <unordered_map>

namespace mli::bench {
namespace {

class OneDnnKernel : public Kernel {
public:
  OneDnnKernel(const Layer &layer, const Operands &operands)
      : engine(dnnl::engine::kind::cpu, 0), stream(engine),
        out(layer.outputCount()), biasCodes(operands.bias) {
    size_t rows = layer.products();
    for (size_t k = 0; k < rows; ++k)
      for (size_t n = 0; n < biasCodes.size(); ++n)
        biasCodes[n] -=
            operands.inZero * operands.weights[k * biasCodes.size() + n];
    using Memory = dnnl::memory;
    using Tag = Memory::format_tag;
    bool isDepthwise = layer.isDepthwise();
    Memory::desc in({1, layer.inputs, layer.height, layer.width},
                    Memory::data_type::s8, Tag::nhwc);
    Memory::desc to({1, layer.outputs, layer.outHeight, layer.outWidth},
                    Memory::data_type::s8, Tag::nhwc);
    Memory::desc bias({layer.outputs}, Memory::data_type::s32, Tag::x);
    Memory::dims kernel = {layer.outputs, layer.inputs, layer.kernelHeight,
                           layer.kernelWidth};
    if (isDepthwise)
      kernel = {layer.inputs, 1, 1, layer.kernelHeight, layer.kernelWidth};
    Memory::desc plain(kernel, Memory::data_type::s8,
                       isDepthwise ? Tag::hwigo : Tag::ohwi);
    Memory::desc packed(kernel, Memory::data_type::s8, Tag::any);
    dnnl::convolution_forward::desc description(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
        in, packed, bias, to, {layer.strideHeight, layer.strideWidth},
        {layer.padTop, layer.padLeft}, {layer.padBottom, layer.padRight});
    dnnl::convolution_forward::primitive_desc chosen(
        description, attributes(operands), engine);
    weights = Memory(chosen.weights_desc(), engine);
    Memory given(plain, engine,
                 const_cast<int8_t *>(operands.weightsByOutput.data()));
    dnnl::reorder(given, weights).execute(stream, given, weights);
    primitive = dnnl::convolution_forward(chosen);
    arguments = {{DNNL_ARG_SRC,
                  Memory(in, engine, const_cast<int8_t *>(operands.in.data()))},
                 {DNNL_ARG_WEIGHTS, weights},
                 {DNNL_ARG_BIAS, Memory(bias, engine, biasCodes.data())},
                 {DNNL_ARG_DST, Memory(to, engine, out.data())}};
    stream.wait();
  }

  void run() override {
    primitive.execute(stream, arguments);
    stream.wait();
  }
  std::vector<int8_t> output() const override { return out; }

private:
  static dnnl::primitive_attr attributes(const Operands &operands) {
    std::vector<float> scales;
    scales.reserve(operands.weightScales.size());
    for (const Scale &scale : operands.weightScales)
      scales.push_back(operands.inScale.real() * scale.real() /
                       operands.outScale.real());
    dnnl::primitive_attr attributes;
    attributes.set_output_scales(1 << 1, scales);
    attributes.set_zero_points(DNNL_ARG_DST, 0, {operands.outZero});
    return attributes;
  }

  dnnl::engine engine;
  dnnl::stream stream;
  std::vector<int8_t> out;
  std::vector<int32_t> biasCodes;
  dnnl::memory weights;
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;
};

std::unique_ptr<Kernel> create(const Layer &layer, const Operands &operands) {
  if (!layer.hasWeights())
    return nullptr;
  try {
    return std::make_unique<OneDnnKernel>(layer, operands);
  } catch (const dnnl::error &error) {
    std::fprintf(stderr, "%s: expected oneDNN to take it, but got %s\n",
                 layer.name.c_str(), error.message);
    return nullptr;
  }
}

} // namespace

const Backend oneDnn = {"oneDNN", create};

} // namespace mli::bench
