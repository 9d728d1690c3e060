// Slices of buffers, in plain and in local memory.
// RUN: mli-opt %s --mli-legalize-subtensors --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-legalize-subtensors=explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: not mli-opt %s --mli-legalize-subtensors=reject-copies --split-input-file 2>&1 | FileCheck %s --check-prefix=REJECT

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
  // EXPLAIN: remark: expected step of dimension 0 to be 1, but got 2; this copies 12 bytes, a view of [3, 6] from [0, 0] would copy none{{$}}
  // EXPLAIN: remark: expected step of dimension 0 to be 1, but got 2; this copies 12 bytes, a view of [3, 6] from [0, 0] would copy none{{$}}
  %0 = memref.subview %map[0, 0] [2, 6] [2, 1] : !map to !rows
  mli.relu ins(%0 : !rows) outs(%out : !copy) {relu = #mli.relu<gen>}
  mli.relu ins(%out : !copy) outs(%0 : !rows) {relu = #mli.relu<gen>}
  // EXPLAIN: remark: expected step of dimension 0 to be 1, but got 2; this copies 12 bytes, a view of [3, 6] from [0, 0] would copy none{{$}}
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
// REJECT: error: expected start in local memory to be divisible by 4, but got 2{{$}}
// REJECT: note: this copies 72 bytes; a view of [4, 8, 3] from [0, 0, 0] would copy none{{$}}
module @start attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %a: memref<4x6x3x!mli.fx8<3>>,
               %b: memref<4x4x3x!mli.fx8<3>>) {
    // EXPLAIN: remark: expected start in local memory to be divisible by 4, but got 2; this copies 72 bytes, a view of [4, 8, 3] from [0, 0, 0] would copy none{{$}}
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
// REJECT: error: expected 'offset.n' to be divisible by 4, but got 2{{$}}
// REJECT: note: this copies 16 bytes; a view of [4, 8] from [0, 0] would copy none{{$}}
module @group attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %out: !copy) {
    // EXPLAIN: remark: expected 'offset.n' to be divisible by 4, but got 2; this copies 16 bytes, a view of [4, 8] from [0, 0] would copy none{{$}}
    // EXPLAIN: remark: expected 'offset.n' to be divisible by 4, but got 2; this copies 16 bytes, a view of [4, 8] from [0, 0] would copy none{{$}}
    %0 = memref.subview %map[2, 0] [2, 8] [1, 1] : !map to !cut
    memref.copy %0, %out : !cut to !copy
    memref.copy %out, %0 : !copy to !cut
    return
  }
}

// -----

// Whole groups of four, or up to the end.
#map = #mli.layout<compact, mode = 4N, dims = [n, w], npus = 4, npu_elements = 1024, strides = [8, 8, 8, 1]>
!map = memref<3x8x!mli.fx8<3>, #map, #mli.space<local>>
!whole = memref<3x4x!mli.fx8<3>, strided<[1, 4], offset: 16>, #mli.space<local>>

// CHECK-LABEL: @whole_group
// CHECK: mli.subtensor %{{.*}}[0, 4] [3, 4]
// CHECK-NOT: mli.mov
// CHECK: return
module @whole_group attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %out: memref<3x4x!mli.fx8<3>>) {
    %0 = memref.subview %map[0, 4] [3, 4] [1, 1] : !map to !whole
    memref.copy %0, %out : !whole to memref<3x4x!mli.fx8<3>>
    return
  }
}

// -----

#map = #mli.layout<compact, mode = 2N, dims = [n, w], npus = 4, npu_elements = 512, strides = [8, 8, 8, 1]>
!map = memref<2x8x!mli.fx16<9>, #map, #mli.space<local>>
!cut = memref<1x8x!mli.fx16<9>, strided<[1, 2], offset: 1>, #mli.space<local>>
!whole = memref<2x4x!mli.fx16<9>, strided<[1, 2], offset: 8>, #mli.space<local>>

