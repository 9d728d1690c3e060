// Addresses in system memory are those of elements, however low the alignment
// that is asked for.
// RUN: mli-opt %s --mli-assign-addresses=system-alignment=1 --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-assign-addresses="system-alignment=1 arguments" --split-input-file | FileCheck %s --check-prefix=ARGUMENTS

// CHECK: module attributes {mli.arena_alignment = 2 : i64, mli.arena_bytes = 37 : i64}
// CHECK-LABEL: func.func @elements
// CHECK: memref.view %{{.*}}[%c16][] {{.*}} to memref<21x!mli.fx8<7>>
// CHECK: memref.view %{{.*}}[%c0][] {{.*}} to memref<8x!mli.fx16<7>>
// ARGUMENTS: mli.arena_alignment = 2
// ARGUMENTS-LABEL: func.func @elements
// ARGUMENTS-SAME: memref<8x!mli.fx16<7>> {mli.address = {{[0-9]*[02468]}} : i64}
// ARGUMENTS-SAME: memref<8x!mli.fx16<7>> {mli.address = {{[0-9]*[02468]}} : i64}
!b = memref<21x!mli.fx8<7>>
!h = memref<8x!mli.fx16<7>>
func.func @elements(%in: !b, %in2: !h, %out: !b, %out2: !h) {
  %a = memref.alloc() : !b
  %c = memref.alloc() : !h
  mli.permute ins(%in : !b) outs(%a : !b) permutation [0]
  mli.permute ins(%in2 : !h) outs(%c : !h) permutation [0]
  mli.permute ins(%a : !b) outs(%out : !b) permutation [0]
  mli.permute ins(%c : !h) outs(%out2 : !h) permutation [0]
  return
}

// -----

// Bytes alone may lie anywhere.
// CHECK: module attributes {mli.arena_alignment = 1 : i64
// CHECK-LABEL: func.func @bytes
!b = memref<21x!mli.fx8<7>>
func.func @bytes(%in: !b, %out: !b) {
  %a = memref.alloc() : !b
  mli.permute ins(%in : !b) outs(%a : !b) permutation [0]
  mli.permute ins(%a : !b) outs(%out : !b) permutation [0]
  return
}

// -----

// Tables are of elements of 16 bits, behind a buffer of an odd size too.
// K56
// CHECK: module attributes {mli.arena_alignment = 2 : i64
// CHECK-LABEL: func.func @tables
// CHECK: mli.scratch_address = {{[0-9]*[02468]}} : i64
!b = memref<21x!mli.fx8<7>>
func.func @tables(%in: !b, %out: !b) {
  %a = memref.alloc() : !b
  mli.permute ins(%in : !b) outs(%a : !b) permutation [0]
  mli.tanh ins(%a : !b) outs(%out : !b)
  return
}
