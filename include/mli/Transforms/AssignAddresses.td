// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_ASSIGNADDRESSES_TD
#define MLI_TRANSFORMS_ASSIGNADDRESSES_TD

include "mli/Transforms/Options.td"

def AssignAddresses : Pass<"mli-assign-addresses", "::mlir::ModuleOp"> {
  let summary = "give every buffer its place in memory";
  let description = [{
    Plans the addresses of all buffers in system memory, which is one arena, and
    in the local memory of `mli.target`, so that what is live at the same time
    lies apart. A buffer is live from the first operation that uses it, or a view
    of it, to the last, and all through loops that it is used in but allocated
    before. The result of a kernel that works element by element takes the place
    of an input that nobody needs any more.

    Public functions, and others that need it, get the arena as a last argument:
    `memref<Nxi8>` with the attribute `mli.arena`. Their buffers in system memory
    become views of it, and what frees them goes. The module says what all its
    public functions can do with: `mli.arena_bytes` and `mli.arena_alignment`.
    A buffer that each round of a loop allocates and hands to the next becomes
    two in front of the loop, which take turns. What can not have a fixed address
    (a dynamic shape, a result, what lives for several rounds) stays on the heap.

    The tables and scratch memory of a kernel lie in the memory of its results;
    it says where in `mli.scratch_address`. With `arguments`, those that the
    caller passes, buffers for results among them, have an offset in the arena as
    well, in their attribute `mli.address`: a caller may put them there. With
    `copy-constants` each run copies constants into the arena first, for targets
    where they come from slow memory.

    Buffers in local memory become `mli.alloc` with an `address`, where they begin
    to hold data; their types, and those of their views, start on the NPU that was
    chosen. One with the attribute `mli.shared` begins while others have data there
    that is needed, as a result in the place of its input. An address that a buffer
    has is kept. A function that is called keeps its local addresses
    for all callers, which leave that memory alone meanwhile.

    Where the target has banks, buffers that are used at one time go to different
    ones if there is room: the operands of a kernel, and what moves beside it in
    `mli.parallel`. They may lie anywhere in local memory for that; with
    `minimise`, and in functions that are called, the peak stays what it is.
    `explain` remarks what shares a bank all the same.

    If buffers do not fit, the error says by how much, what is live at the worst
    time and where, which buffers can not be together, and what would help, each
    fix tried. Functions that call themselves, or that are used other than by
    calls, are errors.

    Example: test/Transforms/AssignAddresses/assign-addresses.mlir
  }];
  let options = [
    Option<"systemAlignment", "system-alignment", "::mli::Bounded<1>", "16",
           "Divides addresses in system memory">,
    Option<"arenaBytes", "arena-bytes", "::mli::Bounded<0>", "0",
           "Bytes that the arena may have; 0 is as many as it takes">,
    InPlaceOption,
    Option<"arguments", "arguments", "bool", "false",
           "Give arguments and results an offset in the arena as well">,
    Option<"copyConstants", "copy-constants", "bool", "false",
           "Copy constants into the arena at the start of each run">,
    ReuseEmptyBlocksOption,
    Option<"banks", "banks", "bool", "true",
           "Keep what is used at one time in different banks, where both fit">,
    Option<"explain", "explain", "bool", "false",
           "Remark which banks are shared">,
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
