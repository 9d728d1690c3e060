// A chain of insertions is one buffer, whose slices kernels write, and analysis compares
// one insertion at a time.
// RUN: mli-opt %s --mli-bufferize=reject-copies --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-bufferize=reject-copies --split-input-file | FileCheck %s --check-prefix=NONE

!map = tensor<8x4x!mli.fx8<5>>
!part = tensor<2x4x!mli.fx8<5>>

// NONE-NOT: mli.mov

// CHECK-LABEL: func.func @row
// CHECK-SAME: %[[IN:.*]]: memref<2x4x{{[^,]*}}, %[[OUT:[^:]*]]: memref<8x4x
// CHECK-NEXT: %[[A:.*]] = memref.subview %[[OUT]][0, 0] [2, 4]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[A]] :
// CHECK-NEXT: %[[B:.*]] = mli.subtensor %[[OUT]][2, 0] [2, 4]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[B]] :
// CHECK-NEXT: return
func.func @row(%in: !part) -> !map {
  %0 = tensor.empty() : !map
  %a = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : !map to !part
  %first = mli.relu ins(%in : !part) outs(%a : !part)
    {relu = #mli.relu<gen>} -> !part
  %1 = tensor.insert_slice %first into %0[0, 0] [2, 4] [1, 1] : !part into !map
  %b = mli.subtensor %1[2, 0] [2, 4] : !map to !part
  %second = mli.relu ins(%in : !part) outs(%b : !part)
    {relu = #mli.relu<relu1>} -> !part
  %2 = tensor.insert_slice %second into %1[2, 0] [2, 4] [1, 1]
    : !part into !map
  return %2 : !map
}

// Rounds of a loop carry nothing.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: memref<2x4x{{[^,]*}}, %[[OUT:[^:]*]]: memref<8x4x
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{[a-z0-9_]+}} {
// CHECK: %[[A:.*]] = memref.subview %[[OUT]][%[[I]], 0] [2, 4]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[A]] :
// CHECK-NEXT: {{^ *\}$}}
// CHECK-NEXT: %[[B:.*]] = memref.subview %[[OUT]][6, 0] [2, 4]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[B]] :
// CHECK-NEXT: return
func.func @loop(%in: !part) -> !map {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %0 = tensor.empty() : !map
  %1 = scf.for %i = %c0 to %c6 step %c2 iter_args(%so = %0) -> !map {
    %a = tensor.extract_slice %so[%i, 0] [2, 4] [1, 1] : !map to !part
    %first = mli.relu ins(%in : !part) outs(%a : !part)
      {relu = #mli.relu<gen>} -> !part
    %far = tensor.insert_slice %first into %so[%i, 0] [2, 4] [1, 1]
      : !part into !map
    scf.yield %far : !map
  }
  %b = tensor.extract_slice %1[6, 0] [2, 4] [1, 1] : !map to !part
  %second = mli.relu ins(%in : !part) outs(%b : !part)
    {relu = #mli.relu<relu1>} -> !part
  %2 = tensor.insert_slice %second into %1[6, 0] [2, 4] [1, 1]
    : !part into !map
  return %2 : !map
}

// -----

!map = tensor<4x4x!mli.fx8<5>>
!row = tensor<2x4x!mli.fx8<5>>
!part = tensor<2x2x!mli.fx8<5>>

// A nested chain is written to a slice of the buffer.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: %[[OUT:[^:]*]]: memref<4x4x{{[^,]*}})
// CHECK-NEXT: %[[ROW:.*]] = memref.subview %[[OUT]][0, 0] [2, 4]
// CHECK-NEXT: %[[A:.*]] = memref.subview %[[ROW]][0, 0] [2, 2]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[A]] :
// CHECK-NEXT: %[[B:.*]] = memref.subview %[[ROW]][0, 2] [2, 2]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[B]] :
// CHECK-NEXT: %[[C:.*]] = memref.subview %[[OUT]][2, 0] [2, 4]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[C]] :
// CHECK-NEXT: return
func.func @nested(%in: !part, %other: !row) -> !map {
  %0 = tensor.empty() : !map
  %row = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : !map to !row
  %a = tensor.extract_slice %row[0, 0] [2, 2] [1, 1] : !row to !part
  %first = mli.relu ins(%in : !part) outs(%a : !part)
    {relu = #mli.relu<gen>} -> !part
  %row1 = tensor.insert_slice %first into %row[0, 0] [2, 2] [1, 1]
    : !part into !row
  %b = tensor.extract_slice %row1[0, 2] [2, 2] [1, 1] : !row to !part
  %second = mli.relu ins(%in : !part) outs(%b : !part)
    {relu = #mli.relu<gen>} -> !part
  %row2 = tensor.insert_slice %second into %row1[0, 2] [2, 2] [1, 1]
    : !part into !row
  %1 = tensor.insert_slice %row2 into %0[0, 0] [2, 4] [1, 1] : !row into !map
  %c = tensor.extract_slice %1[2, 0] [2, 4] [1, 1] : !map to !row
  %third = mli.relu ins(%other : !row) outs(%c : !row)
    {relu = #mli.relu<gen>} -> !row
  %2 = tensor.insert_slice %third into %1[2, 0] [2, 4] [1, 1]
    : !row into !map
  return %2 : !map
}

// -----

!map = tensor<9x4x!mli.fx8<5>>
!part = tensor<1x4x!mli.fx8<5>>

// Many slices that are only read are slices of the buffer as well.
// CHECK-LABEL: func.func @read
// CHECK-SAME: %[[IN:.*]]: memref<9x4x{{[^,]*}}, %[[OUT:[^:]*]]: memref<1x4x
// CHECK-COUNT-8: memref.subview %[[IN]]
// CHECK: mli.subtensor %[[IN]][8, 0] [1, 4]
// CHECK-NOT: memref.subview
func.func @read(%in: !map) -> !part {
  %0 = tensor.extract_slice %in[0, 0] [1, 4] [1, 1] : !map to !part
  %1 = tensor.extract_slice %in[1, 0] [1, 4] [1, 1] : !map to !part
  %2 = tensor.extract_slice %in[2, 0] [1, 4] [1, 1] : !map to !part
  %3 = tensor.extract_slice %in[3, 0] [1, 4] [1, 1] : !map to !part
  %4 = tensor.extract_slice %in[4, 0] [1, 4] [1, 1] : !map to !part
  %5 = tensor.extract_slice %in[5, 0] [1, 4] [1, 1] : !map to !part
  %6 = tensor.extract_slice %in[6, 0] [1, 4] [1, 1] : !map to !part
  %7 = tensor.extract_slice %in[7, 0] [1, 4] [1, 1] : !map to !part
  %8 = mli.subtensor %in[8, 0] [1, 4] : !map to !part
  %e = tensor.empty() : !part
  %a = mli.eltwise_max ins(%0, %1 : !part, !part) outs(%e : !part) -> !part
  %b = mli.eltwise_max ins(%a, %2 : !part, !part) outs(%e : !part) -> !part
  %c = mli.eltwise_max ins(%b, %3 : !part, !part) outs(%e : !part) -> !part
  %d = mli.eltwise_max ins(%c, %4 : !part, !part) outs(%e : !part) -> !part
  %f = mli.eltwise_max ins(%d, %5 : !part, !part) outs(%e : !part) -> !part
  %g = mli.eltwise_max ins(%f, %6 : !part, !part) outs(%e : !part) -> !part
  %h = mli.eltwise_max ins(%g, %7 : !part, !part) outs(%e : !part) -> !part
  %i = mli.eltwise_max ins(%h, %8 : !part, !part) outs(%e : !part) -> !part
  return %i : !part
}
