// Rings stay one buffer through loops and conditions, as do results: nothing is
// allocated in them, and nothing copied.
// RUN: mli-opt %s --mli-bufferize --canonicalize | FileCheck %s

!map = tensor<8x8x4x!mli.fx8<5>>
!ring = tensor<3x8x4x!mli.fx8<5>>
!row = tensor<1x8x4x!mli.fx8<5>>

// The outer loop fires the first kernel in each round, and the inner one the
// second kernel; conditions begin and end what they do.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: %[[MAP:arg[0-9]+]]: memref<8x8x4x!mli.fx8<5>> {mli.result = 0 : i64}
// CHECK-DAG: %[[FIRST:.*]] = memref.alloc() : memref<3x8x4x!mli.fx8<5>>
// CHECK-DAG: %[[SECOND:.*]] = memref.alloc() : memref<3x8x4x!mli.fx8<5>>
// CHECK: scf.for %[[I:.*]] = {{.*}} {
// CHECK-NEXT: mli.advance outs(%[[FIRST]] : {{.*}}) {rows = 1 : i64}{{$}}
// CHECK-NEXT: memref.subview %arg0[%[[I]], 0, 0]
// CHECK-NEXT: %[[LAST:.*]] = memref.subview %[[FIRST]][2, 0, 0]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[LAST]] :
// CHECK-NEXT: scf.for {{.*}} {
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: scf.if {{[^>]*}} {
// CHECK-NEXT: mli.advance outs(%[[SECOND]] : {{.*}}) {rows = 2 : i64}{{$}}
// CHECK-NEXT: %[[FROM:.*]] = memref.subview %[[FIRST]][0, 0, 0]
// CHECK-NEXT: %[[TO:.*]] = memref.subview %[[SECOND]][1, 0, 0]
// CHECK-NEXT: mli.relu ins(%[[FROM]] : {{.*}}) outs(%[[TO]] :
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[AT:.*]] = arith.remui %[[I]]
// CHECK-NEXT: %[[READ:.*]] = memref.subview %[[SECOND]][%[[AT]], 0, 0]
// CHECK-NEXT: %[[ROW:.*]] = memref.subview %[[MAP]][%[[I]], 0, 0]
// CHECK-NEXT: mli.relu ins(%[[READ]] : {{.*}}) outs(%[[ROW]] :
// CHECK-NEXT: {{^ *[}]$}}
// CHECK-NEXT: {{^ *[}]$}}
// CHECK-NEXT: {{^ *[}]$}}
// CHECK-NEXT: return
func.func @nested(%in: !map, %init: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %0 = tensor.empty() : !ring
  %1 = tensor.empty() : !ring
  %out = tensor.empty() : !map
  %all:3 = scf.for %i = %c0 to %c8 step %c1
      iter_args(%first = %0, %second = %1, %map = %out) -> (!ring, !ring, !map) {
    %advanced = mli.advance outs(%first : !ring) {rows = 1} -> !ring
    %source = tensor.extract_slice %in[%i, 0, 0] [1, 8, 4] [1, 1, 1] : !map to !row
    %place = tensor.extract_slice %advanced[2, 0, 0] [1, 8, 4] [1, 1, 1] : !ring to !row
    %row = mli.relu ins(%source : !row) outs(%place : !row)
      {relu = #mli.relu<gen>} -> !row
    %full = tensor.insert_slice %row into %advanced[2, 0, 0] [1, 8, 4] [1, 1, 1]
      : !row into !ring
    %inner:2 = scf.for %j = %c0 to %c2 step %c1
        iter_args(%ring = %second, %rows = %map) -> (!ring, !map) {
      %is_full = arith.cmpi sge, %i, %c2 : index
      %both:2 = scf.if %is_full -> (!ring, !map) {
        %moved = mli.advance outs(%ring : !ring) {rows = 2} -> !ring
        %from = tensor.extract_slice %full[0, 0, 0] [1, 8, 4] [1, 1, 1] : !ring to !row
        %to = tensor.extract_slice %moved[1, 0, 0] [1, 8, 4] [1, 1, 1] : !ring to !row
        %next = mli.relu ins(%from : !row) outs(%to : !row)
          {relu = #mli.relu<gen>} -> !row
        %ring_after = tensor.insert_slice %next into %moved[1, 0, 0] [1, 8, 4] [1, 1, 1]
          : !row into !ring
        scf.yield %ring_after, %rows : !ring, !map
      } else {
        %at = arith.remui %i, %c3 : index
        %from = tensor.extract_slice %ring[%at, 0, 0] [1, 8, 4] [1, 1, 1] : !ring to !row
        %to = tensor.extract_slice %rows[%i, 0, 0] [1, 8, 4] [1, 1, 1] : !map to !row
        %last = mli.relu ins(%from : !row) outs(%to : !row)
          {relu = #mli.relu<gen>} -> !row
        %rows_after = tensor.insert_slice %last into %rows[%i, 0, 0] [1, 8, 4] [1, 1, 1]
          : !row into !map
        scf.yield %ring, %rows_after : !ring, !map
      }
      scf.yield %both#0, %both#1 : !ring, !map
    }
    scf.yield %full, %inner#0, %inner#1 : !ring, !ring, !map
  }
  return %all#2 : !map
}

// A ring whose rows are read at the place before they moved is copied: both are
// there at the same time.
// CHECK-LABEL: func.func @read_afterwards
// CHECK: %[[RING:.*]] = memref.alloc
// CHECK: mli.relu ins(%{{.*}}) outs(%[[RING]] :
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: mli.mov ins(%[[RING]] : {{.*}}) outs(%[[COPY]] : {{.*}}) {reason = #mli.copy_reason<still_needed>}
// CHECK: mli.advance outs(%[[COPY]] :
// CHECK: mli.eltwise_add ins(%[[RING]], %[[COPY]] :
func.func @read_afterwards(%in: !ring, %init: !ring) -> !ring {
  %0 = tensor.empty() : !ring
  %ring = mli.relu ins(%in : !ring) outs(%0 : !ring) {relu = #mli.relu<gen>} -> !ring
  %advanced = mli.advance outs(%ring : !ring) {rows = 1} -> !ring
  %1 = tensor.empty() : !ring
  %sum = mli.eltwise_add ins(%ring, %advanced : !ring, !ring) outs(%1 : !ring) -> !ring
  return %sum : !ring
}
