// Where a conversion is in place: elements of one size, and nobody reads what it
// reads any more.
// RUN: mli-opt %s --mli-assign-addresses --split-input-file | FileCheck %s

!in = memref<64x!mli.fx8<3>>
!other = memref<64x!mli.sa8<5:6:-3>>

// The result takes the place of the input.
// CHECK: module @equal_containers attributes {mli.arena_alignment = {{[0-9]+}} : i64, mli.arena_bytes = 64 : i64}
module @equal_containers {
  func.func @f(%in: !in, %out: !other, %sum: !in) {
    %a = memref.alloc() : !in
    %b = memref.alloc() : !other
    mli.relu ins(%in : !in) outs(%a : !in) {relu = #mli.relu<gen>}
    mli.convert ins(%a : !in) outs(%b : !other)
    mli.permute ins(%b : !other) outs(%out : !other) permutation [0]
    return
  }
}

// -----

!in = memref<64x!mli.fx8<3>>
!other = memref<64x!mli.fx16<9>>

// Two bytes for each that is read.
// CHECK: module @wider_container attributes {mli.arena_alignment = {{[0-9]+}} : i64, mli.arena_bytes = 192 : i64}
module @wider_container {
  func.func @f(%in: !in, %out: !other, %sum: !in) {
    %a = memref.alloc() : !in
    %b = memref.alloc() : !other
    mli.relu ins(%in : !in) outs(%a : !in) {relu = #mli.relu<gen>}
    mli.convert ins(%a : !in) outs(%b : !other)
    mli.permute ins(%b : !other) outs(%out : !other) permutation [0]
    return
  }
}

// -----

!in = memref<64x!mli.fx8<3>>
!other = memref<64x!mli.sa8<5:6:-3>>

// The input is needed behind the conversion.
// CHECK: module @read_later attributes {mli.arena_alignment = {{[0-9]+}} : i64, mli.arena_bytes = 128 : i64}
module @read_later {
  func.func @f(%in: !in, %out: !other, %sum: !in) {
    %a = memref.alloc() : !in
    %b = memref.alloc() : !other
    mli.relu ins(%in : !in) outs(%a : !in) {relu = #mli.relu<gen>}
    mli.convert ins(%a : !in) outs(%b : !other)
    mli.permute ins(%b : !other) outs(%out : !other) permutation [0]
    mli.eltwise_add ins(%a, %in : !in, !in) outs(%sum : !in)
    return
  }
}
