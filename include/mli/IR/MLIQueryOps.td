// SPDX-License-Identifier: Apache-2.0
//
// Queries about tensors. A query that the type answers is folded.

#ifndef MLI_IR_MLIQUERYOPS_TD
#define MLI_IR_MLIQUERYOPS_TD

include "mli/IR/MLIKernelOp.td"

class MLI_QueryOp<string mnemonic> : MLI_Op<mnemonic, [Pure, MLI_TypeQuery]> {
  let hasFolder = 1;
}

def MLI_ElemCountOp : MLI_QueryOp<"elem_count"> {
  let summary = "number of elements from a dimension on";
  let description = [{
    `result = shape[dim] * ... * shape[rank - 1]` of `source`; 1 if `dim` is the
    rank.

    Example:
    ```mlir
    func.func @pixels(%map: tensor<?x?x8x!mli.sa8<1:4:-128>>) -> index {
      %count = mli.elem_count %map {dim = 1 : i32}
                 : tensor<?x?x8x!mli.sa8<1:4:-128>>
      return %count : index
    }
    ```
  }];
  let arguments = (ins MLI_ShapedOf<MLI_AnyElements # [F32]>:$source,
                       DefaultValuedAttr<I32Attr, "0">:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def MLI_ElementSizeOp : MLI_QueryOp<"element_size"> {
  let summary = "bytes of one element";
  let description = [{
    `result = bits of a code / 8`: 1, 2 or 4.

    Example:
    ```mlir
    func.func @bytes(%bias: tensor<8x!mli.sa32<5:14:0>>) -> index {
      %bytes = mli.element_size %bias : tensor<8x!mli.sa32<5:14:0>>
      return %bytes : index
    }
    ```
  }];
  let arguments = (ins MLI_ShapedOf<MLI_AnyElements # [F32]>:$source);
  let results = (outs Index:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

/// One of the parameters, as the `index`-th of the quantised axis has it.
class MLI_ParamOp<string mnemonic, string what, string absent>
    : MLI_QueryOp<mnemonic> {
  let summary = what # " of an index of the quantised axis";
  let description = [{
    The }] # what # [{ of `source` for index `index` of its quantised axis; per
    tensor the index does not matter. }] # absent # [{ A code stands for
    `real = (code - zero_offset) * scale / 2^scale_shift`.

    Example:
    ```mlir
    !bias = tensor<2x!mli.sa32<axis = 0, {5:14:0, 7:13:0}>>
    func.func @of_channel(%bias: !bias, %channel: index) -> i32 {
      %param = mli.}] # mnemonic # [{ %bias[%channel] : !bias
      return %param : i32
    }
    ```
  }];
  let arguments = (ins MLI_ShapedOf<MLI_AnyElements # [F32]>:$source,
                       Index:$index);
  let results = (outs I32:$result);
  let assemblyFormat = "$source `[` $index `]` attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def MLI_ScaleOp : MLI_ParamOp<"scale", "scale",
    "Fixed-point numbers and f32 have scale 1.">;
def MLI_ScaleShiftOp : MLI_ParamOp<"scale_shift", "fraction bits",
    "f32 has none: 0.">;
def MLI_ZeroOffsetOp : MLI_ParamOp<"zero_offset", "zero point",
    "Fixed-point numbers and f32 have zero point 0.">;

#endif // MLI_IR_MLIQUERYOPS_TD
