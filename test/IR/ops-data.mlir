// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @constant_tensor
// CHECK: mli.constant dense<[3774, -107]> : tensor<2xi32> to tensor<2x!mli.sa32<5:14:0>>
func.func @constant_tensor() -> tensor<2x!mli.sa32<5:14:0>> {
  %bias = mli.constant dense<[3774, -107]> : tensor<2xi32>
    to tensor<2x!mli.sa32<5:14:0>>
  return %bias : tensor<2x!mli.sa32<5:14:0>>
}

// CHECK-LABEL: func.func @constant_memref
// CHECK: mli.constant dense<1> : tensor<2x3xi16> to memref<2x3x!mli.fx16<12>>
// CHECK: mli.constant dense<{{.*}}> : tensor<2x1xi8> to memref<2x1x!sa8_axis0>
func.func @constant_memref() {
  %splat = mli.constant dense<1> : tensor<2x3xi16> to memref<2x3x!mli.fx16<12>>
  %axis = mli.constant dense<[[-128], [127]]> : tensor<2x1xi8>
    to memref<2x1x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
  return
}

// CHECK-LABEL: func.func @constant_resource
// CHECK: mli.constant dense_resource<weights> : tensor<4xi8> to tensor<4x!mli.fx8<7>>
func.func @constant_resource() -> tensor<4x!mli.fx8<7>> {
  %weights = mli.constant dense_resource<weights> : tensor<4xi8>
    to tensor<4x!mli.fx8<7>>
  return %weights : tensor<4x!mli.fx8<7>>
}

// CHECK-LABEL: func.func @reshape_tensor
// CHECK: mli.reshape %{{.*}} : tensor<1x8x8x3x!mli.sa8<1:4:-128>> to tensor<192x!mli.sa8<1:4:-128>>
func.func @reshape_tensor(%source: tensor<1x8x8x3x!mli.sa8<1:4:-128>>)
    -> tensor<192x!mli.sa8<1:4:-128>> {
  %result = mli.reshape %source
    : tensor<1x8x8x3x!mli.sa8<1:4:-128>> to tensor<192x!mli.sa8<1:4:-128>>
  return %result : tensor<192x!mli.sa8<1:4:-128>>
}

// CHECK-LABEL: func.func @reshape_memref
// CHECK: mli.reshape %{{.*}} : memref<2x4xf32, 1> to memref<8xf32, 1>
func.func @reshape_memref(%source: memref<2x4xf32, 1>) -> memref<8xf32, 1> {
  %result = mli.reshape %source : memref<2x4xf32, 1> to memref<8xf32, 1>
  return %result : memref<8xf32, 1>
}

!hwio = tensor<3x3x1x2x!mli.sa8<axis = 3, {5:3:0, 7:3:0}>>
!rows = tensor<9x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>

// The quantised axis has another number in the result.
// CHECK-LABEL: func.func @reshape_renumbers_axis
// CHECK: mli.reshape %{{.*}} : tensor<3x3x1x2x!sa8_axis3> to tensor<9x2x!sa8_axis1>
func.func @reshape_renumbers_axis(%source: !hwio) -> !rows {
  %result = mli.reshape %source : !hwio to !rows
  return %result : !rows
}

!second = tensor<2x1x1x!mli.sa8<axis = 1, {5:3:0}>>
!third = tensor<2x1x1x!mli.sa8<axis = 2, {5:3:0}>>

// An axis of size 1 fits several dimensions: the result says which.
// CHECK-LABEL: func.func @reshape_axis_of_one
// CHECK: mli.reshape {{.*}} to tensor<2x1x1x!sa8_axis2>
// CHECK: mli.reshape {{.*}} to tensor<2x1x1x!sa8_axis1{{.*}}>
func.func @reshape_axis_of_one(%source: !second) -> !second {
  %third = mli.reshape %source : !second to !third
  %result = mli.reshape %third : !third to !second
  return %result : !second
}

