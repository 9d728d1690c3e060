// SPDX-License-Identifier: Apache-2.0
//
// oneDNN 3 by its primitives, in one thread: weights are reordered in advance
// into the layout that a primitive asks for. The scales of input, channel and
// output are one factor of each channel, so that no run computes it again.

#include "Module.h"
#include "OneDnnVersion.h"

#include <unordered_map>

namespace mli::opponents {
namespace {

using Desc = dnnl::memory::desc;
using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;

dnnl::engine &getEngine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}
dnnl::stream &getStream() {
  static dnnl::stream stream(getEngine());
  return stream;
}

/// How a layer is given.
struct Form {
  /// Codes are 128 higher: x86 multiplies those without a correction.
  bool isUnsigned;
  /// The bias has the zero point of the input, where nothing is padded.
  bool isFolded;

  int32_t shift() const { return isUnsigned ? 128 : 0; }
  Type type() const { return isUnsigned ? Type::u8 : Type::s8; }
};

/// A primitive, and the memory that it works with.
class Primitive : public Variant {
public:
  Primitive(const LayerView &layer, const mli_bench_operands &operands,
            Form form)
      : layer(layer), operands(operands), form(form),
        in(operands.in, layer.inputCount(), form.isUnsigned),
        in2(operands.in2, layer.inputCount(), form.isUnsigned),
        out(layer.outputCount(), form.isUnsigned),
        inZero(operands.in_zero + form.shift()),
        outZero(operands.out_zero + form.shift()) {
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (layer.hasWeights())
      setFactors();
  }

  bool run() override {
    try {
      primitive.execute(getStream(), arguments);
      getStream().wait();
    } catch (const dnnl::error &) {
      return false;
    }
    return true;
  }
  void read(int8_t *codes) override { out.read(codes); }

  void createConvolution() {
    bool isDepthwise = layer.isDepthwise();
    dnnl::memory::dims shape = {layer.outputs, layer.inputs,
                                layer.kernel_height, layer.kernel_width};
    if (isDepthwise)
      shape = {layer.inputs, 1, 1, layer.kernel_height, layer.kernel_width};
    setScales(isDepthwise ? 3 : 1);
    dnnl::convolution_forward::primitive_desc chosen(
        getEngine(), dnnl::prop_kind::forward_inference,
        dnnl::algorithm::convolution_direct, inMap(),
        Desc(shape, Type::s8, Tag::any),
        Desc({layer.outputs}, Type::f32, Tag::x), outMap(),
        {layer.stride_height, layer.stride_width},
        {layer.pad_top, layer.pad_left}, {layer.pad_bottom, layer.pad_right},
        attributes);
    setWeighted(chosen,
                Desc(shape, Type::s8, isDepthwise ? Tag::hwigo : Tag::ohwi));
    primitive = dnnl::convolution_forward(chosen);
  }

  void createProduct() {
    dnnl::memory::dims shape = {layer.inputs, layer.outputs};
    setScales(2);
    dnnl::matmul::primitive_desc chosen(
        getEngine(), rows(layer.inputs), Desc(shape, Type::s8, Tag::any),
        Desc({1, layer.outputs}, Type::f32, Tag::ab), rows(layer.outputs),
        attributes);
    setWeighted(chosen, Desc(shape, Type::s8, Tag::ba));
    primitive = dnnl::matmul(chosen);
  }

  void createPool() {
    dnnl::pooling_forward::primitive_desc chosen(
        getEngine(), dnnl::prop_kind::forward_inference,
        layer.is("maxpool") ? dnnl::algorithm::pooling_max
                            : dnnl::algorithm::pooling_avg_exclude_padding,
        inMap(), outMap(), {layer.stride_height, layer.stride_width},
        {layer.kernel_height, layer.kernel_width}, {0, 0},
        {layer.pad_top, layer.pad_left}, {layer.pad_bottom, layer.pad_right},
        attributes);
    set(DNNL_ARG_SRC, chosen.src_desc(), in.data());
    setOutput(chosen);
    primitive = dnnl::pooling_forward(chosen);
  }

  /// All zero points are one addition after the sum.
  void createSum() {
    factors = {operands.in_scale / operands.out_scale,
               operands.in2_scale / operands.out_scale};
    int32_t in2Zero = operands.in2_zero + form.shift();
    float rest = static_cast<float>(outZero) -
                 factors[0] * static_cast<float>(inZero) -
                 factors[1] * static_cast<float>(in2Zero);
    attributes.set_scales_mask(DNNL_ARG_SRC_0, 0);
    attributes.set_scales_mask(DNNL_ARG_SRC_1, 0);
    dnnl::post_ops after;
    after.append_eltwise(dnnl::algorithm::eltwise_linear, 1, rest);
    attributes.set_post_ops(after);
    dnnl::binary::primitive_desc chosen(getEngine(),
                                        dnnl::algorithm::binary_add, inMap(),
                                        inMap(), outMap(), attributes);
    set(DNNL_ARG_SRC_0, inMap(), in.data());
    set(DNNL_ARG_SRC_1, inMap(), in2.data());
    Desc one({1}, Type::f32, Tag::x);
    set(DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC_0, one, &factors[0]);
    set(DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC_1, one, &factors[1]);
    setOutput(chosen);
    primitive = dnnl::binary(chosen);
  }

private:
  Desc inMap() const {
    return {
        {1, layer.inputs, layer.height, layer.width}, form.type(), Tag::nhwc};
  }
  Desc outMap() const {
    return {{1, layer.outputs, layer.out_height, layer.out_width},
            form.type(),
            Tag::nhwc};
  }
  /// A matrix with a row for each pixel.
  Desc rows(int32_t channels) const {
    return {{layer.pixels(), channels}, form.type(), Tag::ab};
  }

