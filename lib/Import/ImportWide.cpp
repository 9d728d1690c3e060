// SPDX-License-Identifier: Apache-2.0
//
// Imports elementwise functions of 16-bit tensors between any scales.

#include "Operands.h"
#include "WideLayers.h"

#include "mli/Frontend/Broadcast.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;

static double getScaleRatio(GraphImporter &importer, int32_t input,
                            int32_t output) {
  return importer.getScale(input) / importer.getScale(output);
}

/// The flat shape in which kernels take `index`.
static SmallVector<int64_t> getFlatShape(GraphImporter &importer,
                                         int32_t index) {
  return {importer.getTensor(index).getNumElements()};
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Creates pairs of elements of two tensors as channels: [elements, 1, 2].
static Value createPairs(GraphImporter &importer, ArrayRef<Value> operands,
                         Fx16Type element) {
  auto type = cast<RankedTensorType>(operands.front().getType());
  int64_t count = type.getNumElements();
  Value pairs = importer.createEmpty(element, {count, 1, 2});
  for (auto [i, operand] : llvm::enumerate(operands)) {
    auto mov =
        MovOp::create(importer.getBuilder(), importer.getLoc(),
                      importer.createReshape(operand, {count, 1, 1}), pairs);
    mov.setDstOffsets({0, 0, static_cast<int64_t>(i)});
    pairs = mov.getResult(0);
  }
  return pairs;
}

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

/// Creates the sum of two tensors of one size by the kernels of `operands`.
static Value createPairSum(GraphImporter &importer, Value left, Value right,
                           const LayerOperands &operands, Fx16Type element) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(left.getType()).getShape();
  int64_t count = llvm::product_of(shape);
  Value pairs = createPairs(importer, {left, right}, element);
  Value sum = createSum(importer, operands,
                        importer.createEmpty(element, {count, 1, 1}),
                        [&](const KernelOperands &each, Value into) {
                          return createUnitConv<Conv2DOp>(importer, pairs, each,
                                                          into, ReluKind::none);
                        });
  return importer.createReshape(sum, shape);
}

LogicalResult tflite::importWideSum(GraphImporter &importer, bool isDifference,
                                    ActivationFunctionType activation) {
  FailureOr<int32_t> left = importer.getInput(0);
  FailureOr<int32_t> right = importer.getInput(1);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(left) || failed(right) || failed(output))
    return failure();
  FailureOr<Fx16Type> element = getWideElement(importer, *output);
  if (failed(element))
    return failure();
  FailureOr<mli::quant::Limits> limits = getLimits(
      importer, activation, importer.getScale(*output), 0, /*bits=*/16);
  SmallVector<int64_t> shape = getBroadcastShape(importer.getShape(*output));
  FailureOr<Value> lhs = readTerm(importer, *left, shape, *element);
  FailureOr<Value> rhs = readTerm(importer, *right, shape, *element);
  if (failed(limits) || failed(lhs) || failed(rhs))
    return failure();
  double factors[] = {getScaleRatio(importer, *left, *output),
                      getScaleRatio(importer, *right, *output)};
  if (isDifference)
    factors[1] = -factors[1];
  std::string reason;
  auto terms =
      chooseTerms(*element, *element, factors, {0.0},
                  /*isClippedAtZero=*/limits->low >= 0, maxWideError, reason);
  if (failed(terms))
    return importer.reject(reason);
  LayerOperands operands = createOperands(importer, *terms, {1, 1, 2, 1});
  Clip clip = chooseWideClip(*limits);
  auto compute = [&](Value first, Value second, Value) -> Value {
    return createClip(
        importer, createPairSum(importer, first, second, operands, *element),
        clip);
  };
  importer.define(
      *output, createBroadcast(importer, *lhs, *rhs, *element, shape, compute));
  return success();
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

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
  SmallVector<int64_t> shape = getFlatShape(importer, *output);
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
