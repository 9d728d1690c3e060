// What is asserted of accesses, and what is known.
// RUN: mli-opt %s --mli-check-accesses --canonicalize --split-input-file | FileCheck %s

!row = memref<4x8xi8>

// V17
// CHECK-LABEL: func @index
// CHECK-SAME: (%[[ROW:.*]]: memref<4x8xi8>, %[[I:.*]]: index, %{{.*}}: i8)
// CHECK: %[[LOW:.*]] = arith.cmpi sge, %[[I]], %c0
// CHECK: %[[HIGH:.*]] = arith.cmpi slt, %[[I]], %c4
// CHECK: %[[HOLDS:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK-NEXT: cf.assert %[[HOLDS]], "memref.store: out-of-bounds access"
// CHECK-NEXT: memref.store %{{.*}}, %[[ROW]][%[[I]], %c0]
func.func @index(%row: !row, %i: index, %value: i8) {
  %c0 = arith.constant 0 : index
  memref.store %value, %row[%i, %c0] : !row
  return
}

// CHECK-LABEL: func @constant_index
// CHECK-NOT: cf.assert
func.func @constant_index(%row: !row, %value: i8) {
  %c3 = arith.constant 3 : index
  memref.store %value, %row[%c3, %c3] : !row
  return
}

// CHECK-LABEL: func @constant_index_outside
// CHECK: cf.assert %false, "memref.store: out-of-bounds access"
func.func @constant_index_outside(%row: !row, %value: i8) {
  %c4 = arith.constant 4 : index
  memref.store %value, %row[%c4, %c4] : !row
  return
}

// The counter of a loop, and what is computed from it.
// CHECK-LABEL: func @counter
// CHECK-NOT: cf.assert
// CHECK: return
func.func @counter(%row: !row, %value: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.muli %i, %c2 : index
    memref.store %value, %row[%i, %j] : !row
    %part = memref.subview %row[%i, %j] [1, 2] [1, 1]
      : !row to memref<2xi8, strided<[1], offset: ?>>
    memref.store %value, %part[%c1] : memref<2xi8, strided<[1], offset: ?>>
  }
  return
}

// CHECK-LABEL: func @counter_that_leaves
// CHECK: scf.for
// CHECK: cf.assert %{{.*}}, "memref.store: out-of-bounds access"
func.func @counter_that_leaves(%row: !row, %value: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %value, %row[%i, %i] : !row
  }
  return
}

// CHECK-LABEL: func @slice
// CHECK-SAME: (%{{.*}}: memref<4x8xi8>, %[[I:.*]]: index, %[[SIZE:.*]]: index)
// CHECK-DAG: %[[STARTS:.*]] = arith.cmpi ule, %[[I]], %c4
// CHECK-DAG: %[[LEFT:.*]] = arith.subi %c4, %[[I]]
// CHECK-DAG: %[[ENDS:.*]] = arith.cmpi ule, %[[SIZE]], %[[LEFT]]
// CHECK: %[[HOLDS:.*]] = arith.andi %[[STARTS]], %[[ENDS]]
// CHECK-NEXT: cf.assert %[[HOLDS]], "memref.subview: out-of-bounds slice along dimension 0"
// CHECK-NOT: cf.assert
func.func @slice(%row: !row, %i: index, %size: index) -> memref<?x8xi8, strided<[8, 1], offset: ?>> {
  %part = memref.subview %row[%i, 0] [%size, 8] [1, 1]
    : !row to memref<?x8xi8, strided<[8, 1], offset: ?>>
  return %part : memref<?x8xi8, strided<[8, 1], offset: ?>>
}

// CHECK-LABEL: func @known_slice
// CHECK-NOT: cf.assert
func.func @known_slice(%row: !row) -> memref<2x4xi8, strided<[8, 2], offset: 9>> {
  %part = memref.subview %row[1, 1] [2, 4] [1, 2]
    : !row to memref<2x4xi8, strided<[8, 2], offset: 9>>
  return %part : memref<2x4xi8, strided<[8, 2], offset: 9>>
}

// A cast to what is not known asks for nothing.
// CHECK-LABEL: func @casts
// CHECK-SAME: (%{{.*}}: memref<4x8xi8>, %[[ANY:.*]]: memref<?xi8>)
// CHECK-NEXT: %c4 = arith.constant 4
// CHECK-NEXT: %c0 = arith.constant 0
// CHECK: %[[SIZE:.*]] = memref.dim %[[ANY]], %c0
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[SIZE]], %c4
// CHECK: cf.assert %[[IS]], "memref.cast: size mismatch of dim 0"
// CHECK-NOT: cf.assert
func.func @casts(%row: !row, %any: memref<?xi8>) -> (memref<?x8xi8>, memref<4xi8>) {
  %less = memref.cast %row : !row to memref<?x8xi8>
  %more = memref.cast %any : memref<?xi8> to memref<4xi8>
  return %less, %more : memref<?x8xi8>, memref<4xi8>
}

// CHECK-LABEL: func @what_is_asserted
// CHECK: cf.assert %{{.*}}, "mine"
func.func @what_is_asserted(%holds: i1) {
  cf.assert %holds, "mine"
  return
}
