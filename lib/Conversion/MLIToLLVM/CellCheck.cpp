// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm checks the sizes of recurrent cells here.

#include "RuntimeCheck.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

/// The kernels write the shape of their output and do not compare it.
template <typename CellOp>
static void checkResult(CellOp op, ValueRange converted, CallBuilder &calls,
                        OpBuilder &builder) {
  if (cast<MemRefType>(op.getInit().getType()).hasStaticShape() &&
      cast<MemRefType>(op.getInput().getType()).hasStaticShape() &&
      cast<MemRefType>(op.getPrevious().getType()).hasStaticShape())
    return;
  typename CellOp::Adaptor adaptor(converted, op);
  RuntimeCheck check(op, calls, builder);
  Value rows = op.getAllResults()
                   ? check.size(op.getInput(), adaptor.getInput(), 0)
                   : calls.i64(1);
  auto requireSize = [&](int64_t dim, Value size) {
    check.require(check.size(op.getInit(), adaptor.getInit(), dim),
                  LLVM::ICmpPredicate::eq, size, MLI_STATUS_SHAPE_MISMATCH,
                  "dimension " + Twine(dim) + " of 'init' to be");
  };
  requireSize(0, rows);
  requireSize(1, check.size(op.getPrevious(), adaptor.getPrevious(), 0));
  check.returnOnFailure();
}

void mli::checkCell(Operation *op, ValueRange converted, CallBuilder &calls,
                    OpBuilder &builder) {
  TypeSwitch<Operation *>(op).Case<LstmCellOp, GruCellOp>(
      [&](auto cell) { checkResult(cell, converted, calls, builder); });
}
