// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the operations that multiply with weights.

#include "KernelContract.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

/// Everything but how input channels meet weights, which each kind has its own
/// rule for.
template <typename ConvOp>
static LogicalResult verifyConv(ConvOp op) {
  Operand input{"input", op.getInput().getType()};
  Operand weights{"weights", op.getWeights().getType()};
  Operand bias{"bias", op.getBias().getType()};
  Operand init{"init", op.getInit().getType()};
  if (failed(contract::verifyWeighted(op, {input, weights, bias, init,
                                           /*outputAxis=*/3,
                                           /*allowsFx8=*/false})) ||
      failed(contract::verifySameDim(op, weights, 3, bias, 0)) ||
      failed(contract::verifySameDim(op, weights, 3, init, 2)) ||
      failed(contract::verifyApart(op, op.getInput(), op.getInit())))
    return failure();
  return contract::verifyWindow(
      op, {input,
           init,
           {weights.type.getDimSize(0), weights.type.getDimSize(1)},
           op.getStrides(),
           op.getDilations(),
           op.getStaticPadding(),
           op.getPadding()});
}

LogicalResult Conv2DOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  return contract::verifySameDim(*this, {"input", getInput().getType()}, 2,
                                 {"weights", getWeights().getType()}, 2);
}

LogicalResult DepthwiseConv2DOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  int64_t depth = getWeights().getType().getDimSize(2);
  // C7
  if (ShapedType::isStatic(depth) && depth != 1)
    return emitOpError("expected dimension 2 of 'weights' to be 1, but got ")
           << depth;
  return contract::verifySameDim(*this, {"input", getInput().getType()}, 2,
                                 {"weights", getWeights().getType()}, 3);
}

LogicalResult GroupConv2DOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  int64_t channels = getInput().getType().getDimSize(2);
  int64_t depth = getWeights().getType().getDimSize(2);
  int64_t filters = getWeights().getType().getDimSize(3);
  if (ShapedType::isDynamic(channels) || ShapedType::isDynamic(depth))
    return success();
  // C8
  if (depth == 0 || channels % depth != 0)
    return emitOpError("expected dimension 2 of 'weights' to divide the ")
           << channels << " input channels, but got " << depth;
  // C9
  if (ShapedType::isStatic(filters) && filters % (channels / depth) != 0)
    return emitOpError("expected number of filters to be a multiple of the ")
           << channels / depth << " groups, but got " << filters;
  return success();
}

LogicalResult FullyConnectedOp::verify() {
  Operand input{"input", getInput().getType()};
  Operand weights{"weights", getWeights().getType()};
  Operand bias{"bias", getBias().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(contract::verifyWeighted(*this, {input, weights, bias, init,
                                              /*outputAxis=*/1,
                                              /*allowsFx8=*/true})) ||
      failed(contract::verifySameDim(*this, weights, 1, bias, 0)) ||
      failed(contract::verifySameDim(*this, weights, 1, init, 0)) ||
      failed(contract::verifyContiguous(*this, {input})) ||
      failed(contract::verifyApart(*this, getInput(), getInit())))
    return failure();
  int64_t rows = weights.type.getDimSize(0);
  // C10
  if (input.type.hasStaticShape() && ShapedType::isStatic(rows) &&
      input.type.getNumElements() != rows)
    return emitOpError("expected dimension 0 of 'weights' to be the ")
           << input.type.getNumElements() << " elements of 'input', but got "
           << rows;
  return success();
}
