// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_BUFFERIZE_TD
#define MLI_TRANSFORMS_BUFFERIZE_TD

include "mli/Transforms/Options.td"

def Bufferize : Pass<"mli-bufferize", "::mlir::ModuleOp"> {
  let summary = "turn tensors into buffers, functions included";
  let description = [{
    Runs one-shot bufferization over the whole module: results of kernels reuse
    the buffer of their `init` where nothing else reads it. A tensor whose
    encoding is a memory space becomes a buffer there. Function arguments and
    results have the identity layout, no argument is written, and a function
    writes a result into a buffer that its caller passes. Arguments of public
    functions carry `mli.name`, what the network calls them, `mli.result`, the
    number of the result, and `mli.state`, a number on the buffers of an old and
    its new state.

    Copies that remain are `mli.mov` with a `reason`, or loops for types that it
    does not take: a kernel would overwrite a buffer that is used later, an
    argument or a constant; the strides of a slice are illegal (an inner stride
    over 1, a matrix product of padded rows); a result, or a slice of one, is not
    computed in its destination.

    A tensor that is assembled from slices is one buffer, which the producers of
    the slices write: in a chain of insertions, or in loops, into an empty tensor,
    an argument, a constant or the result of a kernel, whatever the number of
    slices.

    Operations on tensors that have no counterpart on buffers are errors, as
    are functions that call themselves, and more than 16 nested loops that carry
    tensors: one-shot bufferization takes twice the time for each.

    Example: test/Transforms/Bufferize/bufferize.mlir
  }];
  let options = [
    RejectCopiesOption,
    ExplainCopiesOption,
  ];
  let statistics = [
    Statistic<"numCopies", "copies", "Copies that were inserted">,
    Statistic<"numBytes", "bytes", "Bytes of these copies, as far as known">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
  ];
}

#endif // MLI_TRANSFORMS_BUFFERIZE_TD
