// SPDX-License-Identifier: Apache-2.0
//
// Importing functions of each element, and of slices.

#include "Imports.h"
#include "Options.h"

#include "mli/Quant/KernelScales.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

namespace {
/// Input and output of as many elements, both int8 or uint8.
struct Unary {
  int32_t input, output;
  Value source;
  mli::quant::QuantParams in, out;
  Type element;
  /// As kernels take it: at most four dimensions.
  SmallVector<int64_t> shape;
};
} // namespace

static FailureOr<Unary> readUnary(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
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
  int64_t elements = importer.getTensor(*output).getNumElements();
  if (importer.getTensor(*input).getNumElements() != elements)
    return importer.refuse("expected an input of ", elements,
                           " elements, as the output has, but got ",
                           importer.getTensor(*input).getNumElements());
  SmallVector<int64_t> shape(importer.getShape(*output));
  if (shape.size() > 4 || shape.empty())
    shape = {elements};
  if (shape.size() == 4 && shape.front() == 1)
    shape.erase(shape.begin());
  FailureOr<Value> source = importer.read(*input, shape);
  FailureOr<Type> element = importer.getElement(*output);
  if (failed(source) || failed(element))
    return failure();
  return Unary{*input, *output, *source, *in, *out, *element, shape};
}

/// Gives `value` to the output, in its format.
static LogicalResult defineUnary(GraphImporter &importer, const Unary &unary,
                                 Value value) {
  importer.define(unary.output, importer.createConvert(value, unary.element));
  return success();
}

/// `value` with codes that stand for `factor` times the real number: the
/// product with a constant of the code 1, which is exact.
static FailureOr<Value> createScaled(GraphImporter &importer, Value value,
                                     double factor) {
  auto element = cast<Sa8Type>(getElementTypeOrSelf(value));
  mli::quant::QuantParams params = element.getParams().front();
  auto by = mli::quant::nearestParams(factor, 0);
  auto scaled = mli::quant::nearestParams(
      mli::quant::realScale(params) * factor, params.zeroPoint);
  if (!by || !scaled)
    return importer.refuse("expected a factor in range of a scale, but got ",
                           factor);
  Value one =
      importer.createSplat(Sa8Type::get(importer.getContext(), *by), {1}, 1);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  Value init =
      importer.createEmpty(Sa8Type::get(importer.getContext(), *scaled), shape);
  return EltwiseMulOp::create(importer.getBuilder(), importer.getLoc(), value,
                              one, init)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The formats that kernels fix: [0, 1) and [-1, 1).
static Type positiveElement(GraphImporter &importer) {
  return Sa8Type::get(importer.getContext(),
                      mli::quant::QuantParams{1, 8, -128});
}
static Type signedElement(GraphImporter &importer) {
  return Sa8Type::get(importer.getContext(), mli::quant::QuantParams{1, 7, 0});
}

template <typename TableOp>
static LogicalResult importTable(GraphImporter &importer, Type element) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  Value init = importer.createEmpty(element, unary->shape);
  Value result = TableOp::create(importer.getBuilder(), importer.getLoc(),
                                 unary->source, init)
                     .getResult(0);
  return defineUnary(importer, *unary, result);
}

LogicalResult tflite::importLogistic(GraphImporter &importer) {
  return importTable<SigmOp>(importer, positiveElement(importer));
}
LogicalResult tflite::importTanh(GraphImporter &importer) {
  return importTable<TanhOp>(importer, signedElement(importer));
}

/// A kernel on the rows of `source`, slices along the last dimension.
template <typename SliceOp>
static Value createRows(GraphImporter &importer, const Unary &unary,
                        Value source, Type element) {
  int64_t size = unary.shape.back();
  int64_t rows = llvm::product_of(unary.shape) / size;
  SmallVector<int64_t, 2> shape = {size};
  if (rows > 1)
    shape.insert(shape.begin(), rows);
  return SliceOp::create(importer.getBuilder(), importer.getLoc(),
                         importer.createReshape(source, shape),
                         importer.createEmpty(element, shape),
                         rows > 1 ? 1 : -1)
      .getResult(0);
}

LogicalResult tflite::importSoftmax(GraphImporter &importer) {
  auto options = getOptions<schema::SoftmaxOptions>(
      importer, BuiltinOptions::SoftmaxOptions);
  if (failed(options))
    return failure();
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  float beta = (*options)->beta();
  if (!(beta > 0))
    return importer.refuse("expected beta to be positive, but got ", beta);
  FailureOr<Value> source = unary->source;
  if (beta != 1)
    source = createScaled(importer, unary->source, beta);
  if (failed(source))
    return failure();
  Value result = createRows<SoftmaxOp>(importer, *unary, *source,
                                       positiveElement(importer));
  return defineUnary(importer, *unary, result);
}

LogicalResult tflite::importL2Normalization(GraphImporter &importer) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  Value result = createRows<L2NormalizeOp>(importer, *unary, unary->source,
                                           signedElement(importer));
  return defineUnary(importer, *unary, result);
}

//===----------------------------------------------------------------------===//
// Rectifiers
//===----------------------------------------------------------------------===//

static LogicalResult importRectifier(GraphImporter &importer,
                                     ActivationFunctionType activation) {
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
  return importRectifier(importer, ActivationFunctionType::RELU);
}
LogicalResult tflite::importRelu6(GraphImporter &importer) {
  return importRectifier(importer, ActivationFunctionType::RELU6);
}
LogicalResult tflite::importReluN1To1(GraphImporter &importer) {
  return importRectifier(importer, ActivationFunctionType::RELU_N1_TO_1);
}

