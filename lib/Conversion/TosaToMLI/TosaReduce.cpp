// SPDX-License-Identifier: Apache-2.0
//
// Legalizes reductions of whole dimensions to a mean, a maximum or a position.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/ArgMax.h"
#include "mli/Frontend/ReducedSum.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// A reduction of dimensions of a feature map.
class ReduceCluster : public Cluster {
public:
  ReduceCluster(Operation *root, Operation *subject, Value input,
                SmallVector<Constraint> constraints, Reduction plan)
      : Cluster(root, subject), input(input), plan(std::move(plan)),
        constraints(std::move(constraints)) {}

  SmallVector<Constraint> getConstraints() const override {
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input);
    if (!plan.order.empty())
      source = emitter.createPermute(source, getShape(input), plan.order);
    return create(emitter, source, emitter.getElement(getResult()));
  }

protected:
  virtual Value create(Emitter &emitter, Value source, Type element) const = 0;

  Value input;
  Reduction plan;

private:
  SmallVector<Constraint> constraints;
};

class MaxCluster : public ReduceCluster {
public:
  using ReduceCluster::ReduceCluster;

protected:
  Value create(Emitter &emitter, Value source, Type element) const override {
    return createReduction<MaxPoolOp>(emitter, source, element, plan);
  }
};

/// A sum, times `factor`.
class MeanCluster : public ReduceCluster {
public:
  MeanCluster(Operation *root, Operation *subject, Value input,
              SmallVector<Constraint> constraints, Reduction plan,
              double factor)
      : ReduceCluster(root, subject, input, std::move(constraints),
                      std::move(plan)),
        factor(factor) {}

  LogicalResult choose(const Scales &scales, MatchFailures &failures) override {
    // All forms fail alike.
    auto choice =
        chooseKernel(scales.getParams(input), scales.getParams(getResult()),
                     AverageForm::Kernel);
    auto *rejection = std::get_if<ByteRejection>(&choice);
    if (!rejection)
      return success();
    assert(!rejection->reason.empty() && "scales have the ratio of the factor");
    return failures.add(getSubject(), rejection->reason);
  }

protected:
  Value create(Emitter &emitter, Value source, Type element) const override {
    auto out = cast<Sa8Type>(element);
    auto choice = chooseKernel(emitter.getElement(input).getParam(0),
                               out.getParam(0), emitter.getForms().averages);
    return createReducedSum(emitter, source, out, plan,
                            std::get<SumKernel>(choice));
  }

private:
  std::variant<SumKernel, ByteRejection>
  chooseKernel(const mli::quant::QuantParams &in,
               const mli::quant::QuantParams &out, AverageForm form) const {
    return chooseSumKernel(input.getContext(), plan,
                           {in, out, mli::quant::allCodes(8), factor}, form);
  }

  double factor;
};

} // namespace

/// Plans the reduction of `isReduced` of `input`, in a cluster with subject
/// `op`.
static FailureOr<Reduction> plan(Operation *op, Value input,
                                 ArrayRef<bool> isReduced,
                                 MatchFailures &failures) {
  Reduction reduction = planReduction(getShape(input), isReduced);
  if (reduction.height != 0)
    return reduction;
  return failures.add(op,
                      "expected a number of elements to reduce that has sides "
                      "of at most 255, but got ",
                      reduction.count);
}

ClusterPtr raising::matchMean(tosa::RescaleOp root, const RescaledValue &sums,
                              MatchFailures &failures) {
  auto op = sums.value.getDefiningOp<tosa::ReduceSumOp>();
  if (failed(checkFeatureMap(root, root.getOutput(), "output", failures)) ||
      failed(checkUniform(root, sums.params, failures)))
    return nullptr;
  SmallVector<bool> isReduced(getShape(op.getOutput()).size());
  Value summed = sums.value;
  while (auto before = getDefiningOp<tosa::ReduceSumOp>(summed)) {
    isReduced[before.getAxis()] = true;
    summed = before.getInput();
  }
  FailureOr<RescaledValue> input = readWidening(op, summed, failures);
  if (failed(input))
    return nullptr;
  if (input->params.isConstant())
    return matchConstant(root, sums.params.outputZero, failures);
  FailureOr<Reduction> reduction = plan(op, input->value, isReduced, failures);
  if (failed(reduction))
    return nullptr;
  double factor = input->params.factors.front() * sums.params.factors.front();
  // The sum of `count` numbers is `count` times their mean.
  double ratio = factor * static_cast<double>(reduction->count);
  SmallVector<Constraint> constraints{
      Constraint::zeroPoint(input->value, input->params.inputZero),
      Constraint::zeroPoint(root.getOutput(), sums.params.outputZero),
      Constraint::ratio(input->value, root.getOutput(), ratio)};
  return std::make_unique<MeanCluster>(
      root, op, input->value, std::move(constraints), *reduction, factor);
}

ClusterPtr raising::matchReduceMax(tosa::ReduceMaxOp op,
                                   MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput(), op.getOutput(), failures,
                       /*maxBits=*/16)))
    return nullptr;
  SmallVector<bool> isReduced(getShape(op.getInput()).size());
  isReduced[op.getAxis()] = true;
  FailureOr<Reduction> reduction = plan(op, op.getInput(), isReduced, failures);
  if (failed(reduction))
    return nullptr;
  return std::make_unique<MaxCluster>(
      op, op, op.getInput(),
      SmallVector<Constraint>{Constraint::same(op.getInput(), op.getOutput())},
      *reduction);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

namespace {

/// A position is an integer, which no scale relates to its input.
class ArgMaxCluster : public Cluster {
public:
  explicit ArgMaxCluster(tosa::ArgMaxOp op)
      : Cluster(op, op), input(op.getInput()), axis(op.getAxis()) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(input, input),
            Constraint::zeroPoint(getResult(), 0),
            Constraint::scale(getResult(), 1)};
  }

  Value emit(Emitter &emitter) const override {
    ArrayRef<int64_t> shape = getShape(input);
    if (shape[axis] > maxPositions)
      emitRemark(getRoot()->getLoc(),
                 "of equal elements the last is found, not the first");
    return createArgMax(emitter, emitter.read(input), shape, axis,
                        emitter.getElement(getResult()));
  }

private:
  Value input;
  int64_t axis;
};

} // namespace

ClusterPtr raising::matchArgMax(tosa::ArgMaxOp op, MatchFailures &failures) {
  if (failed(checkCodes(op, op.getInput(), "input", 16, failures)))
    return nullptr;
  if (!isStoredIn(op.getType(), 32))
    return failures.reject(op, "expected positions of i32, but got ",
                           getElementTypeOrSelf(op.getType()));
  if (failed(checkCodes(op, op.getOutput(), "output", 32, failures)))
    return nullptr;
  return std::make_unique<ArgMaxCluster>(op);
}
