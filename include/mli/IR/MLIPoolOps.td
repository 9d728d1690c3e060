// SPDX-License-Identifier: Apache-2.0
//
// Pooling operations.

#ifndef MLI_IR_MLIPOOLOPS_TD
#define MLI_IR_MLIPOOLOPS_TD

include "mli/IR/MLIKernelOp.td"

class MLI_PoolOp<string mnemonic, string family>
    : MLI_KernelOp<mnemonic, family, [MLI_WindowOpInterface]> {
  let arguments = (ins
    MLI_ShapedOfRank<MLI_MapElements, 3>:$input,
    MLI_ShapedOfRank<MLI_MapElements, 3>:$init,
    Variadic<Index>:$padding,
    DenseI64ArrayAttr:$static_padding,
    DenseI64ArrayAttr:$kernel,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
    DefaultValuedAttr<MLI_MapLayoutAttr, "::mli::MapLayout::hwc">:$layout);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $init `:` type($init) `)`
    `kernel` custom<StaticSizes>($kernel)
    `pad` custom<DynamicIndexList>($padding, $static_padding)
    attr-dict (`->` type($results)^)?
  }];
  let extraKernelClassDeclaration = MLI_MixedPadding # [{
    ::llvm::SmallVector<int64_t, 2> getWindowSizes() {
      return ::llvm::to_vector<2>(getKernel());
    }
    static ::llvm::ArrayRef<int64_t> getDilations() {
      return ::mli::detail::noDilations;
    }
    static bool isTransposed() { return false; }
  }];
  let operandUsage = "OperandUsage::Map";
  let fixedLayouts = "true";
  let initRead = "false";
  let scratchBytes = "0";
  let productsPerElement = "getKernel()[0] * getKernel()[1]";
  let hasCanonicalizeMethod = 1;
  let extraKernelClassDefinition = MLI_FoldPadding;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$init,
                   "::llvm::ArrayRef<int64_t>":$kernel,
                   "::llvm::ArrayRef<int64_t>":$padding,
                   "::llvm::ArrayRef<int64_t>":$strides), [{
      build($_builder, $_state, input, init, ::mlir::ValueRange(), padding,
            kernel, strides);
    }]>];
}

def MLI_AvePoolOp : MLI_PoolOp<"avepool", "AvePool"> {
  let summary = "mean over a window of each channel";
  let description = [{
    `init[oy, ox, c] = mean(input[oy * strides[0] - top + ky, ox * strides[1] -
    left + kx, c])` over the rows `ky` and columns `kx` of a window of `kernel`
    [height, width]; elements outside the input do not count. The mean is
    requantised to the result's type. For sa8 the kernel folds the division
    into an 8-bit multiplier, so the result may be 1 off the rounded mean.
    `layout` is the order of dimensions of input and result.

    Example:
    ```mlir
    !in = tensor<8x8x64x!mli.sa8<1:4:-128>>
    !out = tensor<1x1x64x!mli.sa8<1:4:-128>>
    func.func @global(%input: !in, %init: !out) -> !out {
      %result = mli.avepool ins(%input : !in) outs(%init : !out)
                  kernel [8, 8] pad [0, 0, 0, 0] -> !out
      return %result : !out
    }
    ```
  }];
}

def MLI_MaxPoolOp : MLI_PoolOp<"maxpool", "MaxPool"> {
  let summary = "greatest element of a window of each channel";
  let description = [{
    `init[oy, ox, c] = max(input[oy * strides[0] - top + ky, ox * strides[1] -
    left + kx, c])`: as `mli.avepool`, with the greatest code of the window. The
    element type of the result is that of the input.

    Example:
    ```mlir
    !in = tensor<8x8x4x!mli.fx8<6>>
    !out = tensor<4x4x4x!mli.fx8<6>>
    func.func @halve(%input: !in, %init: !out) -> !out {
      %result = mli.maxpool ins(%input : !in) outs(%init : !out)
                  kernel [2, 2] pad [0, 0, 0, 0]
                  {strides = array<i64: 2, 2>} -> !out
      return %result : !out
    }
    ```
  }];
}

#endif // MLI_IR_MLIPOOLOPS_TD
