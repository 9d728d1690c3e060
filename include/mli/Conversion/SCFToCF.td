// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_CONVERSION_SCFTOCF_TD
#define MLI_CONVERSION_SCFTOCF_TD

include "mlir/Pass/PassBase.td"

def ConvertSCFToCF : Pass<"mli-convert-scf-to-cf", "::mlir::ModuleOp"> {
  let summary = "lower loops and conditions to branches, in linear time";
  let description = [{
    Applies the patterns of upstream's `convert-scf-to-cf`, to the last
    operation first. Each pattern splits a block in two and moves the operations
    after the split: in reverse order none is moved twice, so that thousands of
    loops in one function take time and memory in proportion to their number.
    An `mli.parallel` with loops or conditions becomes the calls around it.

    Example: test/Conversion/convert-scf-to-cf.mlir
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

#endif // MLI_CONVERSION_SCFTOCF_TD
