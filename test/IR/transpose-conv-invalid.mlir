// RUN: mli-opt %s --split-input-file --verify-diagnostics

!in = tensor<4x4x3x!mli.fx16<10>>
!weights = tensor<2x3x3x2x!mli.fx16<10>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<10x9x2x!mli.fx16<10>>
func.func @stride_over_window(%in: !in, %weights: !weights, %bias: !bias,
                              %init: !out) {
  // C11
  // expected-error @below {{expected stride of dimension 0 to be at most the window of 2, but got 3}}
  %result = mli.transpose_conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {strides = array<i64: 3, 2>} -> !out
  return
}

// -----

!in = tensor<4x4x3x!mli.fx16<10>>
!weights = tensor<3x3x3x2x!mli.fx16<10>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<8x9x2x!mli.fx16<10>>
func.func @size_of_result(%in: !in, %weights: !weights, %bias: !bias,
                          %init: !out) {
  // C12
  // expected-error @below {{expected dimension 1 of 'init' to be 8, which 4 windows reach, but got 9}}
  %result = mli.transpose_conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 1, 1, 0] {strides = array<i64: 2, 2>} -> !out
  return
}

// -----

!in = tensor<4x4x3x!mli.fx16<10>>
!weights = tensor<3x3x3x2x!mli.fx16<10>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<3x6x2x!mli.fx16<10>>
func.func @padding_of_window(%in: !in, %weights: !weights, %bias: !bias,
                             %init: !out) {
  // T16
  // expected-error @below {{expected padding of dimension 0 to be less than the window of 3, but got 3}}
  %result = mli.transpose_conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [3, 0, 0, 0] -> !out
  return
}

// -----

!in = tensor<4x4x2x!mli.fx16<10>>
!weights = tensor<3x3x3x2x!mli.fx16<10>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<6x6x2x!mli.fx16<10>>
func.func @channels(%in: !in, %weights: !weights, %bias: !bias, %init: !out) {
  // T13
  // expected-error @below {{expected dimension 2 of 'weights' to be dimension 2 of 'input', 2, but got 3}}
  %result = mli.transpose_conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] -> !out
  return
}

// -----

!map = memref<4x4x2x!mli.fx16<10>>
!weights = memref<1x1x2x2x!mli.fx16<10>>
!bias = memref<2x!mli.fx16<10>>
func.func @transposed_in_place(%map: !map, %weights: !weights, %bias: !bias) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'input', but got the same}}
  mli.transpose_conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
    outs(%map : !map) pad [0, 0, 0, 0]
  return
}
