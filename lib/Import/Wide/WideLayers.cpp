// SPDX-License-Identifier: Apache-2.0

#include "Import/Wide/WideLayers.h"

#include "mli/Frontend/WideLayer.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

double tflite::getReducedFactor(double factor) {
  int exponent;
  double mantissa = std::frexp(factor, &exponent);
  // The reference shifts by at most 31.
  if (exponent < -31)
    return 0;
  double reduced =
      std::min<double>(std::floor(std::ldexp(mantissa, 15) + 0.5), INT16_MAX);
  return std::ldexp(reduced, exponent - 15);
}

bool tflite::hasWideInput(const GraphImporter &importer) {
  int32_t input = importer.getOperator().getInput(0);
  return input >= 0 &&
         importer.getTensor(input).type == schema::TensorType::INT16;
}

FailureOr<Fx16Type> tflite::getWideElement(GraphImporter &importer,
                                           int32_t index) {
  schema::TensorType type = importer.getTensor(index).type;
  if (type != schema::TensorType::INT16)
    return importer.reject("expected ", importer.describe(index),
                           " to be int16, but got ", getTypeName(type));
  FailureOr<Type> element = importer.getElement(index);
  if (failed(element))
    return failure();
  return cast<Fx16Type>(*element);
}

double tflite::getScaleRatio(const GraphImporter &importer, int32_t input,
                             int32_t output) {
  return importer.getScale(input) / importer.getScale(output);
}

WideScales tflite::getWideScales(const GraphImporter &importer) {
  const Operator &op = importer.getOperator();
  double in = importer.getScale(op.getInput(0)),
         out = importer.getScale(op.outputs.front());
  return {in / out, in == out};
}

LogicalResult
tflite::chooseWideScales(GraphImporter &importer, Weighted &layer,
                         schema::ActivationFunctionType activation) {
  FailureOr<Fx16Type> input = getWideElement(importer, layer.input);
  FailureOr<Fx16Type> output =
      failed(input) ? input : getWideElement(importer, layer.output);
  if (failed(output))
    return failure();
  FailureOr<SmallVector<int64_t>> bias = readBias(importer, layer);
  if (failed(bias))
    return failure();
  double ratio =
      importer.getScale(layer.input) / importer.getScale(layer.output);
  ArrayRef<float> scales =
      importer.getTensor(layer.weights).quantization.scales;
  SmallVector<double> factors;
  for (float scale : scales)
    factors.push_back(getReducedFactor(ratio * scale));
  FailureOr<mli::quant::Limits> limits = getLimits(
      importer, activation, importer.getScale(layer.output), 0, /*bits=*/16);
  if (failed(limits))
    return failure();
  ArrayRef<char> values = layer.getValues();
  const auto *weights = reinterpret_cast<const int8_t *>(values.data());
  std::string reason;
  FailureOr<WideTerms> terms =
      chooseLayerTerms({*input,
                        *output,
                        {weights, weights + values.size()},
                        *bias,
                        factors,
                        /*isClippedAtZero=*/limits->low >= 0},
                       reason);
  if (failed(terms))
    return importer.reject(reason);
  layer.terms = std::move(*terms);
  layer.clip = chooseWideClip(*limits);
  return success();
}

FailureOr<Value> tflite::createFactor(GraphImporter &importer, Value value,
                                      double factor, Fx16Type element) {
  Value product = createWideFactor(importer, value, factor, element);
  if (!product)
    return importer.reject("expected a factor in the range of 16 bits, but "
                           "got ",
                           factor);
  return product;
}

FailureOr<Value> tflite::createScaled(GraphImporter &importer, Value value,
                                      double factor, Fx16Type element) {
  if (factor == 1 && getElementTypeOrSelf(value) == element)
    return value;
  return createFactor(importer, value, factor, element);
}
