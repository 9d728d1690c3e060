// SPDX-License-Identifier: Apache-2.0
//
// Recurrent cells, and the sum of products that they are made of.

#ifndef MLI_IR_MLIRECURRENTOPS_TD
#define MLI_IR_MLIRECURRENTOPS_TD

include "mli/IR/MLIKernelOp.td"

def MLI_RnnDenseOp : MLI_KernelOp<"rnn_dense", "RnnDense",
                                  [AttrSizedOperandSegments]> {
  let summary = "sum of up to four matrix-vector products with bias";
  let description = [{
    `init[o] = sum(requantised(sum(inputs[n][i] * weights[n][i, o]))) +
    bias[o]`: each product is brought to the result's quantisation and rounded
    by itself; the bias counts with the first. Inputs are contiguous and of any
    shape, read in row-major order; weights are [inputs, outputs]. Types are
    those of `mli.conv2d`, all quantised per tensor.

    Example:
    ```mlir
    !in = tensor<16x!mli.sa8<1:4:-128>>
    !state = tensor<8x!mli.sa8<1:7:0>>
    !weights = tensor<16x8x!mli.sa8<5:10:0>>
    !recurrent = tensor<8x8x!mli.sa8<3:9:0>>
    !bias = tensor<8x!mli.sa32<5:14:0>>
    func.func @gate(%input: !in, %state: !state, %weights: !weights,
                    %recurrent: !recurrent, %bias: !bias, %init: !state)
        -> !state {
      %result = mli.rnn_dense ins(%input, %state : !in, !state)
                  weights(%weights, %recurrent : !weights, !recurrent)
                  bias(%bias : !bias) outs(%init : !state) -> !state
      return %result : !state
    }
    ```
  }];
  let arguments = (ins
    Variadic<MLI_ShapedOf<[MLI_Fx16Type, MLI_Sa8Type]>>:$inputs,
    Variadic<MLI_ShapedOfRank<MLI_MapElements, 2>>:$weights,
    MLI_ShapedOfRank<MLI_AnyElements, 1>:$bias,
    MLI_ShapedOfRank<[MLI_Fx16Type, MLI_Sa8Type], 1>:$init);
  let operandUsage = "getRnnDenseUsage(*this, operand)";
  let fixedLayouts = "true";
  let initRead = "false";
  let scratchBytes = "0";
  let productsPerElement = "1";
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)`
    `weights` `(` $weights `:` type($weights) `)` `bias` `(` $bias `:`
    type($bias) `)` `outs` `(` $init `:` type($init) `)`
    attr-dict (`->` type($results)^)?
  }];
}

/// A recurrent cell: `gates` matrices for the input and as many
/// for the previous output. `state` is what a cell keeps besides, `options` its
/// attributes.
class MLI_CellOp<string mnemonic, string family, int gates, dag state,
                 dag options>
    : MLI_KernelOp<mnemonic, family,
                   [AttrSizedOperandSegments, MLI_TableOpInterface,
                    MLI_RecurrentCell]> {
  let arguments = !con((ins
    MLI_ShapedOfRank<[MLI_Fx16Type, MLI_Sa8Type], 2>:$input,
    MLI_ShapedOfRank<[MLI_Fx16Type, MLI_Sa8Type], 1>:$previous,
    MLI_ShapedOfRank<MLI_MapElements, 3>:$weights_in,
    MLI_ShapedOfRank<MLI_MapElements, 3>:$weights_out,
    MLI_ShapedOfRank<MLI_AnyElements, 2>:$bias), state, (ins
    MLI_ShapedOfRank<[MLI_Fx16Type, MLI_Sa8Type], 2>:$init,
    Optional<MLI_TableOperand>:$tanh_lut, Optional<MLI_TableOperand>:$sigm_lut,
    UnitAttr:$backward, UnitAttr:$all_results), options, (ins
    OptionalAttr<MLI_LutFormatAttr>:$tanh_lut_format,
    OptionalAttr<MLI_LutFormatAttr>:$sigm_lut_format));
  let operandUsage = [{
      usageAt(operand, {OperandUsage::Row, OperandUsage::Row, OperandUsage::Product, OperandUsage::Product,
                       OperandUsage::Channels, OperandUsage::Row, OperandUsage::Row})}];
  let fixedLayouts = "true";
  let scratchBytes = "getCellScratchBytes(*this)";
  let productsPerElement = "1";
  let extraKernelClassDeclaration = [{
    static constexpr int64_t numGates = }] # gates # [{;
    ::llvm::SmallVector<::mli::TableUse, 2> getTables() {
      return {{::mli::LutFunction::tanh, getTanhLutMutable(),
               getTanhLutFormatAttr()},
              {::mli::LutFunction::sigm, getSigmLutMutable(),
               getSigmLutFormatAttr()}};
    }
  }];
  let useCustomPropertiesEncoding = 1;
}

defvar MLI_CellDoc = [{
    `input` is [steps, N], `previous` the output before the first step, [M].
    Weights are [gates, N, M] for the input and [gates, M, M] for the output,
    the bias is [gates, M]. `init` is [steps, M] with `all_results`, in the
    order of processing, and else [1, M] with the last. `backward` processes the
    last row of the input first. Weights and bias are quantised per tensor, or
    all three along the gates (axis 0). Types are those of `mli.conv2d`. Both
    functions are looked up in `tanh_lut` and `sigm_lut`, which `mli.lut`
    describes, with a format where they are not as it makes them; such a table has
    at least the entries of that one. Tables that are not given, and the memory
    that the kernel computes its gates in, are made by the lowering.
}];

def MLI_LstmCellOp : MLI_CellOp<"lstm_cell", "LstmCell", /*gates=*/4,
    (ins MLI_ShapedOfRank<[MLI_Fx16Type, MLI_Sa8Type], 1>:$cell),
    (ins DefaultValuedAttr<MLI_RnnActAttr, "::mli::RnnAct::none">:$act)> {
  let summary = "long short-term memory over a sequence";
  let description = !strconcat([{
    At each step, with the gates `i`, `g`, `f`, `o` in this order, each a
    `mli.rnn_dense` of the input's row and the previous output `h`:

    ```
    cell = cell * sigm(f) + tanh(g) * sigm(i)
    h    = act(cell) * sigm(o)
    ```

    `cell`, [M], is read and written: on tensors its new value is the first
    result.
  }], MLI_CellDoc, [{
    Example:
    ```mlir
    !in = tensor<6x16x!mli.fx16<12>>
    !state = tensor<8x!mli.fx16<15>>
    !cell = tensor<8x!mli.fx16<12>>
    !weights = tensor<4x16x8x!mli.fx16<13>>
    !recurrent = tensor<4x8x8x!mli.fx16<13>>
    !bias = tensor<4x8x!mli.fx16<13>>
    !out = tensor<1x8x!mli.fx16<15>>
    func.func @last(%input: !in, %state: !state, %weights: !weights,
                    %recurrent: !recurrent, %bias: !bias, %cell: !cell,
                    %init: !out) -> (!cell, !out) {
      %next, %result = mli.lstm_cell
        ins(%input, %state, %weights, %recurrent, %bias
            : !in, !state, !weights, !recurrent, !bias)
        outs(%cell, %init : !cell, !out) {act = #mli.rnn_act<tanh>}
        -> !cell, !out
      return %next, %result : !cell, !out
    }
    ```
  }]);
  let initOperands = "::mlir::MutableOperandRange(getOperation(), 5, 2)";
  let initRead = "&init == &getCellMutable()";
  let initValues = "adaptor.getCell(), adaptor.getInit()";
  let assemblyFormat = [{
    `ins` `(` $input `,` $previous `,` $weights_in `,` $weights_out `,` $bias
    `:` type($input) `,` type($previous) `,` type($weights_in) `,`
    type($weights_out) `,` type($bias) `)`
    (`tanh_lut` `(` $tanh_lut^ `:` type($tanh_lut) `)`)?
    (`sigm_lut` `(` $sigm_lut^ `:` type($sigm_lut) `)`)?
    `outs` `(` $cell `,` $init `:` type($cell) `,` type($init) `)`
    attr-dict (`->` type($results)^)?
  }];
}

def MLI_GruCellOp : MLI_CellOp<"gru_cell", "GruCell", /*gates=*/3, (ins),
                                (ins)> {
  let initRead = "false";
  let summary = "gated recurrent unit over a sequence";
  let description = !strconcat([{
    At each step, with the gates `z`, `r`, `n` in this order, each a
    `mli.rnn_dense` of the input's row and the previous output `h`, or `h *
    sigm(r)` for `n`:

    ```
    h = tanh(n) * (1 - sigm(z)) + h * sigm(z)
    ```

  }], MLI_CellDoc, [{
    Example:
    ```mlir
    !in = tensor<6x16x!mli.fx16<12>>
    !state = tensor<8x!mli.fx16<15>>
    !weights = tensor<3x16x8x!mli.fx16<13>>
    !recurrent = tensor<3x8x8x!mli.fx16<13>>
    !bias = tensor<3x8x!mli.fx16<13>>
    !out = tensor<6x8x!mli.fx16<15>>
    func.func @sequence(%input: !in, %state: !state, %weights: !weights,
                        %recurrent: !recurrent, %bias: !bias, %init: !out)
        -> !out {
      %result = mli.gru_cell
        ins(%input, %state, %weights, %recurrent, %bias
            : !in, !state, !weights, !recurrent, !bias)
        outs(%init : !out) {all_results, backward} -> !out
      return %result : !out
    }
    ```
  }]);
  let assemblyFormat = [{
    `ins` `(` $input `,` $previous `,` $weights_in `,` $weights_out `,` $bias
    `:` type($input) `,` type($previous) `,` type($weights_in) `,`
    type($weights_out) `,` type($bias) `)`
    (`tanh_lut` `(` $tanh_lut^ `:` type($tanh_lut) `)`)?
    (`sigm_lut` `(` $sigm_lut^ `:` type($sigm_lut) `)`)?
    `outs` `(` $init `:` type($init) `)`
    attr-dict (`->` type($results)^)?
  }];
}

#endif // MLI_IR_MLIRECURRENTOPS_TD