// CHECK-LABEL: @group_of_two
// CHECK: mli.mov {{.*}} {offsets = array<i64: 1, 0>, reason = #mli.copy_reason<cut_group>, sizes = array<i64: 1, 8>, steps = array<i64: 1, 1>}
// CHECK: mli.subtensor %{{.*}}[0, 4] [2, 4]
// CHECK-NOT: mli.mov
// CHECK: return
// REJECT: error: expected 'offset.n' to be divisible by 2, but got 1{{$}}
// REJECT: note: this copies 16 bytes; a view of [2, 8] from [0, 0] would copy none{{$}}
module @group_of_two attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %a: memref<1x8x!mli.fx16<9>>,
               %b: memref<2x4x!mli.fx16<9>>) {
    // EXPLAIN: remark: expected 'offset.n' to be divisible by 2, but got 1; this copies 16 bytes, a view of [2, 8] from [0, 0] would copy none{{$}}
    %0 = memref.subview %map[1, 0] [1, 8] [1, 1] : !map to !cut
    memref.copy %0, %a : !cut to memref<1x8x!mli.fx16<9>>
    %1 = memref.subview %map[0, 4] [2, 4] [1, 1] : !map to !whole
    memref.copy %1, %b : !whole to memref<2x4x!mli.fx16<9>>
    return
  }
}

// -----

// Weights: two input channels in one.
#map = #mli.layout<compact, mode = 2IC, dims = [n, w], npus = 4, npu_elements = 256, strides = [8, 8, 8, 1]>
!map = memref<2x8xf32, #map, #mli.space<local>>
!cut = memref<1x8xf32, strided<[1, 2]>, #mli.space<local>>
!whole = memref<2x4xf32, strided<[1, 2], offset: 8>, #mli.space<local>>

// CHECK-LABEL: @input_channels
// CHECK: mli.mov {{.*}} {offsets = array<i64: 0, 0>, reason = #mli.copy_reason<cut_group>, sizes = array<i64: 1, 8>, steps = array<i64: 1, 1>}
// CHECK: mli.subtensor %{{.*}}[0, 4] [2, 4]
// CHECK-NOT: mli.mov
// CHECK: return
// REJECT: error: expected 'size.n' to be divisible by 2, but got 1{{$}}
// REJECT: note: this copies 32 bytes; a view of [2, 8] from [0, 0] would copy none{{$}}
module @input_channels attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %a: memref<1x8xf32>, %b: memref<2x4xf32>) {
    // EXPLAIN: remark: expected 'size.n' to be divisible by 2, but got 1; this copies 32 bytes, a view of [2, 8] from [0, 0] would copy none{{$}}
    %0 = memref.subview %map[0, 0] [1, 8] [1, 1] : !map to !cut
    memref.copy %0, %a : !cut to memref<1x8xf32>
    %1 = memref.subview %map[0, 4] [2, 4] [1, 1] : !map to !whole
    memref.copy %1, %b : !whole to memref<2x4xf32>
    return
  }
}

// -----

// The columns of one channel stay together.
#map = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 256, columns = 8, strides = [32, 32, 8, 1]>
!map = memref<3x8xf32, #map, #mli.space<local>>
!cut = memref<3x4xf32, strided<[32, 1]>, #mli.space<local>>
!whole = memref<1x8xf32, strided<[32, 1], offset: 32>, #mli.space<local>>

// CHECK-LABEL: @matrix
// CHECK: mli.mov {{.*}} {offsets = array<i64: 0, 0>, reason = #mli.copy_reason<cut_group>, sizes = array<i64: 3, 4>, steps = array<i64: 1, 1>}
// CHECK: mli.subtensor %{{.*}}[1, 0] [1, 8]
// CHECK-NOT: mli.mov
// CHECK: return
// REJECT: error: expected 'columns' to be divisible by 8, but got 4{{$}}
// REJECT: note: this copies 48 bytes; a view of [3, 8] from [0, 0] would copy none{{$}}
module @matrix attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %a: memref<3x4xf32>, %b: memref<1x8xf32>) {
    // EXPLAIN: remark: expected 'columns' to be divisible by 8, but got 4; this copies 48 bytes, a view of [3, 8] from [0, 0] would copy none{{$}}
    %0 = memref.subview %map[0, 0] [3, 4] [1, 1] : !map to !cut
    memref.copy %0, %a : !cut to memref<3x4xf32>
    %1 = memref.subview %map[1, 0] [1, 8] [1, 1] : !map to !whole
    memref.copy %1, %b : !whole to memref<1x8xf32>
    return
  }
}

// -----

// A move has no steps where it writes: rows are written one by one.
#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!part = memref<2x8x3x!mli.fx8<3>, strided<[16, 1, 1024], offset: 8>, #mli.space<local>>

