// SPDX-License-Identifier: Apache-2.0

#include "TosaRescale.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

/// A zero point of `op`, between 0 and 255 if it is unsigned.
static FailureOr<int64_t> readZero(tosa::RescaleOp op, Value value,
                                   StringRef name, bool isUnsigned,
                                   Refusals &refusals) {
  FailureOr<int64_t> zero = readZeroPoint(op, value, name, refusals);
  if (succeeded(zero) && isUnsigned)
    return *zero & UINT8_MAX;
  return zero;
}

FailureOr<RescaleParams>
raising::readRescale(tosa::RescaleOp op, Refusals &refusals, bool isAnySign) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto output = dyn_cast<RankedTensorType>(op.getType());
  if (!input || !output || !input.hasStaticShape() ||
      input.getShape() != output.getShape())
    return refusals.add(op,
                        "expected input and output of one static shape, "
                        "but got ",
                        op.getInput().getType(), " and ", op.getType());
  if (!isAnySign && (op.getInputUnsigned() || op.getOutputUnsigned()))
    return refusals.add(op, "expected signed input and output, but got "
                            "unsigned");
  FailureOr<int64_t> inputZero = readZero(op, op.getInputZp(), "input_zp",
                                          op.getInputUnsigned(), refusals);
  FailureOr<int64_t> outputZero = readZero(op, op.getOutputZp(), "output_zp",
                                           op.getOutputUnsigned(), refusals);
  if (failed(inputZero) || failed(outputZero))
    return failure();
  std::optional<SmallVector<int64_t>> multipliers =
      integersOf(op.getMultiplier());
  std::optional<SmallVector<int64_t>> shifts = integersOf(op.getShift());
  if (!multipliers || !shifts || multipliers->size() != shifts->size())
    return refusals.add(op,
                        "expected 'multiplier' and 'shift' to be constant "
                        "integers, but got ",
                        op.getMultiplier().getType(), " and ",
                        op.getShift().getType());
  RescaleParams params{{}, op.getPerChannel(), *inputZero, *outputZero};
  for (auto [i, multiplier, shift] : llvm::enumerate(*multipliers, *shifts)) {
    if (multiplier < 0)
      return refusals.add(op, "expected multiplier ", i,
                          " to be at least 0, but got ", multiplier);
    // What TOSA defines.
    if (shift < 2 || shift > 62)
      return refusals.add(op, "expected shift ", i,
                          " to be in [2, 62], but got ", shift);
    params.factors.push_back(
        std::ldexp(static_cast<double>(multiplier), -static_cast<int>(shift)));
  }
  return params;
}

/// The rescale that gives `value`, of 32 bits; null if none does.
static tosa::RescaleOp rescaleBefore(Value value) {
  if (!isStoredIn(value.getType(), 32))
    return {};
  return definingOp<tosa::RescaleOp>(value);
}

/// Makes `params` what `first` and then they do.
static void prepend(RescaleParams &params, const RescaleParams &first) {
  const RescaleParams behind = params;
  params = first;
  params.isPerChannel |= behind.isPerChannel;
  params.outputZero = behind.outputZero;
  params.factors.resize(std::max(first.factors.size(), behind.factors.size()));
  auto at = [](ArrayRef<double> factors, size_t i) {
    return factors.size() == 1 ? factors.front() : factors[i];
  };
  for (auto [i, factor] : llvm::enumerate(params.factors))
    factor = at(first.factors, i) * at(behind.factors, i);
}

FailureOr<RescaledValue> raising::readNarrowing(tosa::RescaleOp root,
                                                Refusals &refusals) {
  FailureOr<RescaleParams> params = readRescale(root, refusals);
  if (failed(params))
    return failure();
  RescaledValue narrowing{root.getInput(), *params};
  while (tosa::RescaleOp before = rescaleBefore(narrowing.value)) {
    FailureOr<RescaleParams> first = readRescale(before, refusals);
    if (failed(first))
      return failure();
    prepend(narrowing.params, *first);
    narrowing.value = before.getInput();
  }
  return narrowing;
}

FailureOr<RescaledValue> raising::readWidening(Operation *op, Value value,
                                               Refusals &refusals) {
  RescaledValue widening{value, {{1}, false, 0, 0}};
  while (tosa::RescaleOp before = rescaleBefore(widening.value)) {
    FailureOr<RescaleParams> first = readRescale(before, refusals);
    if (failed(first) || failed(checkUniform(before, *first, refusals)))
      return failure();
    prepend(widening.params, *first);
    widening.value = before.getInput();
  }
  if (widening.value == value || !isStoredIn(widening.value.getType(), 8))
    return refusals.add(op, "expected operands that are rescaled i8, but got ",
                        widening.value.getType());
  if (failed(checkMap(op, widening.value, "operands", refusals)))
    return failure();
  return widening;
}

LogicalResult raising::checkUniform(Operation *op, const RescaleParams &params,
                                    Refusals &refusals) {
  if (params.factors.size() == 1)
    return success();
  return refusals.add(op, "expected one factor for all channels, but got ",
                      params.factors.size());
}
