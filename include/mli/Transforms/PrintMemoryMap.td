// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_PRINTMEMORYMAP_TD
#define MLI_TRANSFORMS_PRINTMEMORYMAP_TD

include "mli/Transforms/Options.td"

def PrintMemoryMap : Pass<"mli-print-memory-map", "::mlir::ModuleOp"> {
  let summary = "print the addresses and lifetimes of buffers";
  let description = [{
    Prints one map for each function and memory with buffers: all buffers by
    address, the peak usage in bytes, and a lower bound of the peak of any plan.
    Of system memory it also lists what no planner places, constants and
    arguments. Buffers without an address are planned as by
    `mli-assign-addresses`, with unlimited memory. Changes nothing. Addresses at
    which buffers overlap are an error.

    Each buffer says what it is to which layer: `weights` (constants and copies
    of them), `input` (an argument, or a copy that moves into the memory),
    `result` (what a kernel writes, or a copy that moves out), `moved` (what
    moves within the memory write), `tables`, `scratch`, or `callee`, the memory
    of a function that is called.

    As `json`, one object a line; docs/guides/memory.md says what is in it. As
    `svg`, one picture of all: bytes upwards, layers to the right, a rectangle
    for each buffer. As `html`, a page for browsers with the layers as well, see
    docs/guides/report.md.

    Example: test/Transforms/print-memory-map.mlir
  }];
  let options = [
    Option<"format", "format", "::mli::MapFormat",
           "::mli::MapFormat::Text", "The form: text, json, svg or html",
           [{::llvm::cl::values(
             clEnumValN(::mli::MapFormat::Text, "text", "A table"),
             clEnumValN(::mli::MapFormat::Json, "json",
                        "An object a line for each map"),
             clEnumValN(::mli::MapFormat::Svg, "svg", "A picture"),
             clEnumValN(::mli::MapFormat::Html, "html",
                        "A page with layers and memory"))}]>,
    Option<"output", "output", "std::string", "\"-\"",
           "The file to write; - is the standard output">,
    Option<"function", "function", "std::string", "\"\"",
           "The only function to print">,
    Option<"space", "space", "::mli::MapSpace", "::mli::MapSpace::All",
           "The only memory to print: system or local",
           [{::llvm::cl::values(
             clEnumValN(::mli::MapSpace::All, "", "Both"),
             clEnumValN(::mli::MapSpace::System, "system", "System memory"),
             clEnumValN(::mli::MapSpace::Local, "local", "Local memory"))}]>,
    InPlaceOption,
    ReuseEmptyBlocksOption,
    Option<"asLocal", "as-local", "bool", "false",
           "Show what system memory holds as if it were in local memory">,
    BudgetOption,
  ];
}

#endif // MLI_TRANSFORMS_PRINTMEMORYMAP_TD
