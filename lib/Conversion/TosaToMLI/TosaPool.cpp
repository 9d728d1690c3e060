// SPDX-License-Identifier: Apache-2.0
//
// Raising pooling operations.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// What both kinds of pooling share: the kernel and where it reads.
template <typename PoolOp>
class PoolGroup : public Group {
public:
  PoolGroup(Operation *op, Value input, Window window,
            SmallVector<Constraint> constraints)
      : Group(op, op), input(input), window(std::move(window)),
        constraints(std::move(constraints)) {}

  SmallVector<Constraint> getConstraints() const override {
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    return emitter.createMaps(
        input, getResult(), [&](Value source, Value init) -> Value {
          return PoolOp::create(emitter.getBuilder(), emitter.getLoc(), source,
                                init, window.kernel, window.padding,
                                window.strides)
              .getResult(0);
        });
  }

private:
  Value input;
  Window window;
  SmallVector<Constraint> constraints;
};

} // namespace

template <typename PoolOp, typename TosaOp>
static GroupPtr match(TosaOp op, SmallVector<Constraint> constraints,
                      Refusals &refusals) {
  if (failed(checkBatches(op, op.getInput(), op.getOutput(), refusals)))
    return nullptr;
  int64_t channels = shapeOf(op.getInput()).back();
  if (shapeOf(op.getOutput()).back() != channels)
    return refusals.refuse(op, "expected output of ", channels,
                           " channels, but got ",
                           shapeOf(op.getOutput()).back());
  Window window{llvm::to_vector<2>(op.getKernel()),
                llvm::to_vector<2>(op.getStride()),
                {1, 1},
                llvm::to_vector<4>(op.getPad())};
  if (failed(checkWindow(op, window, refusals)))
    return nullptr;
  return std::make_unique<PoolGroup<PoolOp>>(
      op, op.getInput(), std::move(window), std::move(constraints));
}

GroupPtr raising::matchMaxPool(tosa::MaxPool2dOp op, Refusals &refusals) {
  return match<MaxPoolOp>(op, {Constraint::same(op.getInput(), op.getOutput())},
                          refusals);
}

GroupPtr raising::matchAvePool(tosa::AvgPool2dOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getInput(), "input", refusals)))
    return nullptr;
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getInputZp(), "input_zp", refusals);
  FailureOr<int64_t> outputZero =
      readZeroPoint(op, op.getOutputZp(), "output_zp", refusals);
  if (failed(inputZero) || failed(outputZero))
    return nullptr;
  SmallVector<Constraint> constraints{
      Constraint::zeroPoint(op.getInput(), *inputZero),
      Constraint::zeroPoint(op.getOutput(), *outputZero)};
  if (*inputZero == *outputZero)
    constraints.push_back(Constraint::same(op.getInput(), op.getOutput()));
  else
    constraints.push_back(Constraint::ratio(op.getInput(), op.getOutput(), 1));
  return match<AvePoolOp>(op, std::move(constraints), refusals);
}
