// SPDX-License-Identifier: Apache-2.0
//
// Imports functions of one 16-bit tensor between any scales.

#include "Import/Wide/WideLayers.h"

#include "mli/Frontend/WideTable.h"
#include "mli/Quant/Formats.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

namespace {
struct WideUnary {
  int32_t output;
  Value source;
  double factor;
  Fx16Type element;
};
} // namespace

static FailureOr<WideUnary> readWideUnary(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output))
    return failure();
  FailureOr<Fx16Type> from = getWideElement(importer, *input);
  FailureOr<Fx16Type> element =
      failed(from) ? from : getWideElement(importer, *output);
  if (failed(element))
    return failure();
  SmallVector<int64_t> shape{importer.getTensor(*output).getNumElements()};
  int64_t found = importer.getTensor(*input).getNumElements();
  if (found != shape.front())
    return importer.reject("expected an input of ", shape.front(),
                           " elements, as the output has, but got ", found);
  FailureOr<Value> source = importer.read(*input, shape);
  if (failed(source))
    return failure();
  return WideUnary{*output, *source, getScaleRatio(importer, *input, *output),
                   *element};
}

LogicalResult tflite::importWideClip(GraphImporter &importer,
                                     const mli::quant::Limits &limits) {
  FailureOr<WideUnary> unary = readWideUnary(importer);
  FailureOr<Value> value = failed(unary)
                               ? FailureOr<Value>(failure())
                               : createScaled(importer, unary->source,
                                              unary->factor, unary->element);
  if (failed(value))
    return failure();
  importer.define(unary->output,
                  createClip(importer, *value, chooseWideClip(limits)));
  return success();
}

/// Imports max(x, alpha * x), each rounded once; the minimum for slopes above
/// 1.
LogicalResult tflite::importWideLeakyRelu(GraphImporter &importer,
                                          double alpha) {
  FailureOr<WideUnary> unary = readWideUnary(importer);
  if (failed(unary))
    return failure();
  SmallVector<Value> lines;
  for (double slope : {1.0, alpha}) {
    FailureOr<Value> line = createFactor(importer, unary->source,
                                         slope * unary->factor, unary->element);
    if (failed(line))
      return failure();
    lines.push_back(*line);
  }
  Value init = importer.createEmpty(
      unary->element, cast<RankedTensorType>(lines[0].getType()).getShape());
  importer.define(
      unary->output,
      alpha <= 1 ? importer.createOp<EltwiseMaxOp>(lines[0], lines[1], init)
                 : importer.createOp<EltwiseMinOp>(lines[0], lines[1], init));
  return success();
}

LogicalResult
tflite::importWideTable(GraphImporter &importer, contract::Family family,
                        int leastFracBits, double beta,
                        llvm::function_ref<Value(Value, Type)> create) {
  FailureOr<WideUnary> unary = readWideUnary(importer);
  if (failed(unary))
    return failure();
  int32_t input = importer.getOperator().getInput(0);
  double scale = importer.getScale(input) * beta;
  // The next power of two holds all numbers.
  int fracBits =
      std::max(leastFracBits, -static_cast<int>(std::ceil(std::log2(scale))));
  if (!llvm::isInt<8>(fracBits))
    return importer.reject("expected the scale of ", importer.describe(input),
                           " to be at least 2^-127 and at most 2^128, but got ",
                           scale);
  auto getType = [&](int bits) {
    return Fx16Type::get(importer.getContext(), bits);
  };
  FailureOr<Value> source = createScaled(
      importer, unary->source, std::ldexp(scale, fracBits), getType(fracBits));
  if (failed(source))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(unary->output);
  int64_t size = shape.empty() ? 1 : shape.back();
  int64_t count = cast<RankedTensorType>(source->getType()).getNumElements();
  auto params = contract::tableFormat(family, 16, /*isAsymmetric=*/false);
  Value result = create(importer.createReshape(*source, {count / size, size}),
                        getType(params.fracBits));
  FailureOr<Value> output = createScaled(importer, result,
                                         mli::quant::realScale(params) /
                                             importer.getScale(unary->output),
                                         unary->element);
  if (failed(output))
    return failure();
  importer.define(unary->output, *output);
  return success();
}

LogicalResult tflite::importWideRsqrt(GraphImporter &importer) {
  FailureOr<WideUnary> unary = readWideUnary(importer);
  if (failed(unary))
    return failure();
  double in = importer.getScale(importer.getOperator().getInput(0)),
         out = importer.getScale(unary->output);
  importer.define(unary->output,
                  createFallingTables(importer, unary->source, unary->element,
                                      [&](int code) {
                                        return 1 / std::sqrt(code * in) / out;
                                      }));
  return success();
}

LogicalResult tflite::importWideConvert(GraphImporter &importer) {
  FailureOr<WideUnary> unary = readWideUnary(importer);
  if (failed(unary))
    return failure();
  FailureOr<Value> result =
      createFactor(importer, unary->source, unary->factor, unary->element);
  if (failed(result))
    return failure();
  importer.define(unary->output, *result);
  return success();
}
