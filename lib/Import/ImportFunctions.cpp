// SPDX-License-Identifier: Apache-2.0
//
// Imports functions of single elements of 8 bits by tables of all their values.

#include "Operands.h"
#include "Options.h"
#include "Unary.h"
#include "Wide/WideLayers.h"

#include "mli/Frontend/CodeTable.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

static CodeScale getCodeScale(GraphImporter &importer, int32_t tensor,
                              const mli::quant::QuantParams &params) {
  return {importer.getScale(tensor), params.zeroPoint};
}

LogicalResult tflite::importFunction(GraphImporter &importer,
                                     function_ref<double(double)> function,
                                     size_t input,
                                     ActivationFunctionType activation) {
  FailureOr<Unary> unary = readUnary(importer, input);
  if (failed(unary))
    return failure();
  CodeScale in = getCodeScale(importer, unary->input, unary->in),
            out = getCodeScale(importer, unary->output, unary->out);
  FailureOr<mli::quant::Limits> limits =
      getLimits(importer, activation, out.scale, unary->out.zeroPoint);
  if (failed(limits))
    return failure();
  importer.define(
      unary->output,
      createCodeTable(importer, unary->source, cast<Sa8Type>(unary->element),
                      computeCodeTable(in, out, *limits, function)));
  return success();
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static double divideRoot(double x) { return 1 / std::sqrt(x); }
static double square(double x) { return x * x; }
static double negate(double x) { return -x; }
static double getSign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
static double clipToUnit(double x) { return std::clamp(x, 0.0, 1.0); }
static double elu(double x) { return x < 0 ? std::expm1(x) : x; }
static double hardSwish(double x) {
  return x * std::clamp(x + 3, 0.0, 6.0) / 6;
}
static double gelu(double x) { return x / 2 * std::erfc(-x / std::sqrt(2)); }
static double geluByTanh(double x) {
  constexpr double factor = 0.7978845608028654; // sqrt(2 / pi)
  return x / 2 * (1 + std::tanh(factor * (x + 0.044715 * x * x * x)));
}

#define MLI_FUNCTION(IMPORT, function)                                         \
  LogicalResult tflite::IMPORT(GraphImporter &importer) {                      \
    return importFunction(importer,                                            \
                          [](double x) -> double { return function(x); });     \
  }
MLI_FUNCTION(importCeil, std::ceil)
MLI_FUNCTION(importCos, std::cos)
MLI_FUNCTION(importElu, elu)
MLI_FUNCTION(importExp, std::exp)
MLI_FUNCTION(importFloor, std::floor)
MLI_FUNCTION(importHardSwish, hardSwish)
MLI_FUNCTION(importLog, std::log)
MLI_FUNCTION(importNeg, negate)
MLI_FUNCTION(importRound, std::nearbyint) // Halves become even.
MLI_FUNCTION(importSign, getSign)
MLI_FUNCTION(importSin, std::sin)
MLI_FUNCTION(importSqrt, std::sqrt)
MLI_FUNCTION(importSquare, square)
#undef MLI_FUNCTION

LogicalResult tflite::importRelu0To1(GraphImporter &importer) {
  if (!hasWideInput(importer))
    return importFunction(importer, clipToUnit);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(output))
    return failure();
  double one = std::round(1 / importer.getScale(*output));
  return importWideClip(
      importer, {0, static_cast<int32_t>(std::min<double>(one, INT16_MAX))});
}

LogicalResult tflite::importRsqrt(GraphImporter &importer) {
  return hasWideInput(importer) ? importWideRsqrt(importer)
                                : importFunction(importer, divideRoot);
}

LogicalResult tflite::importGelu(GraphImporter &importer) {
  auto options =
      getOptions<schema::GeluOptions>(importer, BuiltinOptions::GeluOptions);
  if (failed(options))
    return failure();
  return importFunction(importer,
                        (*options)->approximate() ? geluByTanh : gelu);
}

//===----------------------------------------------------------------------===//
// A constant operand
//===----------------------------------------------------------------------===//

/// Imports `function` of two operands, of which one is a number.
static LogicalResult importWithNumber(
    GraphImporter &importer, function_ref<double(double, double)> function,
    ActivationFunctionType activation = ActivationFunctionType::NONE) {
  std::optional<double> numbers[2];
  for (size_t i : {0, 1}) {
    FailureOr<int32_t> operand = importer.getInput(i);
    if (failed(operand))
      return failure();
    auto constant = readNumbers(importer, *operand);
    if (constant && constant->size() == 1)
      numbers[i] = constant->front();
  }
  if (numbers[1])
    return importFunction(
        importer, [&](double x) { return function(x, *numbers[1]); }, 0,
        activation);
  if (numbers[0])
    return importFunction(
        importer, [&](double x) { return function(*numbers[0], x); }, 1,
        activation);
  return importer.reject("expected an operand to be a constant of one element "
                         "of 8 bits, but got none");
}

LogicalResult tflite::importDiv(GraphImporter &importer) {
  FailureOr<ActivationFunctionType> activation =
      getActivation(importer, BuiltinOptions::DivOptions);
  if (failed(activation))
    return failure();
  return importWithNumber(
      importer, [](double x, double y) { return x / y; }, *activation);
}
LogicalResult tflite::importPow(GraphImporter &importer) {
  return importWithNumber(importer,
                          [](double x, double y) { return std::pow(x, y); });
}
