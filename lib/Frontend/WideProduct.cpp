// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/WideProduct.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mli;

/// The maximum offset: twice it and the sum that is added to it fit 16 bits.
static constexpr double maxOffset = 1 << 13;

/// The maximum `bits` up to `limit` with which all `numbers`, also plus `room`,
/// fit 16 bits as `number * 2^bits`.
static int getFittingBits(ArrayRef<double> numbers, int limit,
                          double room = 0) {
  double maxNumber = 0;
  for (double number : numbers)
    maxNumber = std::max(maxNumber, std::abs(number) + room);
  int bits = limit;
  while (bits >= -maxWideShift &&
         std::floor(std::ldexp(maxNumber, bits) + 0.5) > INT16_MAX)
    --bits;
  return bits;
}

/// Quantizes `numbers` and leaves their remainders.
static SmallVector<int16_t> takeValues(MutableArrayRef<double> numbers,
                                       int bits) {
  SmallVector<int16_t> values;
  for (double &number : numbers) {
    values.push_back(
        static_cast<int16_t>(std::floor(std::ldexp(number, bits) + 0.5)));
    number -= std::ldexp(values.back(), -bits);
  }
  return values;
}

/// The maximum error of results in quantized values if these remainders are
/// dropped.
static double getError(ArrayRef<double> factors, ArrayRef<double> bias) {
  SmallVector<double> errors;
  for (double number : bias)
    errors.push_back(std::abs(number));
  for (auto [i, factor] : llvm::enumerate(factors))
    errors[i % errors.size()] += std::abs(factor) * (INT16_MAX + 1.0);
  return *llvm::max_element(errors);
}

namespace {
/// The remainders of a sum of products: its numbers less those of the kernels
/// so far.
struct Remainder {
  std::vector<double> factors, bias;
  int in, out;

  void addToBias(double number) {
    for (double &each : bias)
      each += number;
  }
};
} // namespace

/// Takes from `rest` the numbers of one kernel, by shifts up to `limit`. With
/// `room`, biases plus `room` fit the same format. With `like`, the formats are
/// those of that kernel.
static FailureOr<WideTerm> takeTerm(MLIRContext *context, Remainder &rest,
                                    int limit, std::string &reason,
                                    double room = 0,
                                    const WideTerm *like = nullptr) {
  int biasBits = getFittingBits(rest.bias, limit, room);
  int bits = getFittingBits(rest.factors,
                            std::min(limit, biasBits + maxWideBiasShift));
  biasBits = std::min(biasBits, bits);
  if (like) {
    bits =
        cast<Fx16Type>(like->weightsElement).getFracBits() + rest.in - rest.out;
    biasBits = cast<Fx16Type>(like->biasElement).getFracBits() - rest.out;
  }
  int weightsFrac = bits - rest.in + rest.out, biasFrac = biasBits + rest.out;
  if (bits < 0 || !llvm::isInt<8>(weightsFrac) || !llvm::isInt<8>(biasFrac)) {
    llvm::raw_string_ostream(reason)
        << "expected factors and biases in the range of 16 bits, but got some "
           "that take shifts of "
        << bits << " and " << biasBits;
    return failure();
  }
  return WideTerm{
      Fx16Type::get(context, weightsFrac), Fx16Type::get(context, biasFrac),
      takeValues(rest.factors, bits), takeValues(rest.bias, biasBits)};
}

/// Takes the kernels with an offset; none if the remainder of the first exceeds
/// it.
static FailureOr<WideTerms> takeTerms(MLIRContext *context,
                                      const Remainder &start, double offset,
                                      bool isClippedAtZero, double maxError,
                                      std::string &reason) {
  WideTerms terms;
  terms.offset = static_cast<int16_t>(offset);
  for (int sign : {-1, 1}) {
    if (sign > 0 && isClippedAtZero)
      break;
    Remainder side = start;
    side.addToBias(sign * offset);
    // Both sides have one remainder, so they round to the same formats.
    const WideTerm *first =
        terms.kernels.empty() ? nullptr : &terms.kernels.front();
    FailureOr<WideTerm> term =
        takeTerm(context, side, maxWideBiasShift, reason, 2 * offset, first);
    if (failed(term))
      return failure();
    if (getError(side.factors, side.bias) >= offset)
      return WideTerms();
    terms.kernels.push_back(std::move(*term));
    if (sign > 0)
      break;
    side.addToBias(offset);
    term = takeTerm(context, side, maxWideShift, reason);
    if (failed(term))
      return failure();
    terms.kernels.push_back(std::move(*term));
    terms.error = getError(side.factors, side.bias);
    if (terms.error <= maxError)
      continue;
    // The offset took bits from the second kernel, so a third one adds its
    // remainder.
    term = takeTerm(context, side, maxWideShift, reason);
    if (failed(term))
      return failure();
    terms.fine = std::move(*term);
    terms.error = getError(side.factors, side.bias);
  }
  return terms;
}

