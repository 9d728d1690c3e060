// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = tensor<4x!mli.sa8<1:4:0>>
func.func @operands_of_two_kinds(%lhs: !map, %rhs: tensor<4x!mli.fx8<4>>) {
  // E1
  // expected-error @below {{expected 'rhs' to have elements of the kind of 'lhs' '!mli.sa8<1:4:0>', but got '!mli.fx8<4>'}}
  %result = mli.eltwise_add ins(%lhs, %rhs : !map, tensor<4x!mli.fx8<4>>)
    outs(%lhs : !map) -> !map
  return
}

// -----

!map = tensor<4x!mli.fx8<4>>
func.func @sum_of_another_kind(%lhs: !map, %init: tensor<4x!mli.fx16<4>>) {
  // E1
  // expected-error @below {{expected 'init' to have elements of the kind of 'lhs' '!mli.fx8<4>', but got '!mli.fx16<4>'}}
  %result = mli.eltwise_add ins(%lhs, %lhs : !map, !map)
    outs(%init : tensor<4x!mli.fx16<4>>) -> tensor<4x!mli.fx16<4>>
  return
}

// -----

!axis = tensor<2x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @summand_along_axis(%lhs: tensor<2x!mli.sa8<1:4:0>>, %rhs: !axis) {
  // T9
  // expected-error @below {{expected 'rhs' to be quantised per tensor, but got axis 0}}
  %result = mli.eltwise_add ins(%lhs, %rhs : tensor<2x!mli.sa8<1:4:0>>, !axis)
    outs(%lhs : tensor<2x!mli.sa8<1:4:0>>) -> tensor<2x!mli.sa8<1:4:0>>
  return
}

// -----

!map = tensor<4x4x!mli.fx8<4>>
!row = tensor<4x!mli.fx8<4>>
func.func @broadcast_of_a_row(%lhs: !map, %rhs: !row) {
  // T12
  // expected-error @below {{expected 'init' to have the shape of 'rhs' [4], but got [4, 4]}}
  %result = mli.eltwise_add ins(%lhs, %rhs : !map, !row) outs(%lhs : !map)
    -> !map
  return
}

// -----

!one = tensor<1x!mli.fx8<4>>
!row = tensor<4x!mli.fx8<4>>
func.func @scalar_sum_of_a_row(%lhs: !one, %rhs: !row) {
  // T12
  // expected-error @below {{expected 'init' to have the shape of 'rhs' [4], but got [1]}}
  %result = mli.eltwise_add ins(%lhs, %rhs : !one, !row) outs(%lhs : !one)
    -> !one
  return
}

// -----

!one = tensor<1x!mli.fx8<4>>
!square = tensor<1x1x!mli.fx8<4>>
func.func @sum_of_scalars_like_the_first(%lhs: !one, %rhs: !square) {
  // T12
  // expected-error @below {{expected 'init' to have the shape of 'rhs' [1, 1], but got [1]}}
  %result = mli.eltwise_add ins(%lhs, %rhs : !one, !square) outs(%lhs : !one)
    -> !one
  return
}

// -----

!gaps = memref<4x!mli.fx8<4>, strided<[2]>>
!row = memref<4x!mli.fx8<4>>
func.func @summand_with_gaps(%lhs: !gaps, %rhs: !row) {
  // T8
  // expected-error @below {{expected innermost stride of 'lhs' to be 1, but got 2}}
  mli.eltwise_add ins(%lhs, %rhs : !gaps, !row) outs(%rhs : !row)
  return
}

// -----

!gaps = memref<4x!mli.fx8<4>, strided<[2]>>
!row = memref<4x!mli.fx8<4>>
func.func @sum_with_gaps(%lhs: !row, %init: !gaps) {
  // T8
  // expected-error @below {{expected innermost stride of 'init' to be 1, but got 2}}
  mli.eltwise_add ins(%lhs, %lhs : !row, !row) outs(%init : !gaps)
  return
}

// -----

!logits = tensor<10x!mli.sa8<5:6:4>>
func.func @softmax_into_input_parameters(%logits: !logits) {
  // E2
  // expected-error @below {{expected 'init' to have elements of '!mli.sa8<1:8:-128>', which the kernel gives, but got '!mli.sa8<5:6:4>'}}
  %result = mli.softmax ins(%logits : !logits) outs(%logits : !logits) -> !logits
  return
}

// -----

!logits = tensor<10x!mli.fx16<10>>
func.func @softmax_of_fx16(%logits: !logits) {
  // E2
  // expected-error @below {{expected 'init' to have elements of '!mli.fx16<15>', which the kernel gives, but got '!mli.fx16<10>'}}
  %result = mli.softmax ins(%logits : !logits) outs(%logits : !logits) -> !logits
  return
}

// -----

!logits = tensor<10x!mli.fx8<4>>
func.func @softmax_of_fx8(%logits: !logits) {
  // E2
  // expected-error @below {{expected 'init' to have elements of '!mli.fx8<7>', which the kernel gives, but got '!mli.fx8<4>'}}
  %result = mli.softmax ins(%logits : !logits) outs(%logits : !logits) -> !logits
  return
}

// -----

!logits = tensor<2x10x!mli.fx8<7>>
func.func @axis_beyond_rank(%logits: !logits) {
  // E3
  // expected-error @below {{expected 'axis' to be in [-1, 1], but got 2}}
  %result = mli.softmax ins(%logits : !logits) outs(%logits : !logits)
    {axis = 2 : i32} -> !logits
  return
}

// -----

!logits = tensor<2x10x!mli.fx8<7>>
func.func @axis_from_the_end(%logits: !logits) {
  // E3
  // expected-error @below {{expected 'axis' to be in [-1, 1], but got -2}}
  %result = mli.softmax ins(%logits : !logits) outs(%logits : !logits)
    {axis = -2 : i32} -> !logits
  return
}

// -----

!rows = memref<2x2x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
!columns = memref<2x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
func.func @convert_to_another_axis(%input: !rows, %init: !columns) {
  // E4
  // expected-error @below {{expected quantised axis of 'init' to be that of 'input', 0, but got 1}}
  mli.convert ins(%input : !rows) outs(%init : !columns)
  return
}
