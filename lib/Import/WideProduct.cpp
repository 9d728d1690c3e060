// SPDX-License-Identifier: Apache-2.0

#include "WideProduct.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

// What the contract of the fx16 kernels leaves to shifts: of sums, and of
// biases to sums.
static constexpr int maxShift = 31;
static constexpr int maxBiasShift = 16;

/// Twice that and what is added to it fit 16 bits.
static constexpr double maxOffset = 1 << 13;

double tflite::reducedFactor(double factor) {
  int exponent;
  double mantissa = std::frexp(factor, &exponent);
  double reduced =
      std::min<double>(std::floor(std::ldexp(mantissa, 15) + 0.5), INT16_MAX);
  return std::ldexp(reduced, exponent - 15);
}

/// The greatest `bits` up to `limit` with which all of `numbers`, and those
/// that are `room` more, fit 16 bits as `number * 2^bits`.
static int fittingBits(ArrayRef<double> numbers, int limit, double room = 0) {
  double greatest = 0;
  for (double number : numbers)
    greatest = std::max(greatest, std::abs(number) + room);
  int bits = limit;
  while (bits >= -maxShift &&
         std::floor(std::ldexp(greatest, bits) + 0.5) > INT16_MAX)
    --bits;
  return bits;
}

/// Codes of `numbers`, which become what these leave of them.
static SmallVector<int16_t> takeCodes(MutableArrayRef<double> numbers,
                                      int bits) {
  SmallVector<int16_t> codes;
  for (double &number : numbers) {
    codes.push_back(
        static_cast<int16_t>(std::floor(std::ldexp(number, bits) + 0.5)));
    number -= std::ldexp(codes.back(), -bits);
  }
  return codes;
}

/// How far results may be off, in codes, without what is left.
static double errorOf(ArrayRef<double> factors, ArrayRef<double> bias) {
  SmallVector<double> errors;
  for (double number : bias)
    errors.push_back(std::abs(number));
  for (auto [i, factor] : llvm::enumerate(factors))
    errors[i % errors.size()] += std::abs(factor) * (INT16_MAX + 1.0);
  return *llvm::max_element(errors);
}

namespace {
/// The numbers of a sum of products, less what its kernels so far compute.
struct Rest {
  std::vector<double> factors, bias;
  int in, out;

  void addToBias(double number) {
    for (double &each : bias)
      each += number;
  }
};
} // namespace

/// One kernel for as much of `rest` as it can hold, by shifts up to `limit`.
/// With `room` more, biases have the same format.
static FailureOr<WideTerm> takeTerm(GraphImporter &importer, Rest &rest,
                                    int limit, double room = 0) {
  int biasBits = fittingBits(rest.bias, limit, room);
  int bits =
      fittingBits(rest.factors, std::min(limit, biasBits + maxBiasShift));
  biasBits = std::min(biasBits, bits);
  int weightsFrac = bits - rest.in + rest.out, biasFrac = biasBits + rest.out;
  if (bits < 0 || biasBits < 0 || !llvm::isInt<8>(weightsFrac) ||
      !llvm::isInt<8>(biasFrac))
    return importer.refuse("expected factors and biases in the range of 16 "
                           "bits, but got some that take shifts of ",
                           bits, " and ", biasBits);
  MLIRContext *context = importer.getContext();
  return WideTerm{
      Fx16Type::get(context, weightsFrac), Fx16Type::get(context, biasFrac),
      takeCodes(rest.factors, bits), takeCodes(rest.bias, biasBits)};
}

FailureOr<WideTerms> tflite::chooseTerms(GraphImporter &importer,
                                         Fx16Type input, Fx16Type output,
                                         ArrayRef<double> factors,
                                         ArrayRef<double> bias,
                                         bool isFromZero) {
  const Rest whole{std::vector<double>(factors), std::vector<double>(bias),
                   input.getFracBits(), output.getFracBits()};
  Rest alone = whole;
  FailureOr<WideTerm> term = takeTerm(importer, alone, maxBiasShift);
  if (failed(term))
    return failure();
  WideTerms terms;
  double error = errorOf(alone.factors, alone.bias);
  if (error <= 0.5) {
    terms.kernels.push_back(std::move(*term));
    return terms;
  }
  // Where the first kernel saturates, the rest may not lead back into the
  // range: with the offset it has one sign.
  terms.offset = static_cast<int16_t>(
      std::min(std::exp2(std::ceil(std::log2(error + 1))), maxOffset));
  if (error >= terms.offset)
    return importer.refuse("expected factors that 16 bits hold to ", maxOffset,
                           " codes of the output, but got an error of ", error);
  for (int sign : {-1, 1}) {
    if (sign > 0 && isFromZero)
      break;
    Rest side = whole;
    side.addToBias(sign * terms.offset);
    term = takeTerm(importer, side, maxBiasShift, 2.0 * terms.offset);
    if (failed(term))
      return failure();
    terms.kernels.push_back(std::move(*term));
    if (sign > 0)
      break;
    side.addToBias(terms.offset);
    term = takeTerm(importer, side, maxShift);
    if (failed(term))
      return failure();
    terms.kernels.push_back(std::move(*term));
  }
  return terms;
}

