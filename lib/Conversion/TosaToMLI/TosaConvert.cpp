// SPDX-License-Identifier: Apache-2.0
//
// Legalizes changes of quantisation between 8, 16 and 32 bits: rescales of what
// is no sum.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/WideProduct.h"
#include "mli/Quant/CodeConversion.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

namespace {

class ConvertCluster : public Cluster {
public:
  ConvertCluster(Operation *root, Value input, RescaleParams params)
      : Cluster(root, root), input(input), params(std::move(params)) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, params.inputZero),
            Constraint::zeroPoint(getResult(), params.outputZero),
            Constraint::ratio(input, getResult(), params.factors.front())};
  }

  LogicalResult choose(const Scales &scales, MatchFailures &failures) override;

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input, getFlatShape(input));
    return emitter.createConvert(source, emitter.getElement(getResult()));
  }

private:
  int64_t getExact(int64_t code) const;
  int64_t findDistance(const mli::quant::NumberFormat &in,
                       const mli::quant::NumberFormat &out) const;

  Value input;
  RescaleParams params;
};

/// A product of fx16 with any factor, which needs no scale.
class WideFactorCluster : public Cluster {
public:
  WideFactorCluster(Operation *root, Value input, double factor)
      : Cluster(root, root), input(input), factor(factor) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, 0),
            Constraint::zeroPoint(getResult(), 0)};
  }

  LogicalResult choose(const Scales &scales, MatchFailures &failures) override {
    if (findFactorElement(factor, cast<Fx16Type>(scales.getElement(input)),
                          cast<Fx16Type>(scales.getElement(getResult()))))
      return success();
    return failures.add(
        getSubject(), "expected a factor that 16 bits hold, but got ", factor);
  }

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input, getFlatShape(input));
    return createWideFactor(emitter, source, factor,
                            cast<Fx16Type>(emitter.getElement(getResult())));
  }

private:
  Value input;
  double factor;
};

} // namespace

/// The quantised value that TOSA gives for `code`, with a single rounding.
int64_t ConvertCluster::getExact(int64_t code) const {
  auto distance = static_cast<double>(code - params.inputZero);
  double number = std::floor(distance * params.factors.front() + 0.5) +
                  static_cast<double>(params.outputZero);
  unsigned bits = getStoredBits(getResult().getType());
  return static_cast<int64_t>(
      std::clamp(number, -std::ldexp(1, static_cast<int>(bits) - 1),
                 std::ldexp(1, static_cast<int>(bits) - 1) - 1));
}

/// By how much the kernel is off for any quantised value at most.
int64_t
ConvertCluster::findDistance(const mli::quant::NumberFormat &in,
                             const mli::quant::NumberFormat &out) const {
  int64_t most = 0;
  mli::quant::CodeRange codes = mli::quant::allCodes(in.width);
  // How the runtime rounds is known when it runs only.
  for (auto rounding :
       {mli::quant::Rounding::Up, mli::quant::Rounding::Convergent}) {
    mli::quant::CodeConversion conversion(in, out, rounding);
    for (int32_t code = codes.low; code <= codes.high; ++code)
      most = std::max(most, std::abs(conversion.toCode(code) - getExact(code)));
  }
  return most;
}

LogicalResult ConvertCluster::choose(const Scales &scales,
                                     MatchFailures &failures) {
  auto bits = static_cast<int>(getStoredBits(input.getType()));
  // The factors of kernels have 15 bits. Results of up to 16 are 1 off at most
  // whatever the input; those of 32 may be further, but inputs are few then.
  if (bits == 32)
    return success();
  int64_t distance =
      findDistance({bits, false, scales.getParams(input)},
                   {static_cast<int>(getStoredBits(getResult().getType())),
                    false, scales.getParams(getResult())});
  if (distance <= 1)
    return success();
  return failures.add(getSubject(),
                      "expected a factor that 15 bits hold, but got ",
                      params.factors.front(), ", by which results are up to ",
                      distance, " off; return i8 or i16");
}

