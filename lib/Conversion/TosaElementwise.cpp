// SPDX-License-Identifier: Apache-2.0
//
// Raising what works element by element: additions, clamps and changes of
// quantisation.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Quant/Requantize.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

/// The parameters of `op` if it has one factor.
static FailureOr<RescaleParams> readUniformRescale(tosa::RescaleOp op,
                                                   Refusals &refusals) {
  FailureOr<RescaleParams> params = readRescale(op, refusals);
  if (succeeded(params) && params->factors.size() != 1)
    return refusals.add(op, "expected one factor for all channels, but got ",
                        params->factors.size());
  return params;
}

//===----------------------------------------------------------------------===//
// Addition
//===----------------------------------------------------------------------===//

namespace {

/// An i8 value on its way to the sum: rescaled once or more.
struct Addend {
  Value value;
  int64_t zeroPoint;
  double factor; ///< of all rescales together
};

class AddGroup : public Group {
public:
  using Group::Group;

  SmallVector<Constraint> getConstraints() const override {
    SmallVector<Constraint> constraints{
        Constraint::zeroPoint(getResult(), outputZero)};
    for (const Addend &addend : addends) {
      constraints.push_back(
          Constraint::zeroPoint(addend.value, addend.zeroPoint));
      constraints.push_back(Constraint::ratio(addend.value, getResult(),
                                              addend.factor * outputFactor));
    }
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    Value left = emitter.read(addends[0].value, withoutBatch(addends[0].value));
    Value right =
        emitter.read(addends[1].value, withoutBatch(addends[1].value));
    Value init = emitter.empty(getResult(), withoutBatch(getResult()));
    return EltwiseAddOp::create(emitter.getBuilder(), emitter.getLoc(), left,
                                right, init)
        .getResult(0);
  }

  Addend addends[2];
  int64_t outputZero;
  double outputFactor;
};

} // namespace

/// Follows per-tensor rescales from the operand `value` of `add` back to i8.
static FailureOr<Addend> readAddend(tosa::AddOp add, Value value,
                                    Refusals &refusals) {
  Addend addend{value, 0, 1};
  while (!getElementTypeOrSelf(addend.value.getType()).isSignlessInteger(8)) {
    auto rescale = addend.value.getDefiningOp<tosa::RescaleOp>();
    if (!rescale ||
        !getElementTypeOrSelf(rescale.getType()).isSignlessInteger(32))
      return refusals.add(add,
                          "expected both operands to be rescaled i8, but "
                          "got ",
                          addend.value.getType());
    FailureOr<RescaleParams> params = readUniformRescale(rescale, refusals);
    if (failed(params))
      return failure();
    addend.zeroPoint = params->inputZero;
    addend.factor *= params->factors.front();
    addend.value = rescale.getInput();
  }
  if (failed(checkMap(add, addend.value, "operands", refusals)))
    return failure();
  return addend;
}

/// The kernel takes equal shapes, or a single number.
static bool isOperandShape(Value operand, Value result) {
  auto type = cast<RankedTensorType>(operand.getType());
  return type.getNumElements() == 1 ||
         type.getShape() == cast<RankedTensorType>(result.getType()).getShape();
}

