// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime by its C API: each layer is a model of one node, run with bound
// operands in one thread. Weights are constants, so that a session packs them
// when it is created. Maps are channels last, for which the library has
// operations of its own.

#include "Module.h"
#include "OnnxModel.h"

#include <onnxruntime_c_api.h>

namespace mli::opponents {
namespace {

// Made by start(), for good.
const OrtApi *api = nullptr;
OrtEnv *environment = nullptr;
OrtMemoryInfo *memoryInfo = nullptr;

/// Returns what a call says, and frees it; empty if it succeeds.
std::string take(OrtStatus *status) {
  if (!status)
    return "";
  std::string message = api->GetErrorMessage(status);
  api->ReleaseStatus(status);
  return message.empty() ? "unknown error" : message;
}

/// A session of a model, and what it reads and writes. Its functions return why
/// they fail, or nothing.
class Session {
public:
  Session() = default;
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
  ~Session() {
    if (binding)
      api->ReleaseIoBinding(binding);
    for (OrtValue *value : values)
      api->ReleaseValue(value);
    if (session)
      api->ReleaseSession(session);
  }

  std::string load(const std::string &model) {
    OrtSessionOptions *options = nullptr;
    std::string reason = take(api->CreateSessionOptions(&options));
    if (!reason.empty())
      return reason;
    for (OrtStatus *status :
         {api->SetIntraOpNumThreads(options, 1),
          api->SetInterOpNumThreads(options, 1),
          api->SetSessionGraphOptimizationLevel(options, ORT_ENABLE_ALL)})
      if (std::string failure = take(status); reason.empty())
        reason = failure;
    if (reason.empty())
      reason = take(api->CreateSessionFromArray(
          environment, model.data(), model.size(), options, &session));
    if (reason.empty())
      reason = take(api->CreateIoBinding(session, &binding));
    api->ReleaseSessionOptions(options);
    return reason;
  }

  std::string bind(const char *name, OnnxType type, const Shape &shape,
                   int8_t *codes, size_t count) {
    OrtValue *value = nullptr;
    std::string reason = take(api->CreateTensorWithDataAsOrtValue(
        memoryInfo, codes, count, shape.data(), shape.size(),
        static_cast<ONNXTensorElementDataType>(type), &value));
    if (!reason.empty())
      return reason;
    values.push_back(value);
    bool isOutput = *name == 'y';
    return take(isOutput ? api->BindOutput(binding, name, value)
                         : api->BindInput(binding, name, value));
  }

  std::string run() {
    return take(api->RunWithBinding(session, nullptr, binding));
  }

private:
  OrtSession *session = nullptr;
  OrtIoBinding *binding = nullptr;
  std::vector<OrtValue *> values;
};

/// A layer as a model of one node.
class Node : public Variant {
public:
  Node(const LayerView &layer, const mli_bench_operands &operands,
       bool isUnsigned)
      : layer(layer), operands(operands),
        type(isUnsigned ? OnnxType::Uint8 : OnnxType::Int8),
        shift(isUnsigned ? 128 : 0),
        in(operands.in, layer.inputCount(), isUnsigned),
        in2(operands.in2, layer.inputCount(), isUnsigned),
        out(layer.outputCount(), isUnsigned) {}

  bool run() override { return session.run().empty(); }
  void read(int8_t *codes) override { out.read(codes); }

  /// Creates the session, and runs it once; returns why that fails, or nothing.
  std::string prepare(void (Node::*make)()) {
    (this->*make)();
    std::string reason =
        session.load(model.finish(operation, domain, type, outShape));
    if (reason.empty())
      reason = session.bind("x", type, inShape, in.data(), layer.inputCount());
    if (reason.empty() && layer.is("add"))
      reason =
          session.bind("x2", type, inShape, in2.data(), layer.inputCount());
    if (reason.empty())
      reason =
          session.bind("y", type, outShape, out.data(), layer.outputCount());
    return reason.empty() ? session.run() : reason;
  }

