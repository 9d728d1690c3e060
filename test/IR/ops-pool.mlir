// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!in = tensor<8x8x4x!mli.sa8<1:4:-128>>
!out = tensor<1x1x4x!mli.sa8<1:3:7>>

// CHECK-LABEL: func.func @avepool_tensor
// CHECK-SAME: %[[INPUT:.*]]: tensor<8x8x4x!mli.sa8<1:4:-128>>, %[[INIT:.*]]: tensor<1x1x4x!mli.sa8<1:3:7>>)
func.func @avepool_tensor(%input: !in, %init: !out) -> !out {
  // CHECK: mli.avepool ins(%[[INPUT]] : tensor<8x8x4x!mli.sa8<1:4:-128>>) outs(%[[INIT]] : tensor<1x1x4x!mli.sa8<1:3:7>>) kernel [8, 8] pad [0, 0, 0, 0] -> tensor<1x1x4x!mli.sa8<1:3:7>>
  %result = mli.avepool ins(%input : !in) outs(%init : !out)
    kernel [8, 8] pad [0, 0, 0, 0] {strides = array<i64: 1, 1>} -> !out
  return %result : !out
}

!half = tensor<4x4x4x!mli.sa8<1:4:-128>>

// CHECK-LABEL: func.func @maxpool_tensor
// CHECK: mli.maxpool {{.*}} kernel [3, 2] pad [1, 0, 0, 1] {strides = array<i64: 2, 2>} -> tensor<4x4x4x!mli.sa8<1:4:-128>>
func.func @maxpool_tensor(%input: !in, %init: !half) -> !half {
  %result = mli.maxpool ins(%input : !in) outs(%init : !half)
    kernel [3, 2] pad [1, 0, 0, 1] {strides = array<i64: 2, 2>} -> !half
  return %result : !half
}

// CHECK-LABEL: func.func @padding_of_a_tile
// CHECK-SAME: %[[LEFT:[a-z0-9]*]]: index)
// CHECK: mli.maxpool {{.*}} pad [0, 0, %[[LEFT]], 1] {{.*}} ->
func.func @padding_of_a_tile(%input: !in, %init: !half, %left: index) -> !half {
  %result = mli.maxpool ins(%input : !in) outs(%init : !half)
    kernel [2, 2] pad [0, 0, %left, 1] {strides = array<i64: 2, 2>} -> !half
  return %result : !half
}

!dynamic = tensor<?x?x?x!mli.fx16<10>>

// CHECK-LABEL: func.func @dynamic_sizes
// CHECK: mli.avepool {{.*}} -> tensor<?x?x?x!mli.fx16<10>>
func.func @dynamic_sizes(%input: !dynamic, %init: !dynamic) -> !dynamic {
  %result = mli.avepool ins(%input : !dynamic) outs(%init : !dynamic)
    kernel [3, 3] pad [1, 1, 1, 1] -> !dynamic
  return %result : !dynamic
}

!view = memref<8x8x4x!mli.fx8<6>, strided<[128, 8, 1], offset: ?>>

// CHECK-LABEL: func.func @avepool_memref
// CHECK: mli.avepool ins({{.*}} : memref<8x8x4x!mli.fx8<6>, strided<[128, 8, 1], offset: ?>>) outs({{.*}} : memref<6x6x4x!mli.fx8<5>>) kernel [3, 3] pad [0, 0, 0, 0]{{$}}
func.func @avepool_memref(%input: !view, %init: memref<6x6x4x!mli.fx8<5>>) {
  mli.avepool ins(%input : !view) outs(%init : memref<6x6x4x!mli.fx8<5>>)
    kernel [3, 3] pad [0, 0, 0, 0]
  return
}

// Rows and columns that no window needs are left over.
// CHECK-LABEL: func.func @maxpool_memref
// CHECK: mli.maxpool {{.*}} kernel [255, 1] pad [254, 0, 0, 0]{{$}}
func.func @maxpool_memref(%input: memref<8x8x4x!mli.fx8<6>>,
                          %init: memref<1x4x4x!mli.fx8<6>>) {
  mli.maxpool ins(%input : memref<8x8x4x!mli.fx8<6>>)
    outs(%init : memref<1x4x4x!mli.fx8<6>>) kernel [255, 1] pad [254, 0, 0, 0]
  return
}
