// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_TILETOFIT_TD
#define MLI_TRANSFORMS_TILETOFIT_TD

include "mli/Transforms/Options.td"

def TileToFit : Pass<"mli-tile-to-fit", "::mlir::ModuleOp"> {
  let summary = "tile kernels so that they fit local memory";
  let description = [{
    A kernel whose operands do not all fit the local memory of `mli.target` at
    once is computed in the largest tiles that do, along rows, columns, channels
    and batches. The footprint of a tile follows from the layouts that its operands
    will have, with halos, tables and scratch memory, on the worst start NPU;
    nothing is allocated for it. Reduction dimensions, and the slices of softmax,
    l2_normalize and argmax, are never tiled. Producers without other users, in a
    chain, a tree or branches that meet again, are fused into the tiles where that
    costs less: intermediate values then never leave local memory.

    Decisions are attributes first: `mli.tile` of the last kernel, with `sizes`,
    the `order` of loops, the outermost first, and `double_buffer` if two tiles fit
    at once, so that `mli-double-buffer` can move one while the other is computed;
    and `mli.tile_fused` of its fused producers. Then kernels become loops and
    slices of static sizes: tiles at edges, and of a quantised axis, are unrolled.
    With `decide-only` the attributes stay; a kernel that has one is tiled by it.

    A cost model decides: bytes moved, products of the busiest NPU, bytes that
    alignment wastes, bank conflicts of operands, executed kernels and the size of
    the program. With `report` each decision is a remark, with a note for each
    unfused producer. A file may change the weights of these, and the tiles of
    kernels: docs/guides/tiling.md.

    A kernel whose smallest tile does not fit is an error, which has the missing
    bytes, and a local memory that is large enough.

    Example: test/Transforms/TileToFit/tile-to-fit.mlir
  }];
  let options = [
    Option<"reserve", "reserve", "int64_t", "0",
           "Bytes of each NPU that tiles do not use">,
    Option<"maxGroup", "max-group", "::mli::Bounded<1, UINT32_MAX>", "4",
           "Maximum of kernels in a fused group; 1 fuses none">,
    Option<"unroll", "unroll", "::mli::Bounded<0>", "4",
           "Maximum of tiles of a kernel to unroll where a loop is possible">,
    OverridesOption,
    Option<"doubleBuffer", "double-buffer", "::mli::DoubleBuffering",
           "::mli::DoubleBuffering::Unset",
           "Whether tiles leave room for a second one, which moves meanwhile: "
           "off, auto, where that costs less, or on, wherever it fits; unset, "
           "where the overlap in overrides is over 0 and that costs less",
           [{::mli::doubleBufferingValues(),
             ::llvm::cl::values(clEnumValN(::mli::DoubleBuffering::Unset, "",
                                           "As the overlap in overrides"))}]>,
    Option<"report", "report", "bool", "false", "Remark each decision">,
    Option<"decideOnly", "decide-only", "bool", "false",
           "Leave the attributes, and do not tile">,
  ];
  let statistics = [
    Statistic<"numGroups", "groups", "Kernels that were tiled">,
    Statistic<"numFused", "fused", "Producers that were fused">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_TRANSFORMS_TILETOFIT_TD
