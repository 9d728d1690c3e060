// SPDX-License-Identifier: Apache-2.0
//
// Operations that multiply with weights: convolutions and fully connected.

#ifndef MLI_IR_MLICONVOPS_TD
#define MLI_IR_MLICONVOPS_TD

include "mli/IR/MLIKernelOp.td"

/// A convolution. `steps` are the attributes of how its window moves.
class MLI_WindowedProductOp<string mnemonic, string family, dag steps>
    : MLI_KernelOp<mnemonic, family,
                   [MLI_WeightedOpInterface, MLI_WindowOpInterface]> {
  let arguments = !con((ins
    MLI_ShapedOfRank<[MLI_Fx16Type, MLI_Sa8Type], 3>:$input,
    MLI_ShapedOfRank<MLI_MapElements, 4>:$weights,
    MLI_ShapedOfRank<MLI_AnyElements, 1>:$bias,
    MLI_ShapedOfRank<[MLI_Fx16Type, MLI_Sa8Type], 3>:$init,
    Variadic<Index>:$padding,
    DenseI64ArrayAttr:$static_padding), steps, (ins
    DefaultValuedAttr<MLI_ReluAttr, "::mli::ReluKind::none">:$relu,
    DefaultValuedAttr<MLI_MapLayoutAttr, "::mli::MapLayout::hwc">:$layout));
  let assemblyFormat = [{
    `ins` `(` $input `,` $weights `,` $bias `:` type($input) `,`
    type($weights) `,` type($bias) `)` `outs` `(` $init `:` type($init) `)`
    `pad` custom<DynamicIndexList>($padding, $static_padding)
    attr-dict (`->` type($results)^)?
  }];
  /// `isTransposed` and, without an attribute of that name, `getDilations`.
  code stepsDeclaration;
  let extraKernelClassDeclaration = MLI_MixedPadding # [{
    ::llvm::SmallVector<int64_t, 2> getWindowSizes() {
      return ::llvm::to_vector<2>(
          getWeights().getType().getShape().take_front(2));
    }
  }] # stepsDeclaration;
  let operandUsage =
      "usageAt(operand, {OperandUsage::Map, OperandUsage::Filters, OperandUsage::Channels, OperandUsage::Map})";
  let fixedLayouts = "true";
  let initRead = "false";
  let scratchBytes = "0";
  let productsPerElement = "countProducts(*this)";
  let hasCanonicalizeMethod = 1;
  let extraKernelClassDefinition = MLI_FoldPadding;
}

/// A convolution whose window moves over the input.
class MLI_ConvOp<string mnemonic, string family>
    : MLI_WindowedProductOp<mnemonic, family, (ins
        DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
        DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations)> {
  let stepsDeclaration = "static bool isTransposed() { return false; }";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$weights,
                   "::mlir::Value":$bias, "::mlir::Value":$init,
                   "::llvm::ArrayRef<int64_t>":$padding,
                   "::llvm::ArrayRef<int64_t>":$strides,
                   "::llvm::ArrayRef<int64_t>":$dilations,
                   "::mli::ReluKind":$relu), [{
      build($_builder, $_state, input, weights, bias, init,
            ::mlir::ValueRange(), padding, strides, dilations, relu);
    }]>];
}

defvar MLI_ConvDoc = [{
    Output row `oy` reads input rows `oy * strides[0] - top + ky *
    dilations[0]`, columns likewise; taps outside the input are left out, so
    padding stands for the real number 0. The products are summed, the bias is
    added and the sum is requantised to the result's type and clipped by
    `relu`. Height and width of the result are given by `init`; `pad` is [top,
    bottom, left, right], where bottom and right only have to be large enough.
    `layout` is the order of dimensions of input and result; the indices here are
    those of HWC.

    Types are sa8 with sa8 weights and sa32 bias, fx16 with fx16 weights and
    bias, or fx16 with fx8 weights and bias. sa weights are quantised per
    tensor, or per output channel (axis 3) with a bias per channel; their zero
    point is 0 and the bias' scale is input scale times weights scale.
}];

