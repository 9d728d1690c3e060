// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_LEGALIZESUBTENSORS_TD
#define MLI_TRANSFORMS_LEGALIZESUBTENSORS_TD

include "mli/Transforms/Options.td"

def LegalizeSubtensors : Pass<"mli-legalize-subtensors", "::mlir::ModuleOp"> {
  let summary = "make slices views, or moves with a reason";
  let description = [{
    `tensor.extract_slice` and `memref.subview` become `mli.subtensor`: no
    element is copied. Where the target, the layout or a kernel has no such
    view, they become one `mli.mov` with the obstacle as its `reason`.

    On tensors, slices of slices, of concatenations and of padding are composed,
    and adjoining slices of one tensor that are concatenated are merged. An operand
    of `tensor.concat`, the source of `tensor.pad` and that of
    `tensor.insert_slice` are computed in their destination: the producer writes a
    slice of it. Constants are copied at compile time. A `tensor.extract_slice`
    of the quantised axis gets the parameters of its indices, as do slices of it.

    On buffers the rules of local memory are added: a slice along channels
    starts at another NPU, and none cuts a group of 4N, 2N or 2IC or starts
    between two words.

    This is repeated up to a fixed point: a second run changes nothing.

    Rejects slices that are neither views nor moves: the parameters along a
    quantised axis go with their indices, so its offset and size are attributes,
    and no pass moves them.

    Example: test/Transforms/LegalizeSubtensors/legalize-subtensors.mlir
  }];
  let options = [
    RejectCopiesOption,
    ExplainCopiesOption,
  ];
  let statistics = [
    Statistic<"numViews", "views", "Slices that are views">,
    Statistic<"numInPlace", "in-place", "Slices that are computed in their destination">,
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
