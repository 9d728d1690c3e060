// SPDX-License-Identifier: Apache-2.0
//
// Imports squares of differences.

#include "Operands.h"
#include "Unary.h"
#include "Wide/WideLayers.h"

#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/WideSum.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

/// The fixed-point format with the most fraction bits for numbers up to `most`.
static Fx16Type getFixedPoint(GraphImporter &importer, double most) {
  int bits = std::clamp(15 - (std::ilogb(most) + 1), INT8_MIN, INT8_MAX);
  return Fx16Type::get(importer.getContext(), bits);
}

/// The greatest number of `element`, without its sign.
static double getMost(Type element) {
  auto params = cast<Sa8Type>(element).getParams().front();
  return mli::quant::realScale(params) *
         std::max(params.zeroPoint - INT8_MIN, INT8_MAX - params.zeroPoint);
}

/// Imports the operator as TFLite computes it in 16 bits: both operands are
/// rounded in steps of twice the greater of their scales, in which differences
/// do not saturate.
static LogicalResult importWideSquaredDifference(GraphImporter &importer) {
  FailureOr<WideBinary> square = readWideBinary(importer);
  if (failed(square))
    return failure();
  double left = importer.getScale(square->left),
         right = importer.getScale(square->right),
         step = 2 * std::max(left, right);
  auto wide = Fx16Type::get(importer.getContext(), 15);
  FailureOr<Value> lhs = readFactor(importer, square->left, square->shape,
                                    left / step, wide),
                   rhs = readFactor(importer, square->right, square->shape,
                                    right / step, wide);
  if (failed(lhs) || failed(rhs))
    return failure();
  double factor = step * step / importer.getScale(square->output);
  std::string reason;
  FailureOr<WideSteps> steps = splitFactor(wide, wide, factor, reason);
  if (failed(steps) ||
      !findFactorElement(steps->rest, steps->product, square->element))
    return importer.reject("expected a factor in the range of 16 bits, but "
                           "got ",
                           factor);
  auto compute = [&](Value first, Value second, Value init) -> Value {
    Value difference = importer.createOp<EltwiseSubOp>(
        first, second,
        importer.createEmpty(
            wide, cast<RankedTensorType>(init.getType()).getShape()));
    return createWideProduct(importer, difference, difference, *steps, init);
  };
  importer.define(square->output,
                  createBroadcast(importer, *lhs, *rhs, square->element,
                                  square->shape, compute));
  return success();
}

LogicalResult tflite::importSquaredDifference(GraphImporter &importer) {
  if (hasWideInput(importer))
    return importWideSquaredDifference(importer);
  FailureOr<int32_t> left = importer.getInput(0), right = importer.getInput(1),
                     output = importer.getOutput();
  if (failed(left) || failed(right) || failed(output) ||
      failed(importer.checkElements(*output)))
    return failure();
  for (int32_t tensor : {*left, *right, *output})
    if (failed(importer.getParams(tensor)))
      return failure();
  SmallVector<int64_t> shape = getBroadcastShape(importer.getShape(*output));
  FailureOr<Value> lhs = readOperand(importer, *left, shape),
                   rhs = readOperand(importer, *right, shape);
  FailureOr<Type> element = importer.getElement(*output);
  if (failed(lhs) || failed(rhs) || failed(element))
    return failure();
  // Both in one format of 16 bits, whose differences do not saturate. Squares
  // do where results do.
  double most =
      getMost(getElementTypeOrSelf(*lhs)) + getMost(getElementTypeOrSelf(*rhs));
  Fx16Type wide = getFixedPoint(importer, most),
           squares = getFixedPoint(
               importer, std::min(most * most, 2 * getMost(*element)));
  Value result = createBroadcast(
      importer, importer.createConvert(*lhs, wide),
      importer.createConvert(*rhs, wide), *element, shape,
      [&](Value a, Value b, Value init) -> Value {
        ArrayRef<int64_t> each =
            cast<RankedTensorType>(init.getType()).getShape();
        Value difference = importer.createOp<EltwiseSubOp>(
            a, b, importer.createEmpty(wide, each));
        Value square = importer.createOp<EltwiseMulOp>(
            difference, difference, importer.createEmpty(squares, each));
        return importer.createOp<ConvertOp>(square, init);
      });
  importer.define(*output, result);
  return success();
}
