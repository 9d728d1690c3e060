// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_CONVERSION_CHECKACCESSES_TD
#define MLI_CONVERSION_CHECKACCESSES_TD

include "mlir/Pass/PassBase.td"

def CheckAccesses : Pass<"mli-check-accesses", "::mlir::ModuleOp"> {
  let summary = "assert that accesses stay within their buffers";
  let description = [{
    Puts a `cf.assert` before each operation of memref whose indices, offsets or
    sizes are known only at run time: loads and stores, slices, copies, casts and
    reshapes, and allocations, which have at most 2147483647 bytes. The same holds
    for operations that trap or do not terminate: divisions by 0 or of the minimum
    by -1, and loops whose step is not positive. Conditions that follow from ranges
    of integers, as of a loop's induction variable, are not asserted and cost
    nothing. Slices and moves of the mli dialect have checks of their own, which
    `convert-mli-to-llvm` adds.

    Where an assertion does not hold the lowered function returns a status, as
    where a kernel fails; nothing is read or written then.

    Example: test/Conversion/check-accesses.mlir
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
  ];
}

#endif // MLI_CONVERSION_CHECKACCESSES_TD
