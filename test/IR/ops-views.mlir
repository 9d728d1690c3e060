// RUN: mli-opt %s --split-input-file --verify-roundtrip | FileCheck %s

!weights = tensor<3x3x8x4x!mli.sa8<axis = 3, {5:3:0, 7:3:0, 9:3:0, 2:3:0}>>
!half = tensor<3x3x8x2x!mli.sa8<axis = 3, {9:3:0, 2:3:0}>>

// CHECK-LABEL: func.func @cut_axis
// CHECK: mli.subtensor %{{.*}}[0, 0, 0, 2] [3, 3, 8, 2] : tensor<3x3x8x4x!{{.*}}> to tensor<3x3x8x2x!{{.*}}>
func.func @cut_axis(%weights: !weights) -> !half {
  %0 = mli.subtensor %weights[0, 0, 0, 2] [3, 3, 8, 2] : !weights to !half
  return %0 : !half
}

// The first dimensions of size 1 go, and the axis gets another number.
// CHECK-LABEL: func.func @dropped_dimensions
// CHECK: mli.subtensor %{{.*}}[2, %{{.*}}, 0, 1] [1, 1, %{{.*}}, 1]
func.func @dropped_dimensions(%weights: !weights, %column: index, %depth: index)
    -> tensor<?x1x!mli.sa8<axis = 1, {7:3:0}>> {
  %0 = mli.subtensor %weights[2, %column, 0, 1] [1, 1, %depth, 1]
    : !weights to tensor<?x1x!mli.sa8<axis = 1, {7:3:0}>>
  return %0 : tensor<?x1x!mli.sa8<axis = 1, {7:3:0}>>
}

// CHECK-LABEL: func.func @scalar
// CHECK: mli.subtensor %{{.*}}[3] [1] : tensor<8xf32> to tensor<f32>
func.func @scalar(%row: tensor<8xf32>) -> tensor<f32> {
  %0 = mli.subtensor %row[3] [1] : tensor<8xf32> to tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @views
// CHECK: to memref<2x2x4x!mli.fx8<3>, strided<[32, 4, 1], offset: 36>>
// CHECK: to memref<2x4x!mli.fx8<3>, strided<[32, 1], offset: ?>, 1>
// CHECK: to memref<?x8x4x!mli.fx8<3>, strided<[32, 4, 1]>>
// CHECK: to memref<8x2x!mli.fx8<3>, strided<[?, 1], offset: ?>>
func.func @views(%map: memref<8x8x4x!mli.fx8<3>>,
                 %other: memref<8x8x4x!mli.fx8<3>, 1>,
                 %strided: memref<?x8x4x!mli.fx8<3>, strided<[?, ?, 1], offset: ?>>,
                 %at: index) {
  %0 = mli.subtensor %map[1, 1, 0] [2, 2, 4] : memref<8x8x4x!mli.fx8<3>>
    to memref<2x2x4x!mli.fx8<3>, strided<[32, 4, 1], offset: 36>>
  %1 = mli.subtensor %other[0, %at, 0] [2, 1, 4] : memref<8x8x4x!mli.fx8<3>, 1>
    to memref<2x4x!mli.fx8<3>, strided<[32, 1], offset: ?>, 1>
  %2 = mli.subtensor %map[0, 0, 0] [%at, 8, 4] : memref<8x8x4x!mli.fx8<3>>
    to memref<?x8x4x!mli.fx8<3>, strided<[32, 4, 1]>>
  %3 = mli.subtensor %strided[3, 0, 1] [1, 8, 2]
    : memref<?x8x4x!mli.fx8<3>, strided<[?, ?, 1], offset: ?>>
    to memref<8x2x!mli.fx8<3>, strided<[?, 1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @alloc
// CHECK: mli.alloc : memref<4x!mli.fx8<3>>
// CHECK: mli.alloc {address = 64 : i64} : memref<4x!mli.fx8<3>, 1>
func.func @alloc() -> (memref<4x!mli.fx8<3>>, memref<4x!mli.fx8<3>, 1>) {
  %0 = mli.alloc : memref<4x!mli.fx8<3>>
  %1 = mli.alloc {address = 64 : i64} : memref<4x!mli.fx8<3>, 1>
  return %0, %1 : memref<4x!mli.fx8<3>>, memref<4x!mli.fx8<3>, 1>
}

// CHECK-LABEL: func.func @queries
// CHECK: mli.elem_count %{{.*}} : tensor<?x4xf32>
// CHECK: mli.elem_count %{{.*}} {dim = 1 : i32} : tensor<?x4xf32>
// CHECK: mli.element_size %{{.*}} : tensor<?x4xf32>
// CHECK: mli.scale %{{.*}}[%{{.*}}] : memref<2x!sa32_axis0>
// CHECK: mli.scale_shift %{{.*}}[%{{.*}}] : memref<2x!sa32_axis0>
// CHECK: mli.zero_offset %{{.*}}[%{{.*}}] : memref<2x!sa32_axis0>
func.func @queries(%map: tensor<?x4xf32>, %at: index,
                   %bias: memref<2x!mli.sa32<axis = 0, {5:14:0, 7:13:0}>>)
    -> (index, index, index, i32, i32, i32) {
  %0 = mli.elem_count %map {dim = 0 : i32} : tensor<?x4xf32>
  %1 = mli.elem_count %map {dim = 1 : i32} : tensor<?x4xf32>
  %2 = mli.element_size %map : tensor<?x4xf32>
  %3 = mli.scale %bias[%at] : memref<2x!mli.sa32<axis = 0, {5:14:0, 7:13:0}>>
  %4 = mli.scale_shift %bias[%at] : memref<2x!mli.sa32<axis = 0, {5:14:0, 7:13:0}>>
  %5 = mli.zero_offset %bias[%at] : memref<2x!mli.sa32<axis = 0, {5:14:0, 7:13:0}>>
  return %0, %1, %2, %3, %4, %5 : index, index, index, i32, i32, i32
}

// -----

// In local memory: another start NPU, another layout, or the same.
#map = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [256, 128, 8, 1]>
#channel = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [128, 128, 8, 1]>
#rows = #mli.layout<strided, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [256, 128, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!channel = memref<4x8x1x!mli.fx8<3>, #channel, #mli.space<local>>
!rows = memref<2x8x3x!mli.fx8<3>, #rows, #mli.space<local>>
// CHECK-LABEL: @local
module @local attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 8192>} {
  func.func @f(%map: !map, %at: index) -> (!channel, !rows, !rows) {
    // CHECK: mli.subtensor %{{.*}}[0, 0, 2] [4, 8, 1]
    %0 = mli.subtensor %map[0, 0, 2] [4, 8, 1] : !map to !channel
    // CHECK: mli.subtensor %{{.*}}[1, 0, 0] [2, 8, 3]
    %1 = mli.subtensor %map[1, 0, 0] [2, 8, 3] : !map to !rows
    // CHECK: mli.subtensor %{{.*}}[%{{.*}}, 0, 0] [2, 8, 3]
    %2 = mli.subtensor %map[%at, 0, 0] [2, 8, 3] : !map to !rows
    return %0, %1, %2 : !channel, !rows, !rows
  }
}
