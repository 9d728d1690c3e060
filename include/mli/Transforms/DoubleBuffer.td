// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_DOUBLEBUFFER_TD
#define MLI_TRANSFORMS_DOUBLEBUFFER_TD

include "mli/Transforms/Options.td"

def DoubleBuffer : Pass<"mli-double-buffer", "::mlir::ModuleOp"> {
  let summary = "overlap transfers to and from local memory with kernels";
  let description = [{
    Puts moves between system and local memory into an `mli.parallel` with a
    kernel: while it computes, the inputs of a later kernel are prefetched, and the
    results of an earlier one are stored. A loop of moves and kernels, as over
    tiles, becomes a software pipeline: two alternating buffers for each that is
    moved to or from, two iterations in one, and a prologue and an epilogue with
    the first and the last iterations. Addresses stay static.

    Runs on buffers that have layouts and no addresses. A move passes operations
    that use none of its buffers, and at most four kernels, to the kernel that has
    most time for it. Buffers that are live at the same time fit local memory: if
    the planner of addresses finds no addresses, fewer moves overlap.

    The cost model of `mli-tile-to-fit`, which `overrides` changes, estimates moves
    and kernels; with an `overlap` of 0 there all transfers are exposed and nothing
    changes. In mode `auto` only moves that save time overlap, and a loop becomes a
    pipeline where that saves more than the added kernels cost; in mode `on` both
    is done wherever it is correct. With `explain` each exposed transfer is a
    remark, and the gain of each function.

    Functions that call others stay as they are.

    Example: test/Transforms/double-buffer.mlir
  }];
  let options = [
    Option<"mode", "mode", "::mli::DoubleBuffering",
           "::mli::DoubleBuffering::Auto",
           "off, auto, where that costs less, or on, wherever it is correct",
           "::mli::doubleBufferingValues()">,
    OverridesOption,
    BudgetOption,
    Option<"explain", "explain", "bool", "false",
           "Remark exposed transfers, their reasons, and the gain">,
  ];
  let statistics = [
    Statistic<"numParallels", "parallels", "Kernels with overlapping transfers">,
    Statistic<"numMoves", "moves", "Moves that overlap kernels">,
    Statistic<"numLoops", "loops", "Loops that became pipelines">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
  ];
}

#endif // MLI_TRANSFORMS_DOUBLEBUFFER_TD
