// RUN: mli-opt %s --mli-assign-addresses --split-input-file | FileCheck %s

!map = memref<8x!mli.fx16<7>>
!bytes = memref<5x!mli.fx8<7>>

// Liveness: the third takes the place of the first. Lines of 16 bytes.
// CHECK: module attributes {mli.arena_alignment = 16 : i64, mli.arena_bytes = 32 : i64}
// CHECK-LABEL: func.func @liveness
// CHECK-SAME: %[[ARENA:[^:]*]]: memref<32xi8> {mli.arena})
// CHECK: %[[A:.*]] = memref.view %[[ARENA]][%c0][] {mli.buffer = {{[0-9]+}} : i64} : memref<32xi8> to memref<8x!mli.fx16<7>>
// CHECK: %[[B:.*]] = memref.view %[[ARENA]][%c16][]
// CHECK: %[[C:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK: mli.permute {{.*}} outs(%[[A]]
// CHECK: mli.permute ins(%[[A]] {{.*}} outs(%[[B]]
// CHECK: mli.permute ins(%[[B]] {{.*}} outs(%[[C]]
// CHECK-NOT: dealloc
func.func @liveness(%in: !map, %out: !map) {
  %a = memref.alloc() : !map
  %b = memref.alloc() : !map
  %c = memref.alloc() : !map
  mli.permute ins(%in : !map) outs(%a : !map) permutation [0]
  mli.permute ins(%a : !map) outs(%b : !map) permutation [0]
  memref.dealloc %a : !map
  mli.permute ins(%b : !map) outs(%c : !map) permutation [0]
  memref.dealloc %b : !map
  mli.permute ins(%c : !map) outs(%out : !map) permutation [0]
  memref.dealloc %c : !map
  return
}

// -----

!map = memref<16x!mli.fx8<7>>
!half = memref<8x!mli.fx8<7>, strided<[1]>>
!half8 = memref<8x!mli.fx8<7>, strided<[1], offset: 8>>

// Views: what they see is live as long as they are.
// CHECK: mli.arena_bytes = 48
// CHECK-LABEL: func.func @views
// CHECK: %[[A:.*]] = memref.view %{{.*}}[%c0{{.*}}][]
// CHECK: %[[B:.*]] = memref.view %{{.*}}[%c16{{.*}}][]
// CHECK: %[[C:.*]] = memref.view %{{.*}}[%c32{{.*}}][]
// CHECK: memref.subview %[[A]]
func.func @views(%in: !map, %out: !map) {
  %a = memref.alloc() : !map
  %b = memref.alloc() : !map
  %c = memref.alloc() : !map
  mli.permute ins(%in : !map) outs(%a : !map) permutation [0]
  %low = memref.subview %a[0] [8] [1] : !map to !half
  %high = memref.subview %a[8] [8] [1] : !map to !half8
  mli.permute ins(%in : !map) outs(%b : !map) permutation [0]
  mli.permute ins(%b : !map) outs(%c : !map) permutation [0]
  mli.permute ins(%c : !map) outs(%out : !map) permutation [0]
  mli.mov ins(%high : !half8) outs(%low : !half)
  return
}

// -----

!map = memref<64x!mli.fx8<7>>

