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

// The first result is read after the next kernel.
// CHECK-LABEL: func.func @read_later
// CHECK-SAME: %[[IN:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK-NEXT: %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[FIRST]] :
// CHECK-NEXT: %[[SECOND:.*]] = memref.alloc()
// CHECK-NEXT: mli.mov ins(%[[IN]] : {{.*}}) outs(%[[SECOND]] :
// CHECK-NEXT: mli.eltwise_sub ins(%[[SECOND]], %[[FIRST]] : {{.*}}) outs(%[[OUT]] :
func.func @read_later(%in: !map) -> !map {
  %e = tensor.empty() : !map
  %first = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %second = mli.mov ins(%in : !map) outs(%e : !map) -> !map
  %difference = mli.eltwise_sub ins(%second, %first : !map, !map) outs(%e : !map) -> !map
  return %difference : !map
}

// A kernel, a loop and a condition that begin with one empty tensor.
// CHECK-LABEL: func.func @loop_and_condition
// CHECK-SAME: %[[IN:[^:]*]]: memref<{{[^,]*}}>, %{{.*}}: index, %{{.*}}: i1, %[[OUT:[^:]*]]: memref
// CHECK: %[[BUFFER:.*]] = memref.alloc()
// CHECK-NEXT: %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT: mli.mov ins(%[[IN]] : {{.*}}) outs(%[[FIRST]] :
// CHECK-NEXT: mli.eltwise_add ins(%[[FIRST]], %[[FIRST]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: scf.for
// CHECK-NEXT: mli.mov ins(%[[IN]] : {{.*}}) outs(%[[BUFFER]] :
// CHECK: mli.eltwise_add ins(%[[BUFFER]], %[[OUT]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[SAME:.*]] = memref.alloc()
// CHECK-NEXT: mli.mov ins(%[[IN]] : {{.*}}) outs(%[[SAME]] :
// CHECK-NEXT: mli.eltwise_sub ins(%[[SAME]], %[[IN]] : {{.*}}) outs(%[[BUFFER]] :
// CHECK-NEXT: } else {
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[BUFFER]] :
// CHECK: mli.eltwise_add ins(%[[OUT]], %[[BUFFER]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: return
func.func @loop_and_condition(%in: !map, %n: index, %c: i1) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %o = tensor.empty() : !map
  %first = mli.mov ins(%in : !map) outs(%e : !map) -> !map
  %sum = mli.eltwise_add ins(%first, %first : !map, !map) outs(%o : !map) -> !map
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %e) -> !map {
    %next = mli.mov ins(%in : !map) outs(%carried : !map) -> !map
    scf.yield %next : !map
  }
  %more = mli.eltwise_add ins(%last, %sum : !map, !map) outs(%sum : !map) -> !map
  %chosen = scf.if %c -> !map {
    %same = mli.mov ins(%in : !map) outs(%e : !map) -> !map
    %zero = mli.eltwise_sub ins(%same, %in : !map, !map) outs(%e : !map) -> !map
    scf.yield %zero : !map
  } else {
    %positive = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
    scf.yield %positive : !map
  }
  %result = mli.eltwise_add ins(%more, %chosen : !map, !map) outs(%more : !map) -> !map
  return %result : !map
}

// Kernels in a loop whose destination is an empty tensor from outside: only the last one
// computes into that, and what the loop yields is a copy.
// CHECK-LABEL: func.func @in_loop
// CHECK-SAME: %[[IN:[^:]*]]: memref
// CHECK: %[[BUFFER:.*]] = memref.alloc()
// CHECK-NEXT: %{{.*}} = memref.alloc()
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %
// CHECK-NEXT: %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[FIRST]] :
// CHECK-NEXT: %[[SUM:.*]] = memref.alloc()
// CHECK-NEXT: mli.eltwise_add ins(%[[FIRST]], %[[CARRIED]] : {{.*}}) outs(%[[SUM]] :
// CHECK-NEXT: mli.eltwise_sub ins(%[[SUM]], %[[FIRST]] : {{.*}}) outs(%[[BUFFER]] :
// CHECK-NEXT: %[[NEXT:.*]] = memref.alloc()
// CHECK-NEXT: mli.mov ins(%[[BUFFER]] : {{.*}}) outs(%[[NEXT]] :
// CHECK-NEXT: scf.yield %[[NEXT]]
func.func @in_loop(%in: !map, %begin: !map, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %result = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %begin) -> !map {
    %first = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
    %sum = mli.eltwise_add ins(%first, %carried : !map, !map) outs(%e : !map) -> !map
    %next = mli.eltwise_sub ins(%sum, %first : !map, !map) outs(%e : !map) -> !map
    scf.yield %next : !map
  }
  return %result : !map
}

