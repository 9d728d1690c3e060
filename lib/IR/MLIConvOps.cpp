// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the operations that multiply with weights.

#include "KernelContract.h"
#include "MixedPadding.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

/// Everything but how the window moves and how input channels meet weights.
template <typename ConvOp>
static LogicalResult verifyProducts(ConvOp op) {
  Operand input{"input", op.getInput().getType()};
  Operand weights{"weights", op.getWeights().getType()};
  Operand bias{"bias", op.getBias().getType()};
  Operand init{"init", op.getInit().getType()};
  if (failed(contract::verifyWeighted(op, {input, weights, bias, init,
                                           /*outputAxis=*/3,
                                           /*allowsFx8=*/false})) ||
      failed(contract::verifySameDim(op, weights, 3, bias, 0)) ||
      failed(contract::verifySameDim(op, weights, 3, init,
                                     MapDims(op.getLayout()).channels)))
    return failure();
  return contract::verifyApart(op, op.getInput(), op.getInit());
}

template <typename ConvOp>
static contract::Window windowOf(ConvOp op, ArrayRef<int64_t> dilations) {
  ShapedType weights = op.getWeights().getType();
  return {{"input", op.getInput().getType()},
          {"init", op.getInit().getType()},
          MapDims(op.getLayout()).height,
          {weights.getDimSize(0), weights.getDimSize(1)},
          op.getStrides(),
          dilations,
          op.getStaticPadding(),
          op.getPadding()};
}

/// Everything but how input channels meet weights, which each kind has its own
/// rule for.
template <typename ConvOp>
static LogicalResult verifyConv(ConvOp op) {
  if (failed(verifyProducts(op)))
    return failure();
  return contract::verifyWindow(op, windowOf(op, op.getDilations()));
}

/// Each output channel sums over all input channels.
template <typename ConvOp>
static LogicalResult verifyAllChannels(ConvOp op) {
  return contract::verifySameDim(op, {"input", op.getInput().getType()},
                                 MapDims(op.getLayout()).channels,
                                 {"weights", op.getWeights().getType()}, 2);
}

LogicalResult Conv2DOp::verify() {
  return failure(failed(verifyConv(*this)) || failed(verifyAllChannels(*this)));
}

LogicalResult TransposeConv2DOp::verify() {
  const int64_t noDilation[] = {1, 1};
  return failure(failed(verifyProducts(*this)) ||
                 failed(contract::verifyTransposedWindow(
                     *this, windowOf(*this, noDilation))) ||
                 failed(verifyAllChannels(*this)));
}

LogicalResult DepthwiseConv2DOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  int64_t depth = getWeights().getType().getDimSize(2);
  // C7
  if (ShapedType::isStatic(depth) && depth != 1)
    return emitOpError("expected dimension 2 of 'weights' to be 1, but got ")
           << depth;
  return contract::verifySameDim(*this, {"input", getInput().getType()},
                                 MapDims(getLayout()).channels,
                                 {"weights", getWeights().getType()}, 3);
}

LogicalResult GroupConv2DOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  int64_t channels =
      getInput().getType().getDimSize(MapDims(getLayout()).channels);
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

LogicalResult Conv2DOp::canonicalize(Conv2DOp op, PatternRewriter &rewriter) {
  return foldPadding(op, rewriter);
}

LogicalResult DepthwiseConv2DOp::canonicalize(DepthwiseConv2DOp op,
                                              PatternRewriter &rewriter) {
  return foldPadding(op, rewriter);
}

LogicalResult GroupConv2DOp::canonicalize(GroupConv2DOp op,
                                          PatternRewriter &rewriter) {
  return foldPadding(op, rewriter);
}

LogicalResult TransposeConv2DOp::canonicalize(TransposeConv2DOp op,
                                              PatternRewriter &rewriter) {
  return foldPadding(op, rewriter);
}
