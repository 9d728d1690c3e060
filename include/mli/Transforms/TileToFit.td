// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_TILETOFIT_TD
#define MLI_TRANSFORMS_TILETOFIT_TD

include "mli/Transforms/Options.td"

def TileToFit : Pass<"mli-tile-to-fit", "::mlir::ModuleOp"> {
  let summary = "compute kernels in parts that fit local memory";
  let description = [{
    The kernels of a block are computed part by part, in their order, in the local
    memory of `mli.target`: a kernel as a whole; a kernel, or some that follow each
    other, in tiles of rows, columns, channels and batches; or a stream of kernels, a
    few rows at a time, through rings of rows. What is between two parts may stay in
    local memory as a whole. The cheapest parts are taken.

    The footprint of a tile follows from the layouts that its operands will have, with
    halos, tables and scratch memory, on the worst start NPU; nothing is allocated for
    it. Reduction dimensions, and the slices of softmax, l2_normalize and argmax, are
    never tiled. Producers are fused into the tiles of their user where nothing else
    uses them: intermediate values then never leave local memory.

    A recurrent cell that does not fit as a whole becomes the kernels that it is made
    of, before anything is decided: `mli.rnn_dense`, `mli.sigm`, `mli.tanh` and
    element-wise operations, in a loop over its steps. They give the same bytes, and
    can be tiled; weights stay in local memory through the loop as far as they fit. A
    cell that fits whole stays.

    Decisions are in the program first. What stays is a tensor in
    `#mli.space<local>`; `mli.mov` moves it in and out, and the rows of a stream.
    `mli.tile` of the last kernel has the `sizes` of tiles, the `order` of loops, the
    outermost first, and `double_buffer` if two tiles fit at once, so that
    `mli-double-buffer` can move one while the other is computed; its fused producers
    have `mli.tile_fused`. `mli.stream` of the last operation of a stream says its shape;
    `mli-form-streams` makes its loops. Then kernels with tiles become loops and slices
    of static sizes: tiles at edges, and of a quantised axis, are unrolled. With
    `decide-only` the attributes stay; a kernel that has one is computed by it.

    A cost model decides: bytes moved, products of the busiest NPU, bytes that
    alignment wastes, bank conflicts of operands, executed kernels and the size of
    the program. With `report` each part is a remark, with notes of what moves, of
    rings, and of why it ends there. The same stays in `mli.parts` of the function.
    A file may change the weights of these costs, and the tiles and streams of kernels:
    docs/guides/tiling.md.

    A kernel whose smallest tile does not fit is an error, which has the missing
    bytes, and a local memory that is large enough. An error before these has the least
    local memory that is large enough for all, and the kernel that needs it.

    Example: test/Transforms/TileToFit/tile-to-fit.mlir
  }];
  let options = [
    Option<"reserve", "reserve", "int64_t", "0",
           "Bytes of each NPU that tiles do not use">,
    Option<"maxGroup", "max-group", "::mli::Bounded<1, UINT32_MAX>", "4",
           "Maximum of kernels in a fused group; 1 fuses none">,
    Option<"maxStream", "max-stream", "::mli::Bounded<1, UINT32_MAX>", "32",
           "Maximum of kernels in a stream; 1 forms none">,
    Option<"unroll", "unroll", "::mli::Bounded<0>", "4",
           "Maximum of tiles of a kernel to unroll where a loop is possible">,
    OverridesOption,
    Option<"doubleBuffer", "double-buffer", "::mli::DoubleBuffering",
           "::mli::DoubleBuffering::Unset",
           "Whether tiles leave room for a second one, which moves while one "
           "is computed: off, auto, where that costs less, or on, wherever it "
           "fits; unset, where the overlap in overrides is over 0 and that "
           "costs less",
           [{::mli::doubleBufferingValues(),
             ::llvm::cl::values(clEnumValN(::mli::DoubleBuffering::Unset, "",
                                           "As the overlap in overrides"))}]>,
    Option<"report", "report", "bool", "false", "Remark each decision">,
    Option<"decideOnly", "decide-only", "bool", "false",
           "Leave the attributes, and do not tile">,
  ];
  let statistics = [
    Statistic<"numGroups", "groups", "Kernels that were tiled">,
    Statistic<"numCells", "cells", "Recurrent cells that became kernels">,
    Statistic<"numFused", "fused", "Producers that were fused">,
    Statistic<"numStreams", "streams", "Streams that were formed">,
    Statistic<"numStreamed", "streamed", "Kernels in streams">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_TRANSFORMS_TILETOFIT_TD
