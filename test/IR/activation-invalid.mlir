// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = tensor<4x!mli.fx8<4>>
func.func @order_of_two_formats(%lhs: !map, %rhs: tensor<4x!mli.fx8<5>>) {
  // T11
  // expected-error @below {{expected 'rhs' to have the element type of 'lhs' '!mli.fx8<4>', but got '!mli.fx8<5>'}}
  %result = mli.eltwise_min ins(%lhs, %rhs : !map, tensor<4x!mli.fx8<5>>)
    outs(%lhs : !map) -> !map
  return
}

// -----

!map = tensor<4x!mli.sa8<1:4:0>>
func.func @product_of_two_kinds(%lhs: !map, %rhs: tensor<4x!mli.fx8<5>>) {
  // E1
  // expected-error @below {{expected 'rhs' to have elements of the kind of 'lhs' '!mli.sa8<1:4:0>', but got '!mli.fx8<5>'}}
  %result = mli.eltwise_mul ins(%lhs, %rhs : !map, tensor<4x!mli.fx8<5>>)
    outs(%lhs : !map) -> !map
  return
}

// -----

!map = tensor<4x!mli.fx16<4>>
func.func @slope_of_another_kind(%map: !map, %slope: tensor<1x!mli.fx8<4>>) {
  // E1
  // expected-error @below {{expected 'slope' to have elements of the kind of 'input' '!mli.fx16<4>', but got '!mli.fx8<4>'}}
  %result = mli.leaky_relu ins(%map, %slope : !map, tensor<1x!mli.fx8<4>>)
    outs(%map : !map) -> !map
  return
}

// -----

!map = tensor<4x!mli.fx16<4>>
func.func @result_of_another_kind(%map: !map, %slope: tensor<1x!mli.fx16<4>>,
                                  %init: tensor<4x!mli.fx8<4>>) {
  // E1
  // expected-error @below {{expected 'init' to have elements of the kind of 'input' '!mli.fx16<4>', but got '!mli.fx8<4>'}}
  %result = mli.leaky_relu ins(%map, %slope : !map, tensor<1x!mli.fx16<4>>)
    outs(%init : tensor<4x!mli.fx8<4>>) -> tensor<4x!mli.fx8<4>>
  return
}

// -----

!map = tensor<4x!mli.fx16<4>>
func.func @positive_branch_is_not_rescaled(%map: !map,
                                           %slope: tensor<1x!mli.fx16<4>>,
                                           %init: tensor<4x!mli.fx16<5>>) {
  // T11
  // expected-error @below {{expected 'init' to have the element type of 'input' '!mli.fx16<4>', but got '!mli.fx16<5>'}}
  %result = mli.prelu ins(%map, %slope : !map, tensor<1x!mli.fx16<4>>)
    outs(%init : tensor<4x!mli.fx16<5>>) -> tensor<4x!mli.fx16<5>>
  return
}

// -----

!map = tensor<4x!mli.sa8<1:4:0>>
func.func @slope_along_axis(
    %map: !map, %slope: tensor<1x!mli.sa8<axis = 0, {1:4:0}>>) {
  // T9
  // expected-error @below {{expected 'slope' to be quantised per tensor, but got axis 0}}
  %result = mli.leaky_relu
    ins(%map, %slope : !map, tensor<1x!mli.sa8<axis = 0, {1:4:0}>>)
    outs(%map : !map) -> !map
  return
}

// -----

!map = tensor<4x!mli.sa8<1:4:0>>
func.func @zero_point_of_slope(%map: !map,
                               %slope: tensor<1x!mli.sa8<1:4:16384>>) {
  // E5
  // expected-error @below {{expected zero point of 'slope' to be in [-16384, 16383], but got 16384}}
  %result = mli.leaky_relu ins(%map, %slope : !map, tensor<1x!mli.sa8<1:4:16384>>)
    outs(%map : !map) -> !map
  return
}

// -----

!map = tensor<4x!mli.sa8<1:4:0>>
func.func @low_zero_point_of_slope(%map: !map,
                                   %slope: tensor<1x!mli.sa8<1:4:-16385>>) {
  // E5
  // expected-error @below {{expected zero point of 'slope' to be in [-16384, 16383], but got -16385}}
  %result = mli.prelu ins(%map, %slope : !map, tensor<1x!mli.sa8<1:4:-16385>>)
    outs(%map : !map) -> !map
  return
}

// -----

!map = tensor<4x!mli.fx8<4>>
func.func @two_leaky_slopes(%map: !map, %slope: tensor<2x!mli.fx8<4>>) {
  // E6
  // expected-error @below {{expected 'slope' to have 1 element, but got 2}}
  %result = mli.leaky_relu ins(%map, %slope : !map, tensor<2x!mli.fx8<4>>)
    outs(%map : !map) -> !map
  return
}

// -----

!map = tensor<4x!mli.fx8<4>>
func.func @slopes_without_axis(%map: !map) {
  // E6
  // expected-error @below {{expected 'slope' to have 1 element, but got 4}}
  %result = mli.prelu ins(%map, %map : !map, !map) outs(%map : !map) -> !map
  return
}

// -----

