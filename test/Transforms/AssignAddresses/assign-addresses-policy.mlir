// What besides intermediate data lies in the arena.
// RUN: mli-opt %s --mli-assign-addresses --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-assign-addresses="arguments copy-constants" --split-input-file | FileCheck %s --check-prefix=ALL
// RUN: mli-opt %s --mli-assign-addresses="system-alignment=1 in-place=false" --split-input-file | FileCheck %s --check-prefix=DENSE
// RUN: not mli-opt %s --mli-assign-addresses=arena-bytes=64 --split-input-file 2>&1 | FileCheck %s --check-prefix=SMALL

!map = memref<33x!mli.sa8<1:4:0>>

// Arguments have an offset, too, if asked: an input as long as it is read, a
// result from when it is written.
// CHECK: mli.arena_bytes = 81
// CHECK-LABEL: func.func @arguments
// CHECK-SAME: memref<33x!mli.sa8<1:4:0>>, %{{[^:]*}}: memref<33x!mli.sa8<1:4:0>>,
// ALL: mli.arena_bytes = 81
// ALL-LABEL: func.func @arguments
// ALL-SAME: memref<33x!mli.sa8<1:4:0>> {mli.address = 0 : i64}, %{{[^:]*}}: memref<33x!mli.sa8<1:4:0>> {mli.address = {{0|48}} : i64},
// DENSE: mli.arena_bytes = 66
// SMALL: error: expected buffers of 'arguments' to fit in 64 bytes of the arena, but got 81, 17 too many (proven)
func.func @arguments(%in: !map, %out: !map) {
  %a = memref.alloc() : !map
  %b = memref.alloc() : !map
  mli.permute ins(%in : !map) outs(%a : !map) permutation [0]
  mli.permute ins(%a : !map) outs(%b : !map) permutation [0]
  mli.permute ins(%b : !map) outs(%out : !map) permutation [0]
  return
}

// -----

!map = memref<32x!mli.sa8<1:4:0>>

// Constants stay where they are, or are copied before all else.
// CHECK: mli.arena_bytes = 0
// The sum takes the place of the argument, which nobody reads any more.
// ALL: mli.arena_bytes = 64
// ALL-LABEL: func.func @constants
// ALL: %[[DATA:.*]] = mli.constant
// ALL: %[[COPY:.*]] = memref.view
// ALL: memref.copy %[[DATA]], %[[COPY]]
// ALL: mli.eltwise_add ins(%{{.*}}, %[[COPY]] :
func.func @constants(%in: !map, %out: !map) {
  %data = mli.constant dense<1> : tensor<32xi8> to !map
  mli.eltwise_add ins(%in, %data : !map, !map) outs(%out : !map)
  return
}

// -----

!map = memref<32x!mli.sa8<1:8:-128>>
!in = memref<32x!mli.sa8<1:4:0>>

// The table of a kernel is there while it runs.
// CHECK: mli.arena_bytes = {{[1-9][0-9]*}} : i64
// CHECK-LABEL: func.func @tables
// CHECK: mli.softmax {{.*}} mli.scratch_address = 0 : i64
func.func @tables(%in: !in, %out: !map) {
  mli.softmax ins(%in : !in) outs(%out : !map) {axis = 0 : i32}
  return
}

// -----

!map = memref<32x!mli.sa8<1:8:-128>, #mli.space<local>>
!in = memref<32x!mli.sa8<1:4:0>, #mli.space<local>>
!plain = memref<32x!mli.sa8<1:4:0>>

// That of a kernel in local memory is there.
// CHECK: mli.arena_bytes = 0
// CHECK-LABEL: func.func @local_tables
// CHECK: mli.alloc {address = [[PLACE:[0-9]+]] : i64}
// CHECK: mli.softmax {{.*}} mli.scratch_address = {{[0-9]+}} : i64
module attributes {mli.target = #mli.target<vpx>} {
  func.func @local_tables(%plain: !plain) {
    %in = mli.alloc : !in
    %out = mli.alloc : !map
    mli.mov ins(%plain : !plain) outs(%in : !in)
    mli.softmax ins(%in : !in) outs(%out : !map) {axis = 0 : i32}
    return
  }
}

// -----

!map = memref<32x!mli.sa8<1:4:0>>

// The caller writes an input that nothing reads, too.
// ALL: func.func @unread(%{{[^:]*}}: memref<32x!mli.sa8<1:4:0>> {mli.address = [[A:[0-9]+]] : i64}, %{{[^:]*}}: memref<32x!mli.sa8<1:4:0>>
// ALL-NOT: {mli.address = [[A]] : i64}, %{{[^:]*}}: memref<32x!mli.sa8<1:4:0>>
// ALL-SAME: {mli.address
func.func @unread(%unread: !map, %in: !map, %out: !map) {
  mli.permute ins(%in : !map) outs(%out : !map) permutation [0]
  return
}
