// A result of more dimensions than kernels have is written where it is, with the
// first ones seen as one.
// RUN: mli-opt %s --mli-bufferize | FileCheck %s

!map = tensor<6x4x2x3x!mli.sa8<1:0:0>>
!row = tensor<6x24x!mli.sa8<1:0:0>>
!result = tensor<2x3x4x2x3x!mli.sa8<1:0:0>>

// CHECK-LABEL: func.func @map
// CHECK-SAME: %[[IN:[^:]*]]: memref<6x4x2x3x!mli.sa8<1:0:0>>, %[[OUT:[^:]*]]: memref<2x3x4x2x3x!mli.sa8<1:0:0>>
// CHECK-NEXT: %[[SEEN:.*]] = memref.collapse_shape %[[OUT]] {{\[\[}}0, 1], [2], [3], [4]]
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[SEEN]] : {{.*}})
// CHECK-NEXT: return
func.func @map(%in: !map) -> !result {
  %empty = tensor.empty() : !map
  %relu = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
  %result = tensor.expand_shape %relu [[0, 1], [2], [3], [4]] output_shape [2, 3, 4, 2, 3] : !map into !result
  return %result : !result
}

// CHECK-LABEL: func.func @row
// CHECK-SAME: %[[IN:[^:]*]]: memref<6x24x!mli.sa8<1:0:0>>, %[[OUT:[^:]*]]: memref<2x3x4x2x3x!mli.sa8<1:0:0>>
// CHECK-NEXT: %[[SEEN:.*]] = memref.collapse_shape %[[OUT]]
// CHECK-NEXT: %[[ROW:.*]] = mli.reshape %[[SEEN]] : {{.*}} to memref<6x24x!mli.sa8<1:0:0>>
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[ROW]] : {{.*}})
// CHECK-NEXT: return
func.func @row(%in: !row) -> !result {
  %empty = tensor.empty() : !row
  %relu = mli.relu ins(%in : !row) outs(%empty : !row) {relu = #mli.relu<gen>} -> !row
  %map = mli.reshape %relu : !row to !map
  %result = tensor.expand_shape %map [[0, 1], [2], [3], [4]] output_shape [2, 3, 4, 2, 3] : !map into !result
  return %result : !result
}

// The second of two results is a copy.

// CHECK-LABEL: func.func @twice
// CHECK-SAME: %{{[^:]*}}: memref<6x24x!mli.sa8<1:0:0>>, %[[OUT:[^:]*]]: memref<2x3x4x2x3x!mli.sa8<1:0:0>> {{.*}}, %[[AGAIN:[^:]*]]: memref<2x3x4x2x3x!mli.sa8<1:0:0>>
// CHECK: mli.relu
// CHECK-NOT: memref.copy %{{.*}}, %[[OUT]]
// CHECK: memref.copy %{{.*}}, %[[AGAIN]]
func.func @twice(%in: !row) -> (!result, !result) {
  %empty = tensor.empty() : !row
  %relu = mli.relu ins(%in : !row) outs(%empty : !row) {relu = #mli.relu<gen>} -> !row
  %map = mli.reshape %relu : !row to !map
  %result = tensor.expand_shape %map [[0, 1], [2], [3], [4]] output_shape [2, 3, 4, 2, 3] : !map into !result
  return %result, %result : !result, !result
}
