// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the operations that multiply with weights.

#include "Contract/KernelContract.h"

using namespace mlir;
using namespace mli;
using contract::Operand;
using contract::OperandKind;

template <typename Op>
static contract::Weighted getWeightedOperands(Op op) {
  auto operand = [&](OperandKind role, Value value) {
    return Operand::of(*Op::getFamily(), role, value.getType());
  };
  return {operand(OperandKind::Input, op.getInput()),
          operand(OperandKind::Weights, op.getWeights()),
          operand(OperandKind::Bias, op.getBias()),
          operand(OperandKind::Init, op.getInit())};
}

template <typename ConvOp>
static contract::Weighted getMaps(ConvOp op) {
  contract::Weighted operands = getWeightedOperands(op);
  operands.input.isChw = operands.init.isChw = op.getLayout() == MapLayout::chw;
  return operands;
}

/// Everything but how the window moves and how input channels meet weights.
static LogicalResult verifyProducts(Operation *op,
                                    const contract::Weighted &operands) {
  contract::Sizes filters;
  return failure(
      failed(contract::verifyWeighted(op, operands)) ||
      failed(contract::verifyShapes(
          op, {operands.weights, operands.bias, operands.init}, filters)) ||
      failed(contract::verifySharing(op)));
}

static LogicalResult verifyChannels(Operation *op,
                                    const contract::Weighted &operands) {
  contract::Sizes channels;
  return contract::verifyShapes(op, {operands.input, operands.weights},
                                channels);
}

template <typename ConvOp>
static LogicalResult verifyConv(ConvOp op) {
  contract::Weighted operands = getMaps(op);
  return failure(failed(verifyProducts(op, operands)) ||
                 failed(contract::verifyWindow(op)) ||
                 failed(verifyChannels(op, operands)));
}

LogicalResult Conv2DOp::verify() { return verifyConv(*this); }

LogicalResult DepthwiseConv2DOp::verify() { return verifyConv(*this); }

LogicalResult TransposeConv2DOp::verify() { return verifyConv(*this); }

LogicalResult GroupConv2DOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  contract::Groups groups = {
      getInput().getType().getDimSize(FeatureMapDims(getLayout()).channels),
      getWeights().getType().getDimSize(2)};
  int64_t filters = getWeights().getType().getDimSize(3);
  if (ShapedType::isDynamic(groups.channels) ||
      ShapedType::isDynamic(groups.depth))
    return success();
  // C8
  if (!groups.areWhole())
    return emitOpError("expected dimension 2 of 'weights' to divide the ")
           << groups.channels << " input channels, but got " << groups.depth;
  // C9
  if (ShapedType::isStatic(filters) && !groups.share(filters))
    return emitOpError("expected number of filters to be a multiple of the ")
           << groups.count() << " groups, but got " << filters;
  return success();
}

LogicalResult FullyConnectedOp::verify() {
  // C14
  if (Type element = getInput().getType().getElementType();
      getExtendedBias() && !isa<Sa8Type>(element))
    return emitOpError("expected 'input' to be sa8 with 'extended_bias', but "
                       "got ")
           << element;
  contract::Weighted operands = getWeightedOperands(*this);
  contract::Sizes sizes;
  return failure(failed(contract::verifyWeighted(*this, operands)) ||
                 failed(contract::verifySharing(*this)) ||
                 failed(contract::verifyElements(
                     *this, operands.input,
                     {operands.weights, operands.bias, operands.init}, sizes,
                     [](char, int64_t size) {
                       return "the " + std::to_string(size) +
                              " elements of 'input'";
                     })));
}
