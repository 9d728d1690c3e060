// New states lie in the place of the old ones where nothing reads those once the
// new ones are written.
// RUN: mli-opt %s --split-input-file --verify-diagnostics \
// RUN:   --mli-share-states=explain=true | FileCheck %s

!m = memref<4x!mli.fx8<3>>

// The old state is read before.
// CHECK-LABEL: func.func @before
// CHECK-SAME: (%[[IN:.*]]: memref<4x!mli.fx8<3>>, %[[STATE:.*]]: memref<4x!mli.fx8<3>> {mli.in_place, mli.result = 1 : i64, mli.state = 0 : i64}, %[[OUT:.*]]: memref<4x!mli.fx8<3>> {mli.result = 0 : i64})
// CHECK-NEXT: mli.eltwise_add ins(%[[IN]], %[[STATE]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: mli.mov ins(%[[OUT]] : {{.*}}) outs(%[[STATE]] :
// CHECK-NEXT: return
// expected-remark @below {{state 0 of 'before' is written in place}}
func.func @before(%in: !m, %old: !m {mli.state = 0 : i64},
                  %out: !m {mli.result = 0 : i64},
                  %new: !m {mli.result = 1 : i64, mli.state = 0 : i64}) {
  mli.eltwise_add ins(%in, %old : !m, !m) outs(%out : !m)
  mli.mov ins(%out : !m) outs(%new : !m)
  return
}

// A kernel of elements on elements, through other shapes.
// CHECK-LABEL: func.func @elements
// CHECK-SAME: %[[IN:[a-z0-9]+]]: {{.*}}%[[STATE:.*]]: {{.*}} {mli.in_place
// CHECK-DAG: %[[READ:.*]] = mli.reshape %[[STATE]]
// CHECK-DAG: %[[WRITTEN:.*]] = mli.reshape %[[STATE]]
// CHECK: mli.eltwise_add ins(%{{.*}}, %[[READ]] : {{.*}}) outs(%[[WRITTEN]] :
// expected-remark @below {{state 0 of 'elements' is written in place}}
func.func @elements(%in: memref<2x2x!mli.fx8<3>>, %old: !m {mli.state = 0 : i64},
                    %new: !m {mli.result = 0 : i64, mli.state = 0 : i64}) {
  %read = mli.reshape %old : !m to memref<2x2x!mli.fx8<3>>
  %written = mli.reshape %new : !m to memref<2x2x!mli.fx8<3>>
  mli.eltwise_add
    ins(%in, %read : memref<2x2x!mli.fx8<3>>, memref<2x2x!mli.fx8<3>>)
    outs(%written : memref<2x2x!mli.fx8<3>>)
  return
}

// A copy of all is none in place; a kernel goes on with it.
// CHECK-LABEL: func.func @copied
// CHECK-SAME: %[[IN:[a-z0-9]+]]: {{.*}}%[[STATE:.*]]: {{.*}} {mli.in_place
// CHECK-NEXT: mli.eltwise_add ins(%[[IN]], %[[STATE]] : {{.*}}) outs(%[[STATE]] :
// CHECK-NEXT: return
// expected-remark @below {{state 0 of 'copied' is written in place}}
func.func @copied(%in: !m, %old: !m {mli.state = 0 : i64},
                  %new: !m {mli.result = 0 : i64, mli.state = 0 : i64}) {
  mli.mov ins(%old : !m) outs(%new : !m)
  mli.eltwise_add ins(%in, %new : !m, !m) outs(%new : !m)
  return
}

// CHECK-LABEL: func.func @copied_by_memref
// CHECK-NEXT: return
// expected-remark @below {{state 0 of 'copied_by_memref' is written in place}}
func.func @copied_by_memref(
    %old: memref<4xi32> {mli.state = 0 : i64},
    %new: memref<4xi32> {mli.result = 0 : i64, mli.state = 0 : i64}) {
  memref.copy %old, %new : memref<4xi32> to memref<4xi32>
  return
}

// Two states: one is never read, the other goes on to the first.
// CHECK-LABEL: func.func @two
// CHECK-SAME: %[[A:[a-z0-9]+]]: {{[^,]*}} {mli.in_place, mli.result = 0 : i64, mli.state = 0 : i64}, %[[B:.*]]: {{.*}} {mli.in_place, mli.result = 1 : i64, mli.state = 1 : i64}
// CHECK-NEXT: mli.mov ins(%[[B]] : {{.*}}) outs(%[[A]] :
// CHECK-NEXT: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[B]] :
// expected-remark @below {{state 0 of 'two' is written in place}}
// expected-remark @below {{state 1 of 'two' is written in place}}
func.func @two(%a: !m {mli.state = 0 : i64}, %b: !m {mli.state = 1 : i64},
               %in: !m,
               %new_a: !m {mli.result = 0 : i64, mli.state = 0 : i64},
               %new_b: !m {mli.result = 1 : i64, mli.state = 1 : i64}) {
  mli.mov ins(%b : !m) outs(%new_a : !m)
  mli.mov ins(%in : !m) outs(%new_b : !m)
  return
}

