// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_ORDER_TD
#define MLI_TRANSFORMS_ORDER_TD

include "mlir/Pass/PassBase.td"

def Order : Pass<"mli-order", "::mlir::ModuleOp"> {
  let summary = "order kernels so that the fewest bytes are live at once";
  let description = [{
    Where a network branches, what one branch made is live while another one is
    computed. Moves the kernels on tensors of each block into the order in which
    the fewest bytes are live at once. Bytes are those of the arena: arguments and
    results of the function are in memory of its caller, and constants are
    elsewhere; a view is in the memory of its source, and the operands of a
    concatenation in that of its result, from the first of them on. A kernel that
    may compute over an input that it is the last to use takes no memory for its
    result. Tables and scratch memory of kernels, what loops need inside, and what
    a called function takes count while these run.

    The search is exact. It goes over sets of kernels that have run, between values
    that everything before leads to and everything after comes from. Its `budget`
    counts nodes, not time. Where it ends early the best order that was found is
    taken, which is never worse than that of the file. Of equal orders it is the
    one that is next to that of the file. Where nothing is gained, nothing changes.

    Operations with effects on memory keep their order, and so do those that use a
    tensor between which some operation writes over it. A function with tensors of
    dynamic shape or in local memory, or with several blocks, is not changed.
    `explain` remarks the bytes of each function, before and after, and how many
    every order has at least.

    Example: test/Transforms/order.mlir
  }];
  let options = [
    Option<"budget", "budget", "::mli::Bounded<0>", "100000",
           "Nodes that the search for an order may visit in each function">,
    Option<"explain", "explain", "bool", "false",
           "Remark the live bytes of each function, or why it stays as it is">,
  ];
  let statistics = [
    Statistic<"numReordered", "reordered", "Blocks with another order">,
    Statistic<"numNodes", "nodes", "Nodes that the search visited">,
  ];
}

#endif // MLI_TRANSFORMS_ORDER_TD
