// Slices of buffers, in plain and in local memory.
// RUN: mli-opt %s --mli-legalize-subtensors --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-legalize-subtensors=explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

!map = memref<4x6x8x!mli.fx8<3>>
!block = memref<2x6x8x!mli.fx8<3>, strided<[48, 8, 1], offset: 48>>

// CHECK-LABEL: func.func @view
// CHECK-SAME: %[[MAP:[^:]*]]: memref
// CHECK-NEXT: %[[BLOCK:.*]] = mli.subtensor %[[MAP]][1, 0, 0] [2, 6, 8]
// CHECK-NEXT: mli.relu ins(%[[BLOCK]] : {{.*}}) outs(%[[BLOCK]] : {{.*}})
func.func @view(%map: !map) {
  %0 = memref.subview %map[1, 0, 0] [2, 6, 8] [1, 1, 1] : !map to !block
  mli.relu ins(%0 : !block) outs(%0 : !block) {relu = #mli.relu<gen>}
  return
}

// -----

!map = memref<4x6x!mli.fx8<3>>
!rows = memref<2x6x!mli.fx8<3>, strided<[12, 1]>>
!copy = memref<2x6x!mli.fx8<3>>

// In plain memory a move has the strides of the slice.
// CHECK-LABEL: func.func @step
// CHECK: %[[ROWS:.*]] = memref.subview
// CHECK-NEXT: %[[BUFFER:.*]] = memref.alloc() : memref<2x6x!mli.fx8<3>>
// CHECK-NEXT: mli.mov ins(%[[ROWS]] : {{.*}}) outs(%[[BUFFER]] : {{.*}}) {reason = #mli.copy_reason<strided_step>}
// CHECK-NEXT: mli.relu ins(%[[BUFFER]] : {{.*}}) outs(%{{.*}} : {{.*}})
// CHECK-NEXT: %[[RESULT:.*]] = memref.alloc() : memref<2x6x!mli.fx8<3>>
// CHECK-NEXT: mli.relu ins(%{{.*}} : {{.*}}) outs(%[[RESULT]] : {{.*}})
// CHECK-NEXT: mli.mov ins(%[[RESULT]] : {{.*}}) outs(%[[ROWS]] : {{.*}}) {reason = #mli.copy_reason<strided_step>}
// CHECK-NEXT: mli.mov ins(%[[ROWS]] : {{.*}}) outs(%{{.*}} : {{.*}}) {reason = #mli.copy_reason<strided_step>}
func.func @step(%map: !map, %out: !copy) {
  // EXPLAIN: remark: expected step of dimension 0 to be 1, but got 2; this copies 12 bytes, a view of [3, 6] from [0, 0] would copy none
  // EXPLAIN: remark: expected step of dimension 0 to be 1, but got 2; this copies 12 bytes, a view of [3, 6] from [0, 0] would copy none
  %0 = memref.subview %map[0, 0] [2, 6] [2, 1] : !map to !rows
  mli.relu ins(%0 : !rows) outs(%out : !copy) {relu = #mli.relu<gen>}
  mli.relu ins(%out : !copy) outs(%0 : !rows) {relu = #mli.relu<gen>}
  // EXPLAIN: remark: expected step of dimension 0 to be 1, but got 2; this copies 12 bytes, a view of [3, 6] from [0, 0] would copy none
  mli.mov ins(%0 : !rows) outs(%out : !copy)
  return
}

// -----

// A slice along channels starts at another NPU; the buffer does not wrap, so
// that there is a memref.subview.
#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, start_npu = 1, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!part = memref<4x8x2x!mli.fx8<3>, strided<[8, 1, 1024], offset: 2048>, #mli.space<local>>
!copy = memref<4x8x2x!mli.fx8<3>>

// CHECK: #compact1 = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, start_npu = 2, strides = [32, 32, 8, 1]>
// CHECK-LABEL: @channels
// CHECK: %[[PART:.*]] = mli.subtensor %{{.*}}[0, 0, 1] [4, 8, 2] : {{.*}} to memref<4x8x2x!mli.fx8<3>, #compact1, #mli.space<local>>
// CHECK-NEXT: memref.copy %[[PART]]
module @channels attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %out: !copy) {
    %0 = memref.subview %map[0, 0, 1] [4, 8, 2] [1, 1, 1] : !map to !part
    memref.copy %0, %out : !part to !copy
    return
  }
}

// -----

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!odd = memref<4x6x3x!mli.fx8<3>, strided<[8, 1, 1024], offset: 2>, #mli.space<local>>
!even = memref<4x4x3x!mli.fx8<3>, strided<[8, 1, 1024], offset: 4>, #mli.space<local>>

// CHECK-LABEL: @start
// CHECK: %[[BUFFER:.*]] = mli.alloc : memref<4x6x3x!mli.fx8<3>, #{{.*}}, #mli.space<local>>
// CHECK-NEXT: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[BUFFER]] : {{.*}}) {offsets = array<i64: 0, 2, 0>, reason = #mli.copy_reason<misaligned_start>, sizes = array<i64: 4, 6, 3>, steps = array<i64: 1, 1, 1>}
// CHECK-NEXT: memref.copy %[[BUFFER]]
// CHECK-NEXT: mli.subtensor %{{.*}}[0, 4, 0] [4, 4, 3]
module @start attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %a: memref<4x6x3x!mli.fx8<3>>,
               %b: memref<4x4x3x!mli.fx8<3>>) {
    // EXPLAIN: remark: expected start in local memory to be divisible by 4, but got 2; this copies 72 bytes, a view of [4, 8, 3] from [0, 0, 0] would copy none
    %0 = memref.subview %map[0, 2, 0] [4, 6, 3] [1, 1, 1] : !map to !odd
    memref.copy %0, %a : !odd to memref<4x6x3x!mli.fx8<3>>
    %1 = memref.subview %map[0, 4, 0] [4, 4, 3] [1, 1, 1] : !map to !even
    memref.copy %1, %b : !even to memref<4x4x3x!mli.fx8<3>>
    return
  }
}

