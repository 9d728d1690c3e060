// SPDX-License-Identifier: Apache-2.0
//
// oneDNN 2, as Debian has it, in one thread: layers with weights. Its fast
// kernels take no zero point of the input, so the bias has it, and padding
// counts as the real number 0 less that: borders differ.

#include "Module.h"
#include "OneDnnVersion.h"

#include <unordered_map>

namespace mli::opponents {
namespace {

class Convolution : public Variant {
public:
  Convolution(const LayerView &layer, const mli_bench_operands &operands)
      : engine(dnnl::engine::kind::cpu, 0), stream(engine),
        in(operands.in, layer.inputCount(), false),
        out(layer.outputCount(), false),
        bias(operands.bias, operands.bias + layer.outputs) {
    size_t columns = bias.size();
    for (size_t k = 0; k < layer.products(); ++k)
      for (size_t n = 0; n < columns; ++n)
        bias[n] -= operands.in_zero * operands.weights[k * columns + n];
    using Memory = dnnl::memory;
    using Tag = Memory::format_tag;
    using Type = Memory::data_type;
    bool isDepthwise = layer.isDepthwise();
    Memory::desc from({1, layer.inputs, layer.height, layer.width}, Type::s8,
                      Tag::nhwc);
    Memory::desc to({1, layer.outputs, layer.out_height, layer.out_width},
                    Type::s8, Tag::nhwc);
    Memory::desc offsets({layer.outputs}, Type::s32, Tag::x);
    Memory::dims kernel = {layer.outputs, layer.inputs, layer.kernel_height,
                           layer.kernel_width};
    if (isDepthwise)
      kernel = {layer.inputs, 1, 1, layer.kernel_height, layer.kernel_width};
    Memory::desc plain(kernel, Type::s8, isDepthwise ? Tag::hwigo : Tag::ohwi);
    Memory::desc packed(kernel, Type::s8, Tag::any);
    dnnl::convolution_forward::desc description(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
        from, packed, offsets, to, {layer.stride_height, layer.stride_width},
        {layer.pad_top, layer.pad_left}, {layer.pad_bottom, layer.pad_right});
    dnnl::convolution_forward::primitive_desc chosen(
        description, getAttributes(layer, operands), engine);
    Memory weights(chosen.weights_desc(), engine);
    // It only reads them.
    Memory given(plain, engine,
                 const_cast<int8_t *>(operands.weights_by_output));
    dnnl::reorder(given, weights).execute(stream, given, weights);
    primitive = dnnl::convolution_forward(chosen);
    arguments = {{DNNL_ARG_SRC, Memory(from, engine, in.data())},
                 {DNNL_ARG_WEIGHTS, weights},
                 {DNNL_ARG_BIAS, Memory(offsets, engine, bias.data())},
                 {DNNL_ARG_DST, Memory(to, engine, out.data())}};
    stream.wait();
  }

  bool run() override {
    try {
      primitive.execute(stream, arguments);
      stream.wait();
    } catch (const dnnl::error &) {
      return false;
    }
    return true;
  }
  void read(int8_t *codes) override { out.read(codes); }

private:
  static dnnl::primitive_attr
  getAttributes(const LayerView &layer, const mli_bench_operands &operands) {
    std::vector<float> scales;
    scales.reserve(static_cast<size_t>(layer.outputs));
    for (int32_t n = 0; n < layer.outputs; ++n)
      scales.push_back(operands.in_scale * operands.weight_scales[n] /
                       operands.out_scale);
    dnnl::primitive_attr attributes;
    attributes.set_output_scales(1 << 1, scales);
    attributes.set_zero_points(DNNL_ARG_DST, 0, {operands.out_zero});
    return attributes;
  }

  dnnl::engine engine;
  dnnl::stream stream;
  Codes in, out;
  std::vector<int32_t> bias;
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;
};

void create(const mli_bench_layer *given, const mli_bench_operands *operands,
            const mli_bench_receiver *receiver) {
  LayerView layer(*given);
  Variants variants(*receiver);
  if (!layer.hasWeights())
    return;
  try {
    variants.add("conv-fold", std::make_unique<Convolution>(layer, *operands));
  } catch (const dnnl::error &error) {
    variants.decline("conv-fold", error.message);
  }
}

const char *start() { return nullptr; }

} // namespace
} // namespace mli::opponents

const mli_bench_opponent *mli_bench_get_opponent() {
  using namespace mli::opponents;
  static const mli_bench_opponent opponent = makeOneDnnOpponent(start, create);
  return &opponent;
}
