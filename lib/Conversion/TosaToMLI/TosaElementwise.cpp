// SPDX-License-Identifier: Apache-2.0
//
// Legalizes elementwise operations of one operand: clamps, changes of
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

class ClampCluster : public SameScaleCluster {
public:
  ClampCluster(tosa::ClampOp op, mli::quant::Limits limits)
      : SameScaleCluster(op, op.getInput()), clip{std::nullopt, limits} {}

  LogicalResult choose(const Scales &scales, MatchFailures &) override {
    clip = isStoredIn(input.getType(), 8)
               ? chooseClip(clip.limits, scales.getParams(getResult()))
               : chooseWideClip(clip.limits);
    return success();
  }

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input);
    if (clip.relu &&
        (*clip.relu == ReluKind::none || clipInKernel(source.getDefiningOp())))
      return source;
    return createClip(emitter, emitter.read(input, getFlatShape(input)), clip);
  }

private:
  /// Moves the clamp into the convolution whose rescale it follows, if there is
  /// one.
  bool clipInKernel(Operation *kernel) const {
    auto weighted = dyn_cast_or_null<WeightedOpInterface>(kernel);
    if (!weighted || !input.hasOneUse() ||
        !input.getDefiningOp<tosa::RescaleOp>())
      return false;
    weighted.setRelu(*clip.relu);
    return true;
  }

  Clip clip;
};

} // namespace

ClusterPtr raising::matchClamp(tosa::ClampOp op, MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput(), op.getOutput(), failures,
                       /*maxBits=*/16)))
    return nullptr;
  auto low = cast<IntegerAttr>(op.getMinVal());
  auto high = cast<IntegerAttr>(op.getMaxVal());
  return std::make_unique<ClampCluster>(
      op,
      mli::quant::Limits{static_cast<int32_t>(low.getValue().getSExtValue()),
                         static_cast<int32_t>(high.getValue().getSExtValue())});
}

//===----------------------------------------------------------------------===//
// Change of quantisation
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

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input, withoutBatch(input));
    Value init = emitter.empty(getResult(), withoutBatch(getResult()));
    return emitter.createOp<ConvertOp>(source, init);
  }

private:
  Value input;
  RescaleParams params;
};

} // namespace

ClusterPtr raising::matchConvert(tosa::RescaleOp root,
                                 const RescaledValue &source,
                                 MatchFailures &failures) {
  if (failed(checkFeatureMap(root, source.value, "input", failures)) ||
      failed(checkFeatureMap(root, root.getOutput(), "output", failures)) ||
      failed(checkUniform(root, source.params, failures)))
    return nullptr;
  return std::make_unique<ConvertCluster>(root, source.value, source.params);
}

//===----------------------------------------------------------------------===//
// Product with 0
//===----------------------------------------------------------------------===//

namespace {

class ConstantCluster : public Cluster {
public:
  ConstantCluster(Operation *root, int64_t zeroPoint)
      : Cluster(root, root), zeroPoint(zeroPoint) {}

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

ClusterPtr raising::matchConstant(tosa::RescaleOp root, int64_t zeroPoint,
                                  MatchFailures &failures) {
  if (failed(checkFeatureMap(root, root.getOutput(), "output", failures)))
    return nullptr;
  return std::make_unique<ConstantCluster>(root, zeroPoint);
}
