// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = tensor<8x8x4x!mli.fx8<5>>
func.func @kernel_of_zero(%map: !map, %init: !map) {
  // T14
  // expected-error @below {{expected 'kernel' to be in [1, 255], but got 0}}
  %result = mli.avepool ins(%map : !map) outs(%init : !map)
    kernel [3, 0] pad [1, 1, 0, 0] -> !map
  return
}

// -----

!map = tensor<300x8x4x!mli.fx8<5>>
func.func @kernel_beyond_uint8(%map: !map, %init: tensor<1x8x4x!mli.fx8<5>>) {
  // T14
  // expected-error @below {{expected 'kernel' to be in [1, 255], but got 256}}
  %result = mli.avepool ins(%map : !map) outs(%init : tensor<1x8x4x!mli.fx8<5>>)
    kernel [256, 1] pad [0, 0, 0, 0] -> tensor<1x8x4x!mli.fx8<5>>
  return
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
func.func @stride_of_zero(%map: !map, %init: !map) {
  // T14
  // expected-error @below {{expected 'strides' to be in [1, 255], but got 0}}
  %result = mli.avepool ins(%map : !map) outs(%init : !map)
    kernel [1, 1] pad [0, 0, 0, 0] {strides = array<i64: 1, 0>} -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
func.func @negative_padding(%map: !map, %init: !map) {
  // T14
  // expected-error @below {{expected 'pad' to be in [0, 255], but got -1}}
  %result = mli.avepool ins(%map : !map) outs(%init : !map)
    kernel [3, 3] pad [1, 1, 1, -1] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
func.func @kernel_without_width(%map: !map, %init: !map) {
  // T15
  // expected-error @below {{expected 'kernel' to have 2 entries, but got 1}}
  %result = mli.avepool ins(%map : !map) outs(%init : !map)
    kernel [3] pad [1, 1, 1, 1] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
func.func @padding_of_two_sides(%map: !map, %init: !map) {
  // T15
  // expected-error @below {{expected 'pad' to have 4 entries, but got 2}}
  %result = mli.avepool ins(%map : !map) outs(%init : !map)
    kernel [3, 3] pad [1, 1] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
func.func @three_strides(%map: !map, %init: !map) {
  // T15
  // expected-error @below {{expected 'strides' to have 2 entries, but got 3}}
  %result = mli.avepool ins(%map : !map) outs(%init : !map)
    kernel [1, 1] pad [0, 0, 0, 0] {strides = array<i64: 1, 1, 1>} -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
func.func @padding_of_a_whole_window(%map: !map, %init: !map) {
  // T16
  // expected-error @below {{expected padding of dimension 1 to be less than the window of 3, but got 3}}
  %result = mli.maxpool ins(%map : !map) outs(%init : !map)
    kernel [3, 3] pad [1, 1, 3, 1] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
func.func @window_behind_the_input(%map: !map, %init: tensor<4x5x4x!mli.fx8<5>>) {
  // T17
  // expected-error @below {{expected dimension 1 of 'input' with padding to be at least 10, which 5 windows need, but got 9}}
  %result = mli.maxpool ins(%map : !map) outs(%init : tensor<4x5x4x!mli.fx8<5>>)
    kernel [2, 2] pad [0, 0, 1, 0] {strides = array<i64: 2, 2>}
    -> tensor<4x5x4x!mli.fx8<5>>
  return
}

// -----

func.func @average_of_another_kind(%map: tensor<8x8x4x!mli.fx8<5>>,
                                   %init: tensor<8x8x4x!mli.fx16<5>>) {
  // P1
  // expected-error @below {{expected 'init' to have elements of the kind of '!mli.fx8<5>', but got '!mli.fx16<5>'}}
  %result = mli.avepool ins(%map : tensor<8x8x4x!mli.fx8<5>>)
    outs(%init : tensor<8x8x4x!mli.fx16<5>>) kernel [1, 1] pad [0, 0, 0, 0]
    -> tensor<8x8x4x!mli.fx16<5>>
  return
}

// -----

func.func @maximum_in_other_parameters(%map: tensor<8x8x4x!mli.fx8<5>>,
                                       %init: tensor<8x8x4x!mli.fx8<4>>) {
  // T11
  // expected-error @below {{expected 'init' to have the element type of 'input' '!mli.fx8<5>', but got '!mli.fx8<4>'}}
  %result = mli.maxpool ins(%map : tensor<8x8x4x!mli.fx8<5>>)
    outs(%init : tensor<8x8x4x!mli.fx8<4>>) kernel [1, 1] pad [0, 0, 0, 0]
    -> tensor<8x8x4x!mli.fx8<4>>
  return
}

// -----

!map = memref<8x8x4x!mli.fx8<5>, strided<[64, 8, 2]>>
func.func @channels_with_gaps(%map: !map, %init: memref<8x8x4x!mli.fx8<5>>) {
  // T8
  // expected-error @below {{expected innermost stride of 'input' to be 1, but got 2}}
  mli.maxpool ins(%map : !map) outs(%init : memref<8x8x4x!mli.fx8<5>>)
    kernel [1, 1] pad [0, 0, 0, 0]
  return
}

// -----

!map = tensor<8x8x4x!mli.sa8<1:4:0>>
func.func @zero_point_of_result(%map: !map, %init: tensor<8x8x4x!mli.sa8<1:4:-129>>) {
  // T10
  // expected-error @below {{expected zero point of 'init' to be in [-128, 127], but got -129}}
  %result = mli.avepool ins(%map : !map)
    outs(%init : tensor<8x8x4x!mli.sa8<1:4:-129>>) kernel [1, 1]
    pad [0, 0, 0, 0] -> tensor<8x8x4x!mli.sa8<1:4:-129>>
  return
}

// -----

!map = memref<8x8x4x!mli.fx8<5>>
func.func @pool_in_place(%map: !map) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'input', but got the same}}
  mli.maxpool ins(%map : !map) outs(%map : !map) kernel [1, 1] pad [0, 0, 0, 0]
  return
}
