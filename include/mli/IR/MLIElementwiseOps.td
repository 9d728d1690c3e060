// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic and conversion, element by element.

#ifndef MLI_IR_MLIELEMENTWISEOPS_TD
#define MLI_IR_MLIELEMENTWISEOPS_TD

include "mli/IR/MLIKernelOp.td"

/// A kernel on the elements of two tensors.
class MLI_EltwiseOp<string mnemonic, string family>
    : MLI_PlainKernelOp<mnemonic, family,
                        [MLI_ElementwiseKernel, MLI_BroadcastingKernel]> {
  let verification = "::mli::contract::verifyEltwise(*this)";
  let arguments = (ins
    MLI_ShapedOf<MLI_MapElements>:$lhs,
    MLI_ShapedOf<MLI_MapElements>:$rhs,
    MLI_ShapedOf<MLI_MapElements>:$init);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
}

defvar MLI_EltwiseDoc = [{
    An operand of one element is a scalar and meets every element of the other;
    else the shapes are equal. All have one element kind, quantised per tensor.
}];

def MLI_EltwiseAddOp : MLI_EltwiseOp<"eltwise_add", "EltwiseAdd"> {
  let summary = "sum of two tensors, element by element";
  let description = !strconcat([{
    `init = lhs + rhs`: brings both operands to the result's quantisation, each
    rounded by itself, and adds them.
  }], MLI_EltwiseDoc, [{
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
  }]);
}

def MLI_EltwiseSubOp : MLI_EltwiseOp<"eltwise_sub", "EltwiseSub"> {
  let summary = "difference of two tensors, element by element";
  let description = !strconcat([{
    `init = lhs - rhs`: brings both operands to the result's quantisation, each
    rounded by itself, and subtracts.
  }], MLI_EltwiseDoc, [{
    Example:
    ```mlir
    !lhs = tensor<4x4x8x!mli.fx16<10>>
    !rhs = tensor<4x4x8x!mli.fx16<12>>
    !out = tensor<4x4x8x!mli.fx16<9>>
    func.func @difference(%lhs: !lhs, %rhs: !rhs, %init: !out) -> !out {
      %result = mli.eltwise_sub ins(%lhs, %rhs : !lhs, !rhs) outs(%init : !out)
                  -> !out
      return %result : !out
    }
    ```
  }]);
}

def MLI_EltwiseMulOp : MLI_EltwiseOp<"eltwise_mul", "EltwiseMul"> {
  let summary = "product of two tensors, element by element";
  let description = !strconcat([{
    `init = lhs * rhs`, requantised to the result's type. For sa8 the kernel
    narrows the product of the two codes to 16 bits before it scales.
  }], MLI_EltwiseDoc, [{
    Example:
    ```mlir
    !map = tensor<4x4x8x!mli.sa8<1:4:-128>>
    !factor = tensor<1x!mli.sa8<3:5:7>>
    func.func @scaled(%map: !map, %factor: !factor, %init: !map) -> !map {
      %result = mli.eltwise_mul ins(%map, %factor : !map, !factor)
                  outs(%init : !map) -> !map
      return %result : !map
    }
    ```
  }]);
}

class MLI_EltwiseOrderOp<string mnemonic, string family, string function,
                         string relation>
    : MLI_EltwiseOp<mnemonic, family> {
  let summary = "the " # relation # " of two tensors, element by element";
  let description = !strconcat([{
    `init = }] # function # [{(lhs, rhs)`, requantised to the result's type.
    Both operands have the same element type, parameters included: the kernel
    compares codes.
  }], MLI_EltwiseDoc, [{
    Example:
    ```mlir
    !map = tensor<4x4x8x!mli.fx8<5>>
    !out = tensor<4x4x8x!mli.fx8<4>>
    func.func @merge(%lhs: !map, %rhs: !map, %init: !out) -> !out {
      %result = mli.}] # mnemonic # [{ ins(%lhs, %rhs : !map, !map)
                  outs(%init : !out) -> !out
      return %result : !out
    }
    ```
  }]);
}

def MLI_EltwiseMinOp
    : MLI_EltwiseOrderOp<"eltwise_min", "EltwiseMin", "min", "lesser">;
def MLI_EltwiseMaxOp
    : MLI_EltwiseOrderOp<"eltwise_max", "EltwiseMax", "max", "greater">;

// E8
def MLI_ConvertOp
    : MLI_UnaryOp<"convert", "", MLI_AnyElements # [F32]> {
  let summary = "change the quantisation of every element";
  let description = [{
    `init = saturate(round((q - zin) * sin / sout + zout))`: the real number
    stays as near as the destination's format holds it. Source and destination
    may be any of fx8, fx16, sa8, sa32 and f32. Quantised axes of both sides
    are the same, if both have one.

    A conversion of a conversion becomes one, and one to the same type none,
    where that gives the same code for each code there is. Codes of 32 bits are
    too many to try, and rounded where they are large, also to the same type.

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
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // MLI_IR_MLIELEMENTWISEOPS_TD