ClusterPtr raising::createConversion(Operation *root, Value input,
                                     const RescaleParams &params) {
  return std::make_unique<ConvertCluster>(root, input, params);
}

ClusterPtr raising::matchConvert(tosa::RescaleOp root,
                                 const RescaledValue &source,
                                 MatchFailures &failures) {
  if (failed(checkCodes(root, source.value, "input", 32, failures)) ||
      failed(checkCodes(root, root.getOutput(), "output", 32, failures)) ||
      failed(checkUniform(root, source.params, failures)))
    return nullptr;
  unsigned from = getStoredBits(source.value.getType()),
           to = getStoredBits(root.getType());
  // The kernel drops bits of what is larger than 2^29, and of factors.
  if (from == 32 && to == 32)
    return failures.reject(root, "expected a rescale from or to i8 or i16, but "
                                 "got i32 to i32; compute it outside of the "
                                 "network");
  if (from == 16 && to == 16)
    return std::make_unique<WideFactorCluster>(root, source.value,
                                               source.params.factors.front());
  return createConversion(root, source.value, source.params);
}

//===----------------------------------------------------------------------===//
// What is no sum
//===----------------------------------------------------------------------===//

/// The operand that `op` moves elements of; null for other operations.
static Value getMoved(Operation *op) {
  return isa<tosa::ReshapeOp, tosa::SliceOp, tosa::TransposeOp, tosa::TileOp,
             tosa::ReverseOp, tosa::IdentityOp>(op)
             ? op->getOperand(0)
             : Value();
}

bool raising::isSum(Value value) {
  bool isLong =
      isStoredIn(value.getType(), 32) || isStoredIn(value.getType(), 48);
  if (!isLong || getConstant(value))
    return false;
  Operation *op = value.getDefiningOp();
  if (!op || !isa<tosa::TosaDialect>(op->getDialect()))
    return false;
  Value moved = getMoved(op);
  return !moved || isSum(moved);
}

bool raising::isReturned(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (user->hasTrait<OpTrait::ReturnLike>())
      return true;
    Value moved =
        isa<tosa::TosaDialect>(user->getDialect()) ? getMoved(user) : Value();
    return moved == value && isReturned(user->getResult(0));
  });
}

/// Matches a layer with weights, or arithmetic of 16 bits, whose result has 16
/// bits; other sums are inside of a softmax.
static ClusterPtr matchWideLayer(tosa::RescaleOp root,
                                 const RescaledValue &sums,
                                 MatchFailures &failures) {
  Operation *producer = sums.value.getDefiningOp();
  ClusterPtr cluster;
  if (isa<tosa::MatMulOp>(producer))
    cluster = matchMatMul(root, sums, failures);
  else if (isa<tosa::Conv2DOp, tosa::DepthwiseConv2DOp,
               tosa::TransposeConv2DOp>(producer))
    cluster = matchConv(root, sums, failures);
  else if (isa<tosa::AddOp, tosa::SubOp, tosa::MulOp>(producer))
    return matchWideBinary(root, sums, failures);
  else
    return nullptr;
  if (!cluster)
    rejectRoot(root, producer, failures);
  return cluster;
}

ClusterPtr raising::matchWide(tosa::RescaleOp root, MatchFailures &failures) {
  // What is not returned is inside of a cluster.
  bool isResult = isReturned(root.getOutput());
  if (isStoredIn(root.getType(), 32) && !isResult)
    return nullptr;
  FailureOr<RescaledValue> rescaled = readNarrowing(root, failures);
  if (failed(rescaled))
    return nullptr;
  if (rescaled->params.isConstant())
    return matchConstant(root, rescaled->params.outputZero, failures);
  if (!isSum(rescaled->value))
    return matchConvert(root, *rescaled, failures);
  if (isStoredIn(root.getType(), 16))
    return matchWideLayer(root, *rescaled, failures);
  if (isResult)
    return failures.reject(root, "expected a rescale of sums to i8, but got ",
                           root.getType());
  return nullptr;
}