def MLI_Conv2DOp : MLI_ConvOp<"conv2d", "Conv2d"> {
  let summary = "2-D convolution over all input channels";
  let description = !strconcat([{
    `init[oy, ox, oc] = sum(input[y, x, ic] * weights[ky, kx, ic, oc]) +
    bias[oc]`, the sum over `ky`, `kx` and all `ic`. Weights are HWCN.
  }], MLI_ConvDoc, [{
    Example:
    ```mlir
    !map = tensor<8x8x3x!mli.sa8<1:4:-128>>
    !weights = tensor<3x3x3x2x!mli.sa8<axis = 3, {5:10:0, 7:10:0}>>
    !bias = tensor<2x!mli.sa32<axis = 0, {5:14:0, 7:14:0}>>
    !out = tensor<4x4x2x!mli.sa8<1:4:-128>>
    func.func @strided(%input: !map, %weights: !weights, %bias: !bias,
                       %init: !out) -> !out {
      %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
                  outs(%init : !out) pad [0, 1, 0, 1]
                  {strides = array<i64: 2, 2>, relu = #mli.relu<gen>} -> !out
      return %result : !out
    }
    ```
  }]);
}

def MLI_DepthwiseConv2DOp : MLI_ConvOp<"depthwise_conv2d", "DepthwiseConv2d"> {
  let summary = "2-D convolution of each channel by itself";
  let description = !strconcat([{
    `init[oy, ox, c] = sum(input[y, x, c] * weights[ky, kx, 0, c]) + bias[c]`,
    the sum over `ky` and `kx`. Weights are HW1N: one filter a channel; more
    than one is `mli.group_conv2d`.
  }], MLI_ConvDoc, [{
    Example:
    ```mlir
    !map = memref<8x8x2x!mli.fx16<10>>
    !weights = memref<3x3x1x2x!mli.fx8<7>>
    !bias = memref<2x!mli.fx8<5>>
    func.func @same(%input: !map, %weights: !weights, %bias: !bias,
                    %result: !map) {
      mli.depthwise_conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
        outs(%result : !map) pad [1, 1, 1, 1]
      return
    }
    ```
  }]);
}

def MLI_GroupConv2DOp : MLI_ConvOp<"group_conv2d", "GroupConv2d"> {
  let summary = "2-D convolution within groups of channels";
  let description = !strconcat([{
    The input channels are cut into `groups = C / weights.dim(2)` groups of
    equal size and the output channels into as many; an output channel sums
    over the input channels of its group only: `init[oy, ox, oc] = sum(input[y,
    x, g * D + d] * weights[ky, kx, d, oc]) + bias[oc]`, the sum over `ky`, `kx`
    and the `D = weights.dim(2)` channels `d` of group `g = oc * groups / OC`.
  }], MLI_ConvDoc, [{
    Example:
    ```mlir
    !in = tensor<8x8x4x!mli.fx16<10>>
    !weights = tensor<3x3x2x6x!mli.fx16<14>>
    !bias = tensor<6x!mli.fx16<10>>
    !out = tensor<6x6x6x!mli.fx16<9>>
    func.func @two_groups(%input: !in, %weights: !weights, %bias: !bias,
                          %init: !out) -> !out {
      %result = mli.group_conv2d ins(%input, %weights, %bias : !in, !weights,
                  !bias) outs(%init : !out) pad [0, 0, 0, 0] -> !out
      return %result : !out
    }
    ```
  }]);
}

