// The shape of a result is that of its init; that of a block, its sizes.
// RUN: mli-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

!open = tensor<?x?x?x!mli.fx16<10>>
!weights = tensor<?x?x?x?x!mli.fx16<14>>
!bias = tensor<?x!mli.fx16<10>>

// CHECK-LABEL: func.func @kernels
// CHECK-SAME: %{{.*}}: {{.*}}, %{{.*}}: {{.*}}, %{{.*}}: {{.*}}, %[[INIT:.*]]: tensor<?x?x?x
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1
// CHECK-NEXT: %[[DIM:.*]] = tensor.dim %[[INIT]], %[[ONE]]
// CHECK-NEXT: return %[[DIM]] : index
func.func @kernels(%input: !open, %weights: !weights, %bias: !bias,
                   %init: !open) -> index {
  %conv = mli.conv2d ins(%input, %weights, %bias : !open, !weights, !bias)
    outs(%init : !open) pad [0, 0, 0, 0] -> !open
  %pool = mli.maxpool ins(%conv : !open) outs(%conv : !open) kernel [2, 2]
    pad [0, 0, 0, 0] -> !open
  %one = arith.constant 1 : index
  %width = tensor.dim %pool, %one : !open
  return %width : index
}

!in = tensor<?x16x!mli.fx16<12>>
!state = tensor<?x!mli.fx16<15>>
!cell = tensor<?x!mli.fx16<12>>
!gates = tensor<4x16x?x!mli.fx16<13>>
!recurrent = tensor<4x?x?x!mli.fx16<13>>
!biases = tensor<4x?x!mli.fx16<13>>
!out = tensor<1x?x!mli.fx16<15>>

// CHECK-LABEL: func.func @both_results
// CHECK-SAME: %[[CELL:[^:]*]]: tensor<?x!mli.fx16<12>>, %[[INIT:[^:]*]]: tensor<1x?x!mli.fx16<15>>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1
// CHECK-DAG: %[[FIRST:.*]] = tensor.dim %[[CELL]], %[[ZERO]]
// CHECK-DAG: %[[SECOND:.*]] = tensor.dim %[[INIT]], %[[ONE]]
// CHECK: return %[[FIRST]], %[[SECOND]]
func.func @both_results(%input: !in, %state: !state, %weights: !gates,
                        %recurrent: !recurrent, %bias: !biases, %cell: !cell,
                        %init: !out) -> (index, index) {
  %next, %result = mli.lstm_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !gates, !recurrent, !biases)
    outs(%cell, %init : !cell, !out) -> !cell, !out
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = tensor.dim %next, %zero : !cell
  %second = tensor.dim %result, %one : !out
  return %first, %second : index, index
}

!all = tensor<4x?x8x!mli.fx8<5>>
!row = tensor<?x8x!mli.fx8<5>>

// The first dimension, of size 1, is dropped.
// CHECK-LABEL: func.func @block
// CHECK-SAME: %{{[^:]*}}: index, %[[SIZE:[^:]*]]: index)
// CHECK: return %[[SIZE]]
func.func @block(%source: !all, %at: index, %size: index) -> index {
  %block = mli.subtensor %source[%at, 0, 0] [1, %size, 8] : !all to !row
  %zero = arith.constant 0 : index
  %rows = tensor.dim %block, %zero : !row
  return %rows : index
}