LayerOperands tflite::createOperands(GraphImporter &importer,
                                     const WideTerms &terms,
                                     ArrayRef<int64_t> shape) {
  auto create = [&](Type element, ArrayRef<int64_t> extents,
                    ArrayRef<int16_t> codes) {
    auto bytes = std::make_shared<SmallVector<char>>();
    for (int16_t code : codes)
      for (int shift : {0, 8})
        bytes->push_back(static_cast<char>(code >> shift));
    return importer.createConstant(element, extents, *bytes, bytes);
  };
  LayerOperands operands{{}, terms.offset};
  for (const WideTerm &term : terms.kernels) {
    // The third one differs from the first in its bias only.
    const WideTerm &first = terms.kernels.front();
    bool isShared = &term != &first && term.weights == first.weights &&
                    term.weightsElement == first.weightsElement;
    Value weights = isShared ? operands.kernels.front().weights
                             : create(term.weightsElement, shape, term.weights);
    operands.kernels.push_back(
        {weights, create(term.biasElement, shape.back(), term.bias)});
  }
  return operands;
}

/// Two sums of a first kernel and the rest are right on one side of 0 each, and
/// on the other one have its sign: the positive part of the one and the
/// negative part of the other are the result.
Value tflite::createSum(GraphImporter &importer, const LayerOperands &operands,
                        Value init, KernelFunction create) {
  if (operands.kernels.size() == 1)
    return create(operands.kernels.front(), init)->getResult(0);
  OpBuilder &builder = importer.getBuilder();
  Location loc = importer.getLoc();
  auto type = cast<RankedTensorType>(init.getType());
  Type element = type.getElementType();
  auto empty = [&] { return importer.createEmpty(element, type.getShape()); };
  auto add = [&](Value left, Value right, Value into) -> Value {
    return EltwiseAddOp::create(builder, loc, left, right, into).getResult(0);
  };
  SmallVector<Value> parts;
  for (const Operands &each : operands.kernels)
    parts.push_back(create(each, empty())->getResult(0));
  if (parts.size() == 2)
    return add(parts[0], parts[1], init);
  auto constant = [&](int32_t code) {
    return importer.createScalar(element, type.getShape(), code);
  };
  Value least = add(parts[0], parts[1], empty());
  Value rest = add(parts[1], constant(-2 * operands.offset), empty());
  Value greatest = add(parts[2], rest, empty());
  Value positive =
      EltwiseMaxOp::create(builder, loc, least, constant(0), empty())
          .getResult(0);
  Value negative =
      EltwiseMinOp::create(builder, loc, greatest, constant(0), empty())
          .getResult(0);
  return add(positive, negative, init);
}

FailureOr<Fx16Type> tflite::getWideElement(GraphImporter &importer,
                                           int32_t index) {
  schema::TensorType type = importer.getTensor(index).type;
  if (type != schema::TensorType::INT16)
    return importer.refuse("expected ", importer.describe(index),
                           " to be int16, but got ", getTypeName(type));
  FailureOr<Type> element = importer.getElement(index);
  if (failed(element))
    return failure();
  return cast<Fx16Type>(*element);
}

/// Biases of `layer` in units of its sums.
static FailureOr<SmallVector<int64_t>> readBias(GraphImporter &importer,
                                                const Weighted &layer) {
  auto outputs = static_cast<size_t>(layer.getOutputs());
  if (layer.bias < 0)
    return SmallVector<int64_t>(outputs, 0);
  FailureOr<SmallVector<int64_t>> bias = importer.readIntegers(layer.bias);
  if (succeeded(bias) && bias->size() != outputs)
    return importer.refuse("expected bias ", importer.describe(layer.bias),
                           " to have ", outputs, " elements, but got ",
                           bias->size());
  return bias;
}

LogicalResult
tflite::chooseWideScales(GraphImporter &importer, Weighted &layer,
                         schema::ActivationFunctionType activation) {
  FailureOr<Fx16Type> input = getWideElement(importer, layer.input);
  FailureOr<Fx16Type> output =
      failed(input) ? input : getWideElement(importer, layer.output);
  if (failed(output))
    return failure();
  FailureOr<SmallVector<int64_t>> bias = readBias(importer, layer);
  if (failed(bias))
    return failure();
  double ratio =
      importer.getScale(layer.input) / importer.getScale(layer.output);
  ArrayRef<float> scales =
      importer.getTensor(layer.weights).quantization.scales;
  SmallVector<double> factors;
  for (int64_t i = 0; i < layer.getOutputs(); ++i)
    factors.push_back(
        reducedFactor(ratio * scales[scales.size() == 1 ? 0 : i]));
  std::vector<double> products, biases;
  for (auto [i, code] : llvm::enumerate(layer.getCodes()))
    products.push_back(static_cast<int8_t>(code) * factors[i % factors.size()]);
  for (auto [code, factor] : llvm::zip_equal(*bias, factors))
    biases.push_back(static_cast<double>(code) * factor);
  FailureOr<mli::quant::Limits> limits = getLimits(
      importer, activation, importer.getScale(layer.output), 0, /*bits=*/16);
  if (failed(limits))
    return failure();
  auto terms = chooseTerms(importer, *input, *output, products, biases,
                           /*isFromZero=*/limits->low >= 0);
  if (failed(terms))
    return failure();
  layer.terms = std::move(*terms);
  layer.clip = chooseWideClip(*limits);
  return success();
}

FailureOr<Value> tflite::createWideFactor(GraphImporter &importer, Value value,
                                          double factor, Fx16Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  auto from = cast<Fx16Type>(type.getElementType());
  double left = factor;
  int bits = fittingBits(left, maxShift);
  int fracBits = bits - from.getFracBits() + element.getFracBits();
  if (bits < 0 || !llvm::isInt<8>(fracBits))
    return importer.refuse("expected a factor in the range of 16 bits, but "
                           "got ",
                           factor);
  int16_t code = takeCodes(left, bits).front();
  Value by = importer.createScalar(
      Fx16Type::get(importer.getContext(), fracBits), type.getShape(), code);
  return EltwiseMulOp::create(importer.getBuilder(), importer.getLoc(), value,
                              by,
                              importer.createEmpty(element, type.getShape()))
      .getResult(0);
}
