// SPDX-License-Identifier: Apache-2.0

#include "Weighted.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/IR/ConstantData.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

void Weighted::moveOutputsLast() {
  reordered = std::make_shared<SmallVector<char>>(
      withOutputsLast(values, getOutputs()));
}

FailureOr<Weighted> tflite::readWeighted(GraphImporter &importer, int32_t input,
                                         int32_t weights, int32_t bias,
                                         int32_t output, int32_t outputAxis,
                                         size_t rank, bool takesUnsigned) {
  Weighted layer{};
  layer.input = input;
  layer.weights = weights;
  layer.bias = bias;
  layer.output = output;
  const Tensor &tensor = importer.getTensor(weights);
  auto expected = [&](const auto &...parts) {
    return importer.reject("expected weights ", importer.describe(weights),
                           " to be ", parts...);
  };
  constexpr auto unsignedType = schema::TensorType::UINT8;
  bool isUnsigned = takesUnsigned && tensor.type == unsignedType &&
                    importer.getTensor(input).type == unsignedType;
  if (!isUnsigned && tensor.type != schema::TensorType::INT8)
    return expected("int8, but got ", getTypeName(tensor.type));
  if (failed(importer.checkRank(weights, rank)))
    return failure();
  if (!tensor.isConstant)
    return expected("constant, but got computed ones");
  const Quantization &quantization = tensor.quantization;
  if (quantization.scales.empty())
    return expected("quantised, but got no scale");
  if (quantization.isPerAxis() && quantization.axis != outputAxis)
    return expected("quantised along dimension ", outputAxis, ", but got ",
                    quantization.axis);
  for (int64_t zeroPoint : quantization.zeroPoints)
    if (isUnsigned && (zeroPoint < 0 || zeroPoint > UINT8_MAX))
      return expected("of zero points in [0, 255], but got ", zeroPoint);
    else if (!isUnsigned && zeroPoint != 0)
      return expected("of zero points 0, but got ", zeroPoint);
  layer.values = ArrayRef(tensor.data.data(), tensor.data.size());
  return layer;
}

void tflite::subtractZeroPoints(GraphImporter &importer, Weighted &layer,
                                int64_t inputs) {
  const Tensor &tensor = importer.getTensor(layer.weights);
  int64_t &channels = layer.shape[layer.shape.size() - 2];
  int64_t groups = inputs / channels;
  // The verifier of the kernel refuses groups of different sizes.
  if (tensor.type != schema::TensorType::UINT8 || groups * channels != inputs ||
      layer.getOutputs() % groups != 0)
    return;
  ArrayRef<int64_t> zeros = tensor.quantization.zeroPoints;
  SmallVector<int16_t> numbers;
  for (auto [i, code] : llvm::enumerate(layer.getValues())) {
    int64_t output = static_cast<int64_t>(i) % layer.getOutputs();
    int64_t zero = zeros[zeros.size() == 1 ? 0 : output];
    numbers.push_back(static_cast<int16_t>(static_cast<uint8_t>(code) - zero));
  }
  layer.channels = {groups, channels, layer.getOutputs() / groups};
  SplitWeights split = splitWeights(numbers, layer.channels);
  layer.reordered =
      std::make_shared<SmallVector<char>>(std::move(split.weights));
  layer.repeated = std::move(split.repeated);
  layer.repeatedGroups = std::move(split.groups);
  channels += static_cast<int64_t>(layer.repeated.size());
}

FailureOr<SmallVector<int64_t>> tflite::readBias(GraphImporter &importer,
                                                 const Weighted &layer) {
  auto outputs = static_cast<size_t>(layer.getOutputs());
  if (layer.bias < 0)
    return SmallVector<int64_t>(outputs, 0);
  FailureOr<SmallVector<int64_t>> bias = importer.readIntegers(layer.bias);
  if (succeeded(bias) && bias->size() != outputs)
    return importer.reject("expected bias ", importer.describe(layer.bias),
                           " to have ", outputs, " elements, but got ",
                           bias->size());
  return bias;
}