GroupPtr raising::matchAdd(tosa::RescaleOp op, Refusals &refusals) {
  auto add = op.getInput().getDefiningOp<tosa::AddOp>();
  if (failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  FailureOr<RescaleParams> params = readUniformRescale(op, refusals);
  if (failed(params))
    return nullptr;
  FailureOr<Addend> left = readAddend(add, add.getInput1(), refusals);
  FailureOr<Addend> right = readAddend(add, add.getInput2(), refusals);
  if (failed(left) || failed(right))
    return nullptr;
  if (!isOperandShape(left->value, op.getOutput()) ||
      !isOperandShape(right->value, op.getOutput()))
    return refusals.refuse(add,
                           "expected operands of one shape, or one element, "
                           "but got ",
                           left->value.getType(), " and ",
                           right->value.getType());
  auto group = std::make_unique<AddGroup>(op, add);
  group->addends[0] = *left;
  group->addends[1] = *right;
  group->outputZero = params->outputZero;
  group->outputFactor = params->factors.front();
  return group;
}

//===----------------------------------------------------------------------===//
// Clamp
//===----------------------------------------------------------------------===//

namespace {

class ClampGroup : public Group {
public:
  ClampGroup(tosa::ClampOp op, mli::quant::Limits limits)
      : Group(op, op), op(op), limits(limits) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(op.getInput(), getResult())};
  }

  LogicalResult choose(const Scales &scales, Refusals &refusals) override {
    mli::quant::QuantParams params = scales.getParams(getResult());
    if (std::optional<mli::quant::Relu> relu =
            mli::quant::findRelu(limits, params)) {
      kind = static_cast<ReluKind>(*relu);
      return success();
    }
    return refusals.add(op, "expected [-128, 127], [", params.zeroPoint,
                        ", 127] or the range of relu6 or relu1, but got [",
                        limits.low, ", ", limits.high, "]");
  }

  Value emit(Emitter &emitter) const override {
    Value input = emitter.read(op.getInput());
    if (kind == ReluKind::none || clipInKernel(input.getDefiningOp()))
      return input;
    input = emitter.read(op.getInput(), withoutBatch(op.getInput()));
    Value init = emitter.empty(getResult(), withoutBatch(getResult()));
    return ReluOp::create(emitter.getBuilder(), emitter.getLoc(), input, init,
                          kind)
        .getResult(0);
  }

private:
  /// Lets the convolution whose rescale is in front of the clamp do it.
  bool clipInKernel(Operation *kernel) const {
    auto rescale = op.getInput().getDefiningOp<tosa::RescaleOp>();
    if (!rescale || !op.getInput().hasOneUse() ||
        !isa_and_nonnull<Conv2DOp, DepthwiseConv2DOp, GroupConv2DOp,
                         FullyConnectedOp>(kernel))
      return false;
    kernel->setAttr("relu", ReluKindAttr::get(kernel->getContext(), kind));
    return true;
  }

  // An operation is a pointer; its accessors are not const.
  mutable tosa::ClampOp op;
  mli::quant::Limits limits;
  ReluKind kind = ReluKind::none;
};

} // namespace

GroupPtr raising::matchClamp(tosa::ClampOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getInput(), "input", refusals)) ||
      failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  auto low = cast<IntegerAttr>(op.getMinVal());
  auto high = cast<IntegerAttr>(op.getMaxVal());
  return std::make_unique<ClampGroup>(
      op,
      mli::quant::Limits{static_cast<int32_t>(low.getValue().getSExtValue()),
                         static_cast<int32_t>(high.getValue().getSExtValue())});
}

//===----------------------------------------------------------------------===//
// Change of quantisation
//===----------------------------------------------------------------------===//

namespace {

class ConvertGroup : public Group {
public:
  ConvertGroup(tosa::RescaleOp op, RescaleParams params)
      : Group(op, op), input(op.getInput()), params(std::move(params)) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, params.inputZero),
            Constraint::zeroPoint(getResult(), params.outputZero),
            Constraint::ratio(input, getResult(), params.factors.front())};
  }

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input, withoutBatch(input));
    Value init = emitter.empty(getResult(), withoutBatch(getResult()));
    return ConvertOp::create(emitter.getBuilder(), emitter.getLoc(), source,
                             init)
        .getResult(0);
  }

private:
  Value input;
  RescaleParams params;
};

} // namespace

GroupPtr raising::matchConvert(tosa::RescaleOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getInput(), "input", refusals)) ||
      failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  FailureOr<RescaleParams> params = readUniformRescale(op, refusals);
  if (failed(params))
    return nullptr;
  return std::make_unique<ConvertGroup>(op, *params);
}
