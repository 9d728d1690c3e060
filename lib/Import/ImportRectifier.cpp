// SPDX-License-Identifier: Apache-2.0
//
// Imports piecewise linear functions.

#include "Options.h"
#include "Unary.h"
#include "Wide/WideLayers.h"

#include "mli/Quant/KernelScales.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

static LogicalResult importClip(GraphImporter &importer,
                                ActivationFunctionType activation) {
  if (hasWideInput(importer)) {
    FailureOr<int32_t> output = importer.getOutput();
    if (failed(output))
      return failure();
    auto limits = getLimits(importer, activation, importer.getScale(*output),
                            /*zeroPoint=*/0, /*bits=*/16);
    return failed(limits) ? failure() : importWideClip(importer, *limits);
  }
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  FailureOr<mli::quant::Limits> limits =
      getLimits(importer, activation, importer.getScale(unary->output),
                unary->out.zeroPoint);
  if (failed(limits))
    return failure();
  Value source = importer.createConvert(unary->source, unary->element);
  importer.define(unary->output, createClip(importer, source,
                                            chooseClip(*limits, unary->out)));
  return success();
}

LogicalResult tflite::importRelu(GraphImporter &importer) {
  return importClip(importer, ActivationFunctionType::RELU);
}
LogicalResult tflite::importRelu6(GraphImporter &importer) {
  return importClip(importer, ActivationFunctionType::RELU6);
}
LogicalResult tflite::importReluN1To1(GraphImporter &importer) {
  return importClip(importer, ActivationFunctionType::RELU_N1_TO_1);
}

/// Imports a multiplication of negative elements by `alpha`.
static LogicalResult importSlope(GraphImporter &importer, double alpha) {
  FailureOr<int32_t> input = importer.getInput(0);
  if (failed(input))
    return failure();
  if (importer.getTensor(*input).type == schema::TensorType::INT16)
    return importWideLeakyRelu(importer, alpha);
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  // The quantized slope holds the sign only, so the scale has 15 bits for the
  // number.
  auto params = mli::quant::nearestParams(alpha == 0 ? 1 : std::abs(alpha), 0);
  if (!params)
    return importer.reject("expected alpha to be in range of a scale, but got ",
                           alpha);
  Value slope =
      importer.createSplat(Sa8Type::get(importer.getContext(), *params), {1},
                           alpha > 0   ? 1
                           : alpha < 0 ? -1
                                       : 0);
  Value init = importer.createEmpty(unary->element, unary->shape);
  Value result = importer.createOp<LeakyReluOp>(unary->source, slope, init);
  importer.define(unary->output, result);
  return success();
}

LogicalResult tflite::importLeakyRelu(GraphImporter &importer) {
  auto options = getOptions<schema::LeakyReluOptions>(
      importer, BuiltinOptions::LeakyReluOptions);
  return failed(options) ? failure()
                         : importSlope(importer, (*options)->alpha());
}
LogicalResult tflite::importAbs(GraphImporter &importer) {
  return importSlope(importer, -1);
}

LogicalResult tflite::importPrelu(GraphImporter &importer) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  FailureOr<int32_t> alpha = importer.getInput(1);
  if (failed(alpha) || failed(importer.getParams(*alpha)) ||
      failed(importer.checkElements(*alpha)))
    return failure();
  // There is one slope for all elements, or one per channel.
  int64_t channels = unary->shape.back();
  int64_t slopes = importer.getTensor(*alpha).getNumElements();
  if (slopes != 1 &&
      (slopes != channels || importer.getShape(*alpha).back() != channels))
    return importer.reject("expected 1 slope or one for each of ", channels,
                           " channels, but got ", slopes);
  auto rank = static_cast<int32_t>(unary->shape.size());
  SmallVector<int64_t> shape(rank, 1);
  shape.back() = slopes;
  FailureOr<Value> slope = importer.read(
      *alpha, slopes == 1 ? ArrayRef<int64_t>({1}) : ArrayRef(shape));
  if (failed(slope))
    return failure();
  Value init = importer.createEmpty(unary->element, unary->shape);
  Value result = importer.createOp<PreluOp>(unary->source, *slope, init,
                                            slopes == 1 ? -1 : rank - 1);
  importer.define(unary->output, result);
  return success();
}
