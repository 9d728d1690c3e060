// SPDX-License-Identifier: Apache-2.0
//
// Legalizes elementwise operations of one operand: clamps and products with 0.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
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
  ClampCluster(Operation *op, Value input, mli::quant::Limits limits)
      : SameScaleCluster(op, input), clip{std::nullopt, limits} {}

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
      op, op.getInput(),
      mli::quant::Limits{static_cast<int32_t>(low.getValue().getSExtValue()),
                         static_cast<int32_t>(high.getValue().getSExtValue())});
}

ClusterPtr raising::matchLimit(Operation *op, MatchFailures &failures) {
  Value input;
  std::optional<int64_t> limit = findNumber(op, input);
  Value output = op->getResult(0);
  // Others are within a cluster, between rescales.
  if (!limit || getStoredBits(output.getType()) > 16 ||
      input.getType() != output.getType())
    return nullptr;
  if (failed(checkMove(op, input, output, failures, /*maxBits=*/16)))
    return nullptr;
  auto code = static_cast<int32_t>(*limit);
  bool isByte = isStoredIn(input.getType(), 8);
  mli::quant::Limits limits = {isByte ? INT8_MIN : INT16_MIN,
                               isByte ? INT8_MAX : INT16_MAX};
  (isa<tosa::MaximumOp>(op) ? limits.low : limits.high) = code;
  return std::make_unique<ClampCluster>(op, input, limits);
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
    return emitter.zeros(getResult(), getFlatShape(getResult()));
  }

private:
  int64_t zeroPoint;
};

} // namespace

ClusterPtr raising::matchConstant(tosa::RescaleOp root, int64_t zeroPoint,
                                  MatchFailures &failures) {
  if (failed(checkCodes(root, root.getOutput(), "output", 32, failures)))
    return nullptr;
  return std::make_unique<ConstantCluster>(root, zeroPoint);
}
