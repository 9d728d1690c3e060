// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_PACKWEIGHTS_TD
#define MLI_TRANSFORMS_PACKWEIGHTS_TD

include "mli/Transforms/Options.td"

def PackWeights : Pass<"mli-pack-weights", "::mlir::ModuleOp"> {
  let summary = "pack constant weights in the order of the kernels";
  let description = [{
    Kernels on buffers whose weights and bias are constants, and whose shapes and
    padding are known, get a packed layer, the attribute `mli.packed`: the runtime
    packs here and not in each call, and checks here what it would check in each.
    They become calls of `mli_krn_packed`, `mli_krn_packed_rows` or, with all shapes
    and strides known, `mli_krn_packed_rows_unchecked`, which checks modes and
    addresses only. Constants without another user are not in the program.

    Convolutions that differ in nothing but the rows of their maps and the padding
    there share one packed layer.

    Runs after all passes that change kernels.

    Does not change kernels that have no packed form, layers whose packed form is
    not bit-exact, and kernels in local memory, whose weights are moved there.

    The runtime that packs is the one that this compiler is built with. The
    order `best` depends on the processor that it runs on, `pairs` and `quads` do
    not. `none` packs nothing.

    Example: test/Transforms/pack-weights.mlir
  }];
  let options = [
    Option<"order", "order", "::mli::PackOrder", "::mli::PackOrder::Pairs",
           "The order of packed weights: none, best, pairs or quads",
           "::mli::packOrderValues()">,
    Option<"threads", "threads", "::mli::ThreadCount", "1",
           "Threads that may compute a packed layer">,
    Option<"explain", "explain", "bool", "false",
           "Remark every kernel with weights: how many bytes, or why not">,
  ];
  let statistics = [
    Statistic<"numPacked", "packed", "Kernels that were packed">,
    Statistic<"numShared", "shared",
              "Packed kernels that share the layer of one before">,
    Statistic<"numBytes", "bytes", "Bytes of packed layers, each counted once">,
  ];
  let dependentDialects = ["::mli::MLIDialect"];
}

#endif // MLI_TRANSFORMS_PACKWEIGHTS_TD
