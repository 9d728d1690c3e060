// SPDX-License-Identifier: Apache-2.0
//
// Raising reductions of whole dimensions, to a mean, a maximum or a position.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/ReducedSum.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// What reduces dimensions of a map.
class ReduceGroup : public Group {
public:
  ReduceGroup(Operation *root, Operation *subject, Value input,
              SmallVector<Constraint> constraints, Reduction plan)
      : Group(root, subject), input(input), plan(std::move(plan)),
        constraints(std::move(constraints)) {}

  SmallVector<Constraint> getConstraints() const override {
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input, shapeOf(input));
    if (!plan.order.empty())
      source = emitter.createPermute(source, plan.order);
    return create(emitter, source, emitter.getElement(getResult()));
  }

protected:
  virtual Value create(Emitter &emitter, Value source,
                       Sa8Type element) const = 0;

  Value input;
  Reduction plan;

private:
  SmallVector<Constraint> constraints;
};

class MaxGroup : public ReduceGroup {
public:
  using ReduceGroup::ReduceGroup;

protected:
  Value create(Emitter &emitter, Value source, Sa8Type element) const override {
    return createReduction<MaxPoolOp>(emitter, source, element, plan);
  }
};

/// Sums, times `factor`.
class MeanGroup : public ReduceGroup {
public:
  MeanGroup(Operation *root, Operation *subject, Value input,
            SmallVector<Constraint> constraints, Reduction plan, double factor)
      : ReduceGroup(root, subject, input, std::move(constraints),
                    std::move(plan)),
        factor(factor) {}

  LogicalResult choose(const Scales &scales, Refusals &refusals) override {
    auto choice =
        chooseSumKernel(input.getContext(), plan,
                        {scales.getParams(input), scales.getParams(getResult()),
                         mli::quant::allCodes(8), factor},
                        /*mayPool=*/true);
    if (auto *refusal = std::get_if<ByteRefusal>(&choice)) {
      assert(!refusal->reason.empty() && "scales have the ratio of the factor");
      return refusals.add(getSubject(), refusal->reason);
    }
    kernel = std::move(std::get<SumKernel>(choice));
    return success();
  }

protected:
  Value create(Emitter &emitter, Value source, Sa8Type element) const override {
    return createReducedSum(emitter, source, element, plan, kernel);
  }

private:
  double factor;
  SumKernel kernel;
};

} // namespace

/// How kernels reduce `isReduced` of `input`, of a group with subject `op`.
static FailureOr<Reduction> plan(Operation *op, Value input,
                                 ArrayRef<bool> isReduced, Refusals &refusals) {
  Reduction reduction = planReduction(shapeOf(input), isReduced);
  if (reduction.height != 0)
    return reduction;
  return refusals.add(op,
                      "expected a number of elements to reduce that has sides "
                      "of at most 255, but got ",
                      reduction.count);
}

GroupPtr raising::matchMean(tosa::RescaleOp root, const RescaledValue &sums,
                            Refusals &refusals) {
  auto op = sums.value.getDefiningOp<tosa::ReduceSumOp>();
  if (failed(checkMap(root, root.getOutput(), "output", refusals)) ||
      failed(checkUniform(root, sums.params, refusals)))
    return nullptr;
  SmallVector<bool> isReduced(shapeOf(op.getOutput()).size());
  Value summed = sums.value;
  while (auto before = definingOp<tosa::ReduceSumOp>(summed)) {
    isReduced[before.getAxis()] = true;
    summed = before.getInput();
  }
  FailureOr<RescaledValue> input = readWidening(op, summed, refusals);
  if (failed(input))
    return nullptr;
  if (input->params.isConstant())
    return matchConstant(root, sums.params.outputZero, refusals);
  FailureOr<Reduction> reduction = plan(op, input->value, isReduced, refusals);
  if (failed(reduction))
    return nullptr;
  double factor = input->params.factors.front() * sums.params.factors.front();
  // The sum of as many numbers is their mean times as many.
  double ratio = factor * static_cast<double>(reduction->count);
  SmallVector<Constraint> constraints{
      Constraint::zeroPoint(input->value, input->params.inputZero),
      Constraint::zeroPoint(root.getOutput(), sums.params.outputZero),
      Constraint::ratio(input->value, root.getOutput(), ratio)};
  return std::make_unique<MeanGroup>(
      root, op, input->value, std::move(constraints), *reduction, factor);
}

GroupPtr raising::matchReduceMax(tosa::ReduceMaxOp op, Refusals &refusals) {
  // That of a softmax is of 32 bits.
  if (!isStoredIn(op.getType(), 8))
    return nullptr;
  if (failed(checkMap(op, op.getInput(), "input", refusals)))
    return nullptr;
  SmallVector<bool> isReduced(shapeOf(op.getInput()).size());
  isReduced[op.getAxis()] = true;
  FailureOr<Reduction> reduction = plan(op, op.getInput(), isReduced, refusals);
  if (failed(reduction))
    return nullptr;
  return std::make_unique<MaxGroup>(
      op, op, op.getInput(),
      SmallVector<Constraint>{Constraint::same(op.getInput(), op.getOutput())},
      *reduction);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

namespace {

/// Positions are integers; no scale says what they are.
class ArgMaxGroup : public Group {
public:
  explicit ArgMaxGroup(tosa::ArgMaxOp op)
      : Group(op, op), input(op.getInput()), axis(op.getAxis()) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(input, input)};
  }

  Value emit(Emitter &emitter) const override {
    emitRemark(getRoot()->getLoc(),
               "of equal elements the last is found, not the first");
    ArrayRef<int64_t> shape = shapeOf(input);
    int64_t size = shape[axis], rows = llvm::product_of(shape) / size;
    auto order = llvm::to_vector(llvm::seq<int64_t>(shape.size()));
    order.erase(order.begin() + axis);
    order.push_back(axis);
    Value last = emitter.createPermute(emitter.read(input, shape), order);
    Type element = Sa32Type::get(emitter.getContext(), {1, 0, 0});
    return emitter.createSliced(
        emitter.createReshape(last, {rows, size}), element, {rows, 1, 1},
        [&](ValueRange slices, Value init) -> Value {
          return ArgmaxOp::create(emitter.getBuilder(), emitter.getLoc(),
                                  slices.front(), init, /*axis=*/-1,
                                  /*topk=*/1)
              .getResult(0);
        });
  }

private:
  Value input;
  int64_t axis;
};

} // namespace

GroupPtr raising::matchArgMax(tosa::ArgMaxOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getInput(), "input", refusals)))
    return nullptr;
  if (!isStoredIn(op.getType(), 32))
    return refusals.refuse(op, "expected positions of i32, but got ",
                           getElementTypeOrSelf(op.getType()));
  if (failed(checkBytes(op, op.getType(), 32, "output", refusals)))
    return nullptr;
  return std::make_unique<ArgMaxGroup>(op);
}
