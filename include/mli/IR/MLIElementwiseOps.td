// SPDX-License-Identifier: Apache-2.0
//
// Operations whose result has the shape of their input.

#ifndef MLI_IR_MLIELEMENTWISEOPS_TD
#define MLI_IR_MLIELEMENTWISEOPS_TD

include "mli/IR/MLIKernelOp.td"

class MLI_UnaryOp<string mnemonic, list<Type> elements>
    : MLI_KernelOp<mnemonic> {
  defvar map = MLI_ShapedOf<elements>;
  dag attributes = (ins);
  let arguments = !con((ins map:$input, map:$init), attributes);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $init `:` type($init) `)`
    attr-dict (`->` type($results)^)?
  }];
}

def MLI_EltwiseAddOp : MLI_KernelOp<"eltwise_add"> {
  let summary = "sum of two tensors, element by element";
  let description = [{
    Brings both operands to the result's quantisation, each rounded by itself,
    and adds them. An operand of one element is a scalar and is added to every
    element of the other; else the shapes are equal. All have one element kind,
    quantised per tensor.

    Example:
    ```mlir
    !lhs = tensor<4x4x8x!mli.sa8<1:4:-128>>
    !rhs = tensor<4x4x8x!mli.sa8<3:5:7>>
    !out = tensor<4x4x8x!mli.sa8<1:3:-128>>
    func.func @residual(%lhs: !lhs, %rhs: !rhs, %init: !out) -> !out {
      %result = mli.eltwise_add ins(%lhs, %rhs : !lhs, !rhs) outs(%init : !out)
                  -> !out
      return %result : !out
    }
    ```
  }];
  let arguments = (ins
    MLI_ShapedOf<MLI_MapElements>:$lhs,
    MLI_ShapedOf<MLI_MapElements>:$rhs,
    MLI_ShapedOf<MLI_MapElements>:$init);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$init), [{
      build($_builder, $_state, ::mli::detail::tensorTypes(init), lhs, rhs,
            init);
    }]>];
}

def MLI_ReluOp : MLI_UnaryOp<"relu", MLI_MapElements> {
  let summary = "clip every element to a range";
  let description = [{
    `init = min(max(input, low), high)` with the range of `relu` in the input's
    quantisation, which the result keeps.

    Example:
    ```mlir
    !map = tensor<4x4x8x!mli.sa8<3:6:-5>>
    func.func @relu6(%input: !map, %init: !map) -> !map {
      %result = mli.relu ins(%input : !map) outs(%init : !map)
                  {relu = #mli.relu<relu6>} -> !map
      return %result : !map
    }
    ```
  }];
  let attributes = (ins MLI_ReluAttr:$relu);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$init,
                   "::mli::ReluKind":$relu), [{
      build($_builder, $_state, ::mli::detail::tensorTypes(init), input, init,
            relu);
    }]>];
}

def MLI_SoftmaxOp : MLI_UnaryOp<"softmax", MLI_MapElements> {
  let summary = "normalised exponential";
  let description = [{
    `init = exp(input) / sum(exp(input))`, the sum along `axis`, or over the
    whole tensor where it is -1. The kernel works by table and fixes the
    result's quantisation: `!mli.sa8<1:8:-128>`, `!mli.fx16<15>`, `!mli.fx8<7>`.

    Example:
    ```mlir
    !logits = tensor<10x!mli.sa8<5:6:4>>
    !out = tensor<10x!mli.sa8<1:8:-128>>
    func.func @probabilities(%input: !logits, %init: !out) -> !out {
      %result = mli.softmax ins(%input : !logits) outs(%init : !out) -> !out
      return %result : !out
    }
    ```
  }];
  let attributes = (ins DefaultValuedAttr<I32Attr, "-1">:$axis);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$init,
                   "int32_t":$axis), [{
      build($_builder, $_state, ::mli::detail::tensorTypes(init), input, init,
            axis);
    }]>];
}

def MLI_ConvertOp
    : MLI_UnaryOp<"convert", MLI_AnyElements # [F32]> {
  let summary = "change the quantisation of every element";
  let description = [{
    `init = saturate(round((q - zin) * sin / sout + zout))`: the real number
    stays as near as the destination's format holds it. Source and destination
    may be any of fx8, fx16, sa8, sa32 and f32. Quantised axes of both sides
    are the same, if both have one.

    Example:
    ```mlir
    !real = tensor<4x!mli.sa8<3:6:-5>>
    !fixed = tensor<4x!mli.fx16<12>>
    func.func @widen(%input: !real, %init: !fixed) -> !fixed {
      %result = mli.convert ins(%input : !real) outs(%init : !fixed) -> !fixed
      return %result : !fixed
    }
    ```
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$init), [{
      build($_builder, $_state, ::mli::detail::tensorTypes(init), input, init);
    }]>];
}

#endif // MLI_IR_MLIELEMENTWISEOPS_TD
