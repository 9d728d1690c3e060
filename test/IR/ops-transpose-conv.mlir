// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @on_tensors
// CHECK: mli.transpose_conv2d ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x4x3x!mli.sa8<1:4:-128>>, tensor<3x3x3x2x!sa8_axis3>, tensor<2x!sa32_axis0>) outs(%{{.*}} : tensor<8x8x2x!mli.sa8<1:4:-128>>) pad [0, 1, 0, 1] {relu = #mli.relu<relu6>, strides = array<i64: 2, 2>} -> tensor<8x8x2x!mli.sa8<1:4:-128>>
!in = tensor<4x4x3x!mli.sa8<1:4:-128>>
!weights = tensor<3x3x3x2x!mli.sa8<axis = 3, {5:10:0, 7:10:0}>>
!bias = tensor<2x!mli.sa32<axis = 0, {5:14:0, 7:14:0}>>
!out = tensor<8x8x2x!mli.sa8<1:4:-128>>
func.func @on_tensors(%in: !in, %weights: !weights, %bias: !bias, %init: !out)
    -> !out {
  %0 = mli.transpose_conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 1, 0, 1]
    {strides = array<i64: 2, 2>, relu = #mli.relu<relu6>} -> !out
  return %0 : !out
}

// CHECK-LABEL: func.func @on_buffers
// CHECK: mli.transpose_conv2d {{.*}} pad [%{{.*}}, 0, 0, 0]{{$}}
func.func @on_buffers(%in: memref<?x4x3x!mli.fx16<10>>,
                      %weights: memref<2x2x3x2x!mli.fx8<5>>,
                      %bias: memref<2x!mli.fx8<5>>,
                      %out: memref<?x5x2x!mli.fx16<10>>, %top: index) {
  mli.transpose_conv2d
    ins(%in, %weights, %bias : memref<?x4x3x!mli.fx16<10>>,
        memref<2x2x3x2x!mli.fx8<5>>, memref<2x!mli.fx8<5>>)
    outs(%out : memref<?x5x2x!mli.fx16<10>>) pad [%top, 0, 0, 0]
  return
}
