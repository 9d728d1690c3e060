// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_BUFFERIZE_TD
#define MLI_TRANSFORMS_BUFFERIZE_TD

include "mlir/Pass/PassBase.td"

def Bufferize : Pass<"mli-bufferize", "::mlir::ModuleOp"> {
  let summary = "turn tensors into buffers, functions included";
  let description = [{
    Runs one-shot bufferization over the whole module: results of kernels reuse
    the buffer of their `init` where nothing else reads it. Copies that remain
    are `mli.mov`, or loops for types that it does not take. A tensor whose
    encoding is a memory space becomes a buffer there. Function arguments and
    results have the identity layout, no argument is written, and a function
    writes a result into a buffer that its caller passes. A slice that a kernel does not take as it lies in memory (an
    inner stride over 1, a matrix product of rows with gaps) is copied.

    Operations on tensors that have no counterpart on buffers are errors, as
    are functions that call themselves.

    Example: test/Transforms/bufferize.mlir
  }];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
  ];
}

#endif // MLI_TRANSFORMS_BUFFERIZE_TD
