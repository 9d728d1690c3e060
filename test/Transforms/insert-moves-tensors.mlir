// What a program has in local memory already stays where it is, and counts as long as
// it is in use.
// RUN: mli-opt %s --mli-insert-moves --split-input-file --verify-diagnostics | FileCheck %s
// RUN: sed 's/npu_bytes = 592/npu_bytes = 672/' %s | mli-opt --mli-insert-moves --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=ROOM

!map = tensor<4x4x8x!mli.fx8<5>>
!local = tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>

module attributes {mli.target = #mli.target<vpx>} {
  // Z19
  // CHECK-LABEL: func.func @some_operands
  // CHECK: %[[A:.*]] = mli.mov ins(%arg0 : {{.*}}) outs(%{{.*}} : tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>)
  // CHECK: %[[X:.*]] = mli.relu ins(%[[A]] : {{.*}} -> tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>
  // CHECK: %[[B:.*]] = mli.mov ins(%arg1 : {{.*}}) outs(%{{.*}} : tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>)
  // CHECK: %[[Y:.*]] = mli.eltwise_add ins(%[[X]], %[[B]] :
  // CHECK: mli.mov ins(%[[Y]] : {{.*}} -> tensor<4x4x8x!mli.fx8<5>>
  // CHECK-NOT: mli.mov
  func.func @some_operands(%a: !map, %b: !map) -> !map {
    %e0 = tensor.empty() : !local
    %in = mli.mov ins(%a : !map) outs(%e0 : !local) -> !local
    %e1 = tensor.empty() : !local
    %x = mli.relu ins(%in : !local) outs(%e1 : !local) {relu = #mli.relu<gen>} -> !local
    %e2 = tensor.empty() : !map
    %y = mli.eltwise_add ins(%x, %b : !local, !map) outs(%e2 : !map) -> !map
    return %y : !map
  }

  // A result in local memory is not moved out.
  // CHECK-LABEL: func.func @result
  // CHECK: %[[X:.*]] = mli.relu {{.*}} outs(%{{.*}} : tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>)
  // CHECK-NEXT: return %[[X]]
  func.func @result(%a: !map) -> !local {
    %e = tensor.empty() : !local
    %x = mli.relu ins(%a : !map) outs(%e : !local) {relu = #mli.relu<gen>} -> !local
    return %x : !local
  }
}

// -----

!q = !mli.sa8<1:4:-128>
!row = tensor<1x8x8x!q>
!ring = tensor<3x8x8x!q, #mli.space<local>>
!slot = tensor<1x8x8x!q, #mli.space<local>>
!map = tensor<16x8x8x!q>
!weights = tensor<1x1x8x8x!mli.sa8<5:10:0>>
!bias = tensor<8x!mli.sa32<5:14:0>>
!vector = tensor<128x!q>

// The ring of 192 bytes is there through the loop, and the sum needs 384 beside it: the
// weights, 64 bytes, and the bias, 32, only stay in what is left.
// Z19
module attributes {mli.target = #mli.target<vpx, npu_bytes = 592>} {
  // CHECK-LABEL: func.func @ring
  // CHECK-NOT: mli.mov ins(%arg{{[12]}} :
  // CHECK: scf.for
  // CHECK: %[[RING:.*]] = mli.advance
  // CHECK: %[[SLOT:.*]] = tensor.extract_slice %[[RING]][2, 0, 0]
  // CHECK: mli.mov ins(%{{.*}} : tensor<1x8x8x!mli.sa8<1:4:-128>>) outs(%[[SLOT]] :
  // CHECK-DAG: mli.mov ins(%arg1 :
  // CHECK-DAG: mli.mov ins(%arg2 :
  // CHECK: mli.conv2d
  // CHECK: mli.eltwise_add
  //
  // ROOM-LABEL: func.func @ring
  // ROOM-DAG: %[[W:.*]] = mli.mov ins(%arg1 :
  // ROOM-DAG: %[[B:.*]] = mli.mov ins(%arg2 :
  // ROOM: scf.for
  // ROOM: mli.conv2d ins(%{{.*}}, %[[W]], %[[B]] :
  func.func @ring(%a: !map, %w: !weights, %b: !bias, %v: !vector) -> (!map, !vector) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %ring = tensor.empty() : !ring
    %out = tensor.empty() : !map
    %r:3 = scf.for %i = %c0 to %c16 step %c1 iter_args(%x = %ring, %o = %out, %u = %v)
        -> (!ring, !map, !vector) {
      %y = mli.advance outs(%x : !ring) {rows = 1} -> !ring
      %row = tensor.extract_slice %a[%i, 0, 0] [1, 8, 8] [1, 1, 1] : !map to !row
      %slot = tensor.extract_slice %y[2, 0, 0] [1, 8, 8] [1, 1, 1] : !ring to !slot
      %in = mli.mov ins(%row : !row) outs(%slot : !slot) -> !slot
      %z = tensor.insert_slice %in into %y[2, 0, 0] [1, 8, 8] [1, 1, 1] : !slot into !ring
      %first = tensor.extract_slice %z[0, 0, 0] [1, 8, 8] [1, 1, 1] : !ring to !slot
      %to = tensor.extract_slice %o[%i, 0, 0] [1, 8, 8] [1, 1, 1] : !map to !row
      %c = mli.conv2d ins(%first, %w, %b : !slot, !weights, !bias)
        outs(%to : !row) pad [0, 0, 0, 0] -> !row
      %p = tensor.insert_slice %c into %o[%i, 0, 0] [1, 8, 8] [1, 1, 1] : !row into !map
      %e = tensor.empty() : !vector
      %s = mli.eltwise_add ins(%u, %v : !vector, !vector) outs(%e : !vector) -> !vector
      scf.yield %z, %p, %s : !ring, !map, !vector
    }
    return %r#1, %r#2 : !map, !vector
  }
}

// -----

!map = tensor<4x!mli.fx8<5>>
!large = tensor<1x1x2x2x4x!mli.fx8<5>, #mli.space<local>>

module attributes {mli.target = #mli.target<vpx>} {
  func.func @five_dimensions(%a: !map) -> (!map, !large) {
    %e = tensor.empty() : !map
    %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
    // Z3
    // expected-error @below {{expected a tensor in local memory to have a static shape of up to four dimensions, but got 'tensor<1x1x2x2x4x!mli.fx8<5>, #mli.space<local>>'}}
    %large = tensor.empty() : !large
    return %r, %large : !map, !large
  }
}

// -----

!map = tensor<4x!mli.fx8<5>>

module attributes {mli.target = #mli.target<vpx>} {
  // expected-error @below {{expected a tensor in local memory to have a static shape of up to four dimensions, but got 'tensor<?x!mli.fx8<5>, #mli.space<local>>'}}
  func.func @dynamic(%a: !map, %b: tensor<?x!mli.fx8<5>, #mli.space<local>>) -> !map {
    %e = tensor.empty() : !map
    %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
    return %r : !map
  }
}

// -----

!map = tensor<4x4x8x!mli.fx8<5>>
!local = tensor<4x4x8x!mli.fx8<5>, #mli.space<local>>
!codes = tensor<4x4x8x!mli.fx8<7>, #mli.space<local>>

// Scratch memory of a kernel all of whose tensors are in local memory leaves no room for
// what is the same in each iteration.
module attributes {mli.target = #mli.target<vpx, npu_bytes = 960>} {
  // CHECK-LABEL: func.func @scratch
  // CHECK: scf.for
  // CHECK: mli.sigm
  // CHECK: mli.mov ins(%arg1 :
  // CHECK: mli.eltwise_add
  func.func @scratch(%a: !local, %b: !map) -> !local {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> !local {
      %e0 = tensor.empty() : !codes
      %y = mli.sigm ins(%x : !local) outs(%e0 : !codes) -> !codes
      %e1 = tensor.empty() : !local
      %z = mli.convert ins(%y : !codes) outs(%e1 : !local) -> !local
      %w = mli.eltwise_add ins(%z, %b : !local, !map) outs(%x : !local) -> !local
      scf.yield %w : !local
    }
    return %r : !local
  }
}
