// SPDX-License-Identifier: Apache-2.0
//
// Which operation may be the root of which group.

#include "TosaPatterns.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

void raising::refuseRoot(Operation *root, Operation *subject,
                         Refusals &refusals) {
  if (root != subject)
    (void)refusals.add(root, "it belongs to '", subject->getName(),
                       "', which is not raised");
}

/// The group that ends in `root`, by what it rescales.
static GroupPtr matchRescale(tosa::RescaleOp root, Refusals &refusals) {
  auto isByte = [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return isStoredIn(element, 8) || element.isUnsignedInteger(8);
  };
  if ((root.getInputUnsigned() || root.getOutputUnsigned()) &&
      isByte(root.getInput()) && isByte(root.getOutput()))
    return matchUnsigned(root, refusals);
  if (!isStoredIn(root.getType(), 8))
    return nullptr; // In the middle of a group.
  Operation *last = root.getInput().getDefiningOp();
  if (isa_and_nonnull<tosa::ArithmeticRightShiftOp>(last))
    return matchSoftmax(root, refusals);
  FailureOr<RescaledValue> rescaled = readNarrowing(root, refusals);
  if (failed(rescaled))
    return nullptr;
  if (rescaled->params.isConstant())
    return matchConstant(root, rescaled->params.outputZero, refusals);
  if (isStoredIn(rescaled->value.getType(), 8))
    return matchConvert(root, *rescaled, refusals);
  Operation *producer = rescaled->value.getDefiningOp();
  GroupPtr group;
  if (isa_and_nonnull<tosa::Conv2DOp, tosa::DepthwiseConv2DOp,
                      tosa::TransposeConv2DOp>(producer))
    group = matchConv(root, *rescaled, refusals);
  else if (isa_and_nonnull<tosa::MatMulOp>(producer))
    group = matchMatMul(root, *rescaled, refusals);
  else if (isa_and_nonnull<tosa::ReduceSumOp>(producer))
    group = matchMean(root, *rescaled, refusals);
  else if (isa_and_nonnull<tosa::AddOp, tosa::SubOp, tosa::MulOp,
                           tosa::MaximumOp, tosa::MinimumOp>(producer))
    group = matchBinary(root, *rescaled, refusals);
  else
    return refusals.refuse(root,
                           "expected 'input' to be the result of a "
                           "convolution, a product of matrices, a sum along a "
                           "dimension, arithmetic of two operands or a "
                           "softmax, but got ",
                           rescaled->value.getType());
  if (!group)
    refuseRoot(root, producer, refusals);
  return group;
}

/// Reasons for a convolution that no rescale ends the group of.
static void checkConv(Operation *op, Refusals &refusals) {
  for (Value operand : op->getOperands().take_front(2))
    if (!isStoredIn(operand.getType(), 8)) {
      (void)refusals.add(op, "expected i8 input and weights, but got ",
                         getElementTypeOrSelf(operand.getType()));
      return;
    }
  if (llvm::none_of(op->getUsers(), llvm::IsaPred<tosa::RescaleOp>))
    (void)refusals.add(op, "expected a rescale of the sums to i8, but got ",
                       op->getResult(0).getType());
}

GroupPtr raising::matchGroup(Operation *op, Refusals &refusals) {
  return llvm::TypeSwitch<Operation *, GroupPtr>(op)
      .Case([&](tosa::RescaleOp op) { return matchRescale(op, refusals); })
      .Case([&](tosa::ClampOp op) { return matchClamp(op, refusals); })
      .Case([&](tosa::AvgPool2dOp op) { return matchAvePool(op, refusals); })
      .Case([&](tosa::MaxPool2dOp op) { return matchMaxPool(op, refusals); })
      .Case([&](tosa::ReshapeOp op) { return matchReshape(op, refusals); })
      .Case([&](tosa::SliceOp op) { return matchSlice(op, refusals); })
      .Case([&](tosa::ReduceMaxOp op) { return matchReduceMax(op, refusals); })
      .Case([&](tosa::ArgMaxOp op) { return matchArgMax(op, refusals); })
      .Case([&](tosa::SelectOp op) { return matchLeakyRelu(op, refusals); })
      .Case([&](tosa::TableOp op) { return matchTable(op, refusals); })
      .Case([&](tosa::TransposeOp op) { return matchTranspose(op, refusals); })
      .Case([&](tosa::PadOp op) { return matchPad(op, refusals); })
      .Case([&](tosa::ConcatOp op) { return matchConcat(op, refusals); })
      .Case<tosa::Conv2DOp, tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp,
            tosa::MatMulOp>([&](Operation *op) {
        checkConv(op, refusals);
        return nullptr;
      })
      .Default([](Operation *) { return nullptr; });
}
