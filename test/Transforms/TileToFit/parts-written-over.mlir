// What a kernel writes over what is there does not stay in local memory: what moved in
// before has the values before.
// RUN: mli-opt %s --mli-tile-to-fit="decide-only max-group=1" | FileCheck %s

!vector = tensor<64x!mli.fx16<12>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 1024>} {

// Two kernels read the sum, which is where the state was.
// Z17
// CHECK-LABEL: func.func @state
// CHECK: scf.for {{.*}} iter_args(%[[STATE:.*]] = %{{.*}})
// CHECK: %[[SUM:.*]] = mli.eltwise_add {{.*}} outs(%[[STATE]] : tensor<64x!mli.fx16<12>>)
// CHECK: mli.eltwise_mul ins(%[[SUM]],
// CHECK: mli.eltwise_add ins(%[[SUM]],
func.func @state(%x: !vector, %state: !vector) -> !vector {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %result = scf.for %i = %c0 to %c4 step %c1 iter_args(%before = %state)
      -> !vector {
    %empty = tensor.empty() : !vector
    %product = mli.eltwise_mul ins(%x, %before : !vector, !vector)
      outs(%empty : !vector) -> !vector
    %sum = mli.eltwise_add ins(%product, %x : !vector, !vector)
      outs(%before : !vector) -> !vector
    %other = tensor.empty() : !vector
    %scaled = mli.eltwise_mul ins(%sum, %x : !vector, !vector)
      outs(%other : !vector) -> !vector
    %next = mli.eltwise_add ins(%sum, %scaled : !vector, !vector)
      outs(%sum : !vector) -> !vector
    scf.yield %next : !vector
  }
  return %result : !vector
}

}
