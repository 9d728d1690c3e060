// RUN: mli-opt %s --mli-bufferize --verify-roundtrip | FileCheck %s

!t = tensor<4x4x8x!mli.sa8<1:4:-128>>

// Each branch computes the tensor that the kernel after the condition reads.
// CHECK-LABEL: @branches_compute
// CHECK-SAME: %[[IN:[^:]*]]: memref<{{.*}}>, %{{.*}}: i1, %[[OUT:[^:]*]]: memref
// CHECK: %[[BUFFER:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: scf.if
// CHECK-NEXT: mli.relu ins(%[[IN]] {{.*}}) outs(%[[BUFFER]]
// CHECK-NEXT: } else {
// CHECK-NEXT: mli.mov ins(%[[IN]] {{.*}}) outs(%[[BUFFER]]
// CHECK-NEXT: }
// CHECK-NEXT: mli.relu ins(%[[BUFFER]] {{.*}}) outs(%[[OUT]]
func.func @branches_compute(%in: !t, %c: i1) -> !t {
  %e = tensor.empty() : !t
  %computed = scf.if %c -> !t {
    %then = mli.relu ins(%in : !t) outs(%e : !t) {relu = #mli.relu<gen>} -> !t
    scf.yield %then : !t
  } else {
    %else = mli.mov ins(%in : !t) outs(%e : !t) -> !t
    scf.yield %else : !t
  }
  %out = tensor.empty() : !t
  %result = mli.relu ins(%computed : !t) outs(%out : !t) {relu = #mli.relu<gen>} -> !t
  return %result : !t
}

// The branch yields a tensor that another kernel would overwrite before.
// CHECK-LABEL: @branch_yields_earlier_tensor
// CHECK: %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT: mli.relu {{.*}} outs(%[[FIRST]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[SECOND:.*]] = memref.alloc()
// CHECK-NEXT: mli.mov {{.*}} outs(%[[SECOND]]
func.func @branch_yields_earlier_tensor(%in: !t, %c: i1, %d: i1) -> !t {
  %e = tensor.empty() : !t
  %first = mli.relu ins(%in : !t) outs(%e : !t) {relu = #mli.relu<gen>} -> !t
  %second = scf.if %d -> !t {
    %then = mli.mov ins(%in : !t) outs(%e : !t) -> !t
    scf.yield %then : !t
  } else {
    scf.yield %e : !t
  }
  %computed = scf.if %c -> !t {
    scf.yield %first : !t
  } else {
    scf.yield %second : !t
  }
  %out = tensor.empty() : !t
  %result = mli.relu ins(%computed : !t) outs(%out : !t) {relu = #mli.relu<gen>} -> !t
  return %result : !t
}

// Two kernels write to the same empty tensor, and both results are read.
// CHECK-LABEL: @two_results
// CHECK: mli.relu {{.*}} outs(%[[FIRST:[a-z0-9_]*]]
// CHECK-NEXT: mli.mov {{.*}} outs(%[[SECOND:[a-z0-9_]*]]
// CHECK-NEXT: mli.eltwise_add ins(%[[FIRST]], %[[SECOND]]
func.func @two_results(%in: !t) -> !t {
  %e = tensor.empty() : !t
  %first = mli.relu ins(%in : !t) outs(%e : !t) {relu = #mli.relu<gen>} -> !t
  %second = mli.mov ins(%in : !t) outs(%e : !t) -> !t
  %out = tensor.empty() : !t
  %sum = mli.eltwise_add ins(%first, %second : !t, !t) outs(%out : !t) -> !t
  return %sum : !t
}

// A branch yields another tensor.
// CHECK-LABEL: @branch_yields_argument
// CHECK-SAME: %[[IN:[^:]*]]: memref
// CHECK: scf.if
// CHECK-NEXT: memref.alloc()
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[IN]]
func.func @branch_yields_argument(%in: !t, %c: i1) -> !t {
  %e = tensor.empty() : !t
  %computed = scf.if %c -> !t {
    %then = mli.relu ins(%in : !t) outs(%e : !t) {relu = #mli.relu<gen>} -> !t
    scf.yield %then : !t
  } else {
    scf.yield %in : !t
  }
  %out = tensor.empty() : !t
  %result = mli.relu ins(%computed : !t) outs(%out : !t) {relu = #mli.relu<gen>} -> !t
  return %result : !t
}

// Each iteration would start from what the one before has written.
// CHECK-LABEL: @overwritten_in_loop
// CHECK: %[[FIRST:.*]] = memref.alloc()
// CHECK: mli.relu {{.*}} outs(%[[FIRST]]
// CHECK: scf.for
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK: mli.mov ins(%[[FIRST]] {{.*}}) outs(%[[COPY]]
// CHECK: mli.mov {{.*}} outs(%[[COPY]] {{.*}}) {dst_offsets
func.func @overwritten_in_loop(%in: !t, %row: tensor<1x4x8x!mli.sa8<1:4:-128>>,
                               %n: index, %out: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !t
  %first = mli.relu ins(%in : !t) outs(%e : !t) {relu = #mli.relu<gen>} -> !t
  %result = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %out) -> !t {
    %rows = mli.mov ins(%row : tensor<1x4x8x!mli.sa8<1:4:-128>>)
      outs(%first : !t) {dst_offsets = array<i64: 2, 0, 0>} -> !t
    %next = mli.eltwise_add ins(%in, %rows : !t, !t) outs(%sum : !t) -> !t
    scf.yield %next : !t
  }
  return %result : !t
}

// Iterations that run at once have a buffer each.
// CHECK-LABEL: @written_in_parallel
// CHECK: scf.forall
// CHECK: %[[OWN:.*]] = memref.alloc()
// CHECK: mli.relu {{.*}} outs(%[[OWN]]
func.func @written_in_parallel(%in: !t, %out: tensor<16x4x8x!mli.sa8<1:4:-128>>)
    -> tensor<16x4x8x!mli.sa8<1:4:-128>> {
  %e = tensor.empty() : !t
  %result = scf.forall (%i) = (0) to (16) step (4)
      shared_outs(%all = %out) -> tensor<16x4x8x!mli.sa8<1:4:-128>> {
    %first = mli.relu ins(%in : !t) outs(%e : !t) {relu = #mli.relu<gen>} -> !t
    %own = tensor.empty() : !t
    %next = mli.eltwise_add ins(%first, %in : !t, !t) outs(%own : !t) -> !t
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %next into %all[%i, 0, 0] [4, 4, 8] [1, 1, 1]
        : !t into tensor<16x4x8x!mli.sa8<1:4:-128>>
    }
  }
  return %result : tensor<16x4x8x!mli.sa8<1:4:-128>>
}

// An encoding that is no memory space asks for none.
// CHECK-LABEL: @other_encoding
// CHECK: memref.alloc() : memref<4x4x8x!mli.sa8<1:4:-128>>
func.func @other_encoding(%in: !t) -> !t {
  %e = tensor.empty() : tensor<4x4x8x!mli.sa8<1:4:-128>, "mine">
  %first = mli.relu ins(%in : !t) outs(%e : tensor<4x4x8x!mli.sa8<1:4:-128>, "mine">)
    {relu = #mli.relu<gen>} -> tensor<4x4x8x!mli.sa8<1:4:-128>, "mine">
  %out = tensor.empty() : !t
  %result = mli.relu ins(%first : tensor<4x4x8x!mli.sa8<1:4:-128>, "mine">)
    outs(%out : !t) {relu = #mli.relu<gen>} -> !t
  return %result : !t
}

// Only kernels read the constant, and the result of two moves, of which the
// second one reads the first one's.
// CHECK-LABEL: @constant_and_partial_moves
// CHECK-SAME: %[[IN:[^:]*]]: memref
// CHECK-DAG: %[[CONSTANT:.*]] = mli.constant {{.*}} to memref<
// CHECK-DAG: %[[BUFFER:.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: mli.mov ins(%[[CONSTANT]] {{.*}}) outs(%[[BUFFER]]
// CHECK: mli.mov ins(%[[IN]] {{.*}}) outs(%[[BUFFER]] {{.*}}) {dst_offsets = array<i64: 1>}
// CHECK: mli.relu ins(%[[BUFFER]]
func.func @constant_and_partial_moves(%in: tensor<2x!mli.fx8<3>>) -> tensor<4x!mli.fx8<3>> {
  %constant = mli.constant dense<[1, 2, 3, 4]> : tensor<4xi8> to tensor<4x!mli.fx8<3>>
  %e = tensor.empty() : tensor<4x!mli.fx8<3>>
  %all = mli.mov ins(%constant : tensor<4x!mli.fx8<3>>) outs(%e : tensor<4x!mli.fx8<3>>)
    -> tensor<4x!mli.fx8<3>>
  %some = mli.mov ins(%in : tensor<2x!mli.fx8<3>>) outs(%all : tensor<4x!mli.fx8<3>>)
    {dst_offsets = array<i64: 1>} -> tensor<4x!mli.fx8<3>>
  %out = tensor.empty() : tensor<4x!mli.fx8<3>>
  %result = mli.relu ins(%some : tensor<4x!mli.fx8<3>>) outs(%out : tensor<4x!mli.fx8<3>>)
    {relu = #mli.relu<gen>} -> tensor<4x!mli.fx8<3>>
  return %result : tensor<4x!mli.fx8<3>>
}

// Only kernels read the first argument, in a loop, too. The second one is
// yielded by a condition as well, so that it stays a tensor until the end.
// CHECK-LABEL: @arguments
// CHECK-SAME: %[[FIRST:[^:]*]]: memref<{{[^,]*}}>, %[[SECOND:[^:]*]]: memref<{{[^,]*}}>, %[[C:[^:]*]]: i1
// CHECK-NOT: bufferization
// CHECK: scf.for
// CHECK: mli.eltwise_add ins(%{{[^,]*}}, %[[FIRST]] :
// CHECK: }
// CHECK: %[[CHOSEN:.*]] = arith.select %[[C]], %{{.*}}, %[[SECOND]]
// CHECK: mli.eltwise_add ins(%[[CHOSEN]], %[[SECOND]] :
func.func @arguments(%first: !t, %second: !t, %c: i1) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : !t
  %begin = mli.relu ins(%first : !t) outs(%e : !t) {relu = #mli.relu<gen>} -> !t
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%carried = %begin) -> !t {
    %next = mli.eltwise_add ins(%carried, %first : !t, !t) outs(%carried : !t) -> !t
    scf.yield %next : !t
  }
  %chosen = arith.select %c, %sum, %second : !t
  %out = tensor.empty() : !t
  %result = mli.eltwise_add ins(%chosen, %second : !t, !t) outs(%out : !t) -> !t
  return %result : !t
}

// A buffer from one branch is not there for the other one.
// CHECK-LABEL: @begins_in_branch
// CHECK: scf.if
// CHECK: mli.mov ins(%{{.*}} : {{.*}}) outs(%{{.*}} : {{.*}}) {dst_offsets = array<i64: 1, 0, 0>}
func.func @begins_in_branch(%in: !t, %row: tensor<1x4x8x!mli.sa8<1:4:-128>>, %c: i1) -> !t {
  %begin = scf.if %c -> !t {
    %e = tensor.empty() : !t
    scf.yield %e : !t
  } else {
    scf.yield %in : !t
  }
  %some = mli.mov ins(%row : tensor<1x4x8x!mli.sa8<1:4:-128>>) outs(%begin : !t)
    {dst_offsets = array<i64: 1, 0, 0>} -> !t
  %out = tensor.empty() : !t
  %result = mli.relu ins(%some : !t) outs(%out : !t) {relu = #mli.relu<gen>} -> !t
  return %result : !t
}
