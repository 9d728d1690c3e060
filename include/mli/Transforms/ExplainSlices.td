// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_EXPLAINSLICES_TD
#define MLI_TRANSFORMS_EXPLAINSLICES_TD

include "mlir/Pass/PassBase.td"

def ExplainSlices : Pass<"mli-explain-slices", "::mlir::ModuleOp"> {
  let summary = "remark each slice: a view, or why not";
  let description = [{
    Analyses every slice as `mli-legalize-subtensors` does, and changes nothing:
    whether it is a view of its source under the source's layout. The C++ API is
    `getSliceView`.

    Example: test/Transforms/explain-slices.mlir
  }];
}

#endif // MLI_TRANSFORMS_EXPLAINSLICES_TD
