// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_TILETOFIT_TD
#define MLI_TRANSFORMS_TILETOFIT_TD

include "mli/Transforms/Options.td"

def TileToFit : Pass<"mli-tile-to-fit", "::mlir::ModuleOp"> {
  let summary = "cut kernels into tiles that local memory has room for";
  let description = [{
    A kernel whose operands do not all fit the local memory of `mli.target` at
    once is computed in the largest tiles that do, along rows, columns, channels
    and batches. What a tile takes is computed from the layouts that its operands
    will have, with halos, tables and scratch memory, on the worst start NPU;
    nothing is allocated for it. Rows, columns and channels that a kernel sums
    over, and the slices of softmax, l2_normalize and argmax, are never cut.
    Kernels in front of it whose results nothing else uses, a chain, a tree or
    branches that meet again, are computed in the same tiles where that costs
    less: what is between them then never leaves local memory.

    First it is decided, in attributes: `mli.tile` of the last kernel, with
    `sizes`, the `order` of loops, the outermost first, and `double_buffer` if two
    tiles fit at once, so that `mli-double-buffer` can move one while the other is
    computed; and `mli.tile_fused` of those that are computed in its tiles. Then
    they become loops and slices, all of static sizes: tiles at edges stand on
    their own, and those that cut a quantised axis. With `decide-only` the attributes stay; a kernel that has one
    is cut as it says.

    A cost model decides: bytes moved, products of the busiest NPU, bytes that
    alignment wastes, banks that operands share, kernels that run and that the
    program has. With `report` each decision is a remark, with a note for each
    producer that is left out. A file may change what these count for, and cut
    kernels otherwise: docs/guides/tiling.md.

    A kernel of which the smallest tile does not fit is an error, which says by
    how much, and what local memory would do.

    Example: test/Transforms/TileToFit/tile-to-fit.mlir
  }];
  let options = [
    Option<"reserve", "reserve", "int64_t", "0",
           "Bytes of each NPU that are kept for something else">,
    Option<"maxGroup", "max-group", "::mli::Bounded<1, UINT32_MAX>", "4",
           "Kernels that are at most computed in the same tiles; 1 for none">,
    Option<"unroll", "unroll", "::mli::Bounded<0>", "4",
           "Tiles of a kernel that are at most written out without need">,
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
           "Leave the attributes, and the kernels whole">,
  ];
  let statistics = [
    Statistic<"numGroups", "groups", "Kernels that were cut into tiles">,
    Statistic<"numFused", "fused", "Kernels that are computed in these tiles">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_TRANSFORMS_TILETOFIT_TD
