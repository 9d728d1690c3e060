// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the operations that multiply with weights.

#include "Contract/VerifiedTypes.h"

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

/// The attributes that specify how the window of a convolution moves.
template <typename ConvOp>
static SmallVector<Attribute, 4> getWindowAttrs(ConvOp op) {
  return {op.getStaticPaddingAttr(), op.getStridesAttr(), op.getDilationsAttr(),
          op.getLayoutAttr()};
}

static SmallVector<Attribute, 4> getWindowAttrs(TransposeConv2DOp op) {
  return {op.getStaticPaddingAttr(), op.getStridesAttr(), op.getLayoutAttr()};
}

/// Everything but the values: `all` are input, weights, bias and result.
static LogicalResult verifyConvTypes(Operation *op, ArrayRef<Operand> all) {
  const Operand &input = all[0], &weights = all[1], &bias = all[2],
                &init = all[3];
  contract::Sizes filters, channels;
  return failure(
      failed(contract::verifyWeighted(op, {input, weights, bias, init})) ||
      failed(contract::verifyShapes(op, {weights, bias, init}, filters)) ||
      failed(contract::verifyWindow(cast<WindowOpInterface>(op))) ||
      failed(contract::verifyShapes(op, {input, weights}, channels)));
}

template <typename ConvOp>
static LogicalResult verifyConv(ConvOp op) {
  auto [input, weights, bias, init] = getMaps(op);
  return failure(
      failed(contract::verifyOnce(op, {input, weights, bias, init},
                                  verifyConvTypes, getWindowAttrs(op))) ||
      failed(contract::verifySharing(op)));
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
