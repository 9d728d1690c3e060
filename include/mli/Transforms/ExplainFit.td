// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_EXPLAINFIT_TD
#define MLI_TRANSFORMS_EXPLAINFIT_TD

include "mli/Transforms/Options.td"

def ExplainFit : Pass<"mli-explain-fit", "::mlir::ModuleOp"> {
  let summary = "remark the largest block of each kernel that fits";
  let description = [{
    For every kernel: the block of its result that nothing can be added to, in
    the local memory of `mli.target` and the layouts that its operands get there,
    what it takes and leaves free, and for each dimension what keeps it from
    being larger. Changes nothing. C++ asks `FitQuery`.

    Example: test/Transforms/explain-fit.mlir
  }];
  let options = [
    Option<"capacity", "capacity", "::mli::Bounded<0>", "0",
           "Bytes of each NPU; 0 for those that the target has">,
  ];
}

#endif // MLI_TRANSFORMS_EXPLAINFIT_TD