def MLI_TransposeConv2DOp
    : MLI_WindowedProductOp<"transpose_conv2d", "TransposeConv2d", (ins
        DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides)> {
  let stepsDeclaration = [{
    static bool isTransposed() { return true; }
    static ::llvm::ArrayRef<int64_t> getDilations() {
      return ::mli::detail::noDilations;
    }
  }];
  let summary = "2-D convolution that enlarges its input";
  let description = [{
    Spreads every input element over a window of the result: `init[oy, ox, oc] =
    sum(input[y, x, ic] * weights[ky, kx, ic, oc]) + bias[oc]`, the sum over all
    with `oy = y * strides[0] + ky - top` and `ox = x * strides[1] + kx - left`.
    Padding cuts off what lies outside. Sum,
    bias and requantisation are those of `mli.conv2d`, as are the types; weights
    are HWCN and not flipped. The result has `(H - 1) * strides[0] + KH - top -
    bottom` rows, columns likewise. `layout` is as in `mli.conv2d`.

    Example:
    ```mlir
    !in = tensor<4x4x3x!mli.sa8<1:4:-128>>
    !weights = tensor<3x3x3x2x!mli.sa8<5:10:0>>
    !bias = tensor<2x!mli.sa32<5:14:0>>
    !out = tensor<8x8x2x!mli.sa8<1:4:-128>>
    func.func @double(%input: !in, %weights: !weights, %bias: !bias,
                      %init: !out) -> !out {
      %result = mli.transpose_conv2d
                  ins(%input, %weights, %bias : !in, !weights, !bias)
                  outs(%init : !out) pad [0, 1, 0, 1]
                  {strides = array<i64: 2, 2>} -> !out
      return %result : !out
    }
    ```
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$weights,
                   "::mlir::Value":$bias, "::mlir::Value":$init,
                   "::llvm::ArrayRef<int64_t>":$padding,
                   "::llvm::ArrayRef<int64_t>":$strides,
                   "::mli::ReluKind":$relu), [{
      build($_builder, $_state, input, weights, bias, init,
            ::mlir::ValueRange(), padding, strides, relu);
    }]>];
}

def MLI_FullyConnectedOp : MLI_KernelOp<"fully_connected", "FullyConnected",
                                        [MLI_WeightedOpInterface]> {
  let summary = "matrix-vector product with bias";
  let description = [{
    `init[o] = sum(input[i] * weights[i, o]) + bias[o]` over all elements of
    `input` in row-major order, requantised and clipped by `relu`. The input
    is contiguous and of any shape; weights are [inputs, outputs].

    Types are those of `mli.conv2d`, or all fx8; sa weights are per tensor or
    per output (axis 1) with a bias per output. With `extended_bias`, for sa8,
    `init[o] = sum(code of input[i] * weights[i, o]) + bias[o]`: whoever made the
    bias has subtracted `zero point of input * sum(weights[i, o])` from it.

    Example:
    ```mlir
    !in = tensor<4x4x8x!mli.sa8<1:4:-128>>
    !weights = tensor<128x10x!mli.sa8<5:10:0>>
    !bias = tensor<10x!mli.sa32<5:14:0>>
    !out = tensor<10x!mli.sa8<1:3:4>>
    func.func @classify(%input: !in, %weights: !weights, %bias: !bias,
                        %init: !out) -> !out {
      %result = mli.fully_connected ins(%input, %weights, %bias : !in, !weights,
                  !bias) outs(%init : !out) -> !out
      return %result : !out
    }
    ```
  }];
  let arguments = (ins
    MLI_ShapedOf<MLI_MapElements>:$input,
    MLI_ShapedOfRank<MLI_MapElements, 2>:$weights,
    MLI_ShapedOfRank<MLI_AnyElements, 1>:$bias,
    MLI_ShapedOfRank<MLI_MapElements, 1>:$init,
    DefaultValuedAttr<MLI_ReluAttr, "::mli::ReluKind::none">:$relu,
    UnitAttr:$extended_bias);
  let operandUsage =
      "usageAt(operand, {OperandUsage::Row, OperandUsage::Product, OperandUsage::Channels, OperandUsage::Row})";
  let fixedLayouts = "true";
  let initRead = "false";
  let scratchBytes = "0";
  let productsPerElement = "countProducts(*this)";
  let assemblyFormat = [{
    `ins` `(` $input `,` $weights `,` $bias `:` type($input) `,`
    type($weights) `,` type($bias) `)` `outs` `(` $init `:` type($init) `)`
    attr-dict (`->` type($results)^)?
  }];
}

#endif // MLI_IR_MLICONVOPS_TD
