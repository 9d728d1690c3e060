// Recurrent cells that local memory does not hold, and why no kernels compute them.
// RUN: mli-opt %s --mli-tile-to-fit --split-input-file --verify-diagnostics

!in = tensor<1x16x!mli.fx16<12>>
!state = tensor<8x!mli.fx16<3>>
!cell = tensor<8x!mli.fx16<12>>
!weights = tensor<4x16x8x!mli.fx16<13>>
!recurrent = tensor<4x8x8x!mli.fx16<5>>
!bias = tensor<4x8x!mli.fx16<13>>
!out = tensor<1x8x!mli.fx16<15>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 2048>} {

// expected-error @below {{bytes of each NPU on, but got 2,048; binding: lstm_cell (tile-to-fit-cells-invalid.mlir:}}
func.func @few_fraction_bits(%input: !in, %state: !state, %weights: !weights,
                             %recurrent: !recurrent, %bias: !bias, %cell: !cell)
    -> (!cell, !out) {
  %init = tensor.empty() : !out
  // Z2, Z21
  // expected-error @below {{expected its smallest tile [1, 8] of [1, 8] to fit 2048 bytes of each NPU, but got 3072, 1024 too many}}
  // expected-note @below {{tables and scratch memory}}
  // expected-note @below {{npu-bytes=3072 would do}}
  // expected-note @below {{it is not computed step by step: gates have 10 fraction bits, and one of their products 8}}
  %next, %result = mli.lstm_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%cell, %init : !cell, !out) -> !cell, !out
  return %next, %result : !cell, !out
}

}

// -----

!in = tensor<1x32x!mli.sa8<16384:20:-3>>
!state = tensor<16x!mli.sa8<16384:21:0>>
!out = tensor<1x16x!mli.sa8<16384:21:0>>
!weights = tensor<3x32x16x!mli.sa8<16384:21:0>>
!recurrent = tensor<3x16x16x!mli.sa8<12000:21:0>>
!bias = tensor<3x16x!mli.sa32<16384:27:0>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 2048>} {

// expected-error @below {{bytes of each NPU on, but got 2,048; binding: gru_cell (tile-to-fit-cells-invalid.mlir:}}
func.func @new_gate(%input: !in, %state: !state, %weights: !weights,
                    %recurrent: !recurrent, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  // Z2, Z21
  // expected-error @below {{expected its smallest tile [1, 16] of [1, 16] to fit 2048 bytes of each NPU}}
  // expected-note @below {{tables and scratch memory}}
  // expected-note @below {{would do}}
  // expected-note @below {{it is not computed step by step: weights and bias are quantised per tensor, and no constants, and the new gate of the kernel has other parameters}}
  %result = mli.gru_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%init : !out) -> !out
  return %result : !out
}

}

// -----

!in = tensor<1x32x!mli.sa8<16384:20:-3>>
!state = tensor<16x!mli.sa8<16384:21:0>>
!out = tensor<1x16x!mli.sa8<16384:21:0>>
!weights = tensor<3x32x16x!mli.sa8<32766:21:0>>
!recurrent = tensor<3x16x16x!mli.sa8<12000:21:0>>
!bias = tensor<3x16x!mli.sa32<32766:27:0>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 2048>} {

// expected-error @below {{bytes of each NPU on, but got 2,048; binding: gru_cell (tile-to-fit-cells-invalid.mlir:}}
func.func @parameters_of_no_type(%input: !in, %state: !state) -> !out {
  %weights = mli.constant dense<1> : tensor<3x32x16xi8> to !weights
  %recurrent = mli.constant dense<2> : tensor<3x16x16xi8> to !recurrent
  %bias = mli.constant dense<3> : tensor<3x16xi32> to !bias
  %init = tensor.empty() : !out
  // Z2, Z21
  // expected-error @below {{expected its smallest tile [1, 16] of [1, 16] to fit 2048 bytes of each NPU}}
  // expected-note @below {{tables and scratch memory}}
  // expected-note @below {{would do}}
  // expected-note @below {{it is not computed step by step: the parameters of the new gate of the kernel are of no type}}
  %result = mli.gru_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%init : !out) -> !out
  return %result : !out
}

}

// -----

!in = tensor<?x16x!mli.fx16<12>>
!state = tensor<8x!mli.fx16<15>>
!cell = tensor<8x!mli.fx16<12>>
!weights = tensor<4x16x8x!mli.fx16<13>>
!recurrent = tensor<4x8x8x!mli.fx16<13>>
!bias = tensor<4x8x!mli.fx16<13>>
!out = tensor<1x8x!mli.fx16<15>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 2048>} {

func.func @steps_not_known(%input: !in, %state: !state, %weights: !weights,
                           %recurrent: !recurrent, %bias: !bias, %cell: !cell)
    -> (!cell, !out) {
  %init = tensor.empty() : !out
  // Z3
  // expected-error @below {{expected operand 0 to be a tensor that local memory can hold, of a static shape of at most 4 dimensions, but got 'tensor<?x16x!mli.fx16<12>>'}}
  %next, %result = mli.lstm_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%cell, %init : !cell, !out) -> !cell, !out
  return %next, %result : !cell, !out
}

}

// -----

!in = tensor<1x2048x!mli.fx16<12>>
!state = tensor<16x!mli.fx16<15>>
!weights = tensor<3x2048x16x!mli.fx16<13>>
!recurrent = tensor<3x16x16x!mli.fx16<13>>
!bias = tensor<3x16x!mli.fx16<13>>
!out = tensor<1x16x!mli.fx16<15>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 2048>} {

// Sums are not cut: this is said of each gate.
// expected-error @below {{bytes of each NPU on, but got 2,048; binding: rnn_dense (tile-to-fit-cells-invalid.mlir:}}
func.func @one_output_does_not_fit(%input: !in, %state: !state,
                                   %weights: !weights, %recurrent: !recurrent,
                                   %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  // Z2
  // expected-error @below {{'mli.rnn_dense' op expected its smallest tile [1] of [16] to fit 2048 bytes of each NPU, but got 8264, 6216 too many}}
  // expected-note @below {{operand 2 [2048, 1]: 4096 bytes}}
  // expected-note @below {{npu-bytes=8320 would do}}
  %result = mli.gru_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%init : !out) -> !out
  return %result : !out
}

}
