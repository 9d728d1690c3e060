// SPDX-License-Identifier: Apache-2.0
//
// Verifier and folds of the operation that moves the rows of a ring up.

#include "Contract/KernelContract.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

LogicalResult AdvanceOp::verify() {
  Operand init{"init", getInit().getType()};
  if (failed(contract::verifyTensors(*this, {init})))
    return failure();
  // D22
  if (!init.type.hasStaticShape())
    return emitOpError("expected 'init' to have a static shape, but got ")
           << contract::shapeText(init.type);
  auto dim = static_cast<int64_t>(getDim());
  auto rows = static_cast<int64_t>(getRows());
  // D23
  if (dim < 0 || dim >= init.type.getRank())
    return emitOpError("expected 'dim' to be a dimension of 'init' ")
           << contract::shapeText(init.type) << ", but got " << dim;
  // D24
  if (rows < 1 || rows >= init.type.getDimSize(dim))
    return emitOpError("expected 'rows' to be at least 1 and less than the ")
           << init.type.getDimSize(dim) << " of dimension " << dim
           << " of 'init', but got " << rows;
  QuantizedType type = init.quantized();
  // D25
  if (type && type.getAxis() == dim)
    return emitOpError("expected rows with the same parameters, but got "
                       "quantised axis ")
           << dim << " of 'init'";
  return success();
}

// F8
LogicalResult AdvanceOp::canonicalize(AdvanceOp op, PatternRewriter &rewriter) {
  Value init = op.getInit();
  if (init.getDefiningOp<tensor::EmptyOp>()) {
    rewriter.replaceOp(op, init);
    return success();
  }
  auto before = init.getDefiningOp<AdvanceOp>();
  // With another use, the ring before would be a copy.
  if (!before || !before->hasOneUse() || before.getDim() != op.getDim())
    return rewriter.notifyMatchFailure(op, "does not follow another one");
  uint64_t rows = before.getRows() + op.getRows();
  int64_t size = op.getInit().getType().getDimSize(op.getDim());
  if (rows >= static_cast<uint64_t>(size))
    return rewriter.notifyMatchFailure(op, "no row is left");
  rewriter.replaceOpWithNewOp<AdvanceOp>(op, op->getResultTypes(),
                                         before.getInit(), rows, op.getDim());
  return success();
}