// CHECK-LABEL: @step_is_written
// CHECK: %[[BUFFER:.*]] = mli.alloc
// CHECK-NEXT: memref.copy %{{.*}}, %[[BUFFER]]
// CHECK-NEXT: mli.mov ins(%[[BUFFER]] : {{.*}}) {dst_offsets = array<i64: 1, 0, 0>, offsets = array<i64: 0, 0, 0>, reason = #mli.copy_reason<strided_step>, sizes = array<i64: 1, 8, 3>}
// CHECK-NEXT: mli.mov ins(%[[BUFFER]] : {{.*}}) {dst_offsets = array<i64: 3, 0, 0>, offsets = array<i64: 1, 0, 0>, reason = #mli.copy_reason<strided_step>, sizes = array<i64: 1, 8, 3>}
// CHECK-NEXT: return
module @step_is_written attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %in: memref<2x8x3x!mli.fx8<3>>) {
    // EXPLAIN: remark: expected step of dimension 0 to be 1, but got 2; this copies 48 bytes, a view of [3, 8, 3] from [1, 0, 0] would copy none{{$}}
    %0 = memref.subview %map[1, 0, 0] [2, 8, 3] [2, 1, 1] : !map to !part
    memref.copy %in, %0 : memref<2x8x3x!mli.fx8<3>> to !part
    return
  }
}

// -----

// A block that a layout made start between two words.
#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
#odd = #mli.layout<strided, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!odd = memref<4x6x3x!mli.fx8<3>, #odd, #mli.space<local>>
!fx = memref<4x6x3x!mli.fx16<9>>

// CHECK-LABEL: @block
// CHECK: %[[BUFFER:.*]] = mli.alloc
// CHECK-NEXT: mli.mov ins(%{{.*}}) outs(%[[BUFFER]] : {{.*}}) {offsets = array<i64: 0, 2, 0>, reason = #mli.copy_reason<misaligned_start>, sizes = array<i64: 4, 6, 3>, steps = array<i64: 1, 1, 1>}
// CHECK-NEXT: mli.convert ins(%[[BUFFER]] : {{.*}})
module @block attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @f(%map: !map, %out: !fx) {
    %0 = mli.subtensor %map[0, 2, 0] [4, 6, 3] : !map to !odd
    mli.convert ins(%0 : !odd) outs(%out : !fx)
    return
  }
}

// -----

// A step over one index is never taken.
// CHECK-LABEL: func.func @step_over_one
// CHECK: %[[COLUMN:.*]] = mli.subtensor %{{.*}}[0, 2] [5, 1] : memref<5x4x!mli.fx8<3>>
// CHECK: %[[VIEW:.*]] = mli.subtensor %[[COLUMN]][2] [1] : {{.*}} to memref<1x!mli.fx8<3>, strided<[4], offset: 10>>
// CHECK: mli.mov ins(%[[VIEW]] :
func.func @step_over_one(%whole: memref<5x4x!mli.fx8<3>>,
                         %init: memref<1x!mli.fx8<3>>) {
  %view = memref.subview %whole[2, 2] [1, 1] [3, 2] : memref<5x4x!mli.fx8<3>>
    to memref<1x!mli.fx8<3>, strided<[2], offset: 10>>
  mli.mov ins(%view : memref<1x!mli.fx8<3>, strided<[2], offset: 10>>)
    outs(%init : memref<1x!mli.fx8<3>>)
  return
}

// -----

// Steps, and which dimension is dropped, are in views of their own.
// CHECK-LABEL: func.func @steps_without_a_dimension
// CHECK: %[[BLOCK:.*]] = mli.subtensor %{{.*}}[1, 0, 0, 2] [1, 5, 1, 3] : {{.*}} to memref<5x1x3x!mli.fx8<3>, strided<[7, 7, 1], offset: 44>>
// CHECK: %[[STEPS:.*]] = memref.subview %[[BLOCK]][0, 0, 0] [3, 1, 2] [2, 1, 2]
// CHECK: mli.mov ins(%{{.*}}) outs(%[[STEPS]] :
func.func @steps_without_a_dimension(%whole: memref<2x6x1x7x!mli.fx8<3>>,
                                     %part: memref<3x1x2x!mli.fx8<3>>) {
  %view = memref.subview %whole[1, 0, 0, 2] [1, 3, 1, 2] [1, 2, 1, 2]
    : memref<2x6x1x7x!mli.fx8<3>>
    to memref<3x1x2x!mli.fx8<3>, strided<[14, 7, 2], offset: 44>>
  mli.mov ins(%part : memref<3x1x2x!mli.fx8<3>>)
    outs(%view : memref<3x1x2x!mli.fx8<3>, strided<[14, 7, 2], offset: 44>>)
  return
}

// -----

// Of two dimensions of size 1 with one stride a block may drop either.
!map = memref<1x1x8x!mli.fx8<3>, strided<[64, 64, 1]>>
!row = memref<1x4x!mli.fx8<3>, strided<[64, 1], offset: 2>>

