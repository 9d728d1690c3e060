// A ring in local memory has the layout that its kernels ask for.
// RUN: mli-opt %s --mli-assign-layouts | FileCheck %s
// RUN: mli-opt %s --mli-assign-layouts=matrices | FileCheck %s --check-prefix=MATRIX

!ring = memref<3x8x4x!mli.sa8<1:4:0>, #mli.space<local>>
!weights = memref<3x3x4x2x!mli.sa8<1:10:0>, #mli.space<local>>
!bias = memref<2x!mli.sa32<1:14:0>, #mli.space<local>>
!vector = memref<4x32x!mli.sa8<1:4:0>, #mli.space<local>>
!product = memref<128x2x!mli.sa8<1:10:0>, #mli.space<local>>
!sums = memref<2x!mli.sa8<1:4:0>, #mli.space<local>>
!row = memref<1x6x2x!mli.sa8<1:4:0>, #mli.space<local>>

module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 32768>} {
  // CHECK: #[[MAP:[a-z0-9]+]] = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 32768, strides = [24, 24, 8, 1]>
  // CHECK-LABEL: func.func @convolution
  // CHECK: %[[RING:.*]] = mli.alloc {{.*}} : memref<3x8x4x!mli.sa8<1:4:0>, #[[MAP]], #mli.space<local>>
  // CHECK: mli.advance outs(%[[RING]] : memref<3x8x4x!mli.sa8<1:4:0>, #[[MAP]], #mli.space<local>>) {rows = 1 : i64}
  // CHECK-NEXT: mli.conv2d ins(%[[RING]],
  func.func @convolution() {
    %ring = memref.alloc() : !ring
    %weights = memref.alloc() : !weights
    %bias = memref.alloc() : !bias
    %row = memref.alloc() : !row
    mli.advance outs(%ring : !ring) {rows = 1}
    mli.conv2d ins(%ring, %weights, %bias : !ring, !weights, !bias)
      outs(%row : !row) pad [0, 0, 0, 0]
    return
  }

  // Alone it is a feature map.
  // CHECK-LABEL: func.func @alone
  // CHECK: mli.advance outs(%{{.*}} : memref<3x8x4x!mli.sa8<1:4:0>, #[[MAP]], #mli.space<local>>)
  func.func @alone() {
    %ring = memref.alloc() : !ring
    mli.advance outs(%ring : !ring) {rows = 1}
    return
  }

  // MATRIX: #[[ROW:[a-z0-9]+]] = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 32768, columns = 8
  // MATRIX-LABEL: func.func @product
  // MATRIX: mli.advance outs(%[[RING:.*]] : memref<4x32x!mli.sa8<1:4:0>, #[[ROW]], #mli.space<local>>)
  // MATRIX-NEXT: mli.fully_connected ins(%[[RING]],
  func.func @product() {
    %ring = memref.alloc() : !vector
    %weights = memref.alloc() : !product
    %bias = memref.alloc() : !bias
    %sums = memref.alloc() : !sums
    mli.advance outs(%ring : !vector) {rows = 1}
    mli.fully_connected ins(%ring, %weights, %bias : !vector, !product, !bias)
      outs(%sums : !sums)
    return
  }
}
