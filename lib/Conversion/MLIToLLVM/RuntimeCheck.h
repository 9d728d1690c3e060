// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm checks conditions here that a type leaves dynamic and the
// called function does not check itself.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_RUNTIMECHECK_H
#define MLI_LIB_CONVERSION_MLITOLLVM_RUNTIMECHECK_H

#include "CallBuilder.h"

#include "mli/Runtime/C/mli_types.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mli {

class RuntimeCheck {
public:
  RuntimeCheck(mlir::Operation *op, CallBuilder &calls,
               mlir::OpBuilder &builder)
      : op(op), calls(calls), builder(builder) {}

  /// Dimension `dim` of `memref`, whose converted value is `descriptor`.
  mlir::Value size(mlir::Value memref, mlir::Value descriptor, int64_t dim);
  mlir::Value stride(mlir::Value memref, mlir::Value descriptor, int64_t dim);

  /// Adds the condition that `found predicate expected` holds, or `failure`
  /// with both numbers. The message has `what` before the expected one: "size 0
  /// to be".
  void require(mlir::Value found, mlir::LLVM::ICmpPredicate predicate,
               mlir::Value expected, mli_status failure,
               const llvm::Twine &what);
  /// Marks that the function reports the first condition that does not hold, if
  /// there is one, and returns its failure. What follows may mean nothing then:
  /// the bytes that are left after an offset that is too large. Without a
  /// condition it does nothing.
  void returnOnFailure();
  /// The same unless each stride of `operand` that the type leaves open is that
  /// of a buffer without gaps. The function counts in memory, or gets no
  /// strides.
  void returnIfNotContiguous(mlir::OpOperand &operand, mlir::Value descriptor);

private:
  struct Condition {
    mlir::Value holds;
    /// What is reported otherwise.
    mlir::Value failure, what, expected, found;
  };

  mlir::Operation *op;
  CallBuilder &calls;
  mlir::OpBuilder &builder;
  llvm::SmallVector<Condition, 4> conditions;
};

/// Makes the function of `op`, a cell with dynamic sizes, return unless its
/// result has the sizes that the cell writes. Nothing for other operations.
void checkCell(mlir::Operation *op, mlir::ValueRange converted,
               CallBuilder &calls, mlir::OpBuilder &builder);

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_RUNTIMECHECK_H