  void makeConvolution() {
    beginMap("QLinearConv");
    addQuantized("x", operands.in_scale, operands.in_zero);
    int64_t inputs = layer.isDepthwise() ? 1 : layer.inputs;
    addWeights({layer.outputs, inputs, layer.kernel_height, layer.kernel_width},
               getPlanes());
    addOutput();
    model.addConstant(OnnxType::Int32, {layer.outputs}, operands.bias,
                      static_cast<size_t>(layer.outputs));
    model.addAttribute("channels_last", 1);
    model.addAttribute("group", layer.isDepthwise() ? layer.inputs : 1);
    addWindow();
  }

  void makeProduct() {
    begin("QGemm", {layer.pixels(), layer.inputs},
          {layer.pixels(), layer.outputs});
    addQuantized("x", operands.in_scale, operands.in_zero);
    size_t count = layer.products() * layer.outputs;
    addWeights({layer.inputs, layer.outputs},
               {operands.weights, operands.weights + count});
    model.addConstant(OnnxType::Int32, {layer.outputs}, operands.bias,
                      static_cast<size_t>(layer.outputs));
    addOutput();
  }

  void makeSum() {
    beginMap("QLinearAdd");
    addQuantized("x", operands.in_scale, operands.in_zero);
    addQuantized("x2", operands.in2_scale, operands.in2_zero);
    addOutput();
  }

  void makeMaxPool() {
    beginMap("NhwcMaxPool");
    model.addInput("x", type, inShape);
    addWindow();
  }

  void makeMean() {
    beginMap("QLinearGlobalAveragePool");
    addQuantized("x", operands.in_scale, operands.in_zero);
    addOutput();
    model.addAttribute("channels_last", 1);
  }

  void makeSoftmax() {
    begin("QLinearSoftmax", {1, layer.inputs}, {1, layer.outputs});
    addQuantized("x", operands.in_scale, operands.in_zero);
    addOutput();
    model.addAttribute("axis", 1);
    model.addAttribute("opset", 13);
  }

private:
  void begin(const char *name, Shape from, Shape to) {
    operation = name;
    inShape = std::move(from);
    outShape = std::move(to);
  }
  void beginMap(const char *name) {
    begin(name, {1, layer.height, layer.width, layer.inputs},
          {1, layer.out_height, layer.out_width, layer.outputs});
  }

  /// An input, its scale and its zero point.
  void addQuantized(const char *name, float scale, int32_t zero) {
    model.addInput(name, type, inShape);
    model.addScale(scale);
    model.addZero(type, zero + shift);
  }
  void addOutput() {
    model.addScale(operands.out_scale);
    model.addZero(type, operands.out_zero + shift);
  }

  /// Weights, and the scales and zero points of their channels.
  void addWeights(const Shape &shape, const std::vector<int8_t> &codes) {
    auto channels = static_cast<size_t>(layer.outputs);
    std::vector<int8_t> zeros(channels);
    model.addConstant(OnnxType::Int8, shape, codes.data(), codes.size());
    model.addConstant(OnnxType::Float, {layer.outputs}, operands.weight_scales,
                      channels);
    model.addConstant(OnnxType::Int8, {layer.outputs}, zeros.data(), channels);
  }

  /// The weights as [outputs][inputs][kernel height][kernel width].
  std::vector<int8_t> getPlanes() const {
    size_t inputs = layer.isDepthwise() ? 1 : layer.inputs;
    size_t columns = layer.outputs, taps = layer.products() / inputs;
    std::vector<int8_t> codes;
    for (size_t n = 0; n < columns; ++n)
      for (size_t c = 0; c < inputs; ++c)
        for (size_t tap = 0; tap < taps; ++tap)
          codes.push_back(operands.weights[(tap * inputs + c) * columns + n]);
    return codes;
  }

