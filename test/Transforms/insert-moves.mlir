// RUN: mli-opt %s --mli-insert-moves=explain --split-input-file --verify-diagnostics | FileCheck %s

!map = tensor<8x8x4x!mli.fx8<5>>
!part = tensor<2x8x4x!mli.fx8<5>>

// A value that only kernels use stays in local memory; what is moved in once is
// used by all kernels that need it.
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: func.func @resident(
  // CHECK-SAME: %[[IN:.*]]: tensor<8x8x4x!mli.fx8<5>>
  // CHECK: %[[PLACE:.*]] = tensor.empty() : tensor<8x8x4x!mli.fx8<5>>
  // CHECK: %[[X:.*]] = mli.mov ins(%[[IN]] : {{.*}}) outs(%{{.*}} : tensor<8x8x4x!mli.fx8<5>, #mli.space<local>>)
  // CHECK: %[[A:.*]] = mli.relu ins(%[[X]] : tensor<8x8x4x!mli.fx8<5>, #mli.space<local>>)
  // CHECK: %[[B:.*]] = mli.eltwise_add ins(%[[A]], %[[X]] : {{.*}}) outs(%{{.*}}) -> tensor<8x8x4x!mli.fx8<5>, #mli.space<local>>
  // CHECK: %[[OUT:.*]] = mli.mov ins(%[[B]] : {{.*}}) outs(%[[PLACE]] : tensor<8x8x4x!mli.fx8<5>>)
  // CHECK-NOT: mli.mov
  // CHECK: return %[[OUT]]
  func.func @resident(%in: !map) -> !map {
    %empty = tensor.empty() : !map
    // expected-remark @+2 {{moved in: 256 bytes, 256 of each NPU, for 2 operands}}
    // expected-remark @below {{stays in local memory: 256 bytes, 256 of each NPU, for 1 operands}}
    %a = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    // expected-remark @below {{moved out: 256 bytes, 256 of each NPU, for 0 operands}}
    %b = mli.eltwise_add ins(%a, %in : !map, !map) outs(%empty : !map) -> !map
    return %b : !map
  }

  // What is no kernel sees values in system memory.
  // CHECK-LABEL: func.func @others
  // CHECK: %[[A:.*]] = mli.relu {{.*}} -> tensor<8x8x4x!mli.fx8<5>, #mli.space<local>>
  // CHECK: %[[OUT:.*]] = mli.mov ins(%[[A]]
  // CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[OUT]]
  // CHECK: %[[PART:.*]] = mli.mov ins(%[[SLICE]]
  // CHECK: mli.relu ins(%[[PART]]
  func.func @others(%in: !map) -> !part {
    %empty = tensor.empty() : !map
    // expected-remark @+2 {{moved in: 256 bytes, 256 of each NPU, for 1 operands}}
    // expected-remark @below {{moved out: 256 bytes, 256 of each NPU, for 0 operands}}
    %a = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    %slice = tensor.extract_slice %a[3, 0, 0] [2, 8, 4] [1, 1, 1] : !map to !part
    %init = tensor.empty() : !part
    // expected-remark @+2 {{moved in: 64 bytes, 64 of each NPU, for 1 operands}}
    // expected-remark @below {{moved out: 64 bytes, 64 of each NPU, for 0 operands}}
    %b = mli.relu ins(%slice : !part) outs(%init : !part) {relu = #mli.relu<gen>} -> !part
    return %b : !part
  }

  // A function without kernels stays as it is, also without a target.
  // CHECK-LABEL: func.func @no_kernel
  // CHECK-NEXT: mli.mov ins(%{{.*}} : tensor<8x8x4x!mli.fx8<5>>)
  func.func @no_kernel(%in: !map, %init: !map) -> !map {
    %a = mli.mov ins(%in : !map) outs(%init : !map) -> !map
    return %a : !map
  }
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>

// Room for three maps. When %c is computed, %a, which is needed last, goes: it is
// moved out behind its kernel and in again.
module attributes {mli.target = #mli.target<vpx, npu_bytes = 768>} {
  // CHECK-LABEL: func.func @spilled
  // CHECK: %[[A:.*]] = mli.relu {{.*}} -> tensor<8x8x4x!mli.fx8<5>, #mli.space<local>>
  // CHECK-NEXT: %[[SAVED:.*]] = mli.mov ins(%[[A]]
  // CHECK: %[[B:.*]] = mli.eltwise_mul
  // CHECK-NOT: mli.mov ins(%[[B]]
  // CHECK: %[[C:.*]] = mli.eltwise_add
  // CHECK: %[[AGAIN:.*]] = mli.mov ins(%[[SAVED]]
  // CHECK: mli.eltwise_max ins(%[[AGAIN]], %[[C]]
  func.func @spilled(%in: !map, %other: !map) -> !map {
    %empty = tensor.empty() : !map
    // expected-remark @+2 {{moved in: 256 bytes, 256 of each NPU, for 1 operands}}
    // expected-remark @below {{moved out to free local memory: 256 bytes, 256 of each NPU, for 2 operands}}
    %a = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    // expected-remark @below {{stays in local memory: 256 bytes, 256 of each NPU, for 1 operands}}
    %b = mli.eltwise_mul ins(%a, %a : !map, !map) outs(%empty : !map) -> !map
    // expected-remark @+2 {{moved in: 256 bytes, 256 of each NPU, for 1 operands}}
    // expected-remark @below {{stays in local memory: 256 bytes, 256 of each NPU, for 1 operands}}
    %c = mli.eltwise_add ins(%b, %other : !map, !map) outs(%empty : !map) -> !map
    // expected-remark @+2 {{moved in: 256 bytes, 256 of each NPU, for 1 operands}}
    // expected-remark @below {{moved out: 256 bytes, 256 of each NPU, for 0 operands}}
    %d = mli.eltwise_max ins(%a, %c : !map, !map) outs(%empty : !map) -> !map
    return %d : !map
  }
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
!row = tensor<1x8x4x!mli.fx8<5>>

// What every round of a loop reads is moved in before it; what differs, in it.
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: func.func @hoisted(
  // CHECK-SAME: %{{.*}}: tensor<8x8x4x!mli.fx8<5>>, %[[SLOPE:.*]]: tensor<1x8x4x!mli.fx8<5>>
  // CHECK: %[[THERE:.*]] = mli.mov ins(%[[SLOPE]]
  // CHECK: scf.for
  // CHECK-COUNT-1: mli.mov ins(%{{.*}} : tensor<1x8x4x!mli.fx8<5>>)
  // CHECK: mli.eltwise_mul ins(%{{.*}}, %[[THERE]]
  // CHECK: %[[OUT:.*]] = mli.mov
  // CHECK: tensor.insert_slice %[[OUT]]
  func.func @hoisted(%in: !map, %slope: !row) -> !map {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %end = arith.constant 8 : index
    %empty = tensor.empty() : !map
    // expected-remark @below {{moved in before the loop: 32 bytes, 32 of each NPU, for 1 operands}}
    %out = scf.for %i = %zero to %end step %one iter_args(%all = %empty) -> !map {
      %row = tensor.extract_slice %in[%i, 0, 0] [1, 8, 4] [1, 1, 1] : !map to !row
      %init = tensor.extract_slice %all[%i, 0, 0] [1, 8, 4] [1, 1, 1] : !map to !row
      // expected-remark @+2 {{moved in: 32 bytes, 32 of each NPU, for 1 operands}}
      // expected-remark @below {{moved out: 32 bytes, 32 of each NPU, for 0 operands}}
      %new = mli.eltwise_mul ins(%row, %slope : !row, !row) outs(%init : !row) -> !row
      %next = tensor.insert_slice %new into %all[%i, 0, 0] [1, 8, 4] [1, 1, 1] : !row into !map
      scf.yield %next : !map
    }
    return %out : !map
  }
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
!row = tensor<1x8x4x!mli.fx8<5>>

// No room for %slope besides a round: it is moved in each time.
module attributes {mli.target = #mli.target<vpx, npu_bytes = 96>} {
  // CHECK-LABEL: func.func @streamed
  // CHECK-NOT: mli.mov
  // CHECK: scf.for
  // CHECK-COUNT-2: mli.mov ins(%{{.*}} : tensor<1x8x4x!mli.fx8<5>>)
  // CHECK: mli.eltwise_mul
  // CHECK: mli.mov ins(%{{.*}} : tensor<1x8x4x!mli.fx8<5>>)
  // CHECK: mli.eltwise_add
  func.func @streamed(%in: !map, %slope: !row, %more: !row) -> !map {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %end = arith.constant 8 : index
    %empty = tensor.empty() : !map
    %out = scf.for %i = %zero to %end step %one iter_args(%all = %empty) -> !map {
      %row = tensor.extract_slice %in[%i, 0, 0] [1, 8, 4] [1, 1, 1] : !map to !row
      %init = tensor.extract_slice %all[%i, 0, 0] [1, 8, 4] [1, 1, 1] : !map to !row
      // expected-remark @+2 {{moved in: 32 bytes, 32 of each NPU, for 1 operands}}
      // expected-remark @below {{stays in local memory: 32 bytes, 32 of each NPU, for 1 operands}}
      %new = mli.eltwise_mul ins(%row, %slope : !row, !row) outs(%init : !row) -> !row
      // expected-remark @+2 {{moved in: 32 bytes, 32 of each NPU, for 1 operands}}
      // expected-remark @below {{moved out: 32 bytes, 32 of each NPU, for 0 operands}}
      %sum = mli.eltwise_add ins(%new, %more : !row, !row) outs(%init : !row) -> !row
      %next = tensor.insert_slice %sum into %all[%i, 0, 0] [1, 8, 4] [1, 1, 1] : !row into !map
      scf.yield %next : !map
    }
    return %out : !map
  }
}

// -----

!long = tensor<1x1x100000x!mli.fx8<5>>

// More than an instruction reaches: 65535 indices along W.
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: func.func @split(
  // CHECK-SAME: %[[IN:.*]]: tensor<1x1x100000x!mli.fx8<5>>
  // CHECK: %[[FIRST:.*]] = mli.mov ins(%[[IN]] : {{.*}} {dst_offsets = array<i64: 0, 0, 0>, offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 1, 65535>}
  // CHECK: %[[BOTH:.*]] = mli.mov ins(%[[IN]] : {{.*}}) outs(%[[FIRST]] : {{.*}} {dst_offsets = array<i64: 0, 0, 65535>, offsets = array<i64: 0, 0, 65535>, sizes = array<i64: 1, 1, 34465>}
  // CHECK: %[[A:.*]] = mli.relu ins(%[[BOTH]]
  // CHECK-COUNT-2: mli.mov ins(%[[A]]
  func.func @split(%in: !long) -> !long {
    %empty = tensor.empty() : !long
    // expected-remark @+2 {{moved in: 100000 bytes, 100000 of each NPU, for 1 operands}}
    // expected-remark @below {{moved out: 100000 bytes, 100000 of each NPU, for 0 operands}}
    %a = mli.relu ins(%in : !long) outs(%empty : !long) {relu = #mli.relu<gen>} -> !long
    return %a : !long
  }
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>

module attributes {mli.target = #mli.target<vpx>} {
  // Who is called has all of local memory.
  // CHECK-LABEL: func.func @call
  // CHECK: %[[A:.*]] = mli.relu
  // CHECK: %[[SAVED:.*]] = mli.mov ins(%[[A]]
  // CHECK: %[[B:.*]] = call @callee(%[[SAVED]])
  // CHECK-DAG: mli.mov ins(%[[SAVED]]
  // CHECK-DAG: mli.mov ins(%[[B]]
  // CHECK: mli.eltwise_add
  func.func @call(%in: !map) -> !map {
    %empty = tensor.empty() : !map
    // expected-remark @+2 {{moved in: 256 bytes, 256 of each NPU, for 1 operands}}
    // expected-remark @below {{moved out: 256 bytes, 256 of each NPU, for 0 operands}}
    %a = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    %b = call @callee(%a) : (!map) -> !map
    // expected-remark @+2 {{moved in: 256 bytes, 256 of each NPU, for 1 operands}}
    // expected-remark @below {{moved out: 256 bytes, 256 of each NPU, for 0 operands}}
    %c = mli.eltwise_add ins(%a, %b : !map, !map) outs(%empty : !map) -> !map
    return %c : !map
  }

  func.func private @callee(!map) -> !map

  // Nothing stays from one block to another.
  // CHECK-LABEL: func.func @blocks
  // CHECK: mli.mov ins(%arg0
  // CHECK: %[[A:.*]] = mli.relu
  // CHECK: %[[SAVED:.*]] = mli.mov ins(%[[A]]
  // CHECK: ^bb1:
  // CHECK: mli.mov ins(%[[SAVED]]
  // CHECK: mli.relu
  func.func @blocks(%in: !map, %which: i1) -> !map {
    %empty = tensor.empty() : !map
    // expected-remark @+2 {{moved in: 256 bytes, 256 of each NPU, for 1 operands}}
    // expected-remark @below {{moved out: 256 bytes, 256 of each NPU, for 0 operands}}
    %a = mli.relu ins(%in : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    cf.cond_br %which, ^bb1, ^bb2(%in : !map)
  ^bb1:
    // expected-remark @+2 {{moved in: 256 bytes, 256 of each NPU, for 1 operands}}
    // expected-remark @below {{moved out: 256 bytes, 256 of each NPU, for 0 operands}}
    %b = mli.relu ins(%a : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
    cf.br ^bb2(%b : !map)
  ^bb2(%c: !map):
    return %c : !map
  }
}

// -----

!map = tensor<8x8x4x!mli.fx8<5>>
!local = tensor<8x8x4x!mli.fx8<5>, #mli.space<local>>

// A kernel that somebody has placed stays there.
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: func.func private @placed
  // CHECK-NEXT: %[[A:.*]] = mli.relu ins(%{{.*}} : tensor<8x8x4x!mli.fx8<5>, #mli.space<local>>)
  // CHECK-NEXT: return %[[A]]
  func.func private @placed(%in: !local, %init: !local) -> !local {
    %a = mli.relu ins(%in : !local) outs(%init : !local) {relu = #mli.relu<gen>} -> !local
    return %a : !local
  }
}