// In place: an elementwise result takes the place of an input that dies. What
// lives on keeps its own, and so does the input of what is not elementwise.
// CHECK: mli.arena_bytes = 128
// CHECK-LABEL: func.func @in_place
// CHECK: %[[A:.*]] = memref.view %{{.*}}[%c64{{.*}}][]
// CHECK: %[[B:.*]] = memref.view %{{.*}}[%c0{{.*}}][]
// CHECK: %[[C:.*]] = memref.view %{{.*}}[%c64{{.*}}][]
// CHECK: %[[D:.*]] = memref.view %{{.*}}[%c0{{.*}}][]
func.func @in_place(%in: !map, %out: !map) {
  %a = memref.alloc() : !map
  %b = memref.alloc() : !map
  %c = memref.alloc() : !map
  %d = memref.alloc() : !map
  mli.permute ins(%in : !map) outs(%a : !map) permutation [0]
  mli.relu ins(%a : !map) outs(%b : !map) {relu = #mli.relu<gen>}
  mli.eltwise_add ins(%a, %b : !map, !map) outs(%c : !map)
  mli.permute ins(%c : !map) outs(%d : !map) permutation [0]
  mli.relu ins(%d : !map) outs(%out : !map) {relu = #mli.relu<gen>}
  return
}

// -----

!map = memref<4x4x4x!mli.fx8<7>>
!view = memref<1x1x1x!mli.fx8<7>, strided<[16, 4, 1]>>

// Not so where another operand is a part of that input: the kernel would read
// it after it was written. Twice the whole is no part.
// CHECK: mli.arena_bytes = 128
// CHECK-LABEL: func.func @in_place_beside_part
// CHECK: memref.view %{{.*}}[%c0{{.*}}][]
// CHECK: memref.view %{{.*}}[%c64{{.*}}][]
// CHECK: memref.view %{{.*}}[%c64{{.*}}][]
func.func @in_place_beside_part(%in: !map, %out: !map) {
  %a = memref.alloc() : !map
  %b = memref.alloc() : !map
  %c = memref.alloc() : !map
  mli.permute ins(%in : !map) outs(%a : !map) permutation [1, 0, 2]
  %part = memref.subview %a[0, 0, 0] [1, 1, 1] [1, 1, 1] : !map to !view
  mli.eltwise_add ins(%a, %part : !map, !view) outs(%b : !map)
  mli.eltwise_add ins(%b, %b : !map, !map) outs(%c : !map)
  mli.permute ins(%c : !map) outs(%out : !map) permutation [1, 0, 2]
  return
}

// -----

!map = memref<64x!mli.fx8<7>>
!square = memref<8x8x!mli.fx8<7>>

// In place in another shape: the whole of a buffer that dies, or that begins.
// CHECK: mli.arena_bytes = 64
// CHECK-LABEL: func.func @in_place_reshaped
// CHECK: memref.view %{{.*}}[%c0{{.*}}][] {{.*}} to memref<64x!mli.fx8<7>>
// CHECK: memref.view %{{.*}}[%c0{{.*}}][] {{.*}} to memref<8x8x!mli.fx8<7>>
func.func @in_place_reshaped(%in: !map, %out: !square) {
  %a = memref.alloc() : !map
  %b = memref.alloc() : !square
  %b_line = mli.reshape %b : !square to !map
  mli.permute ins(%in : !map) outs(%a : !map) permutation [0]
  mli.relu ins(%a : !map) outs(%b_line : !map) {relu = #mli.relu<gen>}
  mli.permute ins(%b : !square) outs(%out : !square) permutation [1, 0]
  return
}

// -----

!map = memref<64x!mli.fx8<7>>
!square = memref<8x8x!mli.fx8<7>>
!row = memref<8x!mli.fx8<7>>

// Not so where the input is a part of the buffer.
// CHECK: mli.arena_bytes = 72
// CHECK-LABEL: func.func @in_place_part
func.func @in_place_part(%in: !map, %out: !row) {
  %a = memref.alloc() : !map
  %b = memref.alloc() : !row
  %a_square = mli.reshape %a : !map to !square
  %part = mli.subtensor %a_square[3, 0] [1, 8] : !square to memref<8x!mli.fx8<7>, strided<[1], offset: 24>>
  mli.permute ins(%in : !map) outs(%a : !map) permutation [0]
  mli.relu ins(%part : memref<8x!mli.fx8<7>, strided<[1], offset: 24>>) outs(%b : !row) {relu = #mli.relu<gen>}
  mli.permute ins(%b : !row) outs(%out : !row) permutation [0]
  return
}

// -----

!one = memref<1x!mli.fx8<7>>
!map = memref<1x1x!mli.fx8<7>>

// Nor where the input has another shape than the result: one slope, and a map
// that happens to have one element.
// CHECK: mli.arena_bytes = 17
// CHECK-LABEL: func.func @in_place_spread
func.func @in_place_spread(%in: !map, %slope: !one, %out: !map) {
  %a = memref.alloc() : !one
  %b = memref.alloc() : !map
  mli.permute ins(%slope : !one) outs(%a : !one) permutation [0]
  mli.prelu ins(%in, %a : !map, !one) outs(%b : !map)
  mli.permute ins(%b : !map) outs(%out : !map) permutation [0, 1]
  return
}

// -----

!row = memref<16x!mli.fx8<7>>

// Nor over slopes, of any shape.
// CHECK: mli.arena_bytes = 32
// CHECK-LABEL: func.func @in_place_of_slopes
func.func @in_place_of_slopes(%in: !row, %slopes: !row, %out: !row) {
  %a = memref.alloc() : !row
  %b = memref.alloc() : !row
  mli.permute ins(%slopes : !row) outs(%a : !row) permutation [0]
  mli.prelu ins(%in, %a : !row, !row) outs(%b : !row) {axis = 0 : i32}
  mli.permute ins(%b : !row) outs(%out : !row) permutation [0]
  return
}

// -----

!row = memref<16x!mli.fx8<7>>

// Nor over an input that is the slopes too.
// CHECK: mli.arena_bytes = 32
// CHECK-LABEL: func.func @in_place_of_both
func.func @in_place_of_both(%in: !row, %out: !row) {
  %a = memref.alloc() : !row
  %b = memref.alloc() : !row
  mli.permute ins(%in : !row) outs(%a : !row) permutation [0]
  mli.prelu ins(%a, %a : !row, !row) outs(%b : !row) {axis = 0 : i32}
  mli.permute ins(%b : !row) outs(%out : !row) permutation [0]
  return
}

// -----

!map = memref<64x!mli.fx8<7>>

// Pinned: what has an address keeps it. Alignment: what asks for more gets it.
// CHECK: mli.arena_alignment = 128 : i64, mli.arena_bytes = 192
// CHECK-LABEL: func.func @pinned
// CHECK: memref.view %{{.*}}[%c40{{.*}}][]
// CHECK: memref.view %{{.*}}[%c128{{.*}}][]
func.func @pinned(%in: !map, %out: !map) {
  %a = mli.alloc {address = 40 : i64} : !map
  %b = memref.alloc() {alignment = 128 : i64} : !map
  mli.permute ins(%in : !map) outs(%a : !map) permutation [0]
  mli.permute ins(%a : !map) outs(%b : !map) permutation [0]
  mli.permute ins(%b : !map) outs(%out : !map) permutation [0]
  return
}

// -----

!map = memref<64x!mli.fx8<7>>
!none = memref<0xi8>

// Zero size: no bytes. What nobody uses goes.
// CHECK: mli.arena_bytes = 0
// CHECK-LABEL: func.func @nothing
// CHECK-SAME: memref<0xi8> {mli.arena}
// CHECK: memref.view %{{.*}}[%c0{{.*}}][] {mli.buffer = {{[0-9]+}} : i64} : memref<0xi8> to memref<0xi8>
// CHECK-NOT: memref<64
func.func @nothing(%in: !none) {
  %none = memref.alloc() : !none
  %unused = memref.alloc() : !map
  memref.copy %none, %in : !none to !none
  return
}

// -----

!map = memref<64x!mli.fx8<7>>
!space = memref<64x!mli.fx8<7>, #mli.space<system>>

// Memory that names its space is in the arena as well.
// CHECK-LABEL: func.func @spaces
// CHECK: %[[VIEW:.*]] = memref.view %{{.*}}[%c0{{.*}}][] {mli.buffer = {{[0-9]+}} : i64} : memref<64xi8> to memref<64x!mli.fx8<7>>
// CHECK: %[[A:.*]] = memref.memory_space_cast %[[VIEW]] : memref<64x!mli.fx8<7>> to memref<64x!mli.fx8<7>, #mli.space<system>>
// CHECK: mli.permute {{.*}} outs(%[[A]]
func.func @spaces(%in: !map, %out: !map) {
  %a = memref.alloc() : !space
  mli.permute ins(%in : !map) outs(%a : !space) permutation [0]
  mli.permute ins(%a : !space) outs(%out : !map) permutation [0]
  return
}

// -----

!map = memref<64x!mli.fx8<7>>

// Loops: what is used in one and comes from outside stays all the time, what
// comes from inside is there for its round.
// CHECK: mli.arena_bytes = 192
// CHECK-LABEL: func.func @loop
// CHECK: memref.view %{{.*}}[%[[OUTSIDE:c[0-9]+]]{{.*}}][]
// CHECK: scf.for
// CHECK-NOT: memref.view %{{.*}}[%[[OUTSIDE]]{{[^0-9].*}}][]
// CHECK: return
func.func @loop(%in: !map, %out: !map, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outside = memref.alloc() : !map
  mli.permute ins(%in : !map) outs(%outside : !map) permutation [0]
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !map
    %b = memref.alloc() : !map
    mli.permute ins(%outside : !map) outs(%a : !map) permutation [0]
    mli.permute ins(%a : !map) outs(%b : !map) permutation [0]
    mli.permute ins(%b : !map) outs(%out : !map) permutation [0]
  }
  return
}

// -----

!map = memref<64x!mli.fx8<7>>

// Double buffers: two that take turns are both live.
// CHECK: mli.arena_bytes = 128
// CHECK-LABEL: func.func @double_buffers
func.func @double_buffers(%in: !map, %out: !map, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ping = memref.alloc() : !map
  %pong = memref.alloc() : !map
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %ping, %b = %pong)
      -> (!map, !map) {
    mli.mov ins(%in : !map) outs(%a : !map)
    scf.yield %b, %a : !map, !map
  }
  mli.mov ins(%last#0 : !map) outs(%out : !map)
  return
}

// -----

!map = memref<64x!mli.fx8<7>>

// What a round hands to the next is written in two places by turns.
// CHECK: mli.arena_bytes = 128
// CHECK-LABEL: func.func @carried
// CHECK-SAME: (%[[IN:[^:]*]]: memref<64x
// CHECK: %[[A:.*]] = memref.view
// CHECK: %[[B:.*]] = memref.view
// CHECK: %[[LAST:.*]]:3 = scf.for {{.*}} iter_args(%[[OLD:.*]] = %[[IN]], %[[NEW:.*]] = %[[A]], %[[NEXT:.*]] = %[[B]])
// CHECK-NEXT: mli.relu ins(%[[OLD]] {{.*}} outs(%[[NEW]]
// CHECK-NEXT: scf.yield %[[NEW]], %[[NEXT]], %[[NEW]]
// CHECK: mli.mov ins(%[[LAST]]#0
func.func @carried(%in: !map, %out: !map, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %in) -> !map {
    %next = memref.alloc() : !map
    mli.relu ins(%carried : !map) outs(%next : !map) {relu = #mli.relu<gen>}
    scf.yield %next : !map
  }
  mli.mov ins(%last : !map) outs(%out : !map)
  return
}

// -----

!map = memref<64x!mli.fx8<7>>

// What can not be in one place stays on the heap: among it what two rounds
// later is still there, or has another name.
// CHECK: mli.arena_bytes = 0
// CHECK-LABEL: func.func @heap
// CHECK: scf.for
// CHECK: memref.alloc() : memref<64x!mli.fx8<7>>
// CHECK: scf.for
// CHECK: memref.alloc() : memref<64x!mli.fx8<7>>
// CHECK: memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK: memref.alloca() : memref<64x!mli.fx8<7>>
// CHECK: memref.alloc() : memref<64x!mli.fx8<7>>
func.func @heap(%in: !map, %dynamic: memref<?xi8>, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%carried = %in, %before = %in) -> (!map, !map) {
    %next = memref.alloc() : !map
    mli.eltwise_add ins(%carried, %before : !map, !map) outs(%next : !map)
    scf.yield %next, %carried : !map, !map
  }
  %shape = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %in) -> !map {
    %next = memref.alloc() : !map
    %other = mli.reshape %next : !map to memref<8x8x!mli.fx8<7>>
    mli.relu ins(%carried : !map) outs(%next : !map) {relu = #mli.relu<gen>}
    mli.relu ins(%other : memref<8x8x!mli.fx8<7>>)
      outs(%other : memref<8x8x!mli.fx8<7>>) {relu = #mli.relu<relu6>}
    scf.yield %next : !map
  }
  %b = memref.alloc(%n) : memref<?xi8>
  memref.copy %dynamic, %b : memref<?xi8> to memref<?xi8>
  %stack = memref.alloca() : !map
  mli.mov ins(%in : !map) outs(%stack : !map)
  %result = memref.alloc() : !map
  mli.eltwise_add ins(%last#0, %shape : !map, !map) outs(%result : !map)
  return %result : !map
}

// -----

!map = memref<64x!mli.fx8<7>>
func.func private @external(!map)

// Functions that are called have their part of the arena of their caller.
// CHECK: mli.arena_bytes = 192
// CHECK-LABEL: func.func private @layer
// CHECK-SAME: memref<128xi8> {mli.arena})
func.func private @layer(%in: !map, %out: !map) {
  %a = memref.alloc() : !map
  %b = memref.alloc() : !map
  mli.permute ins(%in : !map) outs(%a : !map) permutation [0]
  mli.permute ins(%a : !map) outs(%b : !map) permutation [0]
  mli.permute ins(%b : !map) outs(%out : !map) permutation [0]
  return
}
// CHECK-LABEL: func.func private @small
// CHECK-SAME: (%{{[^:]*}}: memref<64x!mli.fx8<7>>, %{{[^:]*}}: memref<64x!mli.fx8<7>>) {
func.func private @small(%in: !map, %out: !map) {
  mli.permute ins(%in : !map) outs(%out : !map) permutation [0]
  return
}
// CHECK-LABEL: func.func @network
// CHECK-SAME: %[[ARENA:[^:]*]]: memref<192xi8> {mli.arena})
// CHECK: memref.view %[[ARENA]][%c128{{.*}}][] {mli.buffer = {{[0-9]+}} : i64} : memref<192xi8> to memref<64x!mli.fx8<7>>
// CHECK: %[[FRAME:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] {mli.buffer = {{[0-9]+}} : i64} : memref<192xi8> to memref<128xi8>
// CHECK: call @layer({{.*}}, %[[FRAME]])
// CHECK: call @external(%{{[^,]*}}) :
// CHECK: call @small(%{{[^,]*}}, %{{[^,]*}}) :
func.func @network(%in: !map, %out: !map) {
  %a = memref.alloc() : !map
  call @layer(%in, %a) : (!map, !map) -> ()
  call @external(%a) : (!map) -> ()
  call @small(%a, %out) : (!map, !map) -> ()
  return
}
