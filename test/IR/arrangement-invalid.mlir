// RUN: mli-opt %s --split-input-file --verify-diagnostics

!positions = tensor<1x1x!mli.sa32<1:1:0>>
func.func @format_of_positions(%in: tensor<4x!mli.fx16<8>>, %init: !positions) {
  // E2
  // expected-error @below {{expected 'init' to have elements of '!mli.sa32<1:0:0>', which the kernel gives, but got '!mli.sa32<1:1:0>'}}
  %result = mli.argmax ins(%in : tensor<4x!mli.fx16<8>>) outs(%init : !positions)
    -> !positions
  return
}

// -----

!positions = tensor<1x1x!mli.sa32<1:0:0>>
func.func @axis_of_argmax(%in: tensor<4x!mli.fx16<8>>, %init: !positions) {
  // E3
  // expected-error @below {{expected 'axis' to be in [-1, 0], but got 1}}
  %result = mli.argmax ins(%in : tensor<4x!mli.fx16<8>>) outs(%init : !positions)
    {axis = 1 : i32} -> !positions
  return
}

// -----

!positions = tensor<1x1x!mli.sa32<1:0:0>>
func.func @no_position(%in: tensor<4x!mli.fx16<8>>, %init: !positions) {
  // G1
  // expected-error @below {{expected 'topk' to be at least 1, but got 0}}
  %result = mli.argmax ins(%in : tensor<4x!mli.fx16<8>>) outs(%init : !positions)
    {topk = 0 : i32} -> !positions
  return
}

// -----

!positions = tensor<4x3x!mli.sa32<1:0:0>>
func.func @more_than_a_slice(%in: tensor<4x2x!mli.fx16<8>>, %init: !positions) {
  // G2
  // expected-error @below {{expected 'topk' to be at most the 2 elements of a slice, but got 3}}
  %result = mli.argmax ins(%in : tensor<4x2x!mli.fx16<8>>)
    outs(%init : !positions) {axis = 0 : i32, topk = 3 : i32} -> !positions
  return
}

// -----

!positions = tensor<2x1x!mli.sa32<1:0:0>>
func.func @number_of_slices(%in: tensor<4x2x!mli.fx16<8>>, %init: !positions) {
  // T20
  // expected-error @below {{expected dimension 0 of 'init' to be the number of slices, 4, but got 2}}
  %result = mli.argmax ins(%in : tensor<4x2x!mli.fx16<8>>)
    outs(%init : !positions) {axis = 0 : i32} -> !positions
  return
}

// -----

!positions = tensor<1x1x!mli.sa32<1:0:0>>
func.func @number_of_positions(%in: tensor<4x2x!mli.fx16<8>>, %init: !positions) {
  // T20
  // expected-error @below {{expected dimension 1 of 'init' to be 'topk', 2, but got 1}}
  %result = mli.argmax ins(%in : tensor<4x2x!mli.fx16<8>>)
    outs(%init : !positions) {topk = 2 : i32} -> !positions
  return
}

// -----

!positions = memref<1x1x!mli.sa32<1:0:0>>
!gaps = memref<4x2x!mli.fx16<8>, strided<[3, 1]>>
func.func @positions_in_gaps(%in: !gaps, %init: !positions) {
  // T19
  // expected-error @below {{expected 'input' to be contiguous, but got 'memref<4x2x!mli.fx16<8>, strided<[3, 1]>>'}}
  mli.argmax ins(%in : !gaps) outs(%init : !positions)
  return
}

// -----

!map = tensor<4x2x!mli.fx16<8>>
func.func @short_permutation(%in: !map) {
  // T15
  // expected-error @below {{expected 'permutation' to have 2 entries, but got 1}}
  %result = mli.permute ins(%in : !map) outs(%in : !map) permutation [0] -> !map
  return
}

// -----

!map = tensor<4x4x!mli.fx16<8>>
func.func @dimension_twice(%in: !map) {
  // D14
  // expected-error @below {{expected 'permutation' to name each dimension once, but got [1, 1]}}
  %result = mli.permute ins(%in : !map) outs(%in : !map) permutation [1, 1]
    -> !map
  return
}

// -----

!map = tensor<4x4x!mli.fx16<8>>
func.func @rank_of_permuted(%in: !map, %init: tensor<4x4x1x!mli.fx16<8>>) {
  // D13
  // expected-error @below {{expected 'init' to have rank 2, but got 3}}
  %result = mli.permute ins(%in : !map) outs(%init : tensor<4x4x1x!mli.fx16<8>>)
    permutation [1, 0] -> tensor<4x4x1x!mli.fx16<8>>
  return
}

// -----

!map = tensor<4x2x!mli.fx16<8>>
func.func @shape_of_permuted(%in: !map) {
  // T13
  // expected-error @below {{expected dimension 0 of 'init' to be dimension 1 of 'input', 2, but got 4}}
  %result = mli.permute ins(%in : !map) outs(%in : !map) permutation [1, 0]
    -> !map
  return
}

// -----

!in = tensor<3x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
!out = tensor<2x3x!mli.sa8<axis = 0, {7:3:0, 5:3:0}>>
func.func @parameters_of_permuted(%in: !in, %init: !out) {
  // G3
  // expected-error @below {{expected 'init' to have elements of '!mli.sa8<axis = 0, {5:3:0, 7:3:0}>', but got '!mli.sa8<axis = 0, {7:3:0, 5:3:0}>'}}
  %result = mli.permute ins(%in : !in) outs(%init : !out) permutation [1, 0]
    -> !out
  return
}

// -----

!map = memref<4x4x!mli.fx16<8>>
func.func @permute_in_place(%map: !map) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'input', but got the same}}
  mli.permute ins(%map : !map) outs(%map : !map) permutation [1, 0]
  return
}
