// SPDX-License-Identifier: Apache-2.0

#include "Weighted.h"

#include "mli/IR/ConstantData.h"
#include "mli/Quant/KernelScales.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

void Weighted::moveOutputsLast() {
  reordered =
      std::make_shared<SmallVector<char>>(withOutputsLast(codes, getOutputs()));
}

FailureOr<Weighted> tflite::readWeighted(GraphImporter &importer, int32_t input,
                                         int32_t weights, int32_t bias,
                                         int32_t output, int32_t outputAxis,
                                         size_t rank) {
  Weighted layer{};
  layer.input = input;
  layer.weights = weights;
  layer.bias = bias;
  layer.output = output;
  const Tensor &tensor = importer.getTensor(weights);
  auto expected = [&](const auto &...parts) {
    return importer.refuse("expected weights ", importer.describe(weights),
                           " to be ", parts...);
  };
  if (tensor.type != schema::TensorType::INT8)
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
    if (zeroPoint != 0)
      return expected("of zero points 0, but got ", zeroPoint);
  layer.codes = ArrayRef(tensor.data.data(), tensor.data.size());
  return layer;
}

LogicalResult tflite::chooseScales(GraphImporter &importer, Weighted &layer,
                                   schema::ActivationFunctionType activation) {
  FailureOr<mli::quant::QuantParams> in = importer.getParams(layer.input);
  if (failed(in))
    return failure();
  FailureOr<mli::quant::QuantParams> out = importer.getParams(layer.output);
  if (failed(out))
    return failure();
  double ratio =
      importer.getScale(layer.input) / importer.getScale(layer.output);
  const Quantization &quantization =
      importer.getTensor(layer.weights).quantization;
  SmallVector<mli::quant::QuantParams> weightsParams, biasParams;
  for (auto [i, scale] : llvm::enumerate(quantization.scales)) {
    std::optional<mli::quant::QuantParams> weights =
        mli::quant::weightsParams(*in, *out, ratio * scale);
    std::optional<mli::quant::QuantParams> bias;
    if (weights)
      bias = mli::quant::biasParams(*in, *weights);
    if (!bias)
      return importer.refuse("expected scale ", i, " of weights ",
                             importer.describe(layer.weights),
                             " to give a factor in range, but got ",
                             ratio * scale);
    weightsParams.push_back(*weights);
    biasParams.push_back(*bias);
  }
  MLIRContext *context = importer.getContext();
  bool isPerAxis = quantization.isPerAxis();
  auto axis = static_cast<int32_t>(layer.shape.size()) - 1;
  layer.weightsElement =
      Sa8Type::get(context, isPerAxis ? axis : -1, weightsParams);
  layer.biasElement = Sa32Type::get(context, isPerAxis ? 0 : -1, biasParams);
  FailureOr<mli::quant::Limits> limits = getLimits(
      importer, activation, importer.getScale(layer.output), out->zeroPoint);
  if (failed(limits))
    return failure();
  layer.clip = chooseClip(*limits, *out);
  return success();
}

Value tflite::createWeights(GraphImporter &importer, const Weighted &layer) {
  return importer.createConstant(layer.weightsElement, layer.shape,
                                 layer.getCodes(), layer.reordered);
}

FailureOr<Value> tflite::createBias(GraphImporter &importer,
                                    const Weighted &layer) {
  int64_t outputs = layer.getOutputs();
  if (layer.bias < 0)
    return importer.createSplat(layer.biasElement, {outputs}, 0);
  const Tensor &bias = importer.getTensor(layer.bias);
  if (bias.type != schema::TensorType::INT32 || !bias.isConstant)
    return importer.refuse("expected bias ", importer.describe(layer.bias),
                           " to be constant int32, but got ",
                           bias.isConstant ? "" : "computed ",
                           getTypeName(bias.type));
  if (bias.getNumElements() != outputs)
    return importer.refuse("expected bias ", importer.describe(layer.bias),
                           " to have ", outputs, " elements, but got ",
                           bias.getNumElements());
  return importer.createConstant(layer.biasElement, {outputs},
                                 ArrayRef(bias.data.data(), bias.data.size()));
}

FailureOr<LayerOperands> tflite::createOperands(GraphImporter &importer,
                                                const Weighted &layer) {
  if (layer.terms)
    return createOperands(importer, *layer.terms, layer.shape);
  Value weights = createWeights(importer, layer);
  FailureOr<Value> bias = createBias(importer, layer);
  if (failed(bias))
    return failure();
  return LayerOperands{{{weights, *bias}}};
}
