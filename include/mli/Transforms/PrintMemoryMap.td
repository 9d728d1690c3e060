// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_PRINTMEMORYMAP_TD
#define MLI_TRANSFORMS_PRINTMEMORYMAP_TD

include "mlir/Pass/PassBase.td"

def PrintMemoryMap : Pass<"mli-print-memory-map", "::mlir::ModuleOp"> {
  let summary = "print where buffers lie, and when";
  let description = [{
    Prints one map for each function and memory in which something lies: all
    buffers by address, the most bytes that are used at one time, and the bound
    that no plan is below. Buffers that have no address yet are planned as
    `mli-assign-addresses` would, whatever there is of memory. Nothing in the
    module changes. Addresses at which buffers overlap are an error.

    As `json`, one object a line: `function`, `space`, `npus`, `npu_bytes`,
    `peak`, `lower_bound` and `buffers`, each with `name`, `loc`, `shape`,
    `element`, `layout`, `mode`, `address`, `start_npu`, `offset`, `strides` (of
    n, c, h and w where the layout is an mli one, else of the dimensions),
    `bytes_per_npu`, `lower` and `upper`, the positions of operations between
    which it is live; also `bank_conflicts`, where the target has banks: the banks
    that buffers share which are used at one time, in one run. As `svg`, a picture
    for each.

    Example: test/Transforms/print-memory-map.mlir
  }];
  let options = [
    Option<"format", "format", "std::string", "\"text\"",
           "text, json or svg">,
    Option<"output", "output", "std::string", "\"-\"",
           "The file to write; - is the standard output">,
    Option<"function", "function", "std::string", "\"\"",
           "The only function to print">,
    Option<"space", "space", "std::string", "\"\"",
           "The only memory to print: system or local">,
    Option<"inPlace", "in-place", "bool", "true",
           "Let kernels write over inputs that nobody needs any more">,
    Option<"reuseEmptyBlocks", "reuse-empty-blocks", "bool", "false",
           "Let buffers lie side by side where a block row has no channels">,
    Option<"asLocal", "as-local", "bool", "false",
           "Show what system memory holds as if it were in local memory">,
    Option<"budget", "budget", "int64_t", "20000",
           "Nodes that the search for a plan may visit">,
  ];
}

#endif // MLI_TRANSFORMS_PRINTMEMORYMAP_TD
