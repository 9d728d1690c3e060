// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_TRANSFORMS_LOCALTOARGUMENT_TD
#define MLI_TRANSFORMS_LOCALTOARGUMENT_TD

include "mlir/Pass/PassBase.td"

def LocalToArgument : Pass<"mli-local-to-argument", "::mlir::ModuleOp"> {
  let summary = "take the local memory of one NPU as an argument";
  let description = [{
    The local memory of one NPU, as that of a DSP, is memory that kernels read by
    strides as any other. Each function that has buffers there, or calls one that
    has, gets one more argument, with the attribute `mli.local`: the memory of one
    NPU, of which the caller says where it is. `convert-mli-to-llvm` then adds
    addresses to that argument, and calls no function of the local memory model.
    The operations of an `mli.parallel` run one after the other.

    A target with several NPUs, and a buffer whose elements have no static strides,
    are errors. Callers from outside are not changed.

    Example: test/Transforms/local-to-argument.mlir
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // MLI_TRANSFORMS_LOCALTOARGUMENT_TD
