// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/WideProduct.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mli;

// What the contract of the fx16 kernels leaves to shifts: of sums, and of
// biases to sums.
static constexpr int maxShift = 31;
static constexpr int maxBiasShift = 16;

/// Twice that and what is added to it fit 16 bits.
static constexpr double maxOffset = 1 << 13;

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
static FailureOr<WideTerm> takeTerm(MLIRContext *context, Rest &rest, int limit,
                                    std::string &reason, double room = 0) {
  int biasBits = fittingBits(rest.bias, limit, room);
  int bits =
      fittingBits(rest.factors, std::min(limit, biasBits + maxBiasShift));
  biasBits = std::min(biasBits, bits);
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
      takeCodes(rest.factors, bits), takeCodes(rest.bias, biasBits)};
}

/// The kernels with an offset; none if the first one leaves more than that.
static FailureOr<WideTerms> takeTerms(MLIRContext *context, const Rest &whole,
                                      double offset, bool isFromZero,
                                      double maxError, std::string &reason) {
  WideTerms terms;
  terms.offset = static_cast<int16_t>(offset);
  for (int sign : {-1, 1}) {
    if (sign > 0 && isFromZero)
      break;
    Rest side = whole;
    side.addToBias(sign * offset);
    FailureOr<WideTerm> term =
        takeTerm(context, side, maxBiasShift, reason, 2 * offset);
    if (failed(term))
      return failure();
    if (errorOf(side.factors, side.bias) >= offset)
      return WideTerms();
    terms.kernels.push_back(std::move(*term));
    if (sign > 0)
      break;
    side.addToBias(offset);
    term = takeTerm(context, side, maxShift, reason);
    if (failed(term))
      return failure();
    terms.kernels.push_back(std::move(*term));
    terms.error = errorOf(side.factors, side.bias);
    if (terms.error <= maxError)
      continue;
    // The offset took bits from the second kernel.
    term = takeTerm(context, side, maxShift, reason);
    if (failed(term))
      return failure();
    terms.fine = std::move(*term);
    terms.error = errorOf(side.factors, side.bias);
  }
  return terms;
}

FailureOr<WideTerms> mli::chooseTerms(Fx16Type input, Fx16Type output,
                                      ArrayRef<double> factors,
                                      ArrayRef<double> bias, bool isFromZero,
                                      double maxError, std::string &reason) {
  MLIRContext *context = input.getContext();
  const Rest whole{std::vector<double>(factors), std::vector<double>(bias),
                   input.getFracBits(), output.getFracBits()};
  Rest alone = whole;
  FailureOr<WideTerm> term = takeTerm(context, alone, maxBiasShift, reason);
  if (failed(term))
    return failure();
  double error = errorOf(alone.factors, alone.bias);
  if (error <= 0.5)
    return WideTerms{{std::move(*term)}, 0, std::nullopt, error};
  // Where the first kernel saturates, the rest may not lead back into the
  // range: with the offset it has one sign.
  for (int power = int(std::ceil(std::log2(error + 1)));
       std::ldexp(1, power) <= maxOffset; ++power) {
    double offset = std::ldexp(1, power);
    FailureOr<WideTerms> terms =
        takeTerms(context, whole, offset, isFromZero, maxError, reason);
    if (failed(terms) || !terms->kernels.empty())
      return terms;
  }
  llvm::raw_string_ostream(reason)
      << "expected factors that 16 bits hold to " << maxOffset
      << " codes of the output, but got an error of " << error;
  return failure();
}

LayerOperands mli::createOperands(TensorBuilder &tensors,
                                  const WideTerms &terms,
                                  ArrayRef<int64_t> shape) {
  auto create = [&](Type element, ArrayRef<int64_t> extents,
                    ArrayRef<int16_t> codes) {
    auto bytes = std::make_shared<SmallVector<char>>();
    for (int16_t code : codes)
      for (int shift : {0, 8})
        bytes->push_back(static_cast<char>(code >> shift));
    return tensors.createConstant(element, extents, *bytes, bytes);
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
  if (terms.fine)
    operands.fine = {
        create(terms.fine->weightsElement, shape, terms.fine->weights),
        create(terms.fine->biasElement, shape.back(), terms.fine->bias)};
  return operands;
}

/// Two sums of a first kernel and the rest are right on one side of 0 each, and
/// on the other one have its sign: the positive part of the one and the
/// negative part of the other are the result.
Value mli::createSum(TensorBuilder &tensors, const LayerOperands &operands,
                     Value init, KernelFunction create) {
  if (operands.kernels.size() == 1)
    return create(operands.kernels.front(), init);
  OpBuilder &builder = tensors.getBuilder();
  Location loc = tensors.getLoc();
  auto type = cast<RankedTensorType>(init.getType());
  Type element = type.getElementType();
  auto empty = [&] { return tensors.createEmpty(element, type.getShape()); };
  auto add = [&](Value left, Value right, Value into) -> Value {
    return EltwiseAddOp::create(builder, loc, left, right, into).getResult(0);
  };
  SmallVector<Value> parts;
  for (const KernelOperands &each : operands.kernels)
    parts.push_back(create(each, empty()));
  if (operands.fine)
    parts[1] = add(parts[1], create(*operands.fine, empty()), empty());
  if (parts.size() == 2)
    return add(parts[0], parts[1], init);
  auto constant = [&](int32_t code) {
    return tensors.createScalar(element, type.getShape(), code);
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

Value mli::createWideFactor(TensorBuilder &tensors, Value value, double factor,
                            Fx16Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  auto from = cast<Fx16Type>(type.getElementType());
  double left = factor;
  int bits = fittingBits(left, maxShift);
  int fracBits = bits - from.getFracBits() + element.getFracBits();
  if (bits < 0 || !llvm::isInt<8>(fracBits))
    return {};
  int16_t code = takeCodes(left, bits).front();
  Value by = tensors.createScalar(Fx16Type::get(tensors.getContext(), fracBits),
                                  type.getShape(), code);
  return EltwiseMulOp::create(tensors.getBuilder(), tensors.getLoc(), value, by,
                              tensors.createEmpty(element, type.getShape()))
      .getResult(0);
}
