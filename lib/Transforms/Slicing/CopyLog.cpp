// SPDX-License-Identifier: Apache-2.0

#include "CopyLog.h"

#include "mli/Analysis/BufferLifetimes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

void CopyLog::addCopy(Location loc, const CopyCause &cause, ShapedType copied,
                      int64_t times) {
  std::optional<int64_t> size = getDenseBytes(copied);
  if (size)
    *size *= times;
  copies += times;
  bytes += size.value_or(0);
  std::string moved = size ? std::to_string(*size) : "an unknown number of";
  if (rejectsCopies) {
    failed = true;
    InFlightDiagnostic error = emitError(loc, cause.text);
    error.attachNote() << "this copies " << moved << " bytes; "
                       << cause.alternative << " would copy none";
  } else if (explains) {
    emitRemark(loc, cause.text) << "; this copies " << moved << " bytes, "
                                << cause.alternative << " would copy none";
  }
}

void CopyLog::refuse(Operation *op, const CopyCause &cause) {
  failed = true;
  emitError(op->getLoc(), cause.text);
}

CopyReasonAttr mli::getReasonAttr(MLIRContext *context,
                                  const CopyCause &cause) {
  return CopyReasonAttr::get(context, *cause.reason);
}

std::string mli::whyElsewhere(Value part, Block *block) {
  Operation *op = part.getDefiningOp();
  if (!op)
    return "an argument";
  if (isa<ConstantOp>(op) || matchPattern(op, m_Constant()))
    return "a constant";
  if (op->getBlock() != block)
    return "a value of another block";
  if (!part.hasOneUse())
    return "a value of " + std::to_string(llvm::range_size(part.getUses())) +
           " uses";
  return "a value of '" + op->getName().getStringRef().str() + "'";
}
