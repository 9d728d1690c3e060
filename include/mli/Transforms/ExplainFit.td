// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_EXPLAINFIT_TD
#define MLI_TRANSFORMS_EXPLAINFIT_TD

include "mli/Transforms/Options.td"

def ExplainFit : Pass<"mli-explain-fit", "::mlir::ModuleOp"> {
  let summary = "remark the largest block of each kernel that fits";
  let description = [{
    Remarks for every kernel the maximal block of its result in the local memory
    of `mli.target`, in the layouts that its operands get there, the bytes that it
    takes and leaves free, and the limit of each dimension. Changes nothing. The
    C++ API is `FitQuery`.

    Example: test/Transforms/explain-fit.mlir
  }];
  let options = [
    Option<"capacity", "capacity", "::mli::Bounded<0>", "0",
           "Bytes of each NPU; 0 for those that the target has">,
  ];
}

#endif // MLI_TRANSFORMS_EXPLAINFIT_TD
