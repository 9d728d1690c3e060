// SPDX-License-Identifier: Apache-2.0
//
// Attributes of the kernels: enumerations with the values of the C API.

#ifndef MLI_IR_MLIATTRS_TD
#define MLI_IR_MLIATTRS_TD

include "mli/IR/MLIDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
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

    Example:
    ```mlir
    !map = tensor<4x!mli.sa8<5:3:0>>
    func.func @clip(%map: !map, %init: !map) -> !map {
      %result = mli.relu ins(%map : !map) outs(%init : !map)
                  {relu = #mli.relu<relu6>} -> !map
      return %result : !map
    }
    ```
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

    Example:
    ```mlir
    !rows = tensor<2x4x4x!mli.fx8<3>>
    !pooled = tensor<2x2x2x!mli.fx8<3>>
    func.func @channels_first(%map: !rows, %init: !pooled) -> !pooled {
      %result = mli.maxpool ins(%map : !rows) outs(%init : !pooled)
                  kernel [2, 2] pad [0, 0, 0, 0]
                  {strides = array<i64: 2, 2>, layout = #mli.map_layout<chw>}
                  -> !pooled
      return %result : !pooled
    }
    ```
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

    Example:
    ```mlir
    module attributes {cell.activation = #mli.rnn_act<tanh>} {}
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def MLI_LutFunction : I32EnumAttr<"LutFunction", "function that there is a table of", [
    I32EnumAttrCase<"sigm", 0>,
    I32EnumAttrCase<"tanh", 1>,
    I32EnumAttrCase<"softmax", 2>,
    I32EnumAttrCase<"l2Normalize", 3, "l2_normalize">]> {
  let cppNamespace = "::mli";
  let genSpecializedAttr = 0;
}

def MLI_LutFunctionAttr : EnumAttr<MLI_Dialect, MLI_LutFunction, "lut_function"> {
  let summary = "function that there is a table of";
  let description = [{
    The kernel that works by the table: `sigm`, `tanh`, `softmax`,
    `l2_normalize`. `mli.lut` says what is in it.

    Example:
    ```mlir
    module attributes {known.table = #mli.lut_function<tanh>} {}
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def MLI_LutFormatAttr : AttrDef<MLI_Dialect, "LutFormat"> {
  let mnemonic = "lut_format";
  let summary = "where a table holds what";
  let description = [{
    Entry `i` of the table is the value at `(i - input_offset) / 2^in_frac_bits`:
    the fields of `mli_lut` that the type of the table does not say.

    Example:
    ```mlir
    module attributes {
      known.format = #mli.lut_format<in_frac_bits = 5, input_offset = 172>} {}
    ```
  }];
  let parameters = (ins "int32_t":$inFracBits, "int32_t":$inputOffset);
  let assemblyFormat = [{
    `<` `in_frac_bits` `=` $inFracBits `,` `input_offset` `=` $inputOffset `>`
  }];
}

def MLI_CopyReason : I32EnumAttr<"CopyReason", "why elements are copied", [
    I32EnumAttrCase<"strided_step", 0>,
    I32EnumAttrCase<"inner_unit_dims", 1>,
    I32EnumAttrCase<"misaligned_start", 2>,
    I32EnumAttrCase<"cut_group", 3>,
    I32EnumAttrCase<"kernel_layout", 4>,
    I32EnumAttrCase<"kernel_contiguous", 5>,
    I32EnumAttrCase<"placed_elsewhere", 6>,
    I32EnumAttrCase<"padding", 7>,
    I32EnumAttrCase<"still_needed", 8>]> {
  let cppNamespace = "::mli";
  let genSpecializedAttr = 0;
}

def MLI_CopyReasonAttr : EnumAttr<MLI_Dialect, MLI_CopyReason, "copy_reason"> {
  let summary = "why elements are copied";
  let description = [{
    Why a pass has a copy made where a view would do in other circumstances:

    | reason | no view, as |
    |---|---|
    | `strided_step` | the slice takes every n-th index of a dimension |
    | `inner_unit_dims` | others than the first dimensions of size 1 are dropped |
    | `misaligned_start` | the slice starts where no operand in local memory may |
    | `cut_group` | the slice cuts a group of 4N, 2N or 2IC, or a matrix channel |
    | `kernel_layout` | the kernel needs the layout that the slice has not |
    | `kernel_contiguous` | the kernel walks the operand as one row, the slice has gaps |
    | `placed_elsewhere` | the part of a tensor is not computed in its place |
    | `padding` | elements are added around the source |
    | `still_needed` | what would be written over is read later, or may not be written |

    Example:
    ```mlir
    !map = tensor<4x8x!mli.fx8<3>>
    !half = tensor<2x8x!mli.fx8<3>>
    func.func @every_second_row(%map: !map, %init: !half) -> !half {
      %result = mli.mov ins(%map : !map) outs(%init : !half)
                  {steps = array<i64: 2, 1>,
                   reason = #mli.copy_reason<strided_step>} -> !half
      return %result : !half
    }
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def MLI_DataAttr : AttrDef<MLI_Dialect, "Data"> {
  let mnemonic = "data";
  let summary = "elements of a constant, as folders pass them";
  let description = [{
    What `mli.constant` folds to: the codes of its elements, under a type that
    only the operation knows. It is no elements attribute, so that nobody takes
    the codes for elements of a quantised type.

    Example:
    ```mlir
    module attributes {known.codes = #mli.data<dense<[5, -3]> : tensor<2xi8>>} {}
    ```
  }];
  let parameters = (ins "::mlir::ElementsAttr":$value);
  let assemblyFormat = "`<` $value `>`";
}

#endif // MLI_IR_MLIATTRS_TD