// -----

#map = #mli.layout<compact, mode = 4N, dims = [n, w], npus = 4, npu_elements = 1024, strides = [8, 8, 8, 1]>
!map = memref<4x8x!mli.fx8<3>, #map, #mli.space<local>>
!cut = memref<2x8x!mli.fx8<3>, strided<[1, 4], offset: 2>, #mli.space<local>>
!copy = memref<2x8x!mli.fx8<3>>

// Read and written.
// CHECK-LABEL: @group
// CHECK: %[[BUFFER:.*]] = mli.alloc
// CHECK-NEXT: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[BUFFER]] : {{.*}}) {offsets = array<i64: 2, 0>, reason = #mli.copy_reason<cut_group>, sizes = array<i64: 2, 8>, steps = array<i64: 1, 1>}
// CHECK-NEXT: memref.copy %[[BUFFER]], %{{.*}}
// CHECK-NEXT: %[[BUFFER:.*]] = mli.alloc
// CHECK-NEXT: memref.copy %{{.*}}, %[[BUFFER]]
// CHECK-NEXT: mli.mov ins(%[[BUFFER]] : {{.*}}) outs(%{{.*}} : {{.*}}) {dst_offsets = array<i64: 2, 0>, reason = #mli.copy_reason<cut_group>}
module @group attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %out: !copy) {
    // EXPLAIN: remark: expected 'offset.n' to be divisible by 4, but got 2; this copies 16 bytes, a view of [4, 8] from [0, 0] would copy none
    // EXPLAIN: remark: expected 'offset.n' to be divisible by 4, but got 2; this copies 16 bytes, a view of [4, 8] from [0, 0] would copy none
    %0 = memref.subview %map[2, 0] [2, 8] [1, 1] : !map to !cut
    memref.copy %0, %out : !cut to !copy
    memref.copy %out, %0 : !copy to !cut
    return
  }
}
