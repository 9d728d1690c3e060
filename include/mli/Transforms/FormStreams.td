// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_FORMSTREAMS_TD
#define MLI_TRANSFORMS_FORMSTREAMS_TD

include "mli/Transforms/Options.td"

def FormStreams : Pass<"mli-form-streams", "::mlir::ModuleOp"> {
  let summary = "compute kernels row by row through rolling buffers";
  let description = [{
    A value between two kernels is whole: all of it has a place in the arena. In a
    stream, kernels compute rows as they are needed: each makes the next rows of
    its result as soon as the rows that its window reads are there, and only the
    rows that a window or a skip connection still needs are kept, in a ring.
    Nothing is computed twice, and no byte of a result changes.

    With `arena` the cheapest program is made whose arena has at most that many
    bytes. Kernels that follow each other become loops over rows; rings are carried
    through them and `mli.advance` moves their rows up. Kernels that need all of an
    input, as fully connected layers, end a stream. With `recompute` streams may run
    on column stripes, one after the other, which compute columns between them
    twice.

    Decisions are attributes first: `mli.stream` of the last kernel of a stream.
    With `decide-only` they stay; kernels that have one are streams as it says. With
    `report` each stream is a remark, with a note for each buffer of rows, and why
    its neighbours are no part of it. What was made of a function stays on it as
    `mli.streams`. A file can say streams: docs/guides/streams.md.

    Example: test/Transforms/FormStreams/form-streams.mlir
  }];
  let options = [
    Option<"arena", "arena", "::mli::ArenaLimit", "::mli::ArenaLimit()",
           "Bytes that the arena may have, or min for the fewest possible; "
           "without it no stream is formed">,
    Option<"recompute", "recompute", "::mli::Bounded<0, 100>", "0",
           "Per cent of the products that may be computed again, on column "
           "stripes">,
    Option<"arguments", "arguments", "bool", "false",
           "Arguments and results of public functions are in the arena, too">,
    OverridesOption,
    Option<"report", "report", "bool", "false", "Remark each decision">,
    Option<"decideOnly", "decide-only", "bool", "false",
           "Leave the attributes, and form no stream">,
  ];
  let statistics = [
    Statistic<"numStreams", "streams", "Streams that were formed">,
    Statistic<"numKernels", "kernels", "Kernels in streams">,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

#endif // MLI_TRANSFORMS_FORMSTREAMS_TD
