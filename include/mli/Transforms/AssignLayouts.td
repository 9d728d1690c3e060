// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_ASSIGNLAYOUTS_TD
#define MLI_TRANSFORMS_ASSIGNLAYOUTS_TD

include "mli/Transforms/Options.td"

def AssignLayouts : Pass<"mli-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "give every buffer in local memory its layout";
  let description = [{
    Buffers in `#mli.space<local>` that have no layout yet get the one that the
    policy chooses for their usage: kind, storage mode, columns and the roles of
    their dimensions in local memory. They become `mli.alloc` with the NPUs that
    they may start on in `start_npus`, for each of which every view is legal;
    operands of one kernel start on one NPU, `start_group`.

    Slices, reshapes and loop-carried buffers get the types that follow. Kernels
    that take any layout propagate that of one operand to the others. Where two
    kernels require different layouts of a buffer, it has the one for which fewer
    bytes are moved, and the other kernel gets a copy: an `mli.mov` whose `reason`
    is `kernel_layout`. A slice that is no view in local memory is moved too; a
    reshape that changes addresses is moved through system memory.

    Rejects buffers that are not allocated in their function, that have a user
    without layouts, or that local memory has no layout for.

    Example: test/Transforms/assign-layouts.mlir
  }];
  let options = [
    MapModeOption,
    MatricesOption,
    Option<"explain", "explain", "bool", "false",
           "Remark every buffer: its usage, layout and the alternatives">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers with a new layout">,
    Statistic<"numMoves", "moves", "Copies that were inserted">,
    Statistic<"numBytes", "bytes", "Bytes of these copies">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::memref::MemRefDialect",
  ];
}

#endif // MLI_TRANSFORMS_ASSIGNLAYOUTS_TD
