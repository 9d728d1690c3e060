// Feature maps with channels first: dimensions are counted as they stand.
// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = tensor<8x9x3x!mli.fx16<10>>
!weights = tensor<3x3x3x2x!mli.fx16<14>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<2x6x7x!mli.fx16<9>>
func.func @input_has_channels_last(%input: !map, %weights: !weights,
                                   %bias: !bias, %init: !out) {
  // T17
  // expected-error @below {{expected dimension 2 of 'input' with padding to be at least 9, which 7 windows need, but got 3}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !out
  return
}

// -----

!map = tensor<4x8x9x!mli.fx16<10>>
!weights = tensor<3x3x3x2x!mli.fx16<14>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<2x6x7x!mli.fx16<9>>
func.func @other_input_channels(%input: !map, %weights: !weights, %bias: !bias,
                                %init: !out) {
  // T13
  // expected-error @below {{expected dimension 2 of 'weights' to be dimension 0 of 'input', 4, but got 3}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !out
  return
}

// -----

!map = tensor<3x8x9x!mli.fx16<10>>
!weights = tensor<3x3x3x2x!mli.fx16<14>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<4x6x7x!mli.fx16<9>>
func.func @other_output_channels(%input: !map, %weights: !weights, %bias: !bias,
                                 %init: !out) {
  // T13
  // expected-error @below {{expected dimension 0 of 'init' to be dimension 3 of 'weights', 2, but got 4}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !out
  return
}

// -----

!map = tensor<3x8x9x!mli.fx16<10>>
!out = tensor<3x6x7x!mli.fx16<10>>
func.func @padding_of_columns(%input: !map, %init: !out) {
  // T16
  // expected-error @below {{expected padding of dimension 2 to be less than the window of 3, but got 3}}
  %result = mli.maxpool ins(%input : !map) outs(%init : !out) kernel [3, 3]
    pad [0, 0, 0, 3] {layout = #mli.map_layout<chw>} -> !out
  return
}

// -----

!map = tensor<3x8x9x!mli.fx16<10>>
!out = tensor<2x6x7x!mli.fx16<10>>
func.func @pool_of_other_channels(%input: !map, %init: !out) {
  // T13
  // expected-error @below {{expected dimension 0 of 'init' to be dimension 0 of 'input', 3, but got 2}}
  %result = mli.avepool ins(%input : !map) outs(%init : !out) kernel [3, 3]
    pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !out
  return
}

// -----

!map = tensor<4x8x9x!mli.fx16<10>>
!weights = tensor<3x3x1x3x!mli.fx16<14>>
!bias = tensor<3x!mli.fx16<10>>
!out = tensor<3x6x7x!mli.fx16<9>>
func.func @depthwise_of_other_channels(%input: !map, %weights: !weights,
                                       %bias: !bias, %init: !out) {
  // T13
  // expected-error @below {{expected dimension 3 of 'weights' to be dimension 0 of 'input', 4, but got 3}}
  %result = mli.depthwise_conv2d
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !out)
    pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !out
  return
}

// -----

!map = tensor<5x8x9x!mli.fx16<10>>
!weights = tensor<3x3x2x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
!out = tensor<4x6x7x!mli.fx16<9>>
func.func @groups_of_other_channels(%input: !map, %weights: !weights,
                                    %bias: !bias, %init: !out) {
  // C8
  // expected-error @below {{expected dimension 2 of 'weights' to divide the 5 input channels, but got 2}}
  %result = mli.group_conv2d
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !out)
    pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !out
  return
}

// -----

!map = tensor<3x4x4x!mli.fx16<10>>
!weights = tensor<3x3x3x2x!mli.fx16<14>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<2x9x8x!mli.fx16<9>>
func.func @transposed_columns(%input: !map, %weights: !weights, %bias: !bias,
                              %init: !out) {
  // C12
  // expected-error @below {{expected dimension 2 of 'init' to be 9, which 4 windows reach, but got 8}}
  %result = mli.transpose_conv2d
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !out)
    pad [0, 0, 0, 0]
    {layout = #mli.map_layout<chw>, strides = array<i64: 2, 2>} -> !out
  return
}
