// SPDX-License-Identifier: Apache-2.0
//
// Operations on where elements are: their order and their positions.

#ifndef MLI_IR_MLIARRANGEMENTOPS_TD
#define MLI_IR_MLIARRANGEMENTOPS_TD

include "mli/IR/MLIKernelOp.td"

def MLI_ArgmaxOp : MLI_PlainKernelOp<"argmax", "Argmax"> {
  let summary = "positions of the greatest elements";
  let description = [{
    `init[s, k] = position(k-th greatest code of slice s)`. With
    axis -1 there is one slice, the whole input; else there is one for each
    index of `axis`, over all other dimensions. A position counts all elements
    of the input in row-major order. Of equal elements the last comes first for
    `topk` 1; for more their order is that of the kernel's heap. Positions are
    integers: the result has elements of `!mli.sa32<1:0:0>`.

    Example:
    ```mlir
    !scores = tensor<10x!mli.sa8<1:8:-128>>
    !positions = tensor<1x3x!mli.sa32<1:0:0>>
    func.func @top3(%scores: !scores, %init: !positions) -> !positions {
      %result = mli.argmax ins(%scores : !scores) outs(%init : !positions)
                  {topk = 3 : i32} -> !positions
      return %result : !positions
    }
    ```
  }];
  let arguments = (ins
    MLI_ShapedOf<[MLI_Fx16Type, MLI_Sa8Type]>:$input,
    MLI_ShapedOfRank<[MLI_Sa32Type], 2>:$init,
    DefaultValuedAttr<I32Attr, "-1">:$axis,
    DefaultValuedAttr<I32Attr, "1">:$topk);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $init `:` type($init) `)`
    attr-dict (`->` type($results)^)?
  }];
}

def MLI_PermuteOp : MLI_PlainKernelOp<"permute", "Permute"> {
  let summary = "put the dimensions into another order";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the input:
    `init[t] = input[s]` with `s[permutation[i]] = t[i]`. A quantised axis goes
    with its dimension. Buffers may have any strides that decrease.

    Example:
    ```mlir
    !hwcn = tensor<3x3x8x2x!mli.sa8<axis = 3, {5:10:0, 7:10:0}>>
    !nhwc = tensor<2x3x3x8x!mli.sa8<axis = 0, {5:10:0, 7:10:0}>>
    func.func @filters_first(%weights: !hwcn, %init: !nhwc) -> !nhwc {
      %result = mli.permute ins(%weights : !hwcn) outs(%init : !nhwc)
                  permutation [3, 0, 1, 2] -> !nhwc
      return %result : !nhwc
    }
    ```
  }];
  let arguments = (ins
    MLI_ShapedOf<MLI_MapElements>:$input,
    MLI_ShapedOf<MLI_MapElements>:$init,
    DenseI64ArrayAttr:$permutation);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $init `:` type($init) `)`
    `permutation` custom<StaticSizes>($permutation)
    attr-dict (`->` type($results)^)?
  }];
  let hasCanonicalizeMethod = 1;
}

#endif // MLI_IR_MLIARRANGEMENTOPS_TD