// A loop that reads ends before the new state is written.
// CHECK-LABEL: func.func @loop_before
// CHECK-SAME: {mli.in_place
// expected-remark @below {{state 0 of 'loop_before' is written in place}}
func.func @loop_before(%in: !m, %old: !m {mli.state = 0 : i64},
                       %out: !m {mli.result = 0 : i64},
                       %new: !m {mli.result = 1 : i64, mli.state = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    mli.eltwise_add ins(%in, %old : !m, !m) outs(%out : !m)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    mli.mov ins(%out : !m) outs(%new : !m)
  }
  return
}

// -----

// What reads the old state later keeps it.
!m = memref<4x!mli.fx8<3>>

// CHECK-LABEL: func.func @after
// CHECK-SAME: mli.state = 0 : i64}{{.*}}mli.state = 0 : i64}
// expected-remark @below {{state 0 of 'after' takes turns: its old half is in use when 'mli.mov' writes the new one}}
func.func @after(%in: !m, %old: !m {mli.state = 0 : i64},
                 %out: !m {mli.result = 0 : i64},
                 %new: !m {mli.result = 1 : i64, mli.state = 0 : i64}) {
  mli.mov ins(%in : !m) outs(%new : !m)
  mli.eltwise_add ins(%in, %old : !m, !m) outs(%out : !m)
  return
}

// Views of both.
// CHECK-LABEL: func.func @views
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'views' takes turns: its old half is in use when 'mli.mov' writes the new one}}
func.func @views(%in: memref<1x!mli.fx8<3>>, %old: !m {mli.state = 0 : i64},
                 %out: memref<1x!mli.fx8<3>> {mli.result = 0 : i64},
                 %new: !m {mli.result = 1 : i64, mli.state = 0 : i64}) {
  %last = mli.subtensor %new[3] [1] : !m
    to memref<1x!mli.fx8<3>, strided<[1], offset: 3>>
  %first = mli.subtensor %old[0] [1] : !m
    to memref<1x!mli.fx8<3>, strided<[1], offset: 0>>
  mli.mov ins(%in : memref<1x!mli.fx8<3>>)
    outs(%last : memref<1x!mli.fx8<3>, strided<[1], offset: 3>>)
  mli.mov ins(%first : memref<1x!mli.fx8<3>, strided<[1], offset: 0>>)
    outs(%out : memref<1x!mli.fx8<3>>)
  return
}

// Elements that move within the state.
// CHECK-LABEL: func.func @shifted
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'shifted' takes turns: its old half is in use when 'mli.mov' writes the new one}}
func.func @shifted(%old: !m {mli.state = 0 : i64},
                   %new: !m {mli.result = 0 : i64, mli.state = 0 : i64}) {
  %from = mli.subtensor %old[1] [3] : !m
    to memref<3x!mli.fx8<3>, strided<[1], offset: 1>>
  %to = mli.subtensor %new[0] [3] : !m
    to memref<3x!mli.fx8<3>, strided<[1], offset: 0>>
  mli.mov ins(%from : memref<3x!mli.fx8<3>, strided<[1], offset: 1>>)
    outs(%to : memref<3x!mli.fx8<3>, strided<[1], offset: 0>>)
  return
}

// CHECK-LABEL: func.func @transposed
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'transposed' takes turns: its old half is in use when 'mli.mov' writes the new one}}
func.func @transposed(
    %old: memref<2x2x!mli.fx8<3>> {mli.state = 0 : i64},
    %new: memref<2x2x!mli.fx8<3>> {mli.result = 0 : i64, mli.state = 0 : i64}) {
  mli.mov ins(%old : memref<2x2x!mli.fx8<3>>)
    outs(%new : memref<2x2x!mli.fx8<3>>) {permutation = array<i64: 1, 0>}
  return
}

// A kernel that reads all of its input for one element; one that reads another
// slice of what it writes.
// CHECK-LABEL: func.func @product
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'product' takes turns: its old half is in use when 'mli.fully_connected' writes the new one}}
func.func @product(%weights: memref<4x4x!mli.fx8<3>>, %bias: !m,
                   %old: !m {mli.state = 0 : i64},
                   %new: !m {mli.result = 0 : i64, mli.state = 0 : i64}) {
  mli.fully_connected ins(%old, %weights, %bias : !m, memref<4x4x!mli.fx8<3>>, !m)
    outs(%new : !m)
  return
}

