// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_LEGALIZECONVERSIONS_TD
#define MLI_TRANSFORMS_LEGALIZECONVERSIONS_TD

include "mlir/Pass/PassBase.td"

def LegalizeConversions : Pass<"mli-legalize-conversions", "::mlir::ModuleOp"> {
  let summary = "make every mli.convert one that the runtime has";
  let description = [{
    What is left are conversions between two types of which at most one has a
    quantised axis, or both the same:

    - A conversion of a constant is a constant, in the arithmetic of the runtime.
    - One that gives every code back that its input can have is none. (A type
      does not tell: in 32 bits the runtime loses low bits of large codes.)
    - Two in a row are one where every code that the first can get comes out as
      before, which is tried, code by code; so are two with nothing between them
      that looks at an element: slices, permutations, reshapes, and what puts
      parts together, `tensor.concat` and insertions. Behind these each part is
      converted by itself, those with nothing to join as before, unless that
      takes more conversions or bytes. Each pair is remarked.
    - Conversions of adjoining slices that are put together again are one of all
      of them. (Of parts that kernels compute they stay: the whole would be kept
      from the first kernel on.)
    - One from one axis to another goes through a type with 32 bits that holds
      every code exactly.

    Whether one is in place is left to mli-assign-addresses, which knows when its
    input dies; that the innermost stride is 1 to mli-legalize-subtensors.

    Refuses a change of the axis that no type in between holds.

    Example: test/Transforms/legalize-conversions.mlir
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Conversions that were none, or constant">,
    Statistic<"numComposed", "composed", "Pairs of conversions that are one">,
    Statistic<"numMerged", "merged", "Wholes that are converted at once">,
    Statistic<"numSplit", "split", "Changes of the axis through another type">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_TRANSFORMS_LEGALIZECONVERSIONS_TD
