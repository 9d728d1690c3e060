// What is asserted of accesses, sizes, divisions and steps, and what is known.
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

// Sizes of what is allocated, one after the other.
// CHECK-LABEL: func @allocation
// CHECK-SAME: (%[[I:.*]]: index, %[[J:.*]]: index)
// CHECK: %[[FIRST:.*]] = arith.cmpi ule, %[[I]], %c178956970
// CHECK: %[[SIZE:.*]] = arith.maxui %[[I]], %c1
// CHECK: %[[LEFT:.*]] = arith.divui %c178956970, %[[SIZE]]
// CHECK: %[[SECOND:.*]] = arith.cmpi ule, %[[J]], %[[LEFT]]
// CHECK: %[[HOLDS:.*]] = arith.andi %[[FIRST]], %[[SECOND]]
// CHECK: cf.assert %[[HOLDS]], "memref.alloc: more than 2147483647 bytes"
// CHECK: memref.alloc(%[[I]], %[[J]])
// CHECK-NOT: cf.assert
// CHECK: memref.alloc()
func.func @allocation(%i: index, %j: index) -> (memref<?x3x?xi32>, memref<4xi32>) {
  %some = memref.alloc(%i, %j) : memref<?x3x?xi32>
  %four = memref.alloc() : memref<4xi32>
  return %some, %four : memref<?x3x?xi32>, memref<4xi32>
}

// CHECK-LABEL: func @kernel_allocation
// CHECK: arith.cmpi ule, %{{.*}}, %c1073741823
// CHECK: cf.assert %{{.*}}, "memref.alloca: more than 2147483647 bytes"
func.func @kernel_allocation(%i: index) -> index {
  %c0 = arith.constant 0 : index
  %some = memref.alloca(%i) : memref<?x!mli.fx16<9>>
  %size = memref.dim %some, %c0 : memref<?x!mli.fx16<9>>
  return %size : index
}

// CHECK-LABEL: func @known_allocation
// CHECK-NOT: cf.assert
// CHECK: return
func.func @known_allocation(%row: !row) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %some = memref.alloc(%i) : memref<?x8xi8>
    %part = memref.subview %row[0, 0] [%i, 8] [1, 1]
      : !row to memref<?x8xi8, strided<[8, 1]>>
    memref.copy %some, %part
      : memref<?x8xi8> to memref<?x8xi8, strided<[8, 1]>>
  }
  return
}

// CHECK-LABEL: func @division
// CHECK-SAME: (%[[X:.*]]: index, %[[Y:.*]]: index)
// CHECK: %[[NOT_0:.*]] = arith.cmpi ne, %[[Y]], %c0
// CHECK-NEXT: cf.assert %[[NOT_0]], "arith.divui: division by 0"
// CHECK-NEXT: arith.divui
// CHECK-NOT: cf.assert
// CHECK: return
func.func @division(%x: index, %y: index) -> (index, index) {
  %c3 = arith.constant 3 : index
  %quotient = arith.divui %x, %y : index
  %known = arith.remsi %quotient, %c3 : index
  return %quotient, %known : index, index
}

// CHECK-LABEL: func @signed_division
// CHECK-SAME: (%[[X:.*]]: i8, %[[Y:.*]]: i8)
// CHECK: %[[NOT_0:.*]] = arith.cmpi ne, %[[Y]], %c0_i8
// CHECK: cf.assert %[[NOT_0]], "arith.floordivsi: division by 0"
// CHECK-DAG: %[[OTHER:.*]] = arith.cmpi ne, %[[Y]], %c-1_i8
// CHECK-DAG: %[[MORE:.*]] = arith.cmpi ne, %[[X]], %c-128_i8
// CHECK: %[[HOLDS:.*]] = arith.ori %[[OTHER]], %[[MORE]]
// CHECK: cf.assert %[[HOLDS]], "arith.floordivsi: division of the least number by -1"
// CHECK: arith.floordivsi
// CHECK-NOT: cf.assert
// CHECK: return
func.func @signed_division(%x: i8, %y: i8) -> i8 {
  %quotient = arith.floordivsi %x, %y : i8
  return %quotient : i8
}

// No other number is the least one.
// CHECK-LABEL: func @division_of_known
// CHECK: cf.assert %{{.*}}, "arith.remsi: division by 0"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @division_of_known(%y: index) -> index {
  %c3 = arith.constant 3 : index
  %rest = arith.remsi %c3, %y : index
  return %rest : index
}

// CHECK-LABEL: func @step
// CHECK-SAME: %[[STEP:[a-z0-9]+]]: index)
// CHECK: %[[HOLDS:.*]] = arith.cmpi sgt, %[[STEP]], %c0
// CHECK-NEXT: cf.assert %[[HOLDS]], "scf.for: step that is not above 0"
// CHECK-NEXT: scf.for
func.func @step(%value: i8, %some: memref<?xi8>, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %step {
    func.call @step(%value, %some, %i) : (i8, memref<?xi8>, index) -> ()
  }
  return
}
