// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_CONVERSION_MLITOLLVM_TD
#define MLI_CONVERSION_MLITOLLVM_TD

include "mlir/Pass/PassBase.td"

def ConvertMLIToLLVM : Pass<"convert-mli-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lower kernels to calls of the MLI 2.0 C API";
  let description = [{
    Each kernel operation becomes the call of the C function for its element
    types, its operands `mli_tensor` descriptors on the stack. Constants become
    globals. Operations of func, memref, arith and cf are lowered to LLVM as well,
    since they carry mli element types, and maps of affine that compute offsets, but
    no loops. What is computed twice is left once.

    A function that holds kernels, or a `cf.assert`, returns an `mli_status`: the
    first that was not `MLI_STATUS_OK`, after `mli_report_failure` was called
    with the source location of the operation. The global `mli_texts` holds all that
    is reported, each text terminated by a zero; calls refer to their text by its
    offset there. Results of a private function come after the status; those of a
    public one must be out parameters already.

    Offsets and sizes of slices that are values are checked before they are used.
    Offsets that are within their buffer because of constants, bounds of loops and
    conditions of branches are not.

    Without `reports` that function is not called, and those of the program are of
    the MLI 2.0 API alone.

    Example: test/Conversion/MLIToLLVM/convert-mli-to-llvm.mlir
  }];
  let options = [
    Option<"reports", "reports", "bool", "true",
           "Call mli_report_failure where an operation fails">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // MLI_CONVERSION_MLITOLLVM_TD