  void addWindow() {
    model.addAttribute("kernel_shape",
                       Shape{layer.kernel_height, layer.kernel_width});
    model.addAttribute("strides",
                       Shape{layer.stride_height, layer.stride_width});
    model.addAttribute("pads", Shape{layer.pad_top, layer.pad_left,
                                     layer.pad_bottom, layer.pad_right});
  }

  static constexpr const char *domain = "com.microsoft";

  LayerView layer;
  const mli_bench_operands &operands;
  OnnxType type;
  int32_t shift;
  Codes in, in2, out;
  std::string operation;
  Shape inShape, outShape;
  OnnxModel model;
  Session session;
};

void add(const Variants &variants, const LayerView &layer,
         const mli_bench_operands &operands, const std::string &name,
         void (Node::*make)()) {
  for (bool isUnsigned : {false, true}) {
    std::string label = (isUnsigned ? "u8-" : "") + name;
    auto variant = std::make_unique<Node>(layer, operands, isUnsigned);
    std::string reason = variant->prepare(make);
    if (reason.empty())
      variants.add(label, std::move(variant));
    else
      variants.decline(label, reason);
  }
}

void create(const mli_bench_layer *given, const mli_bench_operands *operands,
            const mli_bench_receiver *receiver) {
  LayerView layer(*given);
  Variants variants(*receiver);
  if (layer.is("conv") || layer.isDepthwise())
    add(variants, layer, *operands, "conv", &Node::makeConvolution);
  if (layer.isProduct())
    add(variants, layer, *operands, "gemm", &Node::makeProduct);
  if (layer.is("add"))
    add(variants, layer, *operands, "add", &Node::makeSum);
  if (layer.is("maxpool"))
    add(variants, layer, *operands, "maxpool", &Node::makeMaxPool);
  if (layer.is("avgpool") && layer.isGlobal())
    add(variants, layer, *operands, "mean", &Node::makeMean);
  if (layer.is("softmax"))
    add(variants, layer, *operands, "softmax", &Node::makeSoftmax);
}

/// A model that copies one byte: what each run costs besides its node.
class Identity {
public:
  Identity() : in(1, false), out(1, false) {
    OnnxModel model;
    model.addInput("x", OnnxType::Int8, {1});
    reason = session.load(model.finish("Identity", "", OnnxType::Int8, {1}));
    if (reason.empty())
      reason = session.bind("x", OnnxType::Int8, {1}, in.data(), 1);
    if (reason.empty())
      reason = session.bind("y", OnnxType::Int8, {1}, out.data(), 1);
  }
  Session session;
  std::string reason;

private:
  Codes in, out;
};

/// Never destroyed: the library may be gone by then.
Identity &getIdentity() {
  static auto &identity = *new Identity;
  return identity;
}

const char *getVersion() { return OrtGetApiBase()->GetVersionString(); }

/// A library has the interfaces of all versions before its own.
int hasInterface() {
  return OrtGetApiBase()->GetApi(ORT_API_VERSION) != nullptr;
}

const char *start() {
  static std::string reason;
  api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
  reason =
      take(api->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "mli-bench", &environment));
  if (reason.empty())
    reason = take(api->CreateCpuMemoryInfo(OrtDeviceAllocator,
                                           OrtMemTypeDefault, &memoryInfo));
  if (reason.empty())
    reason = getIdentity().reason;
  return reason.empty() ? nullptr : reason.c_str();
}

int runNothing() { return getIdentity().session.run().empty() ? 0 : 1; }

} // namespace
} // namespace mli::opponents

const mli_bench_opponent *mli_bench_get_opponent() {
  using namespace mli::opponents;
  // The interface of number N came with version 1.N.
  static const std::string headers = "1." + std::to_string(ORT_API_VERSION);
  static const mli_bench_opponent opponent = {
      MLI_BENCH_INTERFACE, "ONNXRuntime", headers.c_str(), getVersion,
      hasInterface,        start,         create,          runNothing};
  return &opponent;
}