// One index has the parameters of all.
// CHECK-LABEL: func.func @reshape_drops_axis_of_one
// CHECK: mli.reshape %{{.*}} : tensor<1x4x2x!sa8_axis0{{.*}}> to tensor<4x2x!mli.sa8<5:3:0>>
func.func @reshape_drops_axis_of_one(
    %source: tensor<1x4x2x!mli.sa8<axis = 0, {5:3:0}>>)
    -> tensor<4x2x!mli.sa8<5:3:0>> {
  %result = mli.reshape %source : tensor<1x4x2x!mli.sa8<axis = 0, {5:3:0}>>
    to tensor<4x2x!mli.sa8<5:3:0>>
  return %result : tensor<4x2x!mli.sa8<5:3:0>>
}

!map = tensor<6x6x4x!mli.fx8<5>>

// CHECK-LABEL: func.func @mov_copy
// CHECK: mli.mov ins({{.*}} : tensor<6x6x4x!mli.fx8<5>>) outs({{.*}} : tensor<6x6x4x!mli.fx8<5>>) -> tensor
func.func @mov_copy(%source: !map, %init: !map) -> !map {
  %result = mli.mov ins(%source : !map) outs(%init : !map) -> !map
  return %result : !map
}

// CHECK-LABEL: func.func @mov_slice
// CHECK: mli.mov {{.*}} {offsets = array<i64: 1, 0, 2>, sizes = array<i64: 4, 6, 2>} -> tensor<4x6x2x!mli.fx8<5>>
func.func @mov_slice(%source: !map, %init: tensor<4x6x2x!mli.fx8<5>>)
    -> tensor<4x6x2x!mli.fx8<5>> {
  %result = mli.mov ins(%source : !map) outs(%init : tensor<4x6x2x!mli.fx8<5>>)
    {offsets = array<i64: 1, 0, 2>, sizes = array<i64: 4, 6, 2>}
    -> tensor<4x6x2x!mli.fx8<5>>
  return %result : tensor<4x6x2x!mli.fx8<5>>
}

// CHECK-LABEL: func.func @mov_concat
// CHECK: mli.mov {{.*}} {dst_offsets = array<i64: 0, 0, 4>} -> tensor<6x6x8x!mli.fx8<5>>
func.func @mov_concat(%source: !map, %init: tensor<6x6x8x!mli.fx8<5>>)
    -> tensor<6x6x8x!mli.fx8<5>> {
  %result = mli.mov ins(%source : !map) outs(%init : tensor<6x6x8x!mli.fx8<5>>)
    {dst_offsets = array<i64: 0, 0, 4>} -> tensor<6x6x8x!mli.fx8<5>>
  return %result : tensor<6x6x8x!mli.fx8<5>>
}

// Rows 1, 3 and 5: what is left behind the offset is not a multiple of 2.
// CHECK-LABEL: func.func @mov_subsample
// CHECK: mli.mov {{.*}} {offsets = array<i64: 1, 0, 0>, steps = array<i64: 2, 1, 1>}{{$}}
func.func @mov_subsample(%source: memref<6x6x4xf32>, %init: memref<3x6x4xf32>) {
  mli.mov ins(%source : memref<6x6x4xf32>) outs(%init : memref<3x6x4xf32>)
    {offsets = array<i64: 1, 0, 0>, steps = array<i64: 2, 1, 1>}
  return
}

// Lists of the source go with its dimensions, those of `init` with its own.
// CHECK-LABEL: func.func @mov_permute_and_pad
// CHECK: mli.mov {{.*}} {pad_high = array<i64: 0, 255, 0>, pad_low = array<i64: 1, 0, 0>, permutation = array<i64: 2, 0, 1>}{{$}}
func.func @mov_permute_and_pad(%source: memref<6x6x4x!mli.sa32<1:2:3>>,
                               %init: memref<4x7x261x!mli.sa32<1:2:3>>) {
  mli.mov ins(%source : memref<6x6x4x!mli.sa32<1:2:3>>)
    outs(%init : memref<4x7x261x!mli.sa32<1:2:3>>)
    {permutation = array<i64: 2, 0, 1>, pad_low = array<i64: 1, 0, 0>,
     pad_high = array<i64: 0, 255, 0>}
  return
}

