// RUN: mli-opt %s --mli-bufferize | FileCheck %s

!map = tensor<4x4x!mli.fx8<5>>
!row = tensor<1x4x!mli.fx8<5>>

// The next iteration inserts into the map as it was: no row of it is written.
// CHECK-LABEL: func.func @inserts_into_outer
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<1x4x
// CHECK-NEXT: mli.eltwise_add ins({{.*}}) outs(%[[SUM]] :
// CHECK-NEXT: %[[NEXT:.*]] = memref.alloc() : memref<4x4x
// CHECK-NEXT: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[NEXT]] :
// CHECK: mli.mov ins(%[[SUM]] : {{.*}}) outs(%
// CHECK-NEXT: scf.yield %[[NEXT]]
func.func @inserts_into_outer(%in: !map, %row: !row, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %map = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %in) -> !map {
    %a = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : !map to !row
    %slice = tensor.extract_slice %map[%i, 0] [1, 4] [1, 1] : !map to !row
    %sum = mli.eltwise_add ins(%a, %row : !row, !row) outs(%slice : !row) -> !row
    %next = tensor.insert_slice %sum into %map[%i, 0] [1, 4] [1, 1] : !row into !map
    scf.yield %next : !map
  }
  return %r : !map
}

// A move that writes a part of the slice needs its other elements.
// CHECK-LABEL: func.func @moves_into_outer
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = memref.alloc() : memref<1x4x
// CHECK-NEXT: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[ROW]] :
// CHECK-NEXT: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[ROW]] : {{.*}}) {dst_offsets = array<i64: 0, 2>}
func.func @moves_into_outer(%in: !map, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %map = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %in) -> !map {
    %a = tensor.extract_slice %x[%i, 0] [1, 2] [1, 1] : !map to tensor<1x2x!mli.fx8<5>>
    %slice = tensor.extract_slice %map[%i, 0] [1, 4] [1, 1] : !map to !row
    %row = mli.mov ins(%a : tensor<1x2x!mli.fx8<5>>) outs(%slice : !row)
      {dst_offsets = array<i64: 0, 2>} -> !row
    %next = tensor.insert_slice %row into %map[%i, 0] [1, 4] [1, 1] : !row into !map
    scf.yield %next : !map
  }
  return %r : !map
}

// What the loop carries is written in place.
// CHECK-LABEL: func.func @inserts_into_carried
// CHECK-SAME: %{{.*}}, %[[OUT:[^:]*]]: memref<4x4x!mli.fx8<5>> {mli.result
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = memref.subview %[[OUT]]
// CHECK-NEXT: mli.relu ins(%[[ROW]] : {{.*}}) outs(%[[ROW]] :
func.func @inserts_into_carried(%in: !map, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %first = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> !map {
    %a = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : !map to !row
    %next = mli.relu ins(%a : !row) outs(%a : !row) {relu = #mli.relu<gen>} -> !row
    %all = tensor.insert_slice %next into %x[%i, 0] [1, 4] [1, 1] : !row into !map
    scf.yield %all : !map
  }
  return %r : !map
}

// Results of a loop are different buffers, also where it yields one tensor as both,
// directly or through conditions.
// CHECK-LABEL: func.func @yields_twice
// CHECK: scf.for
// CHECK: mli.eltwise_add ins({{.*}}) outs(%[[SUM:.*]] :
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK-NEXT: mli.mov ins(%[[SUM]] : {{.*}}) outs(%[[COPY]] :
// CHECK-NEXT: scf.yield %[[SUM]], %[[COPY]]
func.func @yields_twice(%in: !map, %n: index) -> (!map, !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %in, %y = %in) -> (!map, !map) {
    %own = tensor.empty() : !map
    %next = mli.eltwise_add ins(%x, %y : !map, !map) outs(%own : !map) -> !map
    scf.yield %next, %next : !map, !map
  }
  %last = mli.eltwise_sub ins(%r#0, %in : !map, !map) outs(%r#1 : !map) -> !map
  return %r#0, %last : !map, !map
}

// CHECK-LABEL: func.func @yields_one_of_two
// CHECK: scf.for
// CHECK: %[[CHOSEN:.*]] = arith.select %{{.*}}, %[[FIRST:.*]], %{{.*}} :
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK-NEXT: mli.mov ins(%[[CHOSEN]] : {{.*}}) outs(%[[COPY]] :
// CHECK-NEXT: scf.yield %[[FIRST]], %[[COPY]]
func.func @yields_one_of_two(%in: !map, %n: index, %c: i1) -> (!map, !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %in, %y = %in) -> (!map, !map) {
    %e = tensor.empty() : !map
    %first = mli.eltwise_add ins(%x, %y : !map, !map) outs(%e : !map) -> !map
    %f = tensor.empty() : !map
    %second = mli.eltwise_sub ins(%x, %y : !map, !map) outs(%f : !map) -> !map
    %chosen = arith.select %c, %first, %second : !map
    scf.yield %first, %chosen : !map, !map
  }
  %last = mli.eltwise_sub ins(%r#0, %in : !map, !map) outs(%r#1 : !map) -> !map
  return %r#0, %last : !map, !map
}
