// SPDX-License-Identifier: Apache-2.0
//
// Raising the leaky ReLU that legalisers write out: a choice by sign between
// two rescales.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Quant/KernelScales.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

class LeakyReluGroup : public Group {
public:
  LeakyReluGroup(tosa::SelectOp op, Value input, const RescaleParams &rescale,
                 std::optional<mli::quant::QuantParams> slope)
      : Group(op, op), input(input), rescale(rescale), slope(slope) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, rescale.inputZero),
            Constraint::zeroPoint(getResult(), rescale.outputZero),
            Constraint::ratio(input, getResult(), rescale.factors.front())};
  }

  Value emit(Emitter &emitter) const override {
    ArrayRef<int64_t> shape = withoutBatch(input);
    // The scale is the slope, unless that is 0.
    Value one = emitter.createSplat(
        Sa8Type::get(emitter.getContext(),
                     slope.value_or(mli::quant::QuantParams())),
        {1}, slope ? 1 : 0);
    return LeakyReluOp::create(emitter.getBuilder(), emitter.getLoc(),
                               emitter.read(input, shape), one,
                               emitter.empty(getResult(), shape))
        .getResult(0);
  }

private:
  Value input;
  RescaleParams rescale;                        ///< of what is not negative
  std::optional<mli::quant::QuantParams> slope; ///< none for 0
};

} // namespace

/// The i8 value whose sign `value` says; null if it says something else.
static FailureOr<RescaledValue> readSign(tosa::SelectOp op, Value value,
                                         Refusals &refusals) {
  auto compare = definingOp<tosa::GreaterEqualOp>(value);
  if (!compare || !isSplatOf(compare.getInput2(), 0))
    return refusals.add(op, "expected a choice by sign, but got another");
  return readWidening(op, compare.getInput1(), refusals);
}

/// The rescale of `input` from i8 that `value` is.
static FailureOr<RescaleParams> readBranch(tosa::SelectOp op, Value value,
                                           Value input, Refusals &refusals) {
  auto rescale = definingOp<tosa::RescaleOp>(value);
  if (!rescale || rescale.getInput() != input)
    return refusals.add(op, "expected a choice between two rescales of what "
                            "has the sign, but got others");
  FailureOr<RescaleParams> params = readRescale(rescale, refusals);
  if (failed(params) || failed(checkUniform(op, *params, refusals)))
    return failure();
  return params;
}

GroupPtr raising::matchLeakyRelu(tosa::SelectOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  FailureOr<RescaledValue> sign = readSign(op, op.getInput1(), refusals);
  if (failed(sign))
    return nullptr;
  auto above = readBranch(op, op.getInput2(), sign->value, refusals);
  auto below = readBranch(op, op.getInput3(), sign->value, refusals);
  if (failed(above) || failed(below))
    return nullptr;
  if (above->inputZero != sign->params.inputZero ||
      below->inputZero != sign->params.inputZero ||
      above->outputZero != below->outputZero)
    return refusals.refuse(op, "expected one zero point of input and of "
                               "output, but got two");
  if (above->isConstant() || sign->params.isConstant())
    return refusals.refuse(op, "expected what is not negative to be multiplied "
                               "by a positive number, but got 0");
  double slope = below->factors.front() / above->factors.front();
  auto params = mli::quant::nearestParams(slope, 0);
  assert((params || below->isConstant()) &&
         "the factors of two rescales are in [2^-62, 2^29)");
  return std::make_unique<LeakyReluGroup>(op, sign->value, *above, params);
}
