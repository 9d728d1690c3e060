// SPDX-License-Identifier: Apache-2.0
//
// Moves and kernels that run at the same time.

#ifndef MLI_IR_MLIPARALLELOP_TD
#define MLI_IR_MLIPARALLELOP_TD

include "mli/IR/MLIKernelOp.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def MLI_ParallelOp : MLI_Op<"parallel", [
    RecursiveMemoryEffects, NoRegionArguments,
    SingleBlockImplicitTerminator<"ParallelEndOp">,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "moves and kernels at the same time";
  let description = [{
    `written = body`: what the operations inside write, one after the other. Two
    engines run them: one the moves, in their order, the other the kernels, in
    theirs. Neither waits for the other one before the end, so no buffer that one
    of them writes is used by the other. Both may be in loops and conditions.

    Everything that is used inside holds its memory from the beginning to the
    end, but for what only kernels in loops and conditions use. Memory that is
    allocated inside is of kernels. The calls are those of the runtime between
    `okk_parallel_start` and `okk_parallel_end`.

    Example:
    ```mlir
    !map = memref<4x4x8x!mli.fx8<5>>
    func.func @both(%a: !map, %b: !map, %c: !map, %d: !map) {
      mli.parallel {
        mli.relu ins(%a : !map) outs(%b : !map) {relu = #mli.relu<gen>}
        mli.mov ins(%c : !map) outs(%d : !map)
      }
      return
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the engine for moves runs `op`, not the one for kernels.
    static bool isMove(::mlir::Operation *op);
  }];
}

def MLI_ParallelEndOp : MLI_Op<"parallel_end", [
    Pure, Terminator, ReturnLike, HasParent<"ParallelOp">]> {
  let summary = "both engines have ended";
  let description = [{
    `written = written`: the end of `mli.parallel`, which need not be spelled.

    Example:
    ```mlir
    func.func @nothing() {
      mli.parallel {
        mli.parallel_end
      }
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // MLI_IR_MLIPARALLELOP_TD
