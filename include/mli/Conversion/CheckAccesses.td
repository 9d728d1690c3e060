// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_CONVERSION_CHECKACCESSES_TD
#define MLI_CONVERSION_CHECKACCESSES_TD

include "mlir/Pass/PassBase.td"

def CheckAccesses : Pass<"mli-check-accesses", "::mlir::ModuleOp"> {
  let summary = "assert that accesses stay within their buffers";
  let description = [{
    Puts a `cf.assert` in front of each operation of memref whose indices,
    offsets or sizes are known only when it runs: loads and stores, slices,
    copies, casts and reshapes, and allocations, which have at most 2147483647
    bytes. The same holds for what would end or never end the program by
    itself: divisions by 0 or of the least number by -1, and loops whose step
    is not above 0. What follows from ranges of integers, as of the counter of
    a loop, is not asserted, so it costs nothing. Blocks and moves of the mli
    dialect have checks of their own, which `convert-mli-to-llvm` adds.

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
