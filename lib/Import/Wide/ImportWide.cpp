// SPDX-License-Identifier: Apache-2.0
//
// Imports sums, products and extrema of 16-bit tensors between any scales.

#include "Import/Operands.h"
#include "Import/Wide/WideLayers.h"

#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/WideSum.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Reads operand `index` of a result of `shape` as `element`. The factors of
/// the sum compensate the change of scale.
static FailureOr<Value> readTerm(GraphImporter &importer, int32_t index,
                                 ArrayRef<int64_t> shape, Fx16Type element) {
  FailureOr<Fx16Type> own = getWideElement(importer, index);
  FailureOr<Value> value =
      failed(own) ? FailureOr<Value>(failure())
                  : readOperand(importer, index, shape, /*repeatsOne=*/true);
  if (failed(value))
    return failure();
  int64_t found = cast<RankedTensorType>(value->getType()).getNumElements();
  int64_t wanted = llvm::product_of(shape);
  if (found == 1 && wanted != 1)
    return importer.reject("expected ", importer.describe(index), " to have ",
                           wanted, " elements, as the output, but got 1");
  if (*own == element)
    return value;
  return createFactor(importer, *value, 1, element);
}

FailureOr<WideBinary> tflite::readWideBinary(GraphImporter &importer) {
  FailureOr<int32_t> left = importer.getInput(0);
  FailureOr<int32_t> right = importer.getInput(1);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(left) || failed(right) || failed(output))
    return failure();
  FailureOr<Fx16Type> element = getWideElement(importer, *output);
  if (failed(element))
    return failure();
  return WideBinary{*left, *right, *output,
                    getBroadcastShape(importer.getShape(*output)), *element};
}

LogicalResult tflite::importWideSum(GraphImporter &importer, bool isDifference,
                                    ActivationFunctionType activation) {
  FailureOr<WideBinary> sum = readWideBinary(importer);
  if (failed(sum))
    return failure();
  Fx16Type element = sum->element;
  FailureOr<mli::quant::Limits> limits = getLimits(
      importer, activation, importer.getScale(sum->output), 0, /*bits=*/16);
  FailureOr<Value> lhs = readTerm(importer, sum->left, sum->shape, element);
  FailureOr<Value> rhs = readTerm(importer, sum->right, sum->shape, element);
  if (failed(limits) || failed(lhs) || failed(rhs))
    return failure();
  double factors[] = {getScaleRatio(importer, sum->left, sum->output),
                      getScaleRatio(importer, sum->right, sum->output)};
  if (isDifference)
    factors[1] = -factors[1];
  std::string reason;
  auto terms =
      chooseTerms(element, element, factors, {0.0},
                  /*isClippedAtZero=*/limits->low >= 0, maxWideError, reason);
  if (failed(terms))
    return importer.reject(reason);
  LayerOperands operands = createOperands(importer, *terms, {1, 1, 2, 1});
  Clip clip = chooseWideClip(*limits);
  auto compute = [&](Value first, Value second, Value) -> Value {
    return createClip(importer,
                      createPairSum(importer, first, second, operands, element),
                      clip);
  };
  importer.define(sum->output, createBroadcast(importer, *lhs, *rhs, element,
                                               sum->shape, compute));
  return success();
}

//===----------------------------------------------------------------------===//
// Products and order
//===----------------------------------------------------------------------===//

LogicalResult tflite::importWideProduct(GraphImporter &importer,
                                        ActivationFunctionType activation) {
  FailureOr<WideBinary> product = readWideBinary(importer);
  if (failed(product))
    return failure();
  FailureOr<mli::quant::Limits> limits = getLimits(
      importer, activation, importer.getScale(product->output), 0, /*bits=*/16);
  FailureOr<Fx16Type> left = getWideElement(importer, product->left);
  FailureOr<Fx16Type> right =
      failed(left) ? left : getWideElement(importer, product->right);
  if (failed(limits) || failed(right))
    return failure();
  FailureOr<Value> lhs = readOperand(importer, product->left, product->shape);
  FailureOr<Value> rhs = readOperand(importer, product->right, product->shape);
  if (failed(lhs) || failed(rhs))
    return failure();
  double factor = getScaleRatio(importer, product->left, product->output) *
                  importer.getScale(product->right);
  std::string reason;
  FailureOr<WideSteps> steps = splitFactor(*left, *right, factor, reason);
  if (failed(steps))
    return importer.reject(reason);
  Clip clip = chooseWideClip(*limits);
  bool isFactor = true;
  auto compute = [&](Value first, Value second, Value init) -> Value {
    Value whole = createWideProduct(importer, first, second, *steps, init);
    isFactor &= static_cast<bool>(whole);
    return isFactor ? createClip(importer, whole, clip) : init;
  };
  Value result = createBroadcast(importer, *lhs, *rhs, product->element,
                                 product->shape, compute);
  if (!isFactor)
    return importer.reject("expected a factor in the range of 16 bits, but "
                           "got ",
                           factor);
  importer.define(product->output, result);
  return success();
}

FailureOr<Value> tflite::readFactor(GraphImporter &importer, int32_t index,
                                    ArrayRef<int64_t> shape, double factor,
                                    Fx16Type element) {
  FailureOr<Fx16Type> own = getWideElement(importer, index);
  FailureOr<Value> operand = failed(own) ? FailureOr<Value>(failure())
                                         : readOperand(importer, index, shape);
  return failed(operand) ? operand
                         : createScaled(importer, *operand, factor, element);
}

LogicalResult tflite::importWideOrder(GraphImporter &importer, bool isMaximum) {
  FailureOr<WideBinary> order = readWideBinary(importer);
  if (failed(order))
    return failure();
  SmallVector<Value> operands;
  for (int32_t index : {order->left, order->right}) {
    FailureOr<Value> operand = readFactor(
        importer, index, order->shape,
        getScaleRatio(importer, index, order->output), order->element);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  auto compute = [&](Value first, Value second, Value init) -> Value {
    return isMaximum ? importer.createOp<EltwiseMaxOp>(first, second, init)
                     : importer.createOp<EltwiseMinOp>(first, second, init);
  };
  importer.define(order->output,
                  createBroadcast(importer, operands[0], operands[1],
                                  order->element, order->shape, compute));
  return success();
}
