// SPDX-License-Identifier: Apache-2.0
//
// Imports elementwise functions of 16-bit tensors between any scales.

#include "Operands.h"
#include "WideLayers.h"

#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/WideSum.h"
#include "mli/Frontend/WideTable.h"
#include "mli/Quant/Formats.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;

static double getScaleRatio(GraphImporter &importer, int32_t input,
                            int32_t output) {
  return importer.getScale(input) / importer.getScale(output);
}

/// Creates `value`, fx16, times `factor` in quantized values, as `element`;
/// `value` itself if that is what it is.
static FailureOr<Value> convert(GraphImporter &importer, Value value,
                                double factor, Fx16Type element) {
  if (factor == 1 && getElementTypeOrSelf(value) == element)
    return value;
  return createFactor(importer, value, factor, element);
}

/// The flat shape in which kernels take `index`.
static SmallVector<int64_t> getFlatShape(GraphImporter &importer,
                                         int32_t index) {
  return {importer.getTensor(index).getNumElements()};
}

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
                         : convert(importer, *operand, factor, element);
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

LogicalResult tflite::importWideClip(GraphImporter &importer,
                                     const mli::quant::Limits &limits) {
  FailureOr<WideUnary> unary = readWideUnary(importer);
  FailureOr<Value> value =
      failed(unary)
          ? FailureOr<Value>(failure())
          : convert(importer, unary->source, unary->factor, unary->element);
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
  FailureOr<Value> source = convert(
      importer, unary->source, std::ldexp(scale, fracBits), getType(fracBits));
  if (failed(source))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(unary->output);
  int64_t size = shape.empty() ? 1 : shape.back();
  int64_t count = cast<RankedTensorType>(source->getType()).getNumElements();
  auto params = contract::tableFormat(family, 16, /*isAsymmetric=*/false);
  Value result = create(importer.createReshape(*source, {count / size, size}),
                        getType(params.fracBits));
  FailureOr<Value> output =
      convert(importer, result,
              mli::quant::realScale(params) / importer.getScale(unary->output),
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
