// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/ByteProduct.h"

#include "mli/Quant/KernelScales.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using mli::quant::ByteChannel;
using mli::quant::ByteChoice;
using mli::quant::ByteForm;
using mli::quant::QuantParams;

Type ByteLayer::getWeightsElement(MLIRContext *context, int32_t axis) const {
  return Sa8Type::get(context, weightsParams.size() > 1 ? axis : -1,
                      weightsParams);
}

Type ByteLayer::getBiasElement(MLIRContext *context) const {
  return Sa32Type::get(context, biasParams.size() > 1 ? 0 : -1, biasParams);
}

//===----------------------------------------------------------------------===//
// Choosing constants
//===----------------------------------------------------------------------===//

/// The outputs of `product` as channels.
static SmallVector<ByteChannel> getChannels(const ByteProduct &product) {
  size_t outputs = product.bias.size();
  int32_t zero = product.in.zeroPoint;
  std::vector<mli::quant::SumRange> ranges = mli::quant::productRanges(
      reinterpret_cast<const int8_t *>(product.weights.data()),
      product.weights.size(), outputs,
      {product.input.low - zero, product.input.high - zero});
  SmallVector<ByteChannel> channels;
  for (auto [i, bias] : llvm::enumerate(product.bias)) {
    double factor = product.factors[product.factors.size() == 1 ? 0 : i];
    channels.push_back(
        {product.in, product.out, factor, bias, ranges[i], product.limits});
  }
  return channels;
}

/// The weights with zeros for `outputs`.
static SmallVector<char> withoutOutputs(ArrayRef<char> weights, size_t count,
                                        ArrayRef<int64_t> outputs) {
  SmallVector<char> cleared(weights);
  for (int64_t output : outputs)
    for (size_t i = output; i < cleared.size(); i += count)
      cleared[i] = 0;
  return cleared;
}

/// The format of fx16 values in units of an 8-bit value: differences of any two
/// of these fit. Kernels round to one step each; with this error in steps
/// results are exact to 3/64 of an 8-bit value, as those of the 8-bit kernel.
static constexpr int fracBits = 7;
static constexpr double maxError = 5;

/// The factor of a product that changes the scale of `from` to 1, or back, and
/// leaves quantized values as they are.
static std::optional<QuantParams> getUnitFactor(const QuantParams &from) {
  return mli::quant::nearestParams(1 / mli::quant::realScale(from), 0);
}

static LogicalResult checkScales(const ByteProduct &product,
                                 std::string &reason) {
  for (const QuantParams &params : {product.in, product.out})
    if (!getUnitFactor(params)) {
      reason = "expected scales whose inverse has a format, but got " +
               mli::quant::toString(params);
      return failure();
    }
  return success();
}

/// Chooses fx16 kernels for all `channels` of `layer`.
static LogicalResult chooseWide(MLIRContext *context, ByteLayer &layer,
                                const ByteProduct &product,
                                ArrayRef<ByteChannel> channels,
                                std::string &reason) {
  // The units are quantized values. Constants have no weights, since their sums
  // may have any value.
  std::vector<double> factors, numbers;
  for (const ByteChannel &channel : channels) {
    std::optional<int32_t> constant = mli::quant::findConstant(channel);
    factors.push_back(constant ? 0 : channel.factor);
    numbers.push_back(constant ? *constant : channel.bias * channel.factor);
  }
  std::vector<double> products, biases;
  for (double number : numbers)
    biases.push_back(std::ldexp(number, fracBits));
  for (auto [i, weight] : llvm::enumerate(product.weights))
    products.push_back(static_cast<int8_t>(weight) *
                       factors[i % factors.size()]);
  auto element = Fx16Type::get(context, fracBits);
  auto terms = chooseTerms(element, element, products, biases,
                           /*isClippedAtZero=*/product.limits.low >=
                               product.out.zeroPoint,
                           maxError, reason);
  if (failed(terms))
    return failure();
  layer.terms = std::move(*terms);
  layer.sumElement = element;
  return success();
}

std::variant<ByteLayer, ByteRejection>
mli::chooseLayer(MLIRContext *context, const ByteProduct &product) {
  SmallVector<ByteChannel> channels = getChannels(product);
  ByteLayer layer;
  for (auto [i, channel] : llvm::enumerate(channels)) {
    std::optional<ByteChoice> choice = mli::quant::chooseForm(channel);
    if (!choice)
      return ByteRejection{product.factors.size() == 1 ? 0 : i, ""};
    layer.weightsParams.push_back(choice->weights);
    layer.biasParams.push_back(choice->bias);
    layer.bias.push_back(choice->biasCode);
    if (choice->form == ByteForm::Rounded)
      layer.rounded.push_back(static_cast<int64_t>(i));
    if (choice->form == ByteForm::Constant)
      layer.constants.push_back(static_cast<int64_t>(i));
    if (choice->form == ByteForm::Wide)
      layer.wide.push_back(static_cast<int64_t>(i));
  }
  if (!layer.wide.empty()) {
    std::string reason;
    if (failed(checkScales(product, reason)) ||
        failed(chooseWide(context, layer, product, channels, reason)))
      return ByteRejection{static_cast<size_t>(layer.wide.front()),
                           reason +
                               "; the kernel of 8 bits would saturate "
                               "before the result of output " +
                               std::to_string(layer.wide.front())};
    return layer;
  }
  if (layer.constants.empty() && product.factors.size() == 1) {
    layer.weightsParams.resize(1);
    layer.biasParams.resize(1);
  }
  bool hasWeights = llvm::any_of(layer.constants, [&](int64_t output) {
    const mli::quant::SumRange &products = channels[output].products;
    return products.low != products.high;
  });
  if (hasWeights)
    layer.weights =
        withoutOutputs(product.weights, channels.size(), layer.constants);
  return layer;
}

