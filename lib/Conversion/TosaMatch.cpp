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

/// The group that ends in `op`, by what it rescales.
static GroupPtr matchRescale(tosa::RescaleOp op, Refusals &refusals) {
  if (!getElementTypeOrSelf(op.getType()).isSignlessInteger(8))
    return nullptr; // In the middle of a group.
  if (getElementTypeOrSelf(op.getInput().getType()).isSignlessInteger(8))
    return matchConvert(op, refusals);
  Operation *producer = op.getInput().getDefiningOp();
  GroupPtr group;
  if (isa_and_nonnull<tosa::Conv2DOp, tosa::DepthwiseConv2DOp>(producer)) {
    group = matchConv(op, refusals);
  } else if (isa_and_nonnull<tosa::AddOp>(producer)) {
    group = matchAdd(op, refusals);
  } else if (isa_and_nonnull<tosa::ArithmeticRightShiftOp>(producer)) {
    return matchSoftmax(op, refusals);
  } else
    return refusals.refuse(op,
                           "expected 'input' to be the result of a "
                           "convolution, an addition or a softmax, but got ",
                           op.getInput().getType());
  if (!group)
    refuseRoot(op, producer, refusals);
  return group;
}

/// Reasons for a convolution that no rescale ends the group of.
static void checkConv(Operation *op, Refusals &refusals) {
  for (Value operand : op->getOperands().take_front(2)) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (!element.isSignlessInteger(8)) {
      (void)refusals.add(op, "expected i8 input and weights, but got ",
                         element);
      return;
    }
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
      .Case<tosa::Conv2DOp, tosa::DepthwiseConv2DOp>([&](Operation *op) {
        checkConv(op, refusals);
        return nullptr;
      })
      .Case([&](tosa::PadOp op) {
        // Unless a convolution takes it over.
        return refusals.refuse(op,
                               "expected only convolutions behind it, which it "
                               "pads with their zero point by less than their "
                               "window");
      })
      .Default([](Operation *) { return nullptr; });
}
