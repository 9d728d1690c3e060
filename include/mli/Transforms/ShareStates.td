// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_SHARESTATES_TD
#define MLI_TRANSFORMS_SHARESTATES_TD

include "mlir/Pass/PassBase.td"

def ShareStates : Pass<"mli-share-states", "::mlir::ModuleOp"> {
  let summary = "write new states over the old ones";
  let description = [{
    A function with state takes two buffers for it, the old half, which it reads,
    and the new one, which it writes. Where no operation uses the old half once
    one has written the new half, they become one argument, with the attributes
    `mli.in_place` and `mli.result`, and the callers keep one buffer instead of
    two.

    The first operation that writes the new half may be the last that reads the
    old one, if it is a kernel that computes each element from the element at the
    same place, as those that mli-assign-addresses lets compute in place, or a
    copy of the whole half, which is then removed.

    Loops and `mli.parallel` count as one operation, and calls as operations that
    read and write what they are passed. States of functions with branches or with
    callers in the module, and a new half that no operation writes, stay as they
    are.

    Example: test/Transforms/share-states.mlir
  }];
  let options = [
    Option<"explain", "explain", "bool", "false",
           "Remark every state: whether its halves are one, or why not">,
  ];
  let statistics = [
    Statistic<"numShared", "shared", "States whose halves are one">,
    Statistic<"numBytes", "bytes", "Bytes of their new halves">,
  ];
}

#endif // MLI_TRANSFORMS_SHARESTATES_TD