  /// The factor and the bias of each channel, in codes of the output.
  void setFactors() {
    auto columns = static_cast<size_t>(layer.outputs);
    for (size_t n = 0; n < columns; ++n) {
      int64_t sum = operands.bias[n];
      for (size_t k = 0; form.isFolded && k < layer.products(); ++k)
        sum -= inZero * int64_t{operands.weights[k * columns + n]};
      factors.push_back(operands.in_scale * operands.weight_scales[n] /
                        operands.out_scale);
      bias.push_back(static_cast<float>(sum) * factors.back());
    }
  }

  /// `mask` names the dimensions of the weights that have a factor each.
  void setScales(int mask) {
    attributes.set_scales_mask(DNNL_ARG_WEIGHTS, mask);
    attributes.set_zero_points_mask(DNNL_ARG_DST, 0);
    if (!form.isFolded)
      attributes.set_zero_points_mask(DNNL_ARG_SRC, 0);
  }

  void set(int argument, const Desc &description, void *data) {
    arguments[argument] = dnnl::memory(description, getEngine(), data);
  }

  template <typename Description>
  void setOutput(const Description &chosen) {
    set(DNNL_ARG_DST, chosen.dst_desc(), out.data());
    arguments[DNNL_ARG_SCRATCHPAD] =
        dnnl::memory(chosen.scratchpad_desc(), getEngine());
  }

  /// Reorders the weights, which are as `given` describes, and lists what a
  /// layer with weights reads.
  template <typename Description>
  void setWeighted(const Description &chosen, const Desc &given) {
    // It only reads them.
    auto *codes = const_cast<int8_t *>(operands.weights_by_output);
    dnnl::memory plain(given, getEngine(), codes);
    dnnl::memory packed(chosen.weights_desc(), getEngine());
    dnnl::reorder(plain, packed).execute(getStream(), plain, packed);
    getStream().wait();
    Desc one({1}, Type::s32, Tag::x);
    arguments[DNNL_ARG_WEIGHTS] = packed;
    set(DNNL_ARG_SRC, chosen.src_desc(), in.data());
    set(DNNL_ARG_BIAS, chosen.query_md(dnnl::query::weights_md, 1),
        bias.data());
    set(DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS,
        Desc({layer.outputs}, Type::f32, Tag::x), factors.data());
    set(DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, one, &outZero);
    if (!form.isFolded)
      set(DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, one, &inZero);
    setOutput(chosen);
  }

  LayerView layer;
  const mli_bench_operands &operands;
  Form form;
  Codes in, in2, out;
  int32_t inZero, outZero;
  std::vector<float> factors, bias;
  dnnl::primitive_attr attributes;
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;
};

void add(const Variants &variants, const LayerView &layer,
         const mli_bench_operands &operands, const std::string &name,
         void (Primitive::*prepare)()) {
  for (bool isUnsigned : {false, true})
    for (bool isFolded : {false, true}) {
      if (isFolded && (layer.hasPadding() || !layer.hasWeights()))
        continue;
      std::string label = (isUnsigned ? "u8-" : "") + name +
                          (!layer.hasWeights() ? ""
                           : isFolded          ? "-fold"
                                               : "-zero");
      try {
        auto variant = std::make_unique<Primitive>(layer, operands,
                                                   Form{isUnsigned, isFolded});
        ((*variant).*prepare)();
        variants.add(label, std::move(variant));
      } catch (const dnnl::error &error) {
        variants.decline(label, error.message);
      }
    }
}

/// Softmax is left out: a scale of its input is a factor of its result here,
/// not of the exponent.
/// Inner products are, too: they take no zero points.
void create(const mli_bench_layer *given, const mli_bench_operands *operands,
            const mli_bench_receiver *receiver) {
  LayerView layer(*given);
  Variants variants(*receiver);
  if (layer.is("conv") || layer.isDepthwise())
    add(variants, layer, *operands, "conv", &Primitive::createConvolution);
  if (layer.isProduct())
    add(variants, layer, *operands, "matmul", &Primitive::createProduct);
  if (layer.is("maxpool") || layer.is("avgpool"))
    add(variants, layer, *operands, "pool", &Primitive::createPool);
  if (layer.is("add"))
    add(variants, layer, *operands, "add", &Primitive::createSum);
}

const char *start() {
  try {
    getStream();
  } catch (const dnnl::error &error) {
    static const std::string reason = error.message;
    return reason.c_str();
  }
  return nullptr;
}

} // namespace
} // namespace mli::opponents

const mli_bench_opponent *mli_bench_get_opponent() {
  using namespace mli::opponents;
  static const mli_bench_opponent opponent = makeOneDnnOpponent(start, create);
  return &opponent;
}
