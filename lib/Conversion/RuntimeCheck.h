// SPDX-License-Identifier: Apache-2.0
//
// Conditions on what a type leaves dynamic and the called function does not
// check itself.

#ifndef MLI_LIB_CONVERSION_RUNTIMECHECK_H
#define MLI_LIB_CONVERSION_RUNTIMECHECK_H

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

  /// Remembers `failure`, unless `lhs predicate rhs` holds.
  void require(mlir::LLVM::ICmpPredicate predicate, mlir::Value lhs,
               mlir::Value rhs, mli_status failure);
  /// Marks that the function is left with the last failure, if there is one.
  /// Without a condition it does nothing.
  void leaveOnFailure();
  /// The same unless each stride of `memref` that is dynamic is that of a dense
  /// buffer.
  void leaveIfGaps(mlir::Value memref, mlir::Value descriptor);

private:
  mlir::Operation *op;
  CallBuilder &calls;
  mlir::OpBuilder &builder;
  mlir::Value status = {};
};

} // namespace mli

#endif // MLI_LIB_CONVERSION_RUNTIMECHECK_H
