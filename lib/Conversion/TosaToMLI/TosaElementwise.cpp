// SPDX-License-Identifier: Apache-2.0
//
// Raising what works on each element of one operand: clamps, changes of
// quantisation, and products with 0.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/Clip.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

//===----------------------------------------------------------------------===//
// Clamp
//===----------------------------------------------------------------------===//

namespace {

class ClampGroup : public SameScaleGroup {
public:
  ClampGroup(tosa::ClampOp op, mli::quant::Limits limits)
      : SameScaleGroup(op, op.getInput()), clip{std::nullopt, limits} {}

  LogicalResult choose(const Scales &scales, Refusals &) override {
    clip = chooseClip(clip.limits, scales.getParams(getResult()));
    return success();
  }

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input);
    if (clip.relu &&
        (*clip.relu == ReluKind::none || clipInKernel(source.getDefiningOp())))
      return source;
    return createClip(emitter, emitter.read(input, withoutBatch(input)), clip);
  }

private:
  /// Lets the convolution whose rescale is in front of the clamp do it.
  bool clipInKernel(Operation *kernel) const {
    auto rescale = input.getDefiningOp<tosa::RescaleOp>();
    if (!rescale || !input.hasOneUse() ||
        !isa_and_nonnull<Conv2DOp, DepthwiseConv2DOp, GroupConv2DOp,
                         TransposeConv2DOp, FullyConnectedOp>(kernel))
      return false;
    kernel->setAttr("relu",
                    ReluKindAttr::get(kernel->getContext(), *clip.relu));
    return true;
  }

  Clip clip;
};

} // namespace

GroupPtr raising::matchClamp(tosa::ClampOp op, Refusals &refusals) {
  if (failed(checkMaps(op, op.getInput(), op.getOutput(), refusals)))
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
  ConvertGroup(Operation *root, Value input, RescaleParams params)
      : Group(root, root), input(input), params(std::move(params)) {}

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

GroupPtr raising::matchConvert(tosa::RescaleOp root, const RescaledValue &codes,
                               Refusals &refusals) {
  if (failed(checkMap(root, codes.value, "input", refusals)) ||
      failed(checkMap(root, root.getOutput(), "output", refusals)) ||
      failed(checkUniform(root, codes.params, refusals)))
    return nullptr;
  return std::make_unique<ConvertGroup>(root, codes.value, codes.params);
}

//===----------------------------------------------------------------------===//
// Product with 0
//===----------------------------------------------------------------------===//

namespace {

class ConstantGroup : public Group {
public:
  ConstantGroup(Operation *root, int64_t zeroPoint)
      : Group(root, root), zeroPoint(zeroPoint) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(getResult(), zeroPoint)};
  }

  Value emit(Emitter &emitter) const override {
    return emitter.zeros(getResult(), withoutBatch(getResult()));
  }

private:
  int64_t zeroPoint;
};

} // namespace

GroupPtr raising::matchConstant(tosa::RescaleOp root, int64_t zeroPoint,
                                Refusals &refusals) {
  if (failed(checkMap(root, root.getOutput(), "output", refusals)))
    return nullptr;
  return std::make_unique<ConstantGroup>(root, zeroPoint);
}