// CHECK-LABEL: func.func @mov_any_strides
// CHECK: mli.mov {{.*}} strided<[32, 8, 2]>
func.func @mov_any_strides(
    %source: memref<?x4x4x!mli.fx8<5>, strided<[32, 8, 2]>>,
    %init: memref<?x?x4x!mli.fx8<5>, strided<[?, ?, ?], offset: ?>>) {
  mli.mov ins(%source : memref<?x4x4x!mli.fx8<5>, strided<[32, 8, 2]>>)
    outs(%init : memref<?x?x4x!mli.fx8<5>, strided<[?, ?, ?], offset: ?>>)
  return
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x0100000001020304"
    }
  }
#-}

!axis = tensor<2x3x!mli.sa8<axis = 0, {5:3:0, 7:2:1}>>

// Parameters go where their indices go; padding has those of codes as they are.
// D15
// CHECK-LABEL: func.func @mov_axis
// CHECK: mli.mov {{.*}} {offsets = array<i64: 1, 0>} -> tensor<1x3x!sa8_axis0{{.*}}>
// CHECK: mli.mov {{.*}} {permutation = array<i64: 1, 0>} -> tensor<3x2x!sa8_axis1{{.*}}>
// CHECK: mli.mov {{.*}} {pad_low = array<i64: 1, 0>} -> tensor<3x3x!sa8_axis0{{.*}}>
// CHECK: mli.mov {{.*}} {dst_offsets = array<i64: 1, 0>} -> tensor<4x3x!sa8_axis0{{.*}}>
func.func @mov_axis(%source: !axis,
    %0: tensor<1x3x!mli.sa8<axis = 0, {7:2:1}>>,
    %1: tensor<3x2x!mli.sa8<axis = 1, {5:3:0, 7:2:1}>>,
    %2: tensor<3x3x!mli.sa8<axis = 0, {1:0:0, 5:3:0, 7:2:1}>>,
    %3: tensor<4x3x!mli.sa8<axis = 0, {9:9:9, 5:3:0, 7:2:1, 8:8:8}>>) {
  %slice = mli.mov ins(%source : !axis)
    outs(%0 : tensor<1x3x!mli.sa8<axis = 0, {7:2:1}>>)
    {offsets = array<i64: 1, 0>} -> tensor<1x3x!mli.sa8<axis = 0, {7:2:1}>>
  %permuted = mli.mov ins(%source : !axis)
    outs(%1 : tensor<3x2x!mli.sa8<axis = 1, {5:3:0, 7:2:1}>>)
    {permutation = array<i64: 1, 0>}
    -> tensor<3x2x!mli.sa8<axis = 1, {5:3:0, 7:2:1}>>
  %padded = mli.mov ins(%source : !axis)
    outs(%2 : tensor<3x3x!mli.sa8<axis = 0, {1:0:0, 5:3:0, 7:2:1}>>)
    {pad_low = array<i64: 1, 0>}
    -> tensor<3x3x!mli.sa8<axis = 0, {1:0:0, 5:3:0, 7:2:1}>>
  %part = mli.mov ins(%source : !axis)
    outs(%3 : tensor<4x3x!mli.sa8<axis = 0, {9:9:9, 5:3:0, 7:2:1, 8:8:8}>>)
    {dst_offsets = array<i64: 1, 0>}
    -> tensor<4x3x!mli.sa8<axis = 0, {9:9:9, 5:3:0, 7:2:1, 8:8:8}>>
  return
}