// CHECK-LABEL: func.func @unit_dims
// CHECK-SAME: %[[MAP:[^:]*]]: memref
// CHECK-NEXT: %[[ROW:.*]] = mli.subtensor %[[MAP]][0, 0, 2] [1, 1, 4]
// CHECK-NEXT: mli.relu ins(%[[ROW]] : {{.*}}) outs(%[[ROW]] : {{.*}})
func.func @unit_dims(%map: !map) {
  %0 = memref.subview %map[0, 0, 2] [1, 1, 4] [1, 1, 1] : !map to !row
  mli.relu ins(%0 : !row) outs(%0 : !row) {relu = #mli.relu<gen>}
  return
}

// -----

// With other strides it is another type: kernels work on copies, and on views
// of copies.
!map = memref<1x1x8x!mli.fx8<3>, strided<[64, 16, 1]>>
!row = memref<1x4x!mli.fx8<3>, strided<[64, 1], offset: 2>>
!part = memref<1x2x!mli.fx8<3>, strided<[64, 1], offset: 3>>

// CHECK-LABEL: func.func @view_of_a_copy
// CHECK-SAME: %[[MAP:[^:]*]]: memref
// CHECK-NEXT: %[[ROW:.*]] = memref.subview %[[MAP]]
// CHECK-NEXT: %[[IN:.*]] = memref.alloc() : memref<1x4x!mli.fx8<3>>
// CHECK-NEXT: %[[PART:.*]] = mli.subtensor %[[IN]][0, 1] [1, 2]
// CHECK-NEXT: mli.mov ins(%[[ROW]] : {{.*}}) outs(%[[IN]] : {{.*}}) {reason = #mli.copy_reason<inner_unit_dims>}
// CHECK-NEXT: mli.relu ins(%[[PART]] : {{.*}}) outs(%{{.*}} : {{.*}})
// CHECK-NEXT: %[[OUT:.*]] = memref.alloc() : memref<1x4x!mli.fx8<3>>
// CHECK-NEXT: mli.mov ins(%[[ROW]] : {{.*}}) outs(%[[OUT]] : {{.*}}) {reason = #mli.copy_reason<inner_unit_dims>}
// CHECK-NEXT: %[[WRITTEN:.*]] = mli.subtensor %[[OUT]][0, 1] [1, 2]
// CHECK-NEXT: mli.relu ins(%{{.*}} : {{.*}}) outs(%[[WRITTEN]] : {{.*}})
// CHECK-NEXT: mli.mov ins(%[[OUT]] : {{.*}}) outs(%[[ROW]] : {{.*}}) {reason = #mli.copy_reason<inner_unit_dims>}
func.func @view_of_a_copy(%map: !map, %out: memref<1x2x!mli.fx8<3>>) {
  %0 = memref.subview %map[0, 0, 2] [1, 1, 4] [1, 1, 1] : !map to !row
  %1 = mli.subtensor %0[0, 1] [1, 2] : !row to !part
  mli.relu ins(%1 : !part) outs(%out : memref<1x2x!mli.fx8<3>>)
    {relu = #mli.relu<gen>}
  mli.relu ins(%out : memref<1x2x!mli.fx8<3>>) outs(%1 : !part)
    {relu = #mli.relu<gen>}
  return
}

// CHECK-LABEL: func.func @reshape_of_a_copy
// CHECK: %[[IN:.*]] = memref.alloc() : memref<1x4x!mli.fx8<3>>
// CHECK-NEXT: %[[PART:.*]] = mli.reshape %[[IN]] : {{.*}} to memref<4x!mli.fx8<3>>
// CHECK-NEXT: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[IN]] : {{.*}}) {reason = #mli.copy_reason<inner_unit_dims>}
// CHECK-NEXT: mli.relu ins(%[[PART]] : {{.*}}) outs(%{{.*}} : {{.*}})
func.func @reshape_of_a_copy(%map: !map, %out: memref<4x!mli.fx8<3>>) {
  %0 = memref.subview %map[0, 0, 2] [1, 1, 4] [1, 1, 1] : !map to !row
  %1 = mli.reshape %0 : !row
    to memref<4x!mli.fx8<3>, strided<[1], offset: 2>>
  mli.relu ins(%1 : memref<4x!mli.fx8<3>, strided<[1], offset: 2>>)
    outs(%out : memref<4x!mli.fx8<3>>) {relu = #mli.relu<gen>}
  return
}
