// SPDX-License-Identifier: Apache-2.0

#include "Unary.h"

#include "Wide/WideLayers.h"

#include "mli/Quant/KernelScales.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

LogicalResult tflite::checkCodes(GraphImporter &importer, int32_t input,
                                 int32_t output) {
  if (importer.getTensor(input).type == schema::TensorType::INT16)
    return success(succeeded(getWideElement(importer, input)) &&
                   succeeded(getWideElement(importer, output)));
  return success(succeeded(importer.getParams(input)) &&
                 succeeded(importer.getParams(output)));
}

LogicalResult tflite::checkSameFormat(GraphImporter &importer, int32_t input,
                                      int32_t output) {
  // In terms of the file, whose scales of 16 bits have other formats.
  auto getScale = [&](int32_t tensor) {
    return mli::quant::nearestParams(importer.getScale(tensor), 0);
  };
  if (importer.getTensor(input).type == schema::TensorType::INT16 &&
      importer.getTensor(output).type == schema::TensorType::INT16 &&
      getScale(input) != getScale(output))
    return importer.reject("expected ", importer.describe(output),
                           " to be of the scale of ", importer.describe(input),
                           ", ", importer.getScale(input), ", but got ",
                           importer.getScale(output));
  FailureOr<Type> from = importer.getElement(input);
  FailureOr<Type> to = importer.getElement(output);
  if (failed(from) || failed(to) || *from == *to)
    return success(succeeded(from) && succeeded(to));
  return importer.reject("expected ", importer.describe(output),
                         " to be of the format of ", importer.describe(input),
                         ", ", *from, ", but got ", *to);
}

FailureOr<UnaryTensors> tflite::readTensors(GraphImporter &importer,
                                            size_t index) {
  FailureOr<int32_t> input = importer.getInput(index);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output) ||
      failed(importer.checkElements(*output)))
    return failure();
  FailureOr<mli::quant::QuantParams> in = importer.getParams(*input);
  if (failed(in))
    return failure();
  FailureOr<mli::quant::QuantParams> out = importer.getParams(*output);
  if (failed(out))
    return failure();
  return UnaryTensors{*input, *output, *in, *out};
}

FailureOr<Unary> tflite::readUnary(GraphImporter &importer, size_t input) {
  FailureOr<UnaryTensors> tensors = readTensors(importer, input);
  if (failed(tensors))
    return failure();
  int64_t elements = importer.getTensor(tensors->output).getNumElements();
  if (importer.getTensor(tensors->input).getNumElements() != elements)
    return importer.reject("expected an input of ", elements,
                           " elements, as the output has, but got ",
                           importer.getTensor(tensors->input).getNumElements());
  SmallVector<int64_t> shape(importer.getShape(tensors->output));
  if (shape.size() > 4 || shape.empty())
    shape = {elements};
  if (shape.size() == 4 && shape.front() == 1)
    shape.erase(shape.begin());
  FailureOr<Value> source = importer.read(tensors->input, shape);
  FailureOr<Type> element = importer.getElement(tensors->output);
  if (failed(source) || failed(element))
    return failure();
  return Unary{{*tensors}, *source, *element, shape};
}

LogicalResult tflite::defineUnary(GraphImporter &importer, const Unary &unary,
                                  Value value) {
  importer.define(unary.output, importer.createConvert(value, unary.element));
  return success();
}

FailureOr<Value> tflite::createScaled(GraphImporter &importer, Value value,
                                      double factor) {
  auto element = cast<Sa8Type>(getElementTypeOrSelf(value));
  mli::quant::QuantParams params = element.getParams().front();
  auto by = mli::quant::nearestParams(factor, 0);
  auto scaled = mli::quant::nearestParams(
      mli::quant::realScale(params) * factor, params.zeroPoint);
  if (!by || !scaled)
    return importer.reject("expected a factor in range of a scale, but got ",
                           factor);
  return importer.createReinterpret(value, *by, *scaled);
}
