// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_LEGALIZELAYOUTS_TD
#define MLI_TRANSFORMS_LEGALIZELAYOUTS_TD

include "mlir/Pass/PassBase.td"

def LegalizeLayouts : Pass<"mli-legalize-layouts", "::mlir::ModuleOp"> {
  let summary = "make kernels compute on HWC feature maps";
  let description = [{
    A convolution or pooling on CHW maps becomes one on HWC maps between two
    `mli.permute`. Permutations of permutations are one or none, those of
    constants are constants, and elementwise operations and concatenations are
    computed before a permutation rather than after it, so that those of
    neighbouring kernels meet, unless that moves more bytes. The runtime has no
    kernel for CHW: none stays.

    Example: test/Transforms/legalize-layouts.mlir
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels that took CHW">,
    Statistic<"numPermutes", "permutes", "Permutations that are left">,
  ];
  let dependentDialects = ["::mli::MLIDialect", "::mlir::tensor::TensorDialect"];
}

#endif // MLI_TRANSFORMS_LEGALIZELAYOUTS_TD
