// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_INSERTMOVES_TD
#define MLI_TRANSFORMS_INSERTMOVES_TD

include "mlir/Pass/PassBase.td"

def InsertMoves : Pass<"mli-insert-moves", "::mlir::ModuleOp"> {
  let summary = "have kernels compute in local memory";
  let description = [{
    Gives every operand and result of a kernel on tensors the encoding
    `#mli.space<local>`, and inserts an `mli.mov` where a value goes from system
    memory to local memory or back. What is no kernel (slices, reshapes, moves,
    calls, loops) sees values in system memory. Kernels that have an operand in
    local memory already stay as they are.

    A value that is moved in, and a result, stays in local memory up to its last
    kernel, as long as what is live at each kernel fits; where it does not, what
    is needed last goes: a result is moved out behind its kernel, once, and moved
    in again. What a loop reads in each round is moved in before it. How much
    fits is asked from the layout policy, and the planner of addresses has a
    place for everything before anything is inserted.

    A move that a DMA instruction does not reach (65535 indices along N, H and W,
    4095 along C) becomes several. Kernels whose operands do not fit together are
    errors.

    Example: test/Transforms/insert-moves.mlir
  }];
  let options = [
    Option<"explainMoves", "explain", "bool", "false",
           "Remark every move: which value, how many bytes, for whom and why">,
  ];
  let statistics = [
    Statistic<"numMovesIn", "moves-in", "Moves into local memory">,
    Statistic<"numMovesOut", "moves-out", "Moves out of local memory">,
    Statistic<"numSpills", "spills",
              "Results that are moved out for want of memory">,
    Statistic<"numReuses", "reuses",
              "Operands that are in local memory already">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_TRANSFORMS_INSERTMOVES_TD
