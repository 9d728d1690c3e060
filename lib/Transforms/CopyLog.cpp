// SPDX-License-Identifier: Apache-2.0

#include "CopyLog.h"

using namespace mlir;
using namespace mli;

void CopyLog::addCopy(Operation *op, const CopyCause &cause,
                      ShapedType copied) {
  std::optional<int64_t> size = getElementBytes(copied);
  ++copies;
  bytes += size.value_or(0);
  std::string moved = size ? std::to_string(*size) : "an unknown number of";
  if (rejectsCopies) {
    failed = true;
    InFlightDiagnostic error = emitError(op->getLoc(), cause.text);
    error.attachNote() << "this copies " << moved << " bytes; "
                       << cause.alternative << " would copy none";
  } else if (explains) {
    emitRemark(op->getLoc(), cause.text)
        << "; this copies " << moved << " bytes, " << cause.alternative
        << " would copy none";
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
