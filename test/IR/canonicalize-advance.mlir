// RUN: mli-opt %s --canonicalize | FileCheck %s

!ring = tensor<4x8x!mli.fx8<3>>

// F8
// CHECK-LABEL: func.func @two_are_one
// CHECK-NEXT: %[[RESULT:.*]] = mli.advance outs(%arg0 : {{.*}}) {rows = 3 : i64}
// CHECK-NEXT: return %[[RESULT]]
func.func @two_are_one(%ring: !ring) -> !ring {
  %first = mli.advance outs(%ring : !ring) {rows = 1} -> !ring
  %second = mli.advance outs(%first : !ring) {rows = 2} -> !ring
  return %second : !ring
}

// CHECK-LABEL: func.func @no_row_is_left
// CHECK-COUNT-2: mli.advance {{.*}} {rows = 2 : i64}
func.func @no_row_is_left(%ring: !ring) -> !ring {
  %first = mli.advance outs(%ring : !ring) {rows = 2} -> !ring
  %second = mli.advance outs(%first : !ring) {rows = 2} -> !ring
  return %second : !ring
}

// CHECK-LABEL: func.func @other_dimension
// CHECK: mli.advance {{.*}} {rows = 1 : i64}
// CHECK: mli.advance {{.*}} {dim = 1 : i64, rows = 1 : i64}
func.func @other_dimension(%ring: !ring) -> !ring {
  %first = mli.advance outs(%ring : !ring) {rows = 1} -> !ring
  %second = mli.advance outs(%first : !ring) {rows = 1, dim = 1} -> !ring
  return %second : !ring
}

// The ring between them is read: in place of it would be a copy.
// CHECK-LABEL: func.func @read_between
// CHECK-COUNT-2: mli.advance {{.*}} {rows = 1 : i64}
func.func @read_between(%ring: !ring, %init: !ring) -> (!ring, !ring) {
  %first = mli.advance outs(%ring : !ring) {rows = 1} -> !ring
  %read = mli.relu ins(%first : !ring) outs(%init : !ring)
    {relu = #mli.relu<gen>} -> !ring
  %second = mli.advance outs(%first : !ring) {rows = 1} -> !ring
  return %second, %read : !ring, !ring
}

// F8
// CHECK-LABEL: func.func @empty
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty
// CHECK-NEXT: return %[[EMPTY]]
func.func @empty() -> !ring {
  %empty = tensor.empty() : !ring
  %result = mli.advance outs(%empty : !ring) {rows = 1} -> !ring
  return %result : !ring
}

// CHECK-LABEL: func.func @unused
// CHECK-NEXT: return
func.func @unused(%ring: !ring) {
  %result = mli.advance outs(%ring : !ring) {rows = 1} -> !ring
  return
}

// On a buffer each of them writes.
// CHECK-LABEL: func.func @buffers
// CHECK-COUNT-2: mli.advance {{.*}} {rows = 1 : i64}
func.func @buffers(%ring: memref<4x8x!mli.fx8<3>>) {
  mli.advance outs(%ring : memref<4x8x!mli.fx8<3>>) {rows = 1}
  mli.advance outs(%ring : memref<4x8x!mli.fx8<3>>) {rows = 1}
  return
}
