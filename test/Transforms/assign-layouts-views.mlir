// What sees local buffers follows from their layouts.
// RUN: mli-opt %s --mli-assign-layouts --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-assign-layouts --mli-legalize-subtensors --mli-assign-addresses --split-input-file -o /dev/null

!map = memref<8x16x6x!mli.fx8<3>, #mli.space<local>>
!rows = memref<4x16x6x!mli.fx8<3>, strided<[96, 6, 1], offset: 192>, #mli.space<local>>
!half = memref<4x16x2x!mli.fx8<3>, strided<[96, 6, 1], offset: 196>, #mli.space<local>>

// Blocks of blocks; one along channels starts at another NPU, and the buffer
// where that is legal.
// CHECK-DAG: #[[IN_MAP:.*]] = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [256, 128, 16, 1]>
// CHECK-DAG: #[[IN_ROWS:.*]] = #mli.layout<strided, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [256, 128, 16, 1]>
// CHECK-LABEL: @blocks
// CHECK: %[[MAP:.*]] = mli.alloc {start_npus = array<i64: 0, 1, 2>} : memref<8x16x6x!mli.fx8<3>, #[[IN_MAP]],
// CHECK-NEXT: %[[ROWS:.*]] = mli.subtensor %[[MAP]][2, 0, 0] [4, 16, 6] : {{.*}} to memref<4x16x6x!mli.fx8<3>, #[[IN_ROWS]],
// CHECK-NEXT: %[[HALF:.*]] = mli.subtensor %[[ROWS]][0, 0, 4] [4, 16, 2] : {{.*}} to memref<4x16x2x!mli.fx8<3>, #[[IN_ROWS]],
// CHECK-NEXT: mli.relu ins(%[[HALF]]
module @blocks attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f() {
    %map = memref.alloc() : !map
    %rows = mli.subtensor %map[2, 0, 0] [4, 16, 6] : !map to !rows
    %half = mli.subtensor %rows[0, 0, 4] [4, 16, 2] : !rows to !half
    mli.relu ins(%half : !half) outs(%half : !half) {relu = #mli.relu<gen>}
    return
  }
}

// -----

!map = memref<8x16x6x!mli.fx8<3>, #mli.space<local>>
!rows = memref<4x16x6x!mli.fx8<3>, strided<[96, 6, 1], offset: ?>, #mli.space<local>>
!subview = memref<4x16x6x!mli.fx8<3>, strided<[96, 6, 1], offset: ?>, #mli.space<local>>

// What loops carry, and blocks of it at offsets that are values.
// CHECK-DAG: #[[IN_MAP:.*]] = #mli.layout<aligned, dims = [h, w, c]
// CHECK-DAG: #[[IN_ROWS:.*]] = #mli.layout<strided, dims = [h, w, c]
// CHECK-LABEL: @loops
// CHECK: %[[A:.*]] = mli.alloc {start_group = 0 : i64, start_npus = array<i64: 0, 1, 2>}
// CHECK: %[[B:.*]] = mli.alloc {start_group = 0 : i64, start_npus = array<i64: 0, 1, 2>}
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %[[A]], %[[Y:.*]] = %[[B]]) -> (memref<8x16x6x!mli.fx8<3>, #[[IN_MAP]], #mli.space<local>>, memref<8x16x6x!mli.fx8<3>, #[[IN_MAP]], #mli.space<local>>)
// CHECK: mli.subtensor %[[X]][%{{.*}}, 0, 0] [4, 16, 6] : {{.*}} to memref<4x16x6x!mli.fx8<3>, #[[IN_ROWS]],
// CHECK: mli.subtensor %[[Y]][%{{.*}}, 0, 0] [4, 16, 6] : {{.*}} to memref<4x16x6x!mli.fx8<3>, #[[IN_ROWS]],
module @loops attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !map
    %b = memref.alloc() : !map
    %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (!map, !map) {
      %from = mli.subtensor %x[%i, 0, 0] [4, 16, 6] : !map to !rows
      %to = memref.subview %y[%i, 0, 0] [4, 16, 6] [1, 1, 1] : !map to !subview
      mli.relu ins(%from : !rows) outs(%to : !subview) {relu = #mli.relu<gen>}
      scf.yield %y, %x : !map, !map
    }
    return
  }
}

