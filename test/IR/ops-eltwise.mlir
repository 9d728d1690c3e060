// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!lhs = tensor<4x4x8x!mli.sa8<1:4:-128>>
!rhs = tensor<4x4x8x!mli.sa8<3:5:7>>
!out = tensor<4x4x8x!mli.sa8<1:3:0>>

// CHECK-LABEL: func.func @on_tensors
// CHECK-SAME: %[[LHS:.*]]: tensor<4x4x8x!mli.sa8<1:4:-128>>, %[[RHS:.*]]: tensor<4x4x8x!mli.sa8<3:5:7>>, %[[INIT:.*]]: tensor<4x4x8x!mli.sa8<1:3:0>>)
// CHECK: mli.eltwise_sub ins(%[[LHS]], %[[RHS]] : tensor<4x4x8x!mli.sa8<1:4:-128>>, tensor<4x4x8x!mli.sa8<3:5:7>>) outs(%[[INIT]] : tensor<4x4x8x!mli.sa8<1:3:0>>) -> tensor<4x4x8x!mli.sa8<1:3:0>>
// CHECK: mli.eltwise_mul ins(%[[LHS]], %[[RHS]] : {{.*}}) outs(%[[INIT]] : {{.*}}) -> tensor<4x4x8x!mli.sa8<1:3:0>>
// CHECK: mli.eltwise_min ins(%[[LHS]], %[[LHS]] : {{.*}}) outs(%[[INIT]] : {{.*}}) -> tensor<4x4x8x!mli.sa8<1:3:0>>
// CHECK: mli.eltwise_max ins(%[[RHS]], %[[RHS]] : {{.*}}) outs(%[[INIT]] : {{.*}}) -> tensor<4x4x8x!mli.sa8<1:3:0>>
func.func @on_tensors(%lhs: !lhs, %rhs: !rhs, %init: !out)
    -> (!out, !out, !out, !out) {
  %0 = mli.eltwise_sub ins(%lhs, %rhs : !lhs, !rhs) outs(%init : !out) -> !out
  %1 = mli.eltwise_mul ins(%lhs, %rhs : !lhs, !rhs) outs(%init : !out) -> !out
  %2 = mli.eltwise_min ins(%lhs, %lhs : !lhs, !lhs) outs(%init : !out) -> !out
  %3 = mli.eltwise_max ins(%rhs, %rhs : !rhs, !rhs) outs(%init : !out) -> !out
  return %0, %1, %2, %3 : !out, !out, !out, !out
}

// A scalar on either side; in place.
// CHECK-LABEL: func.func @on_buffers
// CHECK: mli.eltwise_sub
// CHECK: mli.eltwise_mul
// CHECK: mli.eltwise_min
// CHECK: mli.eltwise_max
func.func @on_buffers(%map: memref<4x?x!mli.fx16<7>>,
                      %one: memref<!mli.fx16<9>>,
                      %same: memref<1x!mli.fx16<7>>) {
  mli.eltwise_sub ins(%one, %map : memref<!mli.fx16<9>>, memref<4x?x!mli.fx16<7>>)
    outs(%map : memref<4x?x!mli.fx16<7>>)
  mli.eltwise_mul ins(%map, %one : memref<4x?x!mli.fx16<7>>, memref<!mli.fx16<9>>)
    outs(%map : memref<4x?x!mli.fx16<7>>)
  mli.eltwise_min
    ins(%map, %same : memref<4x?x!mli.fx16<7>>, memref<1x!mli.fx16<7>>)
    outs(%map : memref<4x?x!mli.fx16<7>>)
  mli.eltwise_max
    ins(%same, %map : memref<1x!mli.fx16<7>>, memref<4x?x!mli.fx16<7>>)
    outs(%map : memref<4x?x!mli.fx16<7>>)
  return
}
