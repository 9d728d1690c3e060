// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_LEGALIZECONVERSIONS_TD
#define MLI_TRANSFORMS_LEGALIZECONVERSIONS_TD

include "mlir/Pass/PassBase.td"

def LegalizeConversions : Pass<"mli-legalize-conversions", "::mlir::ModuleOp"> {
  let summary = "make every mli.convert one that the runtime has";
  let description = [{
    At most one type of a remaining conversion has a quantised axis, or both have
    the same:

    - A conversion of a constant is folded, in the arithmetic of the runtime.
    - One that preserves every quantised value of its input is erased. (The type
      is not enough: in 32 bits the runtime loses low bits of large values.)
    - Two in a row are joined if every input value gives the same result, which
      is tried, value by value; so are two with only data movement between them:
      slices, permutations, reshapes, `tensor.concat` and insertions. Before the
      latter each operand is converted by itself, those with nothing to join as
      before, unless that takes more conversions or bytes. Each pair is remarked.
    - Conversions of adjoining slices that are concatenated again are merged. (Not
      where kernels compute the operands: the tensor would be live from the first
      kernel on.)
    - A conversion from one axis to another is split at a type of 32 bits that
      holds every value exactly.

    `mli-assign-addresses` decides whether one is in place, as it knows when its
    input dies; `mli-legalize-subtensors` makes the innermost stride 1.

    Rejects a change of the axis that no intermediate type can represent.

    Example: test/Transforms/legalize-conversions.mlir
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Conversions that were erased or folded">,
    Statistic<"numComposed", "composed", "Pairs of conversions that were joined">,
    Statistic<"numMerged", "merged", "Tensors whose conversions were merged">,
    Statistic<"numSplit", "split", "Changes of the axis that were split">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_TRANSFORMS_LEGALIZECONVERSIONS_TD