FailureOr<WideTerms> mli::chooseTerms(Fx16Type input, Fx16Type output,
                                      ArrayRef<double> factors,
                                      ArrayRef<double> bias,
                                      bool isClippedAtZero, double maxError,
                                      std::string &reason) {
  MLIRContext *context = input.getContext();
  const Remainder start{std::vector<double>(factors), std::vector<double>(bias),
                        input.getFracBits(), output.getFracBits()};
  Remainder alone = start;
  FailureOr<WideTerm> term = takeTerm(context, alone, maxWideBiasShift, reason);
  if (failed(term))
    return failure();
  double error = getError(alone.factors, alone.bias);
  if (error <= 0.5)
    return WideTerms{{std::move(*term)}, 0, std::nullopt, error};
  // Where the first kernel saturates, its remainder could lead back into the
  // range; with the offset it has one sign.
  for (int power = int(std::ceil(std::log2(error + 1)));
       std::ldexp(1, power) <= maxOffset; ++power) {
    double offset = std::ldexp(1, power);
    FailureOr<WideTerms> terms =
        takeTerms(context, start, offset, isClippedAtZero, maxError, reason);
    if (failed(terms) || !terms->kernels.empty())
      return terms;
  }
  llvm::raw_string_ostream(reason)
      << "expected factors that 16 bits hold to " << maxOffset
      << " quantized values of the output, but got an error of " << error;
  return failure();
}

SmallVector<char> mli::getBytes(ArrayRef<int16_t> values) {
  SmallVector<char> bytes;
  for (int16_t value : values)
    for (int shift : {0, 8})
      bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

LayerOperands mli::createOperands(TensorBuilder &tensors,
                                  const WideTerms &terms,
                                  ArrayRef<int64_t> shape) {
  auto create = [&](Type element, ArrayRef<int64_t> extents,
                    ArrayRef<int16_t> values) {
    auto bytes = std::make_shared<SmallVector<char>>(getBytes(values));
    return tensors.createConstant(element, extents, *bytes, bytes);
  };
  LayerOperands operands{{}, terms.offset};
  for (const WideTerm &term : terms.kernels) {
    // The third kernel differs from the first in its bias only.
    const WideTerm &first = terms.kernels.front();
    bool isShared = &term != &first && term.weights == first.weights &&
                    term.weightsElement == first.weightsElement;
    Value weights = isShared ? operands.kernels.front().weights
                             : create(term.weightsElement, shape, term.weights);
    operands.kernels.push_back(
        {weights, create(term.biasElement, shape.back(), term.bias)});
  }
  if (terms.fine)
    operands.fine = {
        create(terms.fine->weightsElement, shape, terms.fine->weights),
        create(terms.fine->biasElement, shape.back(), terms.fine->bias)};
  return operands;
}

/// Each of two sums of a first kernel and the remainder is right on one side of
/// 0, and has the sign of that side on the other: the result is the positive
/// part of the one plus the negative part of the other.
Value mli::createSum(TensorBuilder &tensors, const LayerOperands &operands,
                     Value init, KernelFunction create) {
  if (operands.kernels.size() == 1)
    return create(operands.kernels.front(), init);
  auto type = cast<RankedTensorType>(init.getType());
  Type element = type.getElementType();
  auto empty = [&] { return tensors.createEmpty(element, type.getShape()); };
  auto add = [&](Value left, Value right, Value into) -> Value {
    return tensors.createOp<EltwiseAddOp>(left, right, into);
  };
  SmallVector<Value> sums;
  for (const KernelOperands &each : operands.kernels)
    sums.push_back(create(each, empty()));
  if (operands.fine)
    sums[1] = add(sums[1], create(*operands.fine, empty()), empty());
  if (sums.size() == 2)
    return add(sums[0], sums[1], init);
  auto constant = [&](int32_t number) {
    return tensors.createScalar(element, type.getShape(), number);
  };
  Value lower = add(sums[0], sums[1], empty());
  Value rest = add(sums[1], constant(-2 * operands.offset), empty());
  Value upper = add(sums[2], rest, empty());
  Value positive = tensors.createOp<EltwiseMaxOp>(lower, constant(0), empty());
  Value negative = tensors.createOp<EltwiseMinOp>(upper, constant(0), empty());
  return add(positive, negative, init);
}

Fx16Type mli::findFactorElement(double factor, Fx16Type from, Fx16Type to) {
  int bits = getFittingBits(factor, maxWideShift);
  int fracBits = bits - from.getFracBits() + to.getFracBits();
  if (bits < 0 || !llvm::isInt<8>(fracBits))
    return {};
  return Fx16Type::get(from.getContext(), fracBits);
}

Value mli::createWideFactor(TensorBuilder &tensors, Value value, double factor,
                            Fx16Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  auto from = cast<Fx16Type>(type.getElementType());
  Fx16Type format = findFactorElement(factor, from, element);
  if (!format)
    return {};
  double left = factor;
  int bits = format.getFracBits() + from.getFracBits() - element.getFracBits();
  Value by = tensors.createScalar(format, type.getShape(),
                                  takeValues(left, bits).front());
  return tensors.createOp<EltwiseMulOp>(
      value, by, tensors.createEmpty(element, type.getShape()));
}
