// SPDX-License-Identifier: Apache-2.0

#include "RuntimeCheck.h"

#include "StatusChecks.h"

#include "mli/IR/KernelOperands.h"
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
  int64_t known = getStridesAndOffset(type).first[dim];
  if (ShapedType::isStatic(known))
    return calls.i64(known);
  return MemRefDescriptor(descriptor).stride(builder, op->getLoc(), dim);
}

void RuntimeCheck::require(Value found, LLVM::ICmpPredicate predicate,
                           Value expected, mli_status failure,
                           const Twine &what) {
  Value holds =
      LLVM::ICmpOp::create(builder, op->getLoc(), predicate, found, expected);
  conditions.push_back(
      {holds, calls.i32(failure), calls.text(what), expected, found});
}

void RuntimeCheck::returnOnFailure() {
  if (conditions.empty())
    return;
  Condition first = conditions.pop_back_val();
  auto select = [&](Value holds, Value later, Value earlier) -> Value {
    return LLVM::SelectOp::create(builder, op->getLoc(), holds, later, earlier);
  };
  first.failure = select(first.holds, calls.i32(MLI_STATUS_OK), first.failure);
  for (const Condition &earlier : llvm::reverse(conditions)) {
    first.failure = select(earlier.holds, first.failure, earlier.failure);
    first.what = select(earlier.holds, first.what, earlier.what);
    first.expected = select(earlier.holds, first.expected, earlier.expected);
    first.found = select(earlier.holds, first.found, earlier.found);
  }
  calls.checkedCall(mismatchReportName,
                    {first.failure, first.what, first.expected, first.found},
                    op);
  conditions.clear();
}

// T19
void RuntimeCheck::returnIfNotContiguous(OpOperand &operand, Value descriptor) {
  Value memref = operand.get();
  auto type = cast<MemRefType>(memref.getType());
  // The call sees those in local memory without gaps, or a copy.
  if (isLocal(type) || isIdentity(type))
    return;
  Location loc = op->getLoc();
  SmallVector<int64_t> strides = getStridesAndOffset(type).first;
  Field dense = calls.quad(1);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (type.getDimSize(dim) == 1)
      continue;
    Value length = size(memref, descriptor, dim);
    // The verifier has checked strides that are known.
    if (ShapedType::isDynamic(strides[dim]) || !dense.getKnown()) {
      Value wanted = calls.toValue(dense);
      Value taken = stride(memref, descriptor, dim);
      if (type.isDynamicDim(dim)) {
        Value isOne = LLVM::ICmpOp::create(
            builder, loc, LLVM::ICmpPredicate::eq, length, calls.i64(1));
        taken = LLVM::SelectOp::create(builder, loc, isOne, wanted, taken);
      }
      require(taken, LLVM::ICmpPredicate::eq, wanted,
              MLI_STATUS_INCOMPATEBLE_TENSORS,
              "stride " + Twine(dim) + " of '" + getName(operand) + "' to be");
    }
    dense = calls.mul(dense, length);
  }
  returnOnFailure();
}
