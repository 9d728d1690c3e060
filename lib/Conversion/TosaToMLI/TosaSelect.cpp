// SPDX-License-Identifier: Apache-2.0
//
// Legalizes the leaky ReLU that legalisers expand: a selection by sign between
// two rescales.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Quant/KernelScales.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

class LeakyReluCluster : public Cluster {
public:
  LeakyReluCluster(tosa::SelectOp op, Value input, const RescaleParams &rescale,
                   std::optional<mli::quant::QuantParams> slope)
      : Cluster(op, op), input(input), rescale(rescale), slope(slope) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, rescale.inputZero),
            Constraint::zeroPoint(getResult(), rescale.outputZero),
            Constraint::ratio(input, getResult(), rescale.factors.front())};
  }

  Value emit(Emitter &emitter) const override {
    ArrayRef<int64_t> shape = withoutBatch(input);
    // The scale is the slope, unless the slope is 0.
    Value one = emitter.createSplat(
        Sa8Type::get(emitter.getContext(),
                     slope.value_or(mli::quant::QuantParams())),
        {1}, slope ? 1 : 0);
    return emitter.createOp<LeakyReluOp>(emitter.read(input, shape), one,
                                         emitter.empty(getResult(), shape));
  }

private:
  Value input;
  RescaleParams rescale; ///< of elements that are not negative
  std::optional<mli::quant::QuantParams> slope; ///< none for a slope of 0
};

} // namespace

/// Reads the i8 value whose sign the condition `value` tests.
static FailureOr<RescaledValue> readSign(tosa::SelectOp op, Value value,
                                         MatchFailures &failures) {
  auto compare = getDefiningOp<tosa::GreaterEqualOp>(value);
  if (!compare || !isConstantSplat(compare.getInput2(), 0))
    return failures.add(op, "expected a selection by sign, but got another");
  return readWidening(op, compare.getInput1(), failures);
}

/// Reads `value` as the rescale of `input` from i8.
static FailureOr<RescaleParams> readBranch(tosa::SelectOp op, Value value,
                                           Value input,
                                           MatchFailures &failures) {
  auto rescale = getDefiningOp<tosa::RescaleOp>(value);
  if (!rescale || rescale.getInput() != input)
    return failures.add(op, "expected a selection between two rescales of the "
                            "compared value, but got others");
  FailureOr<RescaleParams> params = readRescale(rescale, failures);
  if (failed(params) || failed(checkUniform(op, *params, failures)))
    return failure();
  return params;
}

ClusterPtr raising::matchLeakyRelu(tosa::SelectOp op, MatchFailures &failures) {
  if (failed(checkFeatureMap(op, op.getOutput(), "output", failures)))
    return nullptr;
  FailureOr<RescaledValue> sign = readSign(op, op.getInput1(), failures);
  if (failed(sign))
    return nullptr;
  auto above = readBranch(op, op.getInput2(), sign->value, failures);
  auto below = readBranch(op, op.getInput3(), sign->value, failures);
  if (failed(above) || failed(below))
    return nullptr;
  if (above->inputZero != sign->params.inputZero ||
      below->inputZero != sign->params.inputZero ||
      above->outputZero != below->outputZero)
    return failures.reject(op, "expected one zero point of input and of "
                               "output, but got two");
  if (above->isConstant() || sign->params.isConstant())
    return failures.reject(op,
                           "expected a positive factor for elements that are "
                           "not negative, but got 0");
  double slope = below->factors.front() / above->factors.front();
  auto params = mli::quant::nearestParams(slope, 0);
  assert((params || below->isConstant()) &&
         "the factors of two rescales are in [2^-62, 2^29)");
  return std::make_unique<LeakyReluCluster>(op, sign->value, *above, params);
}
