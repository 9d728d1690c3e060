// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_ATTACHTARGET_TD
#define MLI_TRANSFORMS_ATTACHTARGET_TD

include "mli/Transforms/Options.td"

def AttachTarget : Pass<"mli-attach-target", "::mlir::ModuleOp"> {
  let summary = "set the target whose local memory is compiled for";
  let description = [{
    Sets the attribute `mli.target` of the module, in place of another if it has
    one. The target is a preset (bm1684, bm1684x, bm1688, bm1690, vpx) or
    `custom`, with any of `npus`, `npu-bytes`, `unit`, `banks` and `dma-align`
    overridden: `vpx,npu-bytes=65536`, or `custom,npu-bytes=65536`, which is one
    NPU. Rejects other names, and numbers that
    contradict each other. `mode` and `matrices` set `mli.layout_policy`, which all
    passes that size, move or place tensors in local memory follow; with one of
    these, and no target, the target stays as it is.

    Example: test/Transforms/attach-target.mlir
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "A preset, optionally with overrides: vpx,npu-bytes=65536">,
    MapModeOption,
    MatricesOption,
  ];
  let dependentDialects = ["::mli::MLIDialect"];
}

#endif // MLI_TRANSFORMS_ATTACHTARGET_TD
