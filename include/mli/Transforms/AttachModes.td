// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_ATTACHMODES_TD
#define MLI_TRANSFORMS_ATTACHMODES_TD

include "mlir/Pass/PassBase.td"

def AttachModes : Pass<"mli-attach-modes", "::mlir::ModuleOp"> {
  let summary = "set how kernels round and accumulate";
  let description = [{
    Sets the attributes `mli.rounding` and `mli.accumulation` of the module, in
    place of others if it has them. Constants are folded and packed in these modes,
    and C checks the library for them; what the network runs with is set to them
    where it runs. A mode that is not given stays as it is.

    Example: test/Transforms/attach-modes.mlir
  }];
  let options = [
    Option<"rounding", "rounding", "::mli::RoundingMode",
           "::mli::RoundingMode::Unset",
           "How kernels round halves, in place of mli.rounding",
           "::mli::roundingModeValues()">,
    Option<"accumulation", "accumulation", "::mli::AccumulationMode",
           "::mli::AccumulationMode::Unset",
           "How kernels of sa8 accumulate, in place of mli.accumulation",
           "::mli::accumulationModeValues()">,
  ];
}

#endif // MLI_TRANSFORMS_ATTACHMODES_TD
