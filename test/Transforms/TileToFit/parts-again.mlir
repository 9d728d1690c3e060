// What stays in local memory moves out in front of a part that needs the room, and in
// again behind it.
// RUN: echo '{"cost": {"mac": 0, "call": 0, "code": 0}}' > %t.json
// RUN: mli-opt %s --mli-tile-to-fit="max-stream=1 max-group=1 overrides=%t.json decide-only" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mli-opt %t.mlir --mli-tile-to-fit --mli-insert-moves -o /dev/null

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!map = tensor<16x8x4x!q>
!small = tensor<4x2x4x!q>
!row = tensor<400x!q>
!filters = tensor<400x32x!w>
!out = tensor<32x!q>

// A map of 512 bytes; an input and an output of the product alone take 804.
// Z17
module attributes {mli.target = #mli.target<vpx, npu_bytes = 864>} {
  // CHECK-LABEL: func.func @again
  // CHECK: %[[V:.*]] = mli.relu ins(%arg0 : {{.*}} -> tensor<16x8x4x!mli.sa8<1:4:-128>, #mli.space<local>>
  // CHECK: %[[OUT:.*]] = mli.mov ins(%[[V]] : {{.*}} -> tensor<16x8x4x!mli.sa8<1:4:-128>>
  // CHECK: mli.maxpool ins(%[[V]] :
  // CHECK: mli.fully_connected
  // CHECK: %[[IN:.*]] = mli.mov ins(%[[OUT]] : {{.*}} -> tensor<16x8x4x!mli.sa8<1:4:-128>, #mli.space<local>>
  // CHECK: mli.eltwise_add ins(%[[IN]], %arg2 :
  // CHECK: mli.eltwise_sub ins(%[[IN]], %arg2 :
  func.func @again(%a: !map, %r: !row, %o: !map, %f: !filters, %c: tensor<32x!b>) -> (!small, !out, !map, !map) {
    %e0 = tensor.empty() : !map
    %v = mli.relu ins(%a : !map) outs(%e0 : !map) {relu = #mli.relu<relu6>} -> !map
    %e1 = tensor.empty() : !small
    %x = mli.maxpool ins(%v : !map) outs(%e1 : !small) kernel [4, 4] pad [0, 0, 0, 0]
      {strides = array<i64: 4, 4>} -> !small
    %e2 = tensor.empty() : !out
    %y = mli.fully_connected ins(%r, %f, %c : !row, !filters, tensor<32x!b>)
      outs(%e2 : !out) -> !out
    %e3 = tensor.empty() : !map
    %g = mli.eltwise_add ins(%v, %o : !map, !map) outs(%e3 : !map) -> !map
    %e4 = tensor.empty() : !map
    %h = mli.eltwise_sub ins(%v, %o : !map, !map) outs(%e4 : !map) -> !map
    return %x, %y, %g, %h : !small, !out, !map, !map
  }
}
