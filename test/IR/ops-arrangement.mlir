// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!scores = tensor<4x10x!mli.sa8<1:8:-128>>

// CHECK-LABEL: func.func @argmax
// CHECK: mli.argmax ins(%{{.*}} : tensor<4x10x!mli.sa8<1:8:-128>>) outs(%{{.*}} : tensor<1x1x!mli.sa32<1:0:0>>) -> tensor<1x1x!mli.sa32<1:0:0>>
// CHECK: mli.argmax {{.*}} {axis = 0 : i32, topk = 10 : i32} -> tensor<4x10x!mli.sa32<1:0:0>>
func.func @argmax(%scores: !scores, %one: tensor<1x1x!mli.sa32<1:0:0>>,
                  %many: tensor<4x10x!mli.sa32<1:0:0>>)
    -> (tensor<1x1x!mli.sa32<1:0:0>>, tensor<4x10x!mli.sa32<1:0:0>>) {
  %0 = mli.argmax ins(%scores : !scores)
    outs(%one : tensor<1x1x!mli.sa32<1:0:0>>) {axis = -1 : i32, topk = 1 : i32}
    -> tensor<1x1x!mli.sa32<1:0:0>>
  %1 = mli.argmax ins(%scores : !scores)
    outs(%many : tensor<4x10x!mli.sa32<1:0:0>>) {axis = 0 : i32, topk = 10 : i32}
    -> tensor<4x10x!mli.sa32<1:0:0>>
  return %0, %1 : tensor<1x1x!mli.sa32<1:0:0>>, tensor<4x10x!mli.sa32<1:0:0>>
}

// CHECK-LABEL: func.func @argmax_of_buffers
// CHECK: mli.argmax {{.*}} {axis = 1 : i32, topk = 2 : i32}
func.func @argmax_of_buffers(
    %scores: memref<?x?x!mli.fx16<8>, strided<[?, 1], offset: ?>>,
    %init: memref<?x2x!mli.sa32<1:0:0>>) {
  mli.argmax ins(%scores : memref<?x?x!mli.fx16<8>, strided<[?, 1], offset: ?>>)
    outs(%init : memref<?x2x!mli.sa32<1:0:0>>) {axis = 1 : i32, topk = 2 : i32}
  return
}

// CHECK-LABEL: func.func @permute
// CHECK: mli.permute ins(%{{.*}} : tensor<3x2x!sa8_axis1>) outs(%{{.*}} : tensor<2x3x!sa8_axis0>) permutation [1, 0] -> tensor<2x3x!sa8_axis0>
func.func @permute(%in: tensor<3x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>,
                   %init: tensor<2x3x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>)
    -> tensor<2x3x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>> {
  %0 = mli.permute ins(%in : tensor<3x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>)
    outs(%init : tensor<2x3x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>)
    permutation [1, 0] -> tensor<2x3x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
  return %0 : tensor<2x3x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
}

// Any inner stride will do.
// CHECK-LABEL: func.func @permute_of_buffers
// CHECK: mli.permute {{.*}} permutation [2, 0, 1]
func.func @permute_of_buffers(
    %in: memref<4x?x8x!mli.fx8<3>, strided<[64, 16, 2]>>,
    %init: memref<8x4x?x!mli.fx8<3>>) {
  mli.permute ins(%in : memref<4x?x8x!mli.fx8<3>, strided<[64, 16, 2]>>)
    outs(%init : memref<8x4x?x!mli.fx8<3>>) permutation [2, 0, 1]
  return
}
