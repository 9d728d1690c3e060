// Layouts by what buffers are for.
// RUN: mli-opt %s --mli-assign-layouts --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-assign-layouts --split-input-file --mli-assign-addresses -o /dev/null

!in = memref<8x8x3x!mli.sa8<1:4:0>>
!lin = memref<8x8x3x!mli.sa8<1:4:0>, #mli.space<local>>
!weights = memref<3x3x3x2x!mli.sa8<axis = 3, {5:10:0, 7:10:0}>, #mli.space<local>>
!bias = memref<2x!mli.sa32<axis = 0, {5:14:0, 7:14:0}>, #mli.space<local>>
!out = memref<8x8x2x!mli.sa8<1:4:0>>
!lout = memref<8x8x2x!mli.sa8<1:4:0>, #mli.space<local>>

// Maps aligned where a channel fills half of a unit or more, filters and biases
// compact; the fewest block rows from NPU 0 on, and what one kernel computes
// with starts on one NPU.
// O2, O3, O10, O16
// CHECK-DAG: #[[IN_MAP:.*]] = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [64, 64, 8, 1]>
// CHECK-DAG: #[[IN_FILTERS:.*]] = #mli.layout<compact, dims = [h, w, n, c], npus = 4, npu_elements = 16384, strides = [9, 9, 3, 1]>
// CHECK-DAG: #[[IN_BIAS:.*]] = #mli.layout<compact, dims = [c], npus = 4, npu_elements = 4096, strides = [1, 1, 1, 1]>
// CHECK-LABEL: @conv
// CHECK: %[[IN:.*]] = mli.alloc {start_group = 0 : i64, start_npus = array<i64: 0, 1>} : memref<8x8x3x!mli.sa8<1:4:0>, #[[IN_MAP]], #mli.space<local>>
// CHECK: %[[WEIGHTS:.*]] = mli.alloc {start_group = 0 : i64, start_npus = array<i64: 0, 1, 2>} : memref<3x3x3x2x{{.*}}, #[[IN_FILTERS]], #mli.space<local>>
// CHECK: %[[BIAS:.*]] = mli.alloc {start_group = 0 : i64, start_npus = array<i64: 0, 1, 2>} : memref<2x{{.*}}, #[[IN_BIAS]], #mli.space<local>>
// CHECK: %[[OUT:.*]] = mli.alloc {start_group = 0 : i64, start_npus = array<i64: 0, 1, 2>} : memref<8x8x2x!mli.sa8<1:4:0>, #[[IN_MAP]], #mli.space<local>>
// CHECK-NEXT: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[IN]] : {{.*}})
// CHECK-NEXT: mli.conv2d ins(%[[IN]], %[[WEIGHTS]], %[[BIAS]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: mli.mov ins(%[[OUT]] : {{.*}}) outs(%{{.*}} : {{.*}})
module @conv attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 64>} {
  func.func @f(%source: !in, %result: !out) {
    %in = memref.alloc() : !lin
    %weights = memref.alloc() : !weights
    %bias = memref.alloca() : !bias
    %out = mli.alloc : !lout
    mli.mov ins(%source : !in) outs(%in : !lin)
    mli.conv2d ins(%in, %weights, %bias : !lin, !weights, !bias) outs(%out : !lout) pad [1, 1, 1, 1]
    mli.mov ins(%out : !lout) outs(%result : !out)
    return
  }
}

// -----

!row = memref<32x!mli.fx16<8>, #mli.space<local>>
!weights = memref<32x256x!mli.fx16<8>, #mli.space<local>>
!few = memref<256x10x!mli.fx16<8>, #mli.space<local>>
!bias = memref<256x!mli.fx16<8>, #mli.space<local>>
!fewBias = memref<10x!mli.fx16<8>, #mli.space<local>>
!mid = memref<256x!mli.fx16<8>, #mli.space<local>>
!out = memref<10x!mli.fx16<8>, #mli.space<local>>

// Weights of products are matrices where their rows fill units, compact else.
// O4, O5
// CHECK-DAG: #[[IN_MATRIX:.*]] = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 8192, columns = 64, strides = [64, 64, 64, 1]>
// CHECK-DAG: #[[IN_COMPACT:.*]] = #mli.layout<compact, dims = [n, c], npus = 4, npu_elements = 8192, strides = [3, 1, 1, 1]>
// CHECK-DAG: #[[IN_ROW:.*]] = #mli.layout<compact, dims = [c], npus = 4, npu_elements = 8192, strides = [8, 1, 1, 1]>
// CHECK-LABEL: @products
// CHECK: mli.alloc {{.*}} : memref<32x!mli.fx16<8>, #[[IN_ROW]],
// CHECK: mli.alloc {{.*}} : memref<32x256x!mli.fx16<8>, #[[IN_MATRIX]],
// CHECK: mli.alloc {{.*}} : memref<256x10x!mli.fx16<8>, #[[IN_COMPACT]],
module @products attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f() {
    %row = memref.alloc() : !row
    %weights = memref.alloc() : !weights
    %few = memref.alloc() : !few
    %bias = memref.alloc() : !bias
    %fewBias = memref.alloc() : !fewBias
    %mid = memref.alloc() : !mid
    %out = memref.alloc() : !out
    mli.fully_connected ins(%row, %weights, %bias : !row, !weights, !bias) outs(%mid : !mid)
    mli.fully_connected ins(%mid, %few, %fewBias : !mid, !few, !fewBias) outs(%out : !out)
    return
  }
}

