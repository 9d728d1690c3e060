// SPDX-License-Identifier: Apache-2.0

#include "RuntimeCheck.h"

#include "StatusChecks.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"

using namespace mlir;
using namespace mli;

Value RuntimeCheck::size(Value memref, Value descriptor, int64_t dim) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dim))
    return calls.i64(type.getDimSize(dim));
  return MemRefDescriptor(descriptor).size(builder, op->getLoc(), dim);
}

Value RuntimeCheck::stride(Value memref, Value descriptor, int64_t dim) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t known = type.getStridesAndOffset().first[dim];
  if (ShapedType::isStatic(known))
    return calls.i64(known);
  return MemRefDescriptor(descriptor).stride(builder, op->getLoc(), dim);
}

void RuntimeCheck::require(LLVM::ICmpPredicate predicate, Value lhs, Value rhs,
                           mli_status failure) {
  Location loc = op->getLoc();
  Value holds = LLVM::ICmpOp::create(builder, loc, predicate, lhs, rhs);
  if (!status)
    status = calls.i32(MLI_STATUS_OK);
  Value failed = calls.i32(failure);
  status = LLVM::SelectOp::create(builder, loc, holds, status, failed);
}

void RuntimeCheck::leaveOnFailure() {
  if (status)
    markStatusCheck(status, describeCall(op));
}

// T19
void RuntimeCheck::leaveIfGaps(Value memref, Value descriptor) {
  auto type = cast<MemRefType>(memref.getType());
  // The call sees those without gaps, or a copy.
  if (isLocal(type))
    return;
  Value dense = calls.i64(1);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (!type.getLayout().isIdentity())
      require(LLVM::ICmpPredicate::eq, stride(memref, descriptor, dim), dense,
              MLI_STATUS_INCOMPATEBLE_TENSORS);
    dense = LLVM::MulOp::create(builder, op->getLoc(), dense,
                                size(memref, descriptor, dim));
  }
  leaveOnFailure();
}
