// SPDX-License-Identifier: Apache-2.0
//
// Activations: functions of each element, and normalisation of slices.

#ifndef MLI_IR_MLIACTIVATIONOPS_TD
#define MLI_IR_MLIACTIVATIONOPS_TD

include "mli/IR/MLIKernelOp.td"

def MLI_ReluOp : MLI_UnaryOp<"relu", "Relu", MLI_MapElements> {
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
}

/// relu with slopes, which have the element type of the input.
class MLI_SlopeOp<string mnemonic, string family, dag attributes>
    : MLI_PlainKernelOp<mnemonic, family, [MLI_ElementwiseKernel]> {
  let arguments = !con((ins
    MLI_ShapedOf<MLI_MapElements>:$input,
    MLI_ShapedOf<MLI_MapElements>:$slope,
    MLI_ShapedOf<MLI_MapElements>:$init), attributes);
  let operandUsage = "usageAt(operand, {OperandUsage::Map, OperandUsage::Channels, OperandUsage::Map})";
  let assemblyFormat = [{
    `ins` `(` $input `,` $slope `:` type($input) `,` type($slope) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
}

def MLI_LeakyReluOp : MLI_SlopeOp<"leaky_relu", "LeakyRelu", (ins)> {
  let summary = "multiply negative elements by one slope";
  let description = [{
    `init = input` where it is at least 0, else `input * slope`, in the result's
    quantisation. `slope` is one element. Fixed-point results have the fraction
    bits of the input, which the kernel does not rescale.

    Example:
    ```mlir
    !in = tensor<4x4x8x!mli.sa8<3:6:-5>>
    !slope = tensor<1x!mli.sa8<1:7:0>>
    !out = tensor<4x4x8x!mli.sa8<5:6:20>>
    func.func @leak(%input: !in, %slope: !slope, %init: !out) -> !out {
      %result = mli.leaky_relu ins(%input, %slope : !in, !slope)
                  outs(%init : !out) -> !out
      return %result : !out
    }
    ```
  }];
}

def MLI_PreluOp : MLI_SlopeOp<"prelu", "Prelu", (ins
    DefaultValuedAttr<I32Attr, "-1">:$axis)> {
  let summary = "multiply negative elements by the slope of their index";
  let description = [{
    `init[i] = input[i]` where it is at least 0, else `input[i] *
    slope[i[axis]]`: as `mli.leaky_relu`, with a slope for each index of `axis`.
    `slope` has the rank of `input`, its size along `axis` and 1 elsewhere. With
    axis -1 it is one element for all.

    Example:
    ```mlir
    !map = tensor<4x4x8x!mli.fx16<10>>
    !slopes = tensor<1x1x8x!mli.fx16<14>>
    func.func @per_channel(%input: !map, %slopes: !slopes, %init: !map) -> !map {
      %result = mli.prelu ins(%input, %slopes : !map, !slopes)
                  outs(%init : !map) {axis = 2 : i32} -> !map
      return %result : !map
    }
    ```
  }];
}

// E11
def MLI_LutOp : MLI_PlainKernelOp<"lut", ""> {
  let summary = "make the table of a function";
  let description = [{
    `init[i] = saturate(round(f((i - offset) / 2^inBits) * 2^outBits))`, halves
    away from zero: one `mli_krn_<function>_create_lut`.

    | function | f(x) | type | inBits | offset |
    |---|---|---|---|---|
    | `sigm` | `1 / (1 + exp(-x))` | `tensor<320x!mli.fx16<15>>` | 4 | 160 |
    | `tanh` | `tanh(x)` | `tensor<344x!mli.fx16<15>>` | 5 | 172 |
    | `softmax` | `exp(min(x, 0))` | `tensor<358x!mli.fx16<15>>` | 5 | 356 |
    | `l2_normalize` | `1 / sqrt(x)` | `tensor<97x!mli.fx16<17>>` | 0 | -32 |

    No two functions have tables of one type, so a kernel tells by the type
    whether a table is that of its function, wherever it comes from: one table
    serves many kernels, is an argument, is a constant, is moved to local memory
    as any tensor. Kernels read what is in it, whatever that is. A kernel that is
    given none makes its own for each call. A kernel with a `lut_format` takes a
    table of any length and any fraction bits: `inBits` and `offset` are then
    those of the format, and nobody but the program says what is in it. So does
    the type of its result say what the quantised values mean, which are those
    that the kernel finds for the quantisation that it fixes. In that way one
    kernel computes any function of 8 bits: the table of `tanh` then has 7 fraction
    bits and a quantised value for each of the input's.

    Example:
    ```mlir
    !in = tensor<16x!mli.fx16<11>>
    !out = tensor<16x!mli.fx16<15>>
    !table = tensor<344x!mli.fx16<15>>
    func.func @squash(%first: !in, %second: !in, %init: !out) -> (!out, !out) {
      %empty = tensor.empty() : !table
      %table = mli.lut outs(%empty : !table)
                 {function = #mli.lut_function<tanh>} -> !table
      %0 = mli.tanh ins(%first : !in) lut(%table : !table) outs(%init : !out)
             -> !out
      %1 = mli.tanh ins(%second : !in) lut(%table : !table) outs(%init : !out)
             -> !out
      return %0, %1 : !out, !out
    }
    ```
  }];
  let arguments = (ins MLI_TableOperand:$init, MLI_LutFunctionAttr:$function);
  let assemblyFormat = [{
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
}

defvar MLI_TableDoc = [{
    It looks the function up in `lut`, which `mli.lut` describes, or, without, in
    a table that the lowering has made for this call. `lut_format` is of a `lut`
    that is not as `mli.lut` makes it.
}];

/// A kernel that works by the table of `function`.
class MLI_TableOp<string mnemonic, string family, string function,
                  list<Type> elements, list<Trait> traits = []>
    : MLI_PlainKernelOp<mnemonic, family, [MLI_TableOpInterface] # traits> {
  let arguments = (ins MLI_ShapedOf<elements>:$input,
    MLI_ShapedOf<elements>:$init, Optional<MLI_TableOperand>:$lut,
    OptionalAttr<MLI_LutFormatAttr>:$lut_format);
  let verification = "::mli::contract::verifyTableKernel(*this)";
  let scratchBytes = "getMissingTableBytes(*this)";
  let extraKernelClassDeclaration = [{
    ::llvm::SmallVector<::mli::TableUse, 2> getTables() {
      return {{::mli::LutFunction::}] # function # [{, getLutMutable(),
               getLutFormatAttr()}};
    }
  }];
  let useCustomPropertiesEncoding = 1;
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)`
    (`lut` `(` $lut^ `:` type($lut) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let builders = [
    // Builds the operation without a table of its own.
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$init), [{
      build($_builder, $_state, input, init, /*lut=*/::mlir::Value(),
            ::mli::LutFormatAttr());
    }]>];
}

def MLI_SigmOp : MLI_TableOp<"sigm", "Sigm", "sigm", MLI_MapElements,
                             [MLI_ElementwiseKernel]> {
  let summary = "logistic function of every element";
  let description = !strconcat([{
    `init = 1 / (1 + exp(-input))`. The kernel works by table and fixes the
    result's quantisation: `!mli.sa8<1:8:-128>`, `!mli.fx16<15>`, `!mli.fx8<7>`.
  }], MLI_TableDoc, [{
    Example:
    ```mlir
    !in = tensor<4x4x8x!mli.fx16<11>>
    !out = tensor<4x4x8x!mli.fx16<15>>
    func.func @gate(%input: !in, %init: !out) -> !out {
      %result = mli.sigm ins(%input : !in) outs(%init : !out) -> !out
      return %result : !out
    }
    ```
  }]);
}

def MLI_TanhOp : MLI_TableOp<"tanh", "Tanh", "tanh", MLI_MapElements,
                             [MLI_ElementwiseKernel]> {
  let summary = "hyperbolic tangent of every element";
  let description = !strconcat([{
    `init = tanh(input)`. The kernel works by table and fixes the result's
    quantisation: `!mli.sa8<1:7:0>`, `!mli.fx16<15>`, `!mli.fx8<7>`.
  }], MLI_TableDoc, [{
    Example:
    ```mlir
    !in = tensor<16x!mli.sa8<3:6:-5>>
    !out = tensor<16x!mli.sa8<1:7:0>>
    func.func @squash(%input: !in, %init: !out) -> !out {
      %result = mli.tanh ins(%input : !in) outs(%init : !out) -> !out
      return %result : !out
    }
    ```
  }]);
}

/// A kernel on the slices of its input along an axis, or on all of it.
class MLI_SliceOp<string mnemonic, string family, string function,
                  list<Type> elements>
    : MLI_TableOp<mnemonic, family, function, elements> {
  let arguments = (ins MLI_ShapedOf<elements>:$input,
    MLI_ShapedOf<elements>:$init, Optional<MLI_TableOperand>:$lut,
    DefaultValuedAttr<I32Attr, "-1">:$axis,
    OptionalAttr<MLI_LutFormatAttr>:$lut_format);
  let verification =
      "::mli::contract::verifySliceKernel(*this, static_cast<int32_t>(getAxis()))";
  let builders = [
    // Builds the operation without a table of its own.
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$init,
                   "int32_t":$axis), [{
      build($_builder, $_state, input, init, /*lut=*/::mlir::Value(), axis,
            ::mli::LutFormatAttr());
    }]>];
}

def MLI_SoftmaxOp : MLI_SliceOp<"softmax", "Softmax", "softmax",
                                MLI_MapElements> {
  let summary = "normalised exponential";
  let description = !strconcat([{
    `init = exp(input) / sum(exp(input))`, the sum along `axis`, or over the
    whole tensor where it is -1. The kernel works by table and fixes the
    result's quantisation: `!mli.sa8<1:8:-128>`, `!mli.fx16<15>`, `!mli.fx8<7>`.
  }], MLI_TableDoc, [{
    Example:
    ```mlir
    !logits = tensor<10x!mli.sa8<5:6:4>>
    !out = tensor<10x!mli.sa8<1:8:-128>>
    func.func @probabilities(%input: !logits, %init: !out) -> !out {
      %result = mli.softmax ins(%input : !logits) outs(%init : !out) -> !out
      return %result : !out
    }
    ```
  }]);
}

def MLI_L2NormalizeOp
    : MLI_SliceOp<"l2_normalize", "L2Normalize", "l2Normalize",
                  [MLI_Fx16Type, MLI_Sa8Type]> {
  let summary = "divide by the root of the sum of squares";
  let description = !strconcat([{
    `init = input / sqrt(sum(input^2))`, the sum along `axis`, or over the whole
    tensor where it is -1; 0 where all elements are 0. The kernel works by table
    and fixes the result's quantisation: `!mli.sa8<1:7:0>`, `!mli.fx16<15>`.
  }], MLI_TableDoc, [{
    Example:
    ```mlir
    !in = tensor<4x8x!mli.fx16<11>>
    !out = tensor<4x8x!mli.fx16<15>>
    func.func @directions(%input: !in, %init: !out) -> !out {
      %result = mli.l2_normalize ins(%input : !in) outs(%init : !out)
                  {axis = 1 : i32} -> !out
      return %result : !out
    }
    ```
  }]);
}

#endif // MLI_IR_MLIACTIVATIONOPS_TD
