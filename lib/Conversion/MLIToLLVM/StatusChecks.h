// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm handles here a call of the runtime that fails, or an
// assertion that does not hold. Lowering marks each status; when all is in the
// LLVM dialect the marks become branches, in one sweep: blocks that are split
// while a conversion runs make it quadratic.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_STATUSCHECKS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_STATUSCHECKS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace mli {

class CallSymbols;

/// The functions of the runtime that tell of failures; the second one returns
/// the status that it is given.
inline constexpr llvm::StringLiteral failureReportName = "mli_report_failure";
inline constexpr llvm::StringLiteral mismatchReportName = "mli_report_mismatch";

/// Makes each function of `module` that holds calls or assertions, or calls
/// one that does, return a status before its results, and marks those that
/// functions get. Fails if one of them is public and has results.
llvm::LogicalResult addStatus(mlir::ModuleOp module, CallSymbols &symbols);

/// Marks that `status` (i32), the first result of an operation, is to be
/// MLI_STATUS_OK after it; else the function returns it, as a failure of
/// `what`.
void markStatusCheck(mlir::Value status, mlir::StringAttr what);

/// Turns all marks in `module`, and the calls in chains of `symbols`, into
/// branches to the end of their function, where the failure is reported and its
/// status returned. Of calls in a chain, with nothing between them that must
/// not run after a failure, the last one has the branch.
void insertStatusChecks(mlir::ModuleOp module, CallSymbols &symbols);

/// Assertions as statuses: the function is left with one where they do not
/// hold.
void populateAssertPattern(const mlir::LLVMTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);

/// Removes all calls that tell of failures.
void dropReports(mlir::ModuleOp module);

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_STATUSCHECKS_H
