// What convolutions share with other kernels: shapes, lists and windows.
// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x4x4x!mli.fx16<14>>
!bias = tensor<5x!mli.fx16<10>>
func.func @bias_for_other_channels(%input: !map, %weights: !weights,
                                   %bias: !bias, %init: !map) {
  // T13
  // expected-error @below {{expected dimension 0 of 'bias' to be dimension 3 of 'weights', 4, but got 5}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [1, 1, 1, 1] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x4x6x!mli.fx16<14>>
!bias = tensor<6x!mli.fx16<10>>
func.func @result_of_other_channels(%input: !map, %weights: !weights,
                                    %bias: !bias, %init: !map) {
  // T13
  // expected-error @below {{expected dimension 2 of 'init' to be dimension 3 of 'weights', 6, but got 4}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [1, 1, 1, 1] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x3x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
func.func @weights_for_other_channels(%input: !map, %weights: !weights,
                                      %bias: !bias, %init: !map) {
  // T13
  // expected-error @below {{expected dimension 2 of 'weights' to be dimension 2 of 'input', 4, but got 3}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [1, 1, 1, 1] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x1x6x!mli.fx16<14>>
!bias = tensor<6x!mli.fx16<10>>
!out = tensor<8x8x6x!mli.fx16<10>>
func.func @more_filters_than_channels(%input: !map, %weights: !weights,
                                      %bias: !bias, %init: !out) {
  // T13
  // expected-error @below {{expected dimension 3 of 'weights' to be dimension 2 of 'input', 4, but got 6}}
  %result = mli.depthwise_conv2d
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !out)
    pad [1, 1, 1, 1] -> !out
  return
}

// -----

!vector = tensor<4x!mli.fx8<5>>
!weights = tensor<4x4x!mli.fx8<5>>
!out = tensor<5x!mli.fx8<5>>
func.func @result_of_other_length(%input: !vector, %weights: !weights,
                                  %bias: !vector, %init: !out) {
  // T13
  // expected-error @below {{expected dimension 0 of 'init' to be dimension 1 of 'weights', 4, but got 5}}
  %result = mli.fully_connected
    ins(%input, %weights, %bias : !vector, !weights, !vector)
    outs(%init : !out) -> !out
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<1x1x4x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
func.func @stride_beyond_uint8(%input: !map, %weights: !weights, %bias: !bias,
                               %init: tensor<1x1x4x!mli.fx16<10>>) {
  // T14
  // expected-error @below {{expected 'strides' to be in [1, 255], but got 256}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : tensor<1x1x4x!mli.fx16<10>>) pad [0, 0, 0, 0]
    {strides = array<i64: 256, 1>} -> tensor<1x1x4x!mli.fx16<10>>
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<1x1x4x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
func.func @dilation_of_zero(%input: !map, %weights: !weights, %bias: !bias,
                            %init: !map) {
  // T14
  // expected-error @below {{expected 'dilations' to be in [1, 255], but got 0}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [0, 0, 0, 0] {dilations = array<i64: 0, 1>} -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<300x1x4x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
func.func @padding_beyond_uint8(%input: !map, %weights: !weights, %bias: !bias,
                                %init: !map) {
  // T14
  // expected-error @below {{expected 'pad' to be in [0, 255], but got 299}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [299, 0, 0, 0] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<1x1x4x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
func.func @one_stride(%input: !map, %weights: !weights, %bias: !bias,
                      %init: !map) {
  // T15
  // expected-error @below {{expected 'strides' to have 2 entries, but got 1}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [0, 0, 0, 0] {strides = array<i64: 1>} -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x4x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
func.func @padding_of_a_dilated_window(%input: !map, %weights: !weights,
                                       %bias: !bias, %init: !map, %left: index) {
  // T16
  // expected-error @below {{expected padding of dimension 0 to be less than the window of 5, but got 5}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [4, 5, %left, 2]
    {dilations = array<i64: 2, 2>} -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x4x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
func.func @windows_behind_the_input(%input: !map, %weights: !weights,
                                    %bias: !bias, %init: !map) {
  // T17
  // expected-error @below {{expected dimension 0 of 'input' with padding to be at least 10, which 8 windows need, but got 8}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [0, 0, 1, 1] -> !map
  return
}

// -----

!map = memref<8x8x4x!mli.fx16<10>>
!weights = memref<1x1x4x4x!mli.fx16<14>, strided<[32, 32, 8, 2]>>
!bias = memref<4x!mli.fx16<10>>
func.func @weights_with_gaps(%input: !map, %weights: !weights, %bias: !bias,
                             %init: !map) {
  // T8
  // expected-error @below {{expected innermost stride of 'weights' to be 1, but got 2}}
  mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [0, 0, 0, 0]
  return
}

// -----

!map = memref<8x8x4x!mli.fx16<10>>
!weights = memref<1x1x4x4x!mli.fx16<14>>
!bias = memref<4x!mli.fx16<10>>
func.func @convolution_in_place(%map: !map, %weights: !weights, %bias: !bias) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'input', but got the same}}
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
    outs(%map : !map) pad [0, 0, 0, 0]
  return
}

// -----

!row = memref<4x!mli.fx8<5>>
func.func @product_in_place(%row: !row, %weights: memref<4x4x!mli.fx8<5>>) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'input', but got the same}}
  mli.fully_connected
    ins(%row, %weights, %row : !row, memref<4x4x!mli.fx8<5>>, !row)
    outs(%row : !row)
  return
}