// CHECK-LABEL: func.func @slice
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'slice' takes turns: its old half is in use when 'mli.eltwise_add' writes the new one}}
func.func @slice(%old: !m {mli.state = 0 : i64},
                 %new: !m {mli.result = 0 : i64, mli.state = 0 : i64}) {
  %one = mli.subtensor %old[3] [1] : !m
    to memref<1x!mli.fx8<3>, strided<[1], offset: 3>>
  mli.eltwise_add ins(%old, %one : !m, memref<1x!mli.fx8<3>, strided<[1], offset: 3>>)
    outs(%new : !m)
  return
}

// A loop reads the old state after it has written the new one.
// CHECK-LABEL: func.func @loop
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'loop' takes turns: its old half is in use when 'mli.eltwise_add' writes the new one}}
func.func @loop(%in: !m, %old: !m {mli.state = 0 : i64},
                %new: !m {mli.result = 0 : i64, mli.state = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    mli.eltwise_add ins(%in, %old : !m, !m) outs(%new : !m)
  }
  return
}

// CHECK-LABEL: func.func @parallel
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'parallel' takes turns: its old half is in use when 'mli.mov' writes the new one}}
func.func @parallel(%in: !m, %old: !m {mli.state = 0 : i64},
                    %out: !m {mli.result = 0 : i64},
                    %new: !m {mli.result = 1 : i64, mli.state = 0 : i64}) {
  mli.parallel {
    mli.eltwise_add ins(%in, %old : !m, !m) outs(%out : !m)
    mli.mov ins(%in : !m) outs(%new : !m)
  }
  return
}

// A call reads and writes what it gets.
func.func private @callee(%a: !m, %b: !m)
// CHECK-LABEL: func.func @call
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'call' takes turns: its old half is in use when 'mli.mov' writes the new one}}
func.func @call(%in: !m, %old: !m {mli.state = 0 : i64},
                %out: !m {mli.result = 0 : i64},
                %new: !m {mli.result = 1 : i64, mli.state = 0 : i64}) {
  call @callee(%old, %out) : (!m, !m) -> ()
  mli.mov ins(%in : !m) outs(%new : !m)
  return
}

// CHECK-LABEL: func.func @either
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'either' takes turns: what is read may be either half}}
func.func @either(%isOld: i1, %in: !m, %old: !m {mli.state = 0 : i64},
                  %out: !m {mli.result = 0 : i64},
                  %new: !m {mli.result = 1 : i64, mli.state = 0 : i64}) {
  %half = arith.select %isOld, %old, %new : !m
  mli.mov ins(%half : !m) outs(%out : !m)
  mli.mov ins(%in : !m) outs(%new : !m)
  return
}

// CHECK-LABEL: func.func @branches
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'branches' takes turns: its function has branches}}
func.func @branches(%in: !m, %old: !m {mli.state = 0 : i64},
                    %new: !m {mli.result = 0 : i64, mli.state = 0 : i64}) {
  cf.br ^end
^end:
  mli.eltwise_add ins(%in, %old : !m, !m) outs(%new : !m)
  return
}

// CHECK-LABEL: func.func @never
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'never' takes turns: its new half is never written}}
func.func @never(%old: !m {mli.state = 0 : i64},
                 %out: !m {mli.result = 0 : i64},
                 %new: !m {mli.result = 1 : i64, mli.state = 0 : i64}) {
  mli.mov ins(%old : !m) outs(%out : !m)
  return
}

// CHECK-LABEL: func.func @types
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'types' takes turns: its halves are of different types}}
func.func @types(%in: !m, %old: memref<4x!mli.fx8<2>> {mli.state = 0 : i64},
                 %new: !m {mli.result = 0 : i64, mli.state = 0 : i64}) {
  mli.mov ins(%in : !m) outs(%new : !m)
  return
}

// The argument of a function with callers stays.
// CHECK-LABEL: func.func @called
// CHECK-NOT: mli.in_place
// CHECK: return
// expected-remark @below {{state 0 of 'called' takes turns: its function has callers}}
func.func @called(%in: !m, %old: !m {mli.state = 0 : i64},
                  %new: !m {mli.result = 0 : i64, mli.state = 0 : i64}) {
  mli.eltwise_add ins(%in, %old : !m, !m) outs(%new : !m)
  return
}
func.func @caller(%in: !m, %a: !m, %b: !m) {
  call @called(%in, %a, %b) : (!m, !m, !m) -> ()
  return
}

// Modules of old versions do not tell which state is which.
// CHECK-LABEL: func.func @unnumbered
// CHECK-NOT: mli.in_place
// CHECK: return
func.func @unnumbered(%in: !m, %old: !m {mli.state}, %new: !m) {
  mli.eltwise_add ins(%in, %old : !m, !m) outs(%new : !m)
  return
}
