// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_ASSIGNLAYOUTS_TD
#define MLI_TRANSFORMS_ASSIGNLAYOUTS_TD

include "mli/Transforms/Options.td"

def AssignLayouts : Pass<"mli-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "give every buffer in local memory its layout";
  let description = [{
    Buffers in `#mli.space<local>` that have no layout yet get the one that the
    policy has for what they are for: kind, storage mode, columns and what their
    dimensions are in local memory. They become `mli.alloc` with the NPUs that
    they may start on in `start_npus`, of which every view of them is legal;
    operands of one kernel start on one NPU, `start_group`.

    Blocks, other shapes and what loops carry get the types that follow. Kernels
    that take any layout hand that of one operand on to the others. Where two
    kernels want a buffer in different layouts, it is in the one for which fewer
    bytes are moved, and a kernel with another gets a copy: an `mli.mov` whose
    `reason` is `kernel_layout`. A block that local memory has no view of is moved
    too; another shape that needs other addresses is moved through system memory.

    Refuses buffers that are not allocated in their function, that are used by
    what knows no layout, or that local memory has no layout for.

    Example: test/Transforms/assign-layouts.mlir
  }];
  let options = [
    MapModeOption,
    MatricesOption,
    Option<"explain", "explain", "bool", "false",
           "Remark every buffer: what for, in which layout, instead of which">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers that got a layout">,
    Statistic<"numMoves", "moves", "Copies that were inserted">,
    Statistic<"numBytes", "bytes", "Bytes of these copies">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::memref::MemRefDialect",
  ];
}

#endif // MLI_TRANSFORMS_ASSIGNLAYOUTS_TD
