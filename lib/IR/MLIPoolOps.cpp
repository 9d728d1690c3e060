// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the pooling operations.

#include "KernelContract.h"
#include "MixedPadding.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

template <typename PoolOp>
static LogicalResult verifyPool(PoolOp op) {
  Operand input{"input", op.getInput().getType()};
  Operand init{"init", op.getInit().getType()};
  ArrayRef<int64_t> kernel = op.getKernel();
  MapDims dims(op.getLayout());
  if (failed(contract::verifyFactors(op, "kernel", kernel)) ||
      failed(contract::verifyTensors(op, {input, init})) ||
      failed(contract::verifyUnitStrides(op, {input, init})) ||
      failed(contract::verifyActivation(op, input)) ||
      failed(contract::verifyActivation(op, init)) ||
      failed(contract::verifySameDim(op, input, dims.channels, init,
                                     dims.channels)) ||
      failed(contract::verifyApart(op, op.getInput(), op.getInit())))
    return failure();
  const int64_t noDilation[] = {1, 1};
  return contract::verifyWindow(op, {input,
                                     init,
                                     dims.height,
                                     {kernel[0], kernel[1]},
                                     op.getStrides(),
                                     noDilation,
                                     op.getStaticPadding(),
                                     op.getPadding()});
}

LogicalResult AvePoolOp::verify() {
  Type input = getInput().getType().getElementType();
  Type init = getInit().getType().getElementType();
  // P1
  if (input.getTypeID() != init.getTypeID())
    return emitOpError("expected 'init' to have elements of the kind of ")
           << input << ", but got " << init;
  return verifyPool(*this);
}

LogicalResult MaxPoolOp::verify() {
  if (failed(contract::verifySameElement(*this, {"input", getInput().getType()},
                                         {"init", getInit().getType()})))
    return failure();
  return verifyPool(*this);
}

LogicalResult AvePoolOp::canonicalize(AvePoolOp op, PatternRewriter &rewriter) {
  return foldPadding(op, rewriter);
}

LogicalResult MaxPoolOp::canonicalize(MaxPoolOp op, PatternRewriter &rewriter) {
  return foldPadding(op, rewriter);
}
