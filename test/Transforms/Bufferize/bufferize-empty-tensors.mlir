// RUN: mli-opt %s --mli-bufferize | FileCheck %s

!map = tensor<4x4x8x!mli.sa8<1:4:-128>>

// The first two kernels get buffers of their own, the last one that of the result.
// CHECK-LABEL: func.func @in_a_row
// CHECK-SAME: %[[IN:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[FIRST]] :
// CHECK-NEXT: %[[SECOND:.*]] = memref.alloc()
// CHECK-NEXT: mli.relu ins(%[[FIRST]] : {{.*}}) outs(%[[SECOND]] :
// CHECK-NEXT: mli.eltwise_add ins(%[[FIRST]], %[[SECOND]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: return
func.func @in_a_row(%in: !map) -> !map {
  %e = tensor.empty() : !map
  %first = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %second = mli.relu ins(%first : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %sum = mli.eltwise_add ins(%first, %second : !map, !map) outs(%e : !map) -> !map
  return %sum : !map
}

// One buffer for both branches; the first kernel of one has its own.
// CHECK-LABEL: func.func @in_branches
// CHECK-SAME: %[[IN:[^:]*]]: memref<{{[^,]*}}>, %{{.*}}: i1, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: %[[BUFFER:.*]] = memref.alloc()
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[FIRST]] :
// CHECK-NEXT: mli.eltwise_add ins(%[[FIRST]], %[[IN]] : {{.*}}) outs(%[[BUFFER]] :
// CHECK-NEXT: } else {
// CHECK-NEXT: mli.mov ins(%[[IN]] : {{.*}}) outs(%[[BUFFER]] :
// CHECK-NEXT: }
// CHECK-NEXT: mli.relu ins(%[[BUFFER]] : {{.*}}) outs(%[[OUT]] :
func.func @in_branches(%in: !map, %c: i1) -> !map {
  %e = tensor.empty() : !map
  %chosen = scf.if %c -> !map {
    %first = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
    %sum = mli.eltwise_add ins(%first, %in : !map, !map) outs(%e : !map) -> !map
    scf.yield %sum : !map
  } else {
    %same = mli.mov ins(%in : !map) outs(%e : !map) -> !map
    scf.yield %same : !map
  }
  %out = tensor.empty() : !map
  %result = mli.relu ins(%chosen : !map) outs(%out : !map) {relu = #mli.relu<gen>} -> !map
  return %result : !map
}

// What other operations use is no destination: the slice and the insertion are of one
// buffer.
// CHECK-LABEL: func.func @in_a_slice
// CHECK-SAME: %[[IN:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: %[[ROW:.*]] = memref.subview %[[OUT]][1, 0, 0]
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[ROW]] :
func.func @in_a_slice(%in: tensor<1x4x8x!mli.sa8<1:4:-128>>) -> !map {
  %e = tensor.empty() : !map
  %slice = tensor.extract_slice %e[1, 0, 0] [1, 4, 8] [1, 1, 1]
    : !map to tensor<1x4x8x!mli.sa8<1:4:-128>>
  %row = mli.relu ins(%in : tensor<1x4x8x!mli.sa8<1:4:-128>>)
    outs(%slice : tensor<1x4x8x!mli.sa8<1:4:-128>>) {relu = #mli.relu<gen>}
    -> tensor<1x4x8x!mli.sa8<1:4:-128>>
  %all = tensor.insert_slice %row into %e[1, 0, 0] [1, 4, 8] [1, 1, 1]
    : tensor<1x4x8x!mli.sa8<1:4:-128>> into !map
  return %all : !map
}