LogicalResult tflite::importLeakyRelu(GraphImporter &importer) {
  auto options = getOptions<schema::LeakyReluOptions>(
      importer, BuiltinOptions::LeakyReluOptions);
  if (failed(options))
    return failure();
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  double alpha = (*options)->alpha();
  // The sign is in the code, which leaves 15 bits for the number.
  auto params = mli::quant::nearestParams(alpha == 0 ? 1 : std::abs(alpha), 0);
  if (!params)
    return importer.refuse("expected alpha to be in range of a scale, but got ",
                           alpha);
  Value slope =
      importer.createSplat(Sa8Type::get(importer.getContext(), *params), {1},
                           alpha > 0   ? 1
                           : alpha < 0 ? -1
                                       : 0);
  Value init = importer.createEmpty(unary->element, unary->shape);
  Value result = LeakyReluOp::create(importer.getBuilder(), importer.getLoc(),
                                     unary->source, slope, init)
                     .getResult(0);
  importer.define(unary->output, result);
  return success();
}

LogicalResult tflite::importPrelu(GraphImporter &importer) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  FailureOr<int32_t> alpha = importer.getInput(1);
  if (failed(alpha) || failed(importer.getParams(*alpha)) ||
      failed(importer.checkElements(*alpha)))
    return failure();
  // One slope for all, or one a channel.
  int64_t channels = unary->shape.back();
  int64_t slopes = importer.getTensor(*alpha).getNumElements();
  if (slopes != 1 &&
      (slopes != channels || importer.getShape(*alpha).back() != channels))
    return importer.refuse("expected 1 slope or one for each of ", channels,
                           " channels, but got ", slopes);
  auto rank = static_cast<int32_t>(unary->shape.size());
  SmallVector<int64_t> shape(rank, 1);
  shape.back() = slopes;
  FailureOr<Value> slope = importer.read(
      *alpha, slopes == 1 ? ArrayRef<int64_t>({1}) : ArrayRef(shape));
  if (failed(slope))
    return failure();
  Value init = importer.createEmpty(unary->element, unary->shape);
  Value result =
      PreluOp::create(importer.getBuilder(), importer.getLoc(), unary->source,
                      *slope, init, slopes == 1 ? -1 : rank - 1)
          .getResult(0);
  importer.define(unary->output, result);
  return success();
}

/// x * relu6(x + 3) / 6: x / 6 has the codes of x, adding 1/2 saturates to
/// [0, 1], and what is left is a product.
LogicalResult tflite::importHardSwish(GraphImporter &importer) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  FailureOr<Value> sixth = createScaled(importer, unary->source, 1.0 / 6);
  if (failed(sixth))
    return failure();
  OpBuilder &builder = importer.getBuilder();
  MLIRContext *context = importer.getContext();
  Value half = importer.createSplat(
      Sa8Type::get(context, mli::quant::QuantParams{1, 1, 0}), {1}, 1);
  Type unit =
      Sa8Type::get(context, *mli::quant::nearestParams(1.0 / 255, -128));
  Value gate = EltwiseAddOp::create(builder, importer.getLoc(), *sixth, half,
                                    importer.createEmpty(unit, unary->shape))
                   .getResult(0);
  Value result =
      EltwiseMulOp::create(builder, importer.getLoc(), unary->source, gate,
                           importer.createEmpty(unary->element, unary->shape))
          .getResult(0);
  importer.define(unary->output, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Changes of quantisation
//===----------------------------------------------------------------------===//

/// How far codes of `to` may be off, for `from` a whole one: kernels have
/// factors of 15 bits, which wide results show.
static double conversionError(GraphImporter &importer, int32_t from,
                              Type source, int32_t to, Type result) {
  auto in = dyn_cast<QuantizedType>(source);
  auto out = dyn_cast<QuantizedType>(result);
  if (!in || !out)
    return 0;
  double factor = importer.getScale(from) / importer.getScale(to);
  mli::quant::Ratio ratio =
      mli::quant::requantize(in.getParam(0), out.getParam(0)).ratio;
  double error =
      std::abs(std::ldexp(ratio.multiplier, -ratio.shift) / factor - 1);
  return error * std::min(std::ldexp(factor, elementWidth(source)),
                          std::ldexp(1, elementWidth(result)));
}

LogicalResult tflite::importConvert(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output))
    return failure();
  FailureOr<Type> from = importer.getElement(*input);
  FailureOr<Type> element = failed(from) ? from : importer.getElement(*output);
  if (failed(element))
    return failure();
  int64_t elements = importer.getTensor(*input).getNumElements();
  if (importer.getTensor(*output).getNumElements() != elements)
    return importer.refuse("expected an output of ", elements,
                           " elements, but got ",
                           importer.getTensor(*output).getNumElements());
  double error = conversionError(importer, *input, *from, *output, *element);
  if (error > 2)
    return importer.refuse("expected a conversion from ",
                           importer.describe(*input), " to ",
                           importer.describe(*output),
                           " that is exact to 1, but got an error of up to ",
                           static_cast<int64_t>(error / 2));
  FailureOr<Value> source = importer.read(*input);
  if (failed(source))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*input);
  if (shape.size() > 4 || (shape.size() == 4 && shape.front() == 1))
    source = importer.createReshape(
        *source, shape.size() > 4 ? ArrayRef(elements) : shape.drop_front());
  importer.define(*output, importer.createConvert(*source, *element));
  return success();
}
