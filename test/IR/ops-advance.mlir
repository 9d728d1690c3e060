// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!ring = tensor<3x8x4x!mli.sa8<1:4:-128>>

// CHECK-LABEL: func.func @tensor
// CHECK: mli.advance outs(%{{.*}} : tensor<3x8x4x!mli.sa8<1:4:-128>>) {rows = 1 : i64} -> tensor<3x8x4x!mli.sa8<1:4:-128>>
func.func @tensor(%ring: !ring) -> !ring {
  %result = mli.advance outs(%ring : !ring) {rows = 1} -> !ring
  return %result : !ring
}

// CHECK-LABEL: func.func @buffer
// CHECK: mli.advance outs(%{{.*}} : memref<3x8x4x!mli.fx16<12>>) {rows = 2 : i64}{{$}}
func.func @buffer(%ring: memref<3x8x4x!mli.fx16<12>>) {
  mli.advance outs(%ring : memref<3x8x4x!mli.fx16<12>>) {rows = 2}
  return
}

// Rows may be any dimension: behind the channels, here, or a batch.
// CHECK-LABEL: func.func @rows_of_channels
// CHECK: mli.advance {{.*}} {dim = 1 : i64, rows = 1 : i64}{{$}}
func.func @rows_of_channels(%ring: memref<4x3x8xf32, strided<[64, 16, 1], offset: ?>>) {
  mli.advance outs(%ring : memref<4x3x8xf32, strided<[64, 16, 1], offset: ?>>)
    {rows = 1, dim = 1}
  return
}

!axis = tensor<3x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>

// D25
// CHECK-LABEL: func.func @channels_of_their_own
// CHECK: mli.advance {{.*}} -> tensor<3x2x!sa8_axis1>
func.func @channels_of_their_own(%ring: !axis) -> !axis {
  %result = mli.advance outs(%ring : !axis) {rows = 1} -> !axis
  return %result : !axis
}