!map = tensor<4x2x!mli.fx8<4>>
func.func @slope_axis_beyond_rank(%map: !map, %slope: tensor<1x1x!mli.fx8<4>>) {
  // E3
  // expected-error @below {{expected 'axis' to be in [-1, 1], but got 2}}
  %result = mli.prelu ins(%map, %slope : !map, tensor<1x1x!mli.fx8<4>>)
    outs(%map : !map) {axis = 2 : i32} -> !map
  return
}

// -----

!map = tensor<4x2x!mli.fx8<4>>
func.func @slopes_along_another_axis(%map: !map,
                                     %slope: tensor<4x1x!mli.fx8<4>>) {
  // E7
  // expected-error @below {{expected 'slope' to have shape [1, 2], a slope for each index of axis 1, but got [4, 1]}}
  %result = mli.prelu ins(%map, %slope : !map, tensor<4x1x!mli.fx8<4>>)
    outs(%map : !map) {axis = 1 : i32} -> !map
  return
}

// -----

!map = tensor<4x2x!mli.fx8<4>>
func.func @slopes_of_another_rank(%map: !map, %slope: tensor<2x!mli.fx8<4>>) {
  // E7
  // expected-error @below {{expected 'slope' to have shape [1, 2], a slope for each index of axis 1, but got [2]}}
  %result = mli.prelu ins(%map, %slope : !map, tensor<2x!mli.fx8<4>>)
    outs(%map : !map) {axis = 1 : i32} -> !map
  return
}

// -----

!slopes = memref<4x1x!mli.fx8<4>, strided<[2, 1]>>
func.func @slopes_with_gaps(%map: memref<4x2x!mli.fx8<4>>, %slopes: !slopes) {
  // T19
  // expected-error @below {{expected 'slope' to be contiguous, but got 'memref<4x1x!mli.fx8<4>, strided<[2, 1]>>'}}
  mli.prelu ins(%map, %slopes : memref<4x2x!mli.fx8<4>>, !slopes)
    outs(%map : memref<4x2x!mli.fx8<4>>) {axis = 0 : i32}
  return
}

// -----

!slopes = memref<2x!mli.fx8<4>, strided<[2]>>
func.func @slopes_with_inner_gaps(%map: memref<2x!mli.fx8<4>>,
                                  %slopes: !slopes) {
  // T8
  // expected-error @below {{expected innermost stride of 'slope' to be 1, but got 2}}
  mli.prelu ins(%map, %slopes : memref<2x!mli.fx8<4>>, !slopes)
    outs(%map : memref<2x!mli.fx8<4>>) {axis = 0 : i32}
  return
}

// -----

!map = tensor<4x!mli.sa8<1:4:0>>
func.func @format_of_sigm(%map: !map) {
  // E2
  // expected-error @below {{expected 'init' to have elements of '!mli.sa8<1:8:-128>', which the kernel gives, but got '!mli.sa8<1:4:0>'}}
  %result = mli.sigm ins(%map : !map) outs(%map : !map) -> !map
  return
}

// -----

!map = tensor<4x!mli.sa8<1:4:0>>
func.func @format_of_tanh(%map: !map, %init: tensor<4x!mli.sa8<1:8:-128>>) {
  // E2
  // expected-error @below {{expected 'init' to have elements of '!mli.sa8<1:7:0>', which the kernel gives, but got '!mli.sa8<1:8:-128>'}}
  %result = mli.tanh ins(%map : !map) outs(%init : tensor<4x!mli.sa8<1:8:-128>>)
    -> tensor<4x!mli.sa8<1:8:-128>>
  return
}

// -----

!map = tensor<4x!mli.fx16<4>>
func.func @axis_of_l2(%map: !map, %init: tensor<4x!mli.fx16<15>>) {
  // E3
  // expected-error @below {{expected 'axis' to be in [-1, 0], but got -2}}
  %result = mli.l2_normalize ins(%map : !map) outs(%init : tensor<4x!mli.fx16<15>>)
    {axis = -2 : i32} -> tensor<4x!mli.fx16<15>>
  return
}

// -----

!map = tensor<4x!mli.sa8<axis = 0, {1:4:0, 1:4:0, 1:4:0, 1:4:0}>>
func.func @sigm_along_axis(%map: !map, %init: tensor<4x!mli.sa8<1:8:-128>>) {
  // T9
  // expected-error @below {{expected 'input' to be quantised per tensor, but got axis 0}}
  %result = mli.sigm ins(%map : !map) outs(%init : tensor<4x!mli.sa8<1:8:-128>>)
    -> tensor<4x!mli.sa8<1:8:-128>>
  return
}

// -----

!one = memref<1x!mli.fx8<4>>
func.func @result_over_the_slope(%map: !one, %slope: !one) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'slope', but got the same}}
  mli.leaky_relu ins(%map, %slope : !one, !one) outs(%slope : !one)
  return
}

// -----

!row = memref<4x!mli.fx8<4>>
func.func @result_over_the_slopes(%map: !row, %slopes: !row) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'slope', but got the same}}
  mli.prelu ins(%map, %slopes : !row, !row) outs(%slopes : !row)
    {axis = 0 : i32}
  return
}
