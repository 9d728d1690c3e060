// A condition that writes a buffer or leaves it gives that buffer either way: a result
// that is written so is computed where the caller wants it.
// RUN: mli-opt %s --mli-bufferize | FileCheck %s

!map = tensor<8x4x!mli.fx8<5>>
!row = tensor<1x4x!mli.fx8<5>>

// CHECK-LABEL: func.func @some_rows
// CHECK-SAME: %[[IN:[^:]*]]: memref<8x4x!mli.fx8<5>>, %[[OUT:[^:]*]]: memref<8x4x!mli.fx8<5>> {mli.result = 0 : i64}
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:.*]] = {{[^>]*}} {
// CHECK: scf.if %{{[^>]*}} {
// CHECK: %[[ROW:.*]] = memref.subview %[[OUT]][%[[I]], 0]
// CHECK: mli.relu ins({{.*}}) outs(%[[ROW]] :
// CHECK-NOT: else
// CHECK-NOT: mli.mov
// CHECK: return
func.func @some_rows(%in: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %empty = tensor.empty() : !map
  %result = scf.for %i = %c0 to %c8 step %c1 iter_args(%map = %empty) -> !map {
    %is_behind = arith.cmpi sge, %i, %c3 : index
    %next = scf.if %is_behind -> !map {
      %from = tensor.extract_slice %in[%i, 0] [1, 4] [1, 1] : !map to !row
      %to = tensor.extract_slice %map[%i, 0] [1, 4] [1, 1] : !map to !row
      %row = mli.relu ins(%from : !row) outs(%to : !row) {relu = #mli.relu<gen>} -> !row
      %inserted = tensor.insert_slice %row into %map[%i, 0] [1, 4] [1, 1]
        : !row into !map
      scf.yield %inserted : !map
    } else {
      scf.yield %map : !map
    }
    scf.yield %next : !map
  }
  return %result : !map
}

// Two buffers stay two.
// CHECK-LABEL: func.func @either
// CHECK: scf.if {{.*}} -> (memref<8x4x!mli.fx8<5>>)
func.func @either(%in: !map, %flag: i1) -> !map {
  %empty = tensor.empty() : !map
  %result = scf.if %flag -> !map {
    %relu = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    scf.yield %relu : !map
  } else {
    scf.yield %in : !map
  }
  return %result : !map
}
