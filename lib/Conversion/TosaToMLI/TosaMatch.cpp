// SPDX-License-Identifier: Apache-2.0
//
// Selects the cluster that an operation may be the root of.

#include "TosaPatterns.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

void raising::rejectRoot(Operation *root, Operation *subject,
                         MatchFailures &failures) {
  if (root != subject)
    (void)failures.add(root, "it belongs to '", subject->getName(),
                       "', which is not raised");
}

/// Matches the cluster that ends in the rescale `root`, by the producer of its
/// input.
static ClusterPtr matchRescale(tosa::RescaleOp root, MatchFailures &failures) {
  auto isByte = [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return isStoredIn(element, 8) || element.isUnsignedInteger(8);
  };
  if ((root.getInputUnsigned() || root.getOutputUnsigned()) &&
      isByte(root.getInput()) && isByte(root.getOutput()))
    return matchUnsigned(root, failures);
  if (!isStoredIn(root.getType(), 8))
    return nullptr; // It is inside of a cluster.
  Operation *last = root.getInput().getDefiningOp();
  if (isa_and_nonnull<tosa::ArithmeticRightShiftOp>(last))
    return matchSoftmax(root, failures);
  FailureOr<RescaledValue> rescaled = readNarrowing(root, failures);
  if (failed(rescaled))
    return nullptr;
  if (rescaled->params.isConstant())
    return matchConstant(root, rescaled->params.outputZero, failures);
  if (isStoredIn(rescaled->value.getType(), 8))
    return matchConvert(root, *rescaled, failures);
  Operation *producer = rescaled->value.getDefiningOp();
  ClusterPtr cluster;
  if (isa_and_nonnull<tosa::Conv2DOp, tosa::DepthwiseConv2DOp,
                      tosa::TransposeConv2DOp>(producer))
    cluster = matchConv(root, *rescaled, failures);
  else if (isa_and_nonnull<tosa::MatMulOp>(producer))
    cluster = matchMatMul(root, *rescaled, failures);
  else if (isa_and_nonnull<tosa::ReduceSumOp>(producer))
    cluster = matchMean(root, *rescaled, failures);
  else if (isa_and_nonnull<tosa::AddOp, tosa::SubOp, tosa::MulOp,
                           tosa::MaximumOp, tosa::MinimumOp>(producer))
    cluster = matchBinary(root, *rescaled, failures);
  else
    return failures.reject(root,
                           "expected 'input' to be the result of a "
                           "convolution, a product of matrices, a sum along a "
                           "dimension, arithmetic of two operands or a "
                           "softmax, but got ",
                           rescaled->value.getType());
  if (!cluster)
    rejectRoot(root, producer, failures);
  return cluster;
}

/// Adds the reason for a convolution whose sums are not rescaled.
static void checkConv(Operation *op, MatchFailures &failures) {
  for (Value operand : op->getOperands().take_front(2))
    if (!isStoredIn(operand.getType(), 8)) {
      (void)failures.add(op, "expected i8 input and weights, but got ",
                         getElementTypeOrSelf(operand.getType()));
      return;
    }
  if (llvm::none_of(op->getUsers(), llvm::IsaPred<tosa::RescaleOp>))
    (void)failures.add(op, "expected a rescale of the sums to i8, but got ",
                       op->getResult(0).getType());
}

ClusterPtr raising::matchCluster(Operation *op, MatchFailures &failures) {
  return llvm::TypeSwitch<Operation *, ClusterPtr>(op)
      .Case([&](tosa::RescaleOp op) { return matchRescale(op, failures); })
      .Case([&](tosa::ClampOp op) { return matchClamp(op, failures); })
      .Case([&](tosa::AvgPool2dOp op) { return matchAvePool(op, failures); })
      .Case([&](tosa::MaxPool2dOp op) { return matchMaxPool(op, failures); })
      .Case([&](tosa::ReshapeOp op) { return matchReshape(op, failures); })
      .Case([&](tosa::SliceOp op) { return matchSlice(op, failures); })
      .Case([&](tosa::ReduceMaxOp op) { return matchReduceMax(op, failures); })
      .Case([&](tosa::ArgMaxOp op) { return matchArgMax(op, failures); })
      .Case([&](tosa::SelectOp op) { return matchLeakyRelu(op, failures); })
      .Case([&](tosa::TableOp op) { return matchTable(op, failures); })
      .Case([&](tosa::TransposeOp op) { return matchTranspose(op, failures); })
      .Case([&](tosa::PadOp op) { return matchPad(op, failures); })
      .Case([&](tosa::ConcatOp op) { return matchConcat(op, failures); })
      .Case([&](tosa::IdentityOp op) { return matchIdentity(op, failures); })
      .Case([&](tosa::TileOp op) { return matchTile(op, failures); })
      .Case([&](tosa::ReverseOp op) { return matchReverse(op, failures); })
      .Case([&](tosa::GatherOp op) { return matchGather(op, failures); })
      .Case([&](tosa::ResizeOp op) { return matchResize(op, failures); })
      .Case<tosa::Conv2DOp, tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp,
            tosa::MatMulOp>([&](Operation *op) {
        checkConv(op, failures);
        return nullptr;
      })
      .Default([](Operation *) { return nullptr; });
}
