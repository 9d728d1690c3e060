// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_LEGALIZESUBTENSORS_TD
#define MLI_TRANSFORMS_LEGALIZESUBTENSORS_TD

include "mli/Transforms/Options.td"

def LegalizeSubtensors : Pass<"mli-legalize-subtensors", "::mlir::ModuleOp"> {
  let summary = "make slices views, or moves that say why";
  let description = [{
    `tensor.extract_slice` and `memref.subview` become `mli.subtensor`: no
    element is copied. Where the target, the layout or a kernel has no such
    view, they become one `mli.mov`, whose `reason` says what was in the way.

    On tensors, slices of slices, of concatenations and of padding are joined,
    and adjoining slices of one tensor that are concatenated are one. A part of
    `tensor.concat`, of the source of `tensor.pad` or of `tensor.insert_slice`
    is computed in its place: its kernel writes a view of the whole. What is
    known at compile time is copied at compile time. A `tensor.extract_slice`
    that cuts the quantised axis gets the parameters of its indices, as do
    slices of it.

    On buffers the rules of local memory are added: a slice along channels
    starts at another NPU, and none cuts a group of 4N, 2N or 2IC or starts
    between two words.

    All of this is done until nothing is left to do: a second run changes
    nothing.

    Refuses slices that are neither: the parameters along a quantised axis go
    with their indices, so its offset and size are attributes, and no pass moves
    them.

    Example: test/Transforms/LegalizeSubtensors/legalize-subtensors.mlir
  }];
  let options = [
    RejectCopiesOption,
    ExplainCopiesOption,
  ];
  let statistics = [
    Statistic<"numViews", "views", "Slices that are views">,
    Statistic<"numInPlace", "in-place", "Parts that are computed in their place">,
    Statistic<"numCopies", "copies", "Copies that were inserted">,
    Statistic<"numBytes", "bytes", "Bytes of these copies, as far as known">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_TRANSFORMS_LEGALIZESUBTENSORS_TD
