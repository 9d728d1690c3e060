// SPDX-License-Identifier: Apache-2.0
//
// The interface of all quantised element types, whatever their format.

#ifndef MLI_IR_MLIINTERFACES_TD
#define MLI_IR_MLIINTERFACES_TD

include "mlir/IR/OpBase.td"

def MLI_QuantizedTypeInterface : TypeInterface<"QuantizedType"> {
  let cppNamespace = "::mli";
  let description = [{
    A quantised element: an integer code and the parameters that make it a real
    number. Fixed-point types answer as sa types of scale 1 and zero point 0.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/"The integer type that holds one code.",
      /*retTy=*/"::mlir::IntegerType", /*methodName=*/"getStorageType">,
    InterfaceMethod<
      /*desc=*/[{
        The dimension that the parameters vary along; -1 for one set of
        parameters for the whole tensor (`sa.dim` of the C API).
      }],
      /*retTy=*/"int32_t", /*methodName=*/"getAxis">,
    InterfaceMethod<
      /*desc=*/"How many sets of parameters there are: 1 when per tensor.",
      /*retTy=*/"size_t", /*methodName=*/"getNumParams">,
    InterfaceMethod<
      /*desc=*/"The parameters of `index` along the axis; 0 when per tensor.",
      /*retTy=*/"::mli::quant::QuantParams", /*methodName=*/"getParam",
      /*args=*/(ins "size_t":$index)>,
    InterfaceMethod<
      /*desc=*/"The same parameters along another dimension of the tensor.",
      /*retTy=*/"::mlir::Type", /*methodName=*/"withAxis",
      /*args=*/(ins "int32_t":$axis)>,
    InterfaceMethod<
      /*desc=*/[{
        The type of a slice that has `count` indices of the axis from `first`
        on; the type itself when per tensor.
      }],
      /*retTy=*/"::mlir::Type", /*methodName=*/"slice",
      /*args=*/(ins "size_t":$first, "size_t":$count)>,
  ];
  let extraSharedClassDeclaration = [{
    /// Whether the parameters vary along an axis.
    bool isPerAxis() const { return $_type.getAxis() >= 0; }
    /// Returns the bits of one quantised value.
    unsigned getStorageWidth() const {
      return $_type.getStorageType().getWidth();
    }
  }];
}

#endif // MLI_IR_MLIINTERFACES_TD
