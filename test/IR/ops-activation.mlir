// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!sa8 = tensor<4x4x8x!mli.sa8<3:6:-5>>
!positive8 = tensor<4x4x8x!mli.sa8<1:8:-128>>
!signed8 = tensor<4x4x8x!mli.sa8<1:7:0>>
!fx16 = memref<4x?x!mli.fx16<11>, strided<[64, 1]>>
!unit16 = memref<4x?x!mli.fx16<15>>

// CHECK-LABEL: func.func @slopes
// CHECK-SAME: %[[IN:.*]]: tensor<4x4x8x!mli.sa8<3:6:-5>>, %[[ONE:[^:]*]]: tensor<{{.*}}>, %[[MANY:[^:]*]]: tensor<{{.*}}>, %[[INIT:[^:]*]]: tensor<{{.*}}>)
// CHECK: mli.leaky_relu ins(%[[IN]], %[[ONE]] : tensor<4x4x8x!mli.sa8<3:6:-5>>, tensor<!mli.sa8<1:7:300>>) outs(%[[INIT]] : tensor<4x4x8x!mli.sa8<1:7:0>>) -> tensor<4x4x8x!mli.sa8<1:7:0>>
// CHECK: mli.prelu ins(%[[IN]], %[[ONE]] : {{.*}}) outs(%[[INIT]] : {{.*}}) -> tensor<4x4x8x!mli.sa8<1:7:0>>
// CHECK: mli.prelu ins(%[[IN]], %[[MANY]] : {{.*}}) outs(%[[INIT]] : {{.*}}) {axis = 2 : i32} -> tensor<4x4x8x!mli.sa8<1:7:0>>
func.func @slopes(%in: !sa8, %one: tensor<!mli.sa8<1:7:300>>,
                  %many: tensor<1x1x8x!mli.sa8<1:7:-16384>>, %init: !signed8)
    -> (!signed8, !signed8, !signed8) {
  %0 = mli.leaky_relu ins(%in, %one : !sa8, tensor<!mli.sa8<1:7:300>>)
    outs(%init : !signed8) -> !signed8
  %1 = mli.prelu ins(%in, %one : !sa8, tensor<!mli.sa8<1:7:300>>)
    outs(%init : !signed8) {axis = -1 : i32} -> !signed8
  %2 = mli.prelu ins(%in, %many : !sa8, tensor<1x1x8x!mli.sa8<1:7:-16384>>)
    outs(%init : !signed8) {axis = 2 : i32} -> !signed8
  return %0, %1, %2 : !signed8, !signed8, !signed8
}

// A fixed-point slope has fraction bits of its own; a scalar may have any
// strides; of a dimension of one element the stride says nothing.
// CHECK-LABEL: func.func @slopes_of_buffers
// CHECK: mli.leaky_relu
// CHECK: mli.prelu {{.*}} {axis = 0 : i32}
func.func @slopes_of_buffers(
    %map: !fx16, %one: memref<1x1x!mli.fx16<14>, strided<[8, 4]>>,
    %many: memref<4x1x!mli.fx16<14>, strided<[1, 1]>>) {
  mli.leaky_relu
    ins(%map, %one : !fx16, memref<1x1x!mli.fx16<14>, strided<[8, 4]>>)
    outs(%map : !fx16)
  mli.prelu ins(%map, %many : !fx16, memref<4x1x!mli.fx16<14>, strided<[1, 1]>>)
    outs(%map : !fx16) {axis = 0 : i32}
  return
}

// CHECK-LABEL: func.func @tables
// CHECK-SAME: %[[IN:.*]]: tensor<4x4x8x!mli.sa8<3:6:-5>>, %[[POSITIVE:[^:]*]]: tensor<{{.*}}>, %[[SIGNED:[^:]*]]: tensor<{{.*}}>)
// CHECK: mli.sigm ins(%[[IN]] : {{.*}}) outs(%[[POSITIVE]] : {{.*}}) -> tensor<4x4x8x!mli.sa8<1:8:-128>>
// CHECK: mli.tanh ins(%[[IN]] : {{.*}}) outs(%[[SIGNED]] : {{.*}}) -> tensor<4x4x8x!mli.sa8<1:7:0>>
// CHECK: mli.l2_normalize ins(%[[IN]] : {{.*}}) outs(%[[SIGNED]] : {{.*}}) {axis = 2 : i32} -> tensor<4x4x8x!mli.sa8<1:7:0>>
func.func @tables(%in: !sa8, %positive: !positive8, %signed: !signed8)
    -> (!positive8, !signed8, !signed8) {
  %0 = mli.sigm ins(%in : !sa8) outs(%positive : !positive8) -> !positive8
  %1 = mli.tanh ins(%in : !sa8) outs(%signed : !signed8) -> !signed8
  %2 = mli.l2_normalize ins(%in : !sa8) outs(%signed : !signed8)
    {axis = 2 : i32} -> !signed8
  return %0, %1, %2 : !positive8, !signed8, !signed8
}

// CHECK-LABEL: func.func @tables_of_buffers
// CHECK: mli.sigm
// CHECK: mli.tanh
// CHECK: mli.l2_normalize ins(%{{.*}}) outs(%{{[^)]*}})
// CHECK-NEXT: mli.sigm
// CHECK-NEXT: mli.tanh
func.func @tables_of_buffers(%map: !fx16, %out: !unit16,
                             %fx8: memref<8x!mli.fx8<4>>,
                             %unit8: memref<8x!mli.fx8<7>>) {
  mli.sigm ins(%map : !fx16) outs(%out : !unit16)
  mli.tanh ins(%map : !fx16) outs(%out : !unit16)
  mli.l2_normalize ins(%map : !fx16) outs(%out : !unit16) {axis = -1 : i32}
  mli.sigm ins(%fx8 : memref<8x!mli.fx8<4>>) outs(%unit8 : memref<8x!mli.fx8<7>>)
  mli.tanh ins(%fx8 : memref<8x!mli.fx8<4>>) outs(%unit8 : memref<8x!mli.fx8<7>>)
  return
}
