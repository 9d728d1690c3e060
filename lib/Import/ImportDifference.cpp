// SPDX-License-Identifier: Apache-2.0
//
// Imports squares of differences.

#include "Operands.h"
#include "Unary.h"

#include "mli/Frontend/Broadcast.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

/// The fixed-point format with the most fraction bits for numbers up to `most`.
static Fx16Type getWideElement(GraphImporter &importer, double most) {
  int bits = std::clamp(15 - (std::ilogb(most) + 1), INT8_MIN, INT8_MAX);
  return Fx16Type::get(importer.getContext(), bits);
}

/// The greatest number of `element`, without its sign.
static double getMost(Type element) {
  auto params = cast<Sa8Type>(element).getParams().front();
  return mli::quant::realScale(params) *
         std::max(params.zeroPoint - INT8_MIN, INT8_MAX - params.zeroPoint);
}

LogicalResult tflite::importSquaredDifference(GraphImporter &importer) {
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
  Fx16Type wide = getWideElement(importer, most),
           squares = getWideElement(
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
