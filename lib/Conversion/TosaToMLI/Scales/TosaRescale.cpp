// SPDX-License-Identifier: Apache-2.0

#include "TosaRescale.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

/// Reads a zero point of `op`, which is between 0 and 255 if it is unsigned.
static FailureOr<int64_t> readZero(tosa::RescaleOp op, Value value,
                                   StringRef name, bool isUnsigned,
                                   MatchFailures &failures) {
  FailureOr<int64_t> zero = readZeroPoint(op, value, name, failures);
  if (succeeded(zero) && isUnsigned)
    return *zero & UINT8_MAX;
  return zero;
}

FailureOr<RescaleParams> raising::readRescale(tosa::RescaleOp op,
                                              MatchFailures &failures,
                                              bool isAnySign) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto output = dyn_cast<RankedTensorType>(op.getType());
  if (!input || !output || !input.hasStaticShape() ||
      input.getShape() != output.getShape())
    return failures.add(op,
                        "expected input and output of one static shape, "
                        "but got ",
                        op.getInput().getType(), " and ", op.getType());
  if (!isAnySign && (op.getInputUnsigned() || op.getOutputUnsigned()))
    return failures.add(op, "expected signed input and output, but got "
                            "unsigned");
  FailureOr<int64_t> inputZero = readZero(op, op.getInputZp(), "input_zp",
                                          op.getInputUnsigned(), failures);
  FailureOr<int64_t> outputZero = readZero(op, op.getOutputZp(), "output_zp",
                                           op.getOutputUnsigned(), failures);
  if (failed(inputZero) || failed(outputZero))
    return failure();
  std::optional<SmallVector<int64_t>> multipliers =
      getIntegers(op.getMultiplier());
  std::optional<SmallVector<int64_t>> shifts = getIntegers(op.getShift());
  if (!multipliers || !shifts || multipliers->size() != shifts->size())
    return failures.add(op,
                        "expected 'multiplier' and 'shift' to be constant "
                        "integers, but got ",
                        op.getMultiplier().getType(), " and ",
                        op.getShift().getType());
  RescaleParams params{{}, op.getPerChannel(), *inputZero, *outputZero};
  for (auto [i, multiplier, shift] : llvm::enumerate(*multipliers, *shifts)) {
    if (multiplier < 0)
      return failures.add(op, "expected multiplier ", i,
                          " to be at least 0, but got ", multiplier);
    // TOSA defines this range.
    if (shift < 2 || shift > 62)
      return failures.add(op, "expected shift ", i,
                          " to be in [2, 62], but got ", shift);
    params.factors.push_back(
        std::ldexp(static_cast<double>(multiplier), -static_cast<int>(shift)));
  }
  return params;
}

/// The rescale that defines `value`, of 32 bits; null for other producers.
static tosa::RescaleOp getRescaleBefore(Value value) {
  if (!isStoredIn(value.getType(), 32))
    return {};
  return getDefiningOp<tosa::RescaleOp>(value);
}

/// Prepends the rescale `first` to `params`, so that they describe both.
static void prepend(RescaleParams &params, const RescaleParams &first) {
  const RescaleParams after = params;
  params = first;
  params.isPerChannel |= after.isPerChannel;
  params.outputZero = after.outputZero;
  params.factors.resize(std::max(first.factors.size(), after.factors.size()));
  auto at = [](ArrayRef<double> factors, size_t i) {
    return factors.size() == 1 ? factors.front() : factors[i];
  };
  for (auto [i, factor] : llvm::enumerate(params.factors))
    factor = at(first.factors, i) * at(after.factors, i);
}

FailureOr<RescaledValue> raising::readNarrowing(tosa::RescaleOp root,
                                                MatchFailures &failures) {
  FailureOr<RescaleParams> params = readRescale(root, failures);
  if (failed(params))
    return failure();
  RescaledValue narrowing{root.getInput(), *params};
  while (tosa::RescaleOp before = getRescaleBefore(narrowing.value)) {
    FailureOr<RescaleParams> first = readRescale(before, failures);
    if (failed(first))
      return failure();
    prepend(narrowing.params, *first);
    narrowing.value = before.getInput();
  }
  return narrowing;
}

/// Follows one reshape, cast or shift by a constant before a value of 32 bits.
static bool followOther(RescaledValue &widening) {
  Operation *before = widening.value.getDefiningOp();
  if (!before || !isStoredIn(widening.value.getType(), 32))
    return false;
  if (isa<tosa::ReshapeOp>(before) ||
      (isa<tosa::CastOp>(before) &&
       isStoredIn(before->getOperand(0).getType(), 16))) {
    widening.value = before->getOperand(0);
    return true;
  }
  auto shift = dyn_cast<tosa::LogicalLeftShiftOp>(before);
  std::optional<int64_t> bits =
      shift ? getSplat(shift.getInput2()) : std::nullopt;
  // Longer ones drop bits of 16.
  if (!bits || *bits < 0 || *bits > 16 ||
      shift.getInput1().getType() != shift.getType())
    return false;
  prepend(widening.params,
          {{std::ldexp(1, static_cast<int>(*bits))}, false, 0, 0});
  widening.value = shift.getInput1();
  return true;
}

/// Follows the rescales before `value`, of 32 bits, and with `hasOthers` what
/// else keeps numbers but for a factor. They have one factor.
static FailureOr<RescaledValue> followRescales(Value value, bool hasOthers,
                                               MatchFailures &failures) {
  RescaledValue widening{value, {{1}, false, 0, 0}};
  while (true) {
    if (hasOthers && followOther(widening))
      continue;
    tosa::RescaleOp before = getRescaleBefore(widening.value);
    if (!before)
      return widening;
    FailureOr<RescaleParams> first = readRescale(before, failures);
    if (failed(first) || failed(checkUniform(before, *first, failures)))
      return failure();
    prepend(widening.params, *first);
    widening.value = before.getInput();
  }
}

FailureOr<RescaledValue> raising::readWidening(Operation *op, Value value,
                                               MatchFailures &failures) {
  FailureOr<RescaledValue> widening =
      followRescales(value, /*hasOthers=*/false, failures);
  if (failed(widening))
    return failure();
  if (widening->value == value || !isStoredIn(widening->value.getType(), 8))
    return failures.add(op, "expected operands that are rescaled i8, but got ",
                        widening->value.getType());
  if (failed(checkFeatureMap(op, widening->value, "operands", failures)))
    return failure();
  return widening;
}

FailureOr<RescaledValue> raising::readSummand(Operation *op, Value value,
                                              unsigned bits,
                                              MatchFailures &failures) {
  FailureOr<RescaledValue> summand =
      followRescales(value, /*hasOthers=*/true, failures);
  if (failed(summand))
    return failure();
  Type type = summand->value.getType();
  if (isStoredIn(type, 32) && getConstant(summand->value)) {
    if (getSplat(summand->value))
      return summand;
    return failures.add(op,
                        "expected one number in constants of 32 bits, or "
                        "constants that are rescaled i",
                        bits, ", but got ", type);
  }
  if (!isStoredIn(type, bits))
    return failures.add(op, "expected operands that are rescaled i", bits,
                        ", but got ", type);
  if (failed(checkCodes(op, summand->value, "operands", 16, failures)))
    return failure();
  return summand;
}

LogicalResult raising::checkUniform(Operation *op, const RescaleParams &params,
                                    MatchFailures &failures) {
  if (params.factors.size() == 1)
    return success();
  return failures.add(op, "expected one factor for all channels, but got ",
                      params.factors.size());
}
