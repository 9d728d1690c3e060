// SPDX-License-Identifier: Apache-2.0
//
// The `mli` dialect itself: what it models and what it never does.

#ifndef MLI_IR_MLIDIALECT_TD
#define MLI_IR_MLIDIALECT_TD

include "mlir/IR/DialectBase.td"

def MLI_Dialect : Dialect {
  let name = "mli";
  let cppNamespace = "::mli";
  let summary = "quantised networks as programs of the MLI 2.0 kernels";
  let description = [{
    Tensors and buffers whose elements are quantised as the embARC MLI library
    takes them, and one operation for each of its kernel families. An operation
    means what the C function of its name computes, to the bit.

    Operations are in destination style and accept tensors or memrefs. Feature
    maps are HWC: a rank 3 shape of height, width and channels, without a
    batch; convolutions and pooling also take CHW, which no kernel of the runtime
    does. Quantisation is part of the element type; a scale is always the
    integers that the kernel gets, a float is only ever derived from them.

    What a type leaves dynamic is checked where the program runs. Buffers have a
    strided layout with decreasing strides, the innermost of them 1 but for
    `mli.mov` and `mli.permute`; those in the local memory of several NPUs any
    `#mli.layout`. All rules are in docs/spec/types.md, docs/spec/operations.md and
    docs/spec/attributes.md.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Adds the types and attributes; the lists live with them.
    void registerTypes();
    void registerAttributes();
    /// The attribute of a module that is its target, a `TargetAttr`.
    static constexpr ::llvm::StringLiteral getTargetAttrName() {
      return "mli.target";
    }
  }];
}

#endif // MLI_IR_MLIDIALECT_TD