// One kernel of a loop: its buffer is from outside.
// CHECK-LABEL: func.func @one_in_loop
// CHECK-SAME: %[[OUT:[^ ,]*]]: memref<4x4x8x!mli.sa8<1:4:-128>> {mli.result = 0 : i64}
// CHECK: %[[BUFFER:.*]] = memref.alloc()
// CHECK: scf.for
// CHECK-NEXT: mli.relu {{.*}} outs(%[[BUFFER]] :
// CHECK-NEXT: mli.eltwise_add ins(%[[BUFFER]], %[[OUT]] : {{.*}}) outs(%[[OUT]] :
func.func @one_in_loop(%in: !map, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %o = tensor.empty() : !map
  %begin = mli.mov ins(%in : !map) outs(%o : !map) -> !map
  %result = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %begin) -> !map {
    %first = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
    %next = mli.eltwise_add ins(%first, %sum : !map, !map) outs(%sum : !map) -> !map
    scf.yield %next : !map
  }
  return %result : !map
}

// A loop that begins with an empty tensor twice, and computes into it, too: three
// different buffers.
// CHECK-LABEL: func.func @begins_twice
// CHECK-SAME: %[[OUT:[^ ,]*]]: memref<4x4x8x!mli.sa8<1:4:-128>> {mli.result = 0 : i64}
// CHECK: scf.for
// CHECK-NEXT: %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT: mli.relu {{.*}} outs(%[[FIRST]] :
// CHECK-NEXT: mli.eltwise_add ins(%[[FIRST]], %[[OUT]] : {{.*}}) outs(%[[OUT]] :
func.func @begins_twice(%in: !map, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !map
  %result:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%a = %e, %b = %e) -> (!map, !map) {
    %first = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
    %next = mli.eltwise_add ins(%first, %b : !map, !map) outs(%b : !map) -> !map
    scf.yield %a, %next : !map, !map
  }
  return %result#1 : !map
}

// Nothing reads the last result in the buffer of the first one.
// CHECK-LABEL: func.func @unused_result
// CHECK-SAME: %[[IN:[^:]*]]: memref<{{[^,]*}}>, %[[OUT:[^:]*]]: memref
// CHECK: %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[FIRST]] :
// CHECK-NEXT: mli.mov ins(%[[IN]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: mli.eltwise_add ins(%[[IN]], %[[IN]] : {{.*}}) outs(%[[FIRST]] :
// CHECK-NEXT: return
func.func @unused_result(%in: !map) -> !map {
  %e = tensor.empty() : !map
  %first = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %same = mli.mov ins(%in : !map) outs(%e : !map) -> !map
  %sum = mli.eltwise_add ins(%in, %in : !map, !map) outs(%first : !map) -> !map
  return %same : !map
}

// The last tensor of a buffer remains one for the reshape and for what is after it.
// CHECK-LABEL: func.func @last_tensor
// CHECK-SAME: %[[IN:[^:]*]]: memref<{{[^,]*}}>, %[[FLAT:[^:]*]]: memref<{{[^,]*}}> {mli.result = 0 : i64}, %[[OUT:[^:]*]]: memref
// CHECK: %[[BUFFER:.*]] = mli.reshape %[[FLAT]]
// CHECK-NEXT: mli.relu ins(%[[IN]] : {{.*}}) outs(%[[BUFFER]] :
// CHECK-NEXT: mli.eltwise_add ins(%[[BUFFER]], %[[BUFFER]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: mli.eltwise_sub ins(%[[OUT]], %[[BUFFER]] : {{.*}}) outs(%[[OUT]] :
func.func @last_tensor(%in: !map) -> (tensor<16x8x!mli.sa8<1:4:-128>>, !map) {
  %e = tensor.empty() : !map
  %o = tensor.empty() : !map
  %last = mli.relu ins(%in : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %sum = mli.eltwise_add ins(%last, %last : !map, !map) outs(%o : !map) -> !map
  %flat = mli.reshape %last : !map to tensor<16x8x!mli.sa8<1:4:-128>>
  %difference = mli.eltwise_sub ins(%sum, %last : !map, !map) outs(%sum : !map) -> !map
  return %flat, %difference : tensor<16x8x!mli.sa8<1:4:-128>>, !map
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