/// Fails if `layer` has a bias that is not a constant of int32.
static LogicalResult checkBias(GraphImporter &importer, const Weighted &layer) {
  if (layer.bias < 0)
    return success();
  const Tensor &bias = importer.getTensor(layer.bias);
  if (bias.type == schema::TensorType::INT32 && bias.isConstant)
    return success();
  return importer.reject("expected bias ", importer.describe(layer.bias),
                         " to be constant int32, but got ",
                         bias.isConstant ? "" : "computed ",
                         getTypeName(bias.type));
}

/// The range of quantized values of an 8-bit tensor; a border consists of
/// zeros.
static mli::quant::CodeRange getRange(GraphImporter &importer, int32_t index) {
  if (std::optional<PaddedFeatureMap> map = importer.findPadded(index))
    index = map->source;
  FailureOr<Value> value = failure();
  if (importer.isDefined(index))
    value = importer.read(index);
  return succeeded(value) ? getCodeRange(*value) : mli::quant::allCodes(8);
}

/// The product that the layer computes for the values that its input can have.
static FailureOr<ByteProduct> readProduct(GraphImporter &importer,
                                          const Weighted &layer) {
  FailureOr<mli::quant::QuantParams> in = importer.getParams(layer.input);
  if (failed(in))
    return failure();
  FailureOr<mli::quant::QuantParams> out = importer.getParams(layer.output);
  if (failed(out))
    return failure();
  if (failed(checkBias(importer, layer)))
    return failure();
  FailureOr<SmallVector<int64_t>> bias = readBias(importer, layer);
  if (failed(bias))
    return failure();
  size_t outputs = bias->size();
  ArrayRef<float> scales =
      importer.getTensor(layer.weights).quantization.scales;
  if (scales.size() != 1 && scales.size() != outputs)
    return importer.reject("expected one scale of weights ",
                           importer.describe(layer.weights),
                           ", or one for each "
                           "of ",
                           outputs, " outputs, but got ", scales.size());
  ByteProduct product{*in,
                      *out,
                      getRange(importer, layer.input),
                      layer.getValues(),
                      SmallVector<int32_t>(bias->begin(), bias->end()),
                      {},
                      {INT8_MIN, INT8_MAX}};
  for (double scale : scales)
    product.factors.push_back(importer.getScale(layer.input) * scale /
                              importer.getScale(layer.output));
  return product;
}

LogicalResult tflite::chooseScales(GraphImporter &importer, Weighted &layer,
                                   schema::ActivationFunctionType activation) {
  FailureOr<ByteProduct> product = readProduct(importer, layer);
  if (failed(product))
    return failure();
  FailureOr<mli::quant::Limits> limits =
      getLimits(importer, activation, importer.getScale(layer.output),
                product->out.zeroPoint);
  if (failed(limits))
    return failure();
  product->limits = *limits;
  layer.clip = chooseClip(*limits, product->out);
  auto choice = chooseLayer(importer.getContext(), *product);
  if (auto *rejection = std::get_if<ByteRejection>(&choice)) {
    if (!rejection->reason.empty())
      return importer.reject(rejection->reason);
    return importer.reject("expected scale ", rejection->output, " of weights ",
                           importer.describe(layer.weights),
                           " to give a factor in range, but got ",
                           product->factors[rejection->output]);
  }
  layer.bytes = std::move(std::get<ByteLayer>(choice));
  remarkChanges(importer.getLoc(), layer.bytes);
  return success();
}

LayerOperands tflite::createOperands(GraphImporter &importer,
                                     const Weighted &layer) {
  if (layer.terms)
    return mli::createOperands(importer, *layer.terms, layer.shape);
  return mli::createOperands(
      importer, layer.bytes, layer.shape, [&](Type element) {
        return importer.createConstant(element, layer.shape, layer.getValues(),
                                       layer.reordered);
      });
}
