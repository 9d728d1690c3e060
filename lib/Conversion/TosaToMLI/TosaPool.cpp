// SPDX-License-Identifier: Apache-2.0
//
// Legalizes pooling operations.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/AveragePool.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// A pooling operation of either kind.
template <typename PoolOp>
class PoolCluster : public Cluster {
public:
  PoolCluster(Operation *op, Value input, Window window,
              SmallVector<Constraint> constraints)
      : Cluster(op, op), input(input), window(std::move(window)),
        constraints(std::move(constraints)) {}

  SmallVector<Constraint> getConstraints() const override {
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    return emitter.createFeatureMaps(
        input, getResult(), [&](Value source, Value init) -> Value {
          return emitter.createOp<PoolOp>(source, init, window.kernel,
                                          window.padding, window.strides);
        });
  }

protected:
  Value input;
  Window window;

private:
  SmallVector<Constraint> constraints;
};

/// An average pool, which products with ones may compute.
class AverageCluster : public PoolCluster<AvePoolOp> {
public:
  using PoolCluster::PoolCluster;

  Value emit(Emitter &emitter) const override {
    AveragePool pool = getPool(emitter);
    std::optional<AverageProducts> products =
        chooseAverageProducts(emitter.getLoc(), pool,
                              emitter.getForms().averages, /*isNeeded=*/false);
    if (!products)
      return PoolCluster::emit(emitter);
    return emitter.createFeatureMaps(
        input, getResult(), [&](Value source, Value init) {
          return createAverageProducts(emitter, pool, *products, source, init);
        });
  }

private:
  /// TOSA rounds halves away from the zero point: its reciprocals are a bit too
  /// large.
  AveragePool getPool(Emitter &emitter) const {
    auto getAxis = [&](size_t i) -> mli::quant::PoolAxis {
      return {getShape(input)[i + 1], getShape(getResult())[i + 1],
              window.kernel[i], window.strides[i], window.padding[2 * i]};
    };
    mli::quant::QuantParams in = emitter.getElement(input).getParam(0),
                            out = emitter.getElement(getResult()).getParam(0);
    return {{getAxis(0), getAxis(1), getShape(input).back()},
            {{in, out, /*factor=*/1, /*count=*/0, mli::quant::allCodes(8)},
             out.zeroPoint},
            chooseClip({INT8_MIN, INT8_MAX}, out)};
  }
};

} // namespace

template <typename PoolType, typename TosaOp>
static ClusterPtr match(TosaOp op, SmallVector<Constraint> constraints,
                        MatchFailures &failures) {
  if (failed(checkSameBatch(op, op.getInput(), op.getOutput(), failures)))
    return nullptr;
  int64_t channels = getShape(op.getInput()).back();
  if (getShape(op.getOutput()).back() != channels)
    return failures.reject(op, "expected output of ", channels,
                           " channels, but got ",
                           getShape(op.getOutput()).back());
  Window window{llvm::to_vector<2>(op.getKernel()),
                llvm::to_vector<2>(op.getStride()),
                {1, 1},
                llvm::to_vector<4>(op.getPad())};
  if (failed(checkWindow(op, window, failures)))
    return nullptr;
  return std::make_unique<PoolType>(op, op.getInput(), std::move(window),
                                    std::move(constraints));
}

ClusterPtr raising::matchMaxPool(tosa::MaxPool2dOp op,
                                 MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput(), op.getOutput(), failures,
                       /*maxBits=*/16)))
    return nullptr;
  return match<PoolCluster<MaxPoolOp>>(
      op, {Constraint::same(op.getInput(), op.getOutput())}, failures);
}

ClusterPtr raising::matchAvePool(tosa::AvgPool2dOp op,
                                 MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput(), op.getOutput(), failures,
                       /*maxBits=*/16)))
    return nullptr;
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getInputZp(), "input_zp", failures);
  FailureOr<int64_t> outputZero =
      readZeroPoint(op, op.getOutputZp(), "output_zp", failures);
  if (failed(inputZero) || failed(outputZero))
    return nullptr;
  SmallVector<Constraint> constraints{
      Constraint::zeroPoint(op.getInput(), *inputZero),
      Constraint::zeroPoint(op.getOutput(), *outputZero)};
  if (*inputZero == *outputZero)
    constraints.push_back(Constraint::same(op.getInput(), op.getOutput()));
  else
    constraints.push_back(Constraint::ratio(op.getInput(), op.getOutput(), 1));
  if (isStoredIn(op.getInput().getType(), 16))
    return match<PoolCluster<AvePoolOp>>(op, std::move(constraints), failures);
  return match<AverageCluster>(op, std::move(constraints), failures);
}
