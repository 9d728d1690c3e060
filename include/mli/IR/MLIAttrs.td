// SPDX-License-Identifier: Apache-2.0
//
// Attributes of the kernels: enumerations with the values of the C API.

#ifndef MLI_IR_MLIATTRS_TD
#define MLI_IR_MLIATTRS_TD

include "mli/IR/MLIDialect.td"
include "mlir/IR/EnumAttr.td"

def MLI_ReluKind : I32EnumAttr<"ReluKind", "range that a kernel clips its result to", [
    I32EnumAttrCase<"none", 0>,
    I32EnumAttrCase<"gen", 1>,
    I32EnumAttrCase<"relu1", 2>,
    I32EnumAttrCase<"relu6", 3>]> {
  let cppNamespace = "::mli";
  let genSpecializedAttr = 0;
}

def MLI_ReluAttr : EnumAttr<MLI_Dialect, MLI_ReluKind, "relu"> {
  let summary = "range that a kernel clips its result to";
  let description = [{
    `none`: the container; `gen`: `[0, inf)`; `relu1`: `[-1, 1]`; `relu6`:
    `[0, 6]`. The values are those of `mli_relu_type`.

    Example: `#mli.relu<relu6>`
  }];
  let assemblyFormat = "`<` $value `>`";
}

def MLI_MapLayout : I32EnumAttr<"MapLayout", "order of the dimensions of feature maps", [
    I32EnumAttrCase<"hwc", 0>,
    I32EnumAttrCase<"chw", 1>]> {
  let cppNamespace = "::mli";
  let genSpecializedAttr = 0;
}

def MLI_MapLayoutAttr : EnumAttr<MLI_Dialect, MLI_MapLayout, "map_layout"> {
  let summary = "order of the dimensions of feature maps";
  let description = [{
    `hwc`: height, width, channels, as MLI 2.0 has them; `chw`: channels first,
    as MLI 1.x also does. The order of weights is another matter.

    Example: `#mli.map_layout<chw>`
  }];
  let assemblyFormat = "`<` $value `>`";
}

def MLI_RnnAct : I32EnumAttr<"RnnAct", "function that a cell is seen through", [
    I32EnumAttrCase<"none", 0>,
    I32EnumAttrCase<"tanh", 1>,
    I32EnumAttrCase<"sigm", 2>]> {
  let cppNamespace = "::mli";
  let genSpecializedAttr = 0;
}

def MLI_RnnActAttr : EnumAttr<MLI_Dialect, MLI_RnnAct, "rnn_act"> {
  let summary = "function that a cell is seen through";
  let description = [{
    What the output of `mli.lstm_cell` multiplies with its gate. The values are
    those of `mli_rnn_out_activation`.

    Example: `#mli.rnn_act<tanh>`
  }];
  let assemblyFormat = "`<` $value `>`";
}

#endif // MLI_IR_MLIATTRS_TD
