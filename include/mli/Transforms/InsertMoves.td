// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_INSERTMOVES_TD
#define MLI_TRANSFORMS_INSERTMOVES_TD

include "mlir/Pass/PassBase.td"

def InsertMoves : Pass<"mli-insert-moves", "::mlir::ModuleOp"> {
  let summary = "move operands of kernels into local memory";
  let description = [{
    Gives every operand and result of a kernel on tensors the encoding
    `#mli.space<local>`, and inserts an `mli.mov` where a value goes from system
    memory to local memory or back. All other operations (slices, reshapes, moves,
    calls, loops) use values in system memory. Kernels that have an operand in
    local memory already are not changed.

    A value that is moved in, and a result, stays in local memory up to its last
    kernel, as long as the live values fit at each kernel; where they do not, the
    value with the furthest next use is evicted: a result is spilled after its
    kernel, once, and moved in again. Values that each iteration of a loop reads
    are moved in before it. The layout policy gives the footprints, and the planner
    of addresses confirms that all values fit before anything is inserted.

    A move that a DMA instruction does not reach (65535 indices along N, H and W,
    4095 along C) becomes several. Kernels whose operands do not fit together are
    errors.

    Example: test/Transforms/insert-moves.mlir
  }];
  let options = [
    Option<"explainMoves", "explain", "bool", "false",
           "Remark every move: its value, bytes, users and reason">,
  ];
  let statistics = [
    Statistic<"numMovesIn", "moves-in", "Moves into local memory">,
    Statistic<"numMovesOut", "moves-out", "Moves out of local memory">,
    Statistic<"numSpills", "spills",
              "Results that are spilled">,
    Statistic<"numReuses", "reuses",
              "Operands that are in local memory already">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_TRANSFORMS_INSERTMOVES_TD
