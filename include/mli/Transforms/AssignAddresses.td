// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_ASSIGNADDRESSES_TD
#define MLI_TRANSFORMS_ASSIGNADDRESSES_TD

include "mli/Transforms/Options.td"

def AssignAddresses : Pass<"mli-assign-addresses", "::mlir::ModuleOp"> {
  let summary = "give every buffer its address";
  let description = [{
    Plans the addresses of all buffers in system memory, which is one arena, and
    in the local memory of `mli.target`, so that buffers that are live at the same
    time do not overlap. A buffer is live from the first operation that uses it, or
    a view of it, to the last, and all through loops that it is used in but
    allocated before. The result of an elementwise kernel takes the place of an
    input that no later operation uses.

    Public functions, and others that need it, get the arena as a last argument:
    `memref<Nxi8>` with the attribute `mli.arena`. Their buffers in system memory
    become views of it, and their deallocations are erased. `mli.arena_bytes` and
    `mli.arena_alignment` of the module are sufficient for all its public functions.
    A loop-carried buffer that each iteration allocates for the next becomes two
    before the loop, which alternate. Buffers that can not have a fixed address
    (of a dynamic shape, results, live in several iterations) stay on the heap.

    The tables and scratch memory of a kernel lie in the memory of its results, at
    its `mli.scratch_address`. With `arguments`, buffers that the caller passes,
    for results too, have an offset in the arena as well, in their attribute
    `mli.address`: a caller may put them there. With `copy-constants` each run
    copies constants into the arena first, for targets where they come from slow
    memory.

    Buffers in local memory become `mli.alloc` with an `address`, where they begin
    to hold data; their types, and those of their views, start on the NPU that was
    chosen. One with the attribute `mli.shared` begins while other buffers have live
    data there, as a result in the place of its input. A buffer keeps an address
    that it has. A function that is called keeps its local addresses for all
    callers, which do not use that memory meanwhile.

    Where the target has banks, buffers that are used at one time go to different
    ones if there is room: the operands of a kernel, and transfers that overlap it
    in `mli.parallel`. They may lie anywhere in local memory for that; with
    `minimise`, and in functions that are called, the peak does not grow.
    `explain` remarks the buffers that share a bank all the same.

    If buffers do not fit, the error has the missing bytes, the buffers that are
    live at the time of peak usage and their addresses, those that exclude each
    other, and what would help, each fix tried. Functions that call themselves, or
    that are used other than by calls, are errors.

    Example: test/Transforms/AssignAddresses/assign-addresses.mlir
  }];
  let options = [
    Option<"systemAlignment", "system-alignment", "::mli::Bounded<1>", "16",
           "Divides addresses in system memory">,
    Option<"arenaBytes", "arena-bytes",
           "::mli::Bounded<0, ::mli::allocation::maxBytes>", "0",
           "Bytes that the arena may have; 0 for no limit">,
    InPlaceOption,
    Option<"arguments", "arguments", "bool", "false",
           "Give arguments and results an offset in the arena as well">,
    Option<"copyConstants", "copy-constants", "bool", "false",
           "Copy constants into the arena at the start of each run">,
    ReuseEmptyBlocksOption,
    Option<"banks", "banks", "bool", "true",
           "Keep buffers that are used at one time in different banks, "
           "where both fit">,
    Option<"explain", "explain", "bool", "false",
           "Remark each shared bank">,
    Option<"minimise", "minimise", "bool", "false",
           "Go on to the lowest peak of local memory once all fits">,
    BudgetOption,
  ];
  let dependentDialects = [
    "::mli::MLIDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
  ];
}

#endif // MLI_TRANSFORMS_ASSIGNADDRESSES_TD
