// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_DOUBLEBUFFER_TD
#define MLI_TRANSFORMS_DOUBLEBUFFER_TD

include "mli/Transforms/Options.td"

def DoubleBuffer : Pass<"mli-double-buffer", "::mlir::ModuleOp"> {
  let summary = "move data while kernels compute";
  let description = [{
    Puts moves between system and local memory into an `mli.parallel` with a
    kernel: what a later kernel reads is moved in, and what an earlier one wrote
    is moved out, while it computes. A loop of moves and kernels, as over tiles,
    becomes a software pipeline: two of each buffer that is moved to or from,
    which take turns, two rounds in one, and the first and the last rounds in
    front of it and behind. Addresses stay static.

    Runs on buffers that have layouts and no addresses. A move goes past what
    uses none of its buffers, by at most four kernels, to the one that has most
    time for it. What is live at the same time fits local memory: the planner of
    addresses has a place for everything, else less is moved along.

    What a move and a kernel take is told by the cost model of `mli-tile-to-fit`,
    which `overrides` changes; with an `overlap` of 0 there moves are waited for
    and nothing happens. In mode `auto` nothing is done that hides nothing, and
    loops become pipelines where that hides more than the kernels that the program
    has more cost; in mode `on` both is done wherever it is right. With `explain`
    everything that is waited for is a remark, and what each function gains.

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
           "Remark what is waited for, why, and what is gained">,
  ];
  let statistics = [
    Statistic<"numParallels", "parallels", "Kernels beside which data moves">,
    Statistic<"numMoves", "moves", "Moves that run beside kernels">,
    Statistic<"numLoops", "loops", "Loops that became pipelines">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
  ];
}

#endif // MLI_TRANSFORMS_DOUBLEBUFFER_TD