FailureOr<ByteLayer> mli::chooseWideLayer(const ByteProduct &product,
                                          Fx16Type out, std::string &reason) {
  if (!getUnitFactor(product.in)) {
    reason = "expected a scale whose inverse has a format, but got " +
             mli::quant::toString(product.in);
    return failure();
  }
  size_t outputs = product.bias.size();
  auto getFactor = [&](size_t output) {
    return product.factors[product.factors.size() == 1 ? 0 : output];
  };
  std::vector<double> products, biases;
  for (auto [i, bias] : llvm::enumerate(product.bias))
    biases.push_back(bias * getFactor(i));
  for (auto [i, weight] : llvm::enumerate(product.weights))
    products.push_back(std::ldexp(
        static_cast<int8_t>(weight) * getFactor(i % outputs), -fracBits));
  constexpr double halfStep = 0.5;
  FailureOr<WideTerms> terms = chooseTerms(
      Fx16Type::get(out.getContext(), fracBits), out, products, biases,
      /*isClippedAtZero=*/false, halfStep, reason);
  if (failed(terms))
    return failure();
  ByteLayer layer;
  layer.terms = std::move(*terms);
  return layer;
}

/// Formats `3, 5, 8` or, of many, `3, 5, 8, ...`.
static std::string formatList(ArrayRef<int64_t> numbers) {
  constexpr size_t maxNumbers = 8;
  std::string text = llvm::join(
      llvm::map_range(numbers.take_front(maxNumbers),
                      [](int64_t number) { return std::to_string(number); }),
      ", ");
  return numbers.size() > maxNumbers ? text + ", ..." : text;
}

void mli::remarkList(Location loc, StringRef what, ArrayRef<int64_t> list,
                     int64_t count, StringRef name) {
  emitRemark(loc, what) << ": " << list.size() << " of " << count << " " << name
                        << ": " << formatList(list);
}

void mli::remarkChanges(Location loc, const ByteLayer &layer) {
  auto remark = [&](StringRef what, ArrayRef<int64_t> outputs) {
    if (!outputs.empty())
      remarkList(loc, what, outputs, static_cast<int64_t>(layer.bias.size()),
                 "outputs");
  };
  if (layer.terms)
    return remark("computed in fx16, since the kernel of 8 bits would saturate "
                  "where results do not",
                  layer.wide);
  remark("biases rounded to the 16 bits that the kernel takes", layer.rounded);
  remark("constants with a bias of their own scale", layer.constants);
}

//===----------------------------------------------------------------------===//
// Creating operations
//===----------------------------------------------------------------------===//

LayerOperands
mli::createOperands(TensorBuilder &tensors, const ByteLayer &layer,
                    ArrayRef<int64_t> shape,
                    llvm::function_ref<Value(Type)> createWeights) {
  if (layer.terms) {
    LayerOperands operands = createOperands(tensors, *layer.terms, shape);
    operands.sumElement = layer.sumElement;
    return operands;
  }
  MLIRContext *context = tensors.getContext();
  Type element =
      layer.getWeightsElement(context, static_cast<int32_t>(shape.size()) - 1);
  Value weights = layer.weights.empty()
                      ? createWeights(element)
                      : tensors.createConstant(element, shape, layer.weights);
  Type biasElement = layer.getBiasElement(context);
  ArrayRef bytes(reinterpret_cast<const char *>(layer.bias.data()),
                 layer.bias.size() * sizeof(int32_t));
  Value bias =
      llvm::all_equal(layer.bias)
          ? tensors.createSplat(biasElement, {shape.back()}, layer.bias.front())
          : tensors.createConstant(biasElement, {shape.back()}, bytes);
  return {{{weights, bias}}};
}

Value mli::createWidened(TensorBuilder &tensors, Value value) {
  QuantParams params = getParams(value);
  std::optional<QuantParams> unit = getUnitFactor(params);
  if (!unit)
    return {};
  Value values =
      tensors.createReinterpret(value, *unit, {1, 0, params.zeroPoint});
  return tensors.createConvert(values,
                               Fx16Type::get(tensors.getContext(), fracBits));
}

Value mli::createNarrowed(TensorBuilder &tensors, Value value,
                          Sa8Type element) {
  QuantParams params = element.getParams().front();
  Value values = tensors.createConvert(
      value, Sa8Type::get(tensors.getContext(), {1, 0, params.zeroPoint}));
  return tensors.createReinterpret(values, {params.scale, params.fracBits, 0},
                                   params);
}

Value mli::createProduct(TensorBuilder &tensors, const LayerOperands &operands,
                         const Clip &clip, Value input, Value init,
                         ProductFunction create) {
  if (!operands.sumElement) {
    Value sum = createSum(
        tensors, operands, init, [&](const KernelOperands &each, Value into) {
          return create(input, each, into, clip.getKernelRelu());
        });
    return createClip(tensors, sum, clip, /*isFromKernel=*/true);
  }
  Value wide = createWidened(tensors, input);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(init.getType()).getShape();
  Value sum = createSum(tensors, operands,
                        tensors.createEmpty(operands.sumElement, shape),
                        [&](const KernelOperands &each, Value into) {
                          return create(wide, each, into, ReluKind::none);
                        });
  auto element = cast<Sa8Type>(getElementTypeOrSelf(init));
  return createClip(tensors, createNarrowed(tensors, sum, element), clip);
}