// -----

!map = memref<1x1x40x!mli.fx8<3>, #mli.space<local>>
!row = memref<40x!mli.fx8<3>, #mli.space<local>>
!column = memref<1x40x!mli.fx8<3>, #mli.space<local>>
!square = memref<4x8x40x!mli.fx8<3>, #mli.space<local>>
!flat = memref<32x40x!mli.fx8<3>, #mli.space<local>>

// Other shapes that keep each element at its address.
// O15
// CHECK-LABEL: @shapes
// CHECK: mli.reshape %{{.*}} : {{.*}} to memref<40x!mli.fx8<3>, #{{.*}}, #mli.space<local>>
// CHECK: mli.reshape %{{.*}} : {{.*}} to memref<1x40x!mli.fx8<3>, #{{.*}}, #mli.space<local>>
// CHECK: mli.reshape %{{.*}} : {{.*}} to memref<32x40x!mli.fx8<3>, #{{.*}}, #mli.space<local>>
// CHECK-NOT: mli.mov
module @shapes attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f() {
    %map = memref.alloc() : !map
    %row = mli.reshape %map : !map to !row
    mli.relu ins(%row : !row) outs(%row : !row) {relu = #mli.relu<gen>}
    %column = mli.reshape %row : !row to !column
    mli.relu ins(%column : !column) outs(%column : !column) {relu = #mli.relu<gen>}
    %square = memref.alloc() : !square
    %flat = mli.reshape %square : !square to !flat
    mli.relu ins(%flat : !flat) outs(%flat : !flat) {relu = #mli.relu<gen>}
    return
  }
}

// -----

!map = memref<4x8x40x!mli.fx8<3>, #mli.space<local>>
!row = memref<1280x!mli.fx8<3>, #mli.space<local>>

// One that does not goes through system memory, before what reads it and behind
// what writes it.
// O15
// CHECK-LABEL: @other_addresses
// CHECK: %[[MAP:.*]] = mli.alloc {{.*}} : memref<4x8x40x!mli.fx8<3>, #{{.*}}, #mli.space<local>>
// CHECK-NEXT: %[[COPY:.*]] = mli.alloc {{.*}} : memref<1280x!mli.fx8<3>, #{{.*}}, #mli.space<local>>
// CHECK-NEXT: %[[PLAIN:.*]] = memref.alloc() : memref<4x8x40x!mli.fx8<3>>
// CHECK-NEXT: %[[ROW:.*]] = mli.reshape %[[PLAIN]] : memref<4x8x40x!mli.fx8<3>> to memref<1280x!mli.fx8<3>>
// CHECK-NEXT: mli.mov ins(%[[MAP]] : {{.*}}) outs(%[[PLAIN]] : {{.*}}) {reason = #mli.copy_reason<kernel_layout>}
// CHECK-NEXT: mli.mov ins(%[[ROW]] : {{.*}}) outs(%[[COPY]] : {{.*}}) {reason = #mli.copy_reason<kernel_layout>}
// CHECK-NEXT: mli.softmax ins(%[[COPY]] : {{.*}}) outs(%{{.*}} : memref<1280x!mli.fx8<7>>)
// CHECK: mli.relu ins(%{{.*}} : memref<1280x!mli.fx8<3>>) outs(%[[WRITTEN:.*]] : {{.*}})
// CHECK-NEXT: mli.mov ins(%[[WRITTEN]] : {{.*}}) outs(%[[ROW2:.*]] : {{.*}}) {reason = #mli.copy_reason<kernel_layout>}
// CHECK-NEXT: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[MAP]] : {{.*}}) {reason = #mli.copy_reason<kernel_layout>}
module @other_addresses attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f(%in: memref<1280x!mli.fx8<3>>, %out: memref<1280x!mli.fx8<7>>) {
    %map = memref.alloc() : !map
    %row = mli.reshape %map : !map to !row
    mli.softmax ins(%row : !row) outs(%out : memref<1280x!mli.fx8<7>>)
    mli.relu ins(%in : memref<1280x!mli.fx8<3>>) outs(%row : !row) {relu = #mli.relu<gen>}
    return
  }
}

// -----

!map = memref<7x7x5x!mli.fx8<3>, #mli.space<local>>
!rows = memref<2x7x5x!mli.fx8<3>, strided<[35, 5, 1], offset: 35>, #mli.space<local>>

// A block that starts between words is moved: to and from, as its kernel reads
// and writes it.
// CHECK-LABEL: @between_words
// CHECK: %[[MAP:.*]] = mli.alloc
// CHECK-NEXT: %[[READ:.*]] = mli.alloc {{.*}}: memref<2x7x5x!mli.fx8<3>
// CHECK-NEXT: mli.mov ins(%[[MAP]] : {{.*}}) outs(%[[READ]] : {{.*}}) {offsets = array<i64: 1, 0, 0>, reason = #mli.copy_reason<misaligned_start>, sizes = array<i64: 2, 7, 5>, steps = array<i64: 1, 1, 1>}
// CHECK-NEXT: %[[WRITTEN:.*]] = mli.alloc {{.*}}: memref<2x7x5x!mli.fx8<3>
// CHECK-NEXT: mli.relu ins(%[[READ]] : {{.*}}) outs(%[[WRITTEN]] : {{.*}})
// CHECK-NEXT: mli.mov ins(%[[WRITTEN]] : {{.*}}) outs(%[[MAP]] : {{.*}}) {dst_offsets = array<i64: 1, 0, 0>, reason = #mli.copy_reason<misaligned_start>}
// CHECK-NEXT: return
module @between_words attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f() {
    %map = memref.alloc() : !map
    %rows = mli.subtensor %map[1, 0, 0] [2, 7, 5] : !map to !rows
    mli.relu ins(%rows : !rows) outs(%rows : !rows) {relu = #mli.relu<gen>}
    return
  }
}

// -----

!map = memref<7x7x6x!mli.fx8<3>, #mli.space<local>>
!part = memref<2x7x2x!mli.fx8<3>, strided<[42, 6, 1], offset: 45>, #mli.space<local>>

// A copy starts where the first channel of its block is, or where it takes less.
// O8
// CHECK-LABEL: @copy_of_channels
// CHECK: mli.alloc {start_npus = array<i64: 0, 1, 2, 3>} : memref<2x7x2x!mli.fx8<3>
module @copy_of_channels attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f(%out: memref<2x7x2x!mli.fx8<3>>) {
    %map = memref.alloc() : !map
    %part = mli.subtensor %map[1, 0, 3] [2, 7, 2] : !map to !part
    mli.mov ins(%part : !part) outs(%out : memref<2x7x2x!mli.fx8<3>>)
    return
  }
}

// -----

!map = memref<8x16x6x!mli.fx8<3>, #mli.space<local>>
!row = memref<1x16x6x!mli.fx8<3>, strided<[96, 6, 1], offset: ?>, #mli.space<local>>

// On one NPU no offset decides about an NPU: it may be a value anywhere.
// V9
// CHECK-DAG: #[[IN_ROW:.*]] = #mli.layout<strided, dims = [c, h, w], npus = 1, npu_elements = 262144, strides = [768, 96, 6, 1]>
// CHECK-LABEL: @one_npu
// CHECK: mli.subtensor %{{.*}}[%{{.*}}, 0, 0] [1, 16, 6] : {{.*}} to memref<1x16x6x!mli.fx8<3>, #[[IN_ROW]], #mli.space<local>>
module @one_npu attributes {mli.target = #mli.target<vpx>} {
  func.func @f(%i: index) {
    %map = memref.alloc() : !map
    %row = mli.subtensor %map[%i, 0, 0] [1, 16, 6] : !map to !row
    mli.relu ins(%row : !row) outs(%row : !row) {relu = #mli.relu<gen>}
    return
  }
}