// -----

!map = memref<2x4x6x!mli.fx8<3>, #mli.space<local>>
!row = memref<1x4x6x!mli.fx8<3>, strided<[24, 6, 1], offset: 24>, #mli.space<local>>

// On one NPU all is continuous, in the order of its dimensions.
// O6
// CHECK-DAG: #[[IN_MAP:.*]] = #mli.layout<continuous, dims = [c, h, w], npus = 1, npu_elements = 262144, strides = [48, 24, 6, 1]>
// CHECK-DAG: #[[IN_ROW:.*]] = #mli.layout<continuous, dims = [c, h, w], npus = 1, npu_elements = 262144, strides = [24, 24, 6, 1]>
// CHECK-LABEL: @one_npu
// CHECK: %[[MAP:.*]] = mli.alloc : memref<2x4x6x!mli.fx8<3>, #[[IN_MAP]], #mli.space<local>>
// CHECK: mli.subtensor %[[MAP]][1, 0, 0] [1, 4, 6] : {{.*}} to memref<1x4x6x!mli.fx8<3>, #[[IN_ROW]], #mli.space<local>>
module @one_npu attributes {mli.target = #mli.target<vpx>} {
  func.func @f() {
    %map = memref.alloc() : !map
    %row = mli.subtensor %map[1, 0, 0] [1, 4, 6] : !map to !row
    mli.relu ins(%row : !row) outs(%row : !row) {relu = #mli.relu<gen>}
    return
  }
}

// -----

// There is nothing to do without local memory, and no target needed.
// CHECK-LABEL: @system
// CHECK: memref.alloc() : memref<4x!mli.fx8<3>>
module @system {
  func.func @f() {
    %0 = memref.alloc() : memref<4x!mli.fx8<3>>
    mli.relu ins(%0 : memref<4x!mli.fx8<3>>) outs(%0 : memref<4x!mli.fx8<3>>) {relu = #mli.relu<gen>}
    return
  }
}

// -----

#given = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 16384, start_npu = 1, strides = [64, 64, 8, 1]>
!given = memref<8x8x3x!mli.fx8<3>, #given, #mli.space<local>>
!map = memref<8x8x3x!mli.fx8<3>, #mli.space<local>>

// A layout that there is stays; where it starts is open.
// CHECK-DAG: #[[IN_GIVEN:.*]] = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 16384, start_npu = 1, strides = [64, 64, 8, 1]>
// CHECK-LABEL: @given
// CHECK: mli.alloc {start_group = 0 : i64, start_npus = array<i64: 0, 1>} : memref<8x8x3x!mli.fx8<3>, #[[IN_GIVEN]], #mli.space<local>>
// CHECK: mli.alloc {address = 256 : i64} : memref<8x8x3x!mli.fx8<3>, #
module @given attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 64>} {
  func.func @f() {
    %given = mli.alloc : !given
    %pinned = mli.alloc {address = 256 : i64} : !map
    %map = memref.alloc() : !map
    mli.relu ins(%given : !given) outs(%map : !map) {relu = #mli.relu<gen>}
    mli.relu ins(%map : !map) outs(%pinned : !map) {relu = #mli.relu<gen>}
    return
  }
}

// -----

!batch = memref<4x10x15x3x!mli.fx8<3>, #mli.space<local>>
!cut = memref<3x10x15x3x!mli.fx8<3>, strided<[450, 45, 3, 1]>, #mli.space<local>>

// A batch is packed where that takes fewer bytes and no part cuts a group; in a
// storage mode it starts on NPU 0.
// O7
// CHECK-DAG: #[[IN_PACKED:.*]] = #mli.layout<aligned, mode = 4N, dims = [n, h, w, c],
// CHECK-DAG: #[[IN_PLAIN:.*]] = #mli.layout<aligned, dims = [n, h, w, c],
// CHECK-LABEL: @batch
// CHECK: mli.alloc {start_npus = array<i64: 0>} : memref<4x10x15x3x!mli.fx8<3>, #[[IN_PACKED]],
// CHECK: mli.alloc {start_npus = array<i64: 0, 1>} : memref<4x10x15x3x!mli.fx8<3>, #[[IN_PLAIN]],
module @batch attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f() {
    %batch = memref.alloc() : !batch
    mli.relu ins(%batch : !batch) outs(%batch : !batch) {relu = #mli.relu<gen>}
    %other = memref.alloc() : !batch
    %cut = mli.subtensor %other[0, 0, 0, 0] [3, 10, 15, 3] : !batch to !cut
    mli.relu ins(%cut : !cut) outs(%cut : !cut) {relu = #mli.relu<gen>}
    return
  }
}
