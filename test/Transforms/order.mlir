// Kernels move into the order with the fewest live bytes.
// RUN: mli-opt %s --split-input-file --verify-diagnostics \
// RUN:   --mli-order=explain | FileCheck %s

// Without nodes nothing changes, and the bound is what each kernel has by itself.
// RUN: mli-opt %s --split-input-file --mli-order="explain budget=0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BUDGET
// BUDGET: remark: kernels stay in their order: 544 bytes live at once, at least 288 in any order, 0 nodes

// The arena has as many bytes.
// RUN: mli-opt %s --split-input-file --mli-order --mli-bufferize \
// RUN:   --mli-legalize-subtensors --cse --canonicalize \
// RUN:   --mli-assign-addresses=system-alignment=1 | FileCheck %s --check-prefix=ARENA

// Once more changes nothing.
// RUN: mli-opt %s --split-input-file --mli-order > %t.once
// RUN: mli-opt %s --split-input-file --mli-order --mli-order | diff - %t.once

!s = tensor<4x4x2x!mli.sa8<1:4:0>>
!l = tensor<4x4x16x!mli.sa8<1:4:0>>
!sw = tensor<1x1x16x2x!mli.sa8<1:4:0>>
!lw = tensor<1x1x2x16x!mli.sa8<1:4:0>>
!sb = tensor<2x!mli.sa32<1:8:0>>
!lb = tensor<16x!mli.sa32<1:8:0>>

// A34
// Each branch is narrow at its end: one is there before the other is wide.
// ARENA: module attributes {mli.arena_alignment = 1 : i64, mli.arena_bytes = 320 : i64}
// CHECK-LABEL: func.func @branches(
// CHECK: %[[A:.*]] = mli.permute
// CHECK-NEXT: %[[E1:.*]] = tensor.empty() : tensor<4x4x16
// CHECK-NEXT: %[[WIDE1:.*]] = mli.conv2d ins(%[[A]], {{.*}} outs(%[[E1]]
// CHECK-NEXT: %[[E2:.*]] = tensor.empty() : tensor<4x4x2x
// CHECK-NEXT: %[[NARROW1:.*]] = mli.conv2d ins(%[[WIDE1]], {{.*}} outs(%[[E2]]
// CHECK-NEXT: %[[E3:.*]] = tensor.empty() : tensor<4x4x16
// CHECK-NEXT: %[[WIDE2:.*]] = mli.conv2d ins(%[[A]], {{.*}} outs(%[[E3]]
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: %[[NARROW2:.*]] = mli.conv2d ins(%[[WIDE2]],
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: mli.eltwise_add ins(%[[NARROW1]], %[[NARROW2]]
// expected-remark @below {{kernels in a new order: 320 bytes live at once, 544 before, the least of all orders, 6 nodes}}
func.func @branches(%in: !s, %sw: !sw, %lw: !lw, %sb: !sb, %lb: !lb) -> !s {
  %e0 = tensor.empty() : !s
  %a = mli.permute ins(%in : !s) outs(%e0 : !s) permutation [0, 1, 2] -> !s
  %e1 = tensor.empty() : !l
  %wide1 = mli.conv2d ins(%a, %lw, %lb : !s, !lw, !lb) outs(%e1 : !l) pad [0, 0, 0, 0] -> !l
  %e2 = tensor.empty() : !l
  %wide2 = mli.conv2d ins(%a, %lw, %lb : !s, !lw, !lb) outs(%e2 : !l) pad [0, 0, 0, 0] -> !l
  %e3 = tensor.empty() : !s
  %narrow1 = mli.conv2d ins(%wide1, %sw, %sb : !l, !sw, !sb) outs(%e3 : !s) pad [0, 0, 0, 0] -> !s
  %e4 = tensor.empty() : !s
  %narrow2 = mli.conv2d ins(%wide2, %sw, %sb : !l, !sw, !sb) outs(%e4 : !s) pad [0, 0, 0, 0] -> !s
  %e5 = tensor.empty() : !s
  %sum = mli.eltwise_add ins(%narrow1, %narrow2 : !s, !s) outs(%e5 : !s) -> !s
  return %sum : !s
}

// -----

!s = tensor<4x4x2x!mli.sa8<1:4:0>>

// Of equal orders that of the file stays.
// ARENA: mli.arena_bytes = 96
// CHECK-LABEL: func.func @equal_orders(
// CHECK: mli.permute {{.*}} permutation [0, 1, 2]
// CHECK: mli.permute {{.*}} permutation [1, 0, 2]
// CHECK: mli.permute {{.*}} permutation [0, 1, 2]
// expected-remark @below {{kernels stay in their order: 96 bytes live at once, the least of all orders, 4 nodes}}
func.func @equal_orders(%in: !s) -> !s {
  %e0 = tensor.empty() : !s
  %a = mli.permute ins(%in : !s) outs(%e0 : !s) permutation [0, 1, 2] -> !s
  %e1 = tensor.empty() : !s
  %b = mli.permute ins(%a : !s) outs(%e1 : !s) permutation [1, 0, 2] -> !s
  %e2 = tensor.empty() : !s
  %c = mli.permute ins(%a : !s) outs(%e2 : !s) permutation [0, 1, 2] -> !s
  %e3 = tensor.empty() : !s
  %sum = mli.eltwise_add ins(%b, %c : !s, !s) outs(%e3 : !s) -> !s
  return %sum : !s
}

// -----

!s = tensor<4x4x2x!mli.sa8<1:4:0>>

// Once nothing else reads its input, the relu computes in place. What a function
// takes and returns is in memory of its caller.
// ARENA: mli.arena_bytes = 32
// CHECK-LABEL: func.func @in_place(
// CHECK: %[[A:.*]] = mli.permute
// CHECK: mli.permute ins(%[[A]]
// CHECK: %[[OVER:.*]] = mli.relu ins(%[[A]]
// CHECK: mli.permute ins(%[[OVER]]
// expected-remark @below {{kernels in a new order: 32 bytes live at once, 64 before, the least of all orders, 1 node}}
func.func @in_place(%in: !s) -> (!s, !s) {
  %e0 = tensor.empty() : !s
  %a = mli.permute ins(%in : !s) outs(%e0 : !s) permutation [0, 1, 2] -> !s
  %e1 = tensor.empty() : !s
  %over = mli.relu ins(%a : !s) outs(%e1 : !s) {relu = #mli.relu<gen>} -> !s
  %e2 = tensor.empty() : !s
  %p = mli.permute ins(%over : !s) outs(%e2 : !s) permutation [1, 0, 2] -> !s
  %e3 = tensor.empty() : !s
  %other = mli.permute ins(%a : !s) outs(%e3 : !s) permutation [1, 0, 2] -> !s
  return %p, %other : !s, !s
}

// -----

!s = tensor<4x4x2x!mli.sa8<1:4:0>>
!l = tensor<4x4x16x!mli.sa8<1:4:0>>
!d = tensor<4x4x4x!mli.sa8<1:4:0>>
!sw = tensor<1x1x16x2x!mli.sa8<1:4:0>>
!lw = tensor<1x1x2x16x!mli.sa8<1:4:0>>
!sb = tensor<2x!mli.sa32<1:8:0>>
!lb = tensor<16x!mli.sa32<1:8:0>>

// The operands of a concatenation are computed in its place, in any order.
// ARENA: mli.arena_bytes = 352
// CHECK-LABEL: func.func @concatenation(
// CHECK: %[[A:.*]] = mli.permute
// CHECK: %[[WIDE1:.*]] = mli.conv2d ins(%[[A]],
// CHECK-NEXT: %[[WHOLE:.*]] = tensor.empty() : tensor<4x4x4x
// CHECK-NEXT: %[[AT1:.*]] = mli.subtensor %[[WHOLE]][0, 0, 2]
// CHECK-NEXT: %[[NARROW1:.*]] = mli.conv2d ins(%[[WIDE1]], {{.*}} outs(%[[AT1]]
// CHECK-NEXT: %[[WITH1:.*]] = tensor.insert_slice %[[NARROW1]] into %[[WHOLE]][0, 0, 2]
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: %[[WIDE2:.*]] = mli.conv2d ins(%[[A]],
// CHECK-NEXT: %[[AT0:.*]] = mli.subtensor %[[WITH1]][0, 0, 0]
// CHECK-NEXT: %[[NARROW2:.*]] = mli.conv2d ins(%[[WIDE2]], {{.*}} outs(%[[AT0]]
// CHECK-NEXT: %[[WITH0:.*]] = tensor.insert_slice %[[NARROW2]] into %[[WITH1]][0, 0, 0]
// CHECK: mli.permute ins(%[[WITH0]]
// expected-remark @below {{kernels in a new order: 352 bytes live at once, 576 before, the least of all orders, 6 nodes}}
func.func @concatenation(%in: !s, %sw: !sw, %lw: !lw, %sb: !sb, %lb: !lb) -> !d {
  %e0 = tensor.empty() : !s
  %a = mli.permute ins(%in : !s) outs(%e0 : !s) permutation [0, 1, 2] -> !s
  %e1 = tensor.empty() : !l
  %wide1 = mli.conv2d ins(%a, %lw, %lb : !s, !lw, !lb) outs(%e1 : !l) pad [0, 0, 0, 0] {relu = #mli.relu<none>} -> !l
  %e2 = tensor.empty() : !l
  %wide2 = mli.conv2d ins(%a, %lw, %lb : !s, !lw, !lb) outs(%e2 : !l) pad [0, 0, 0, 0] {relu = #mli.relu<gen>} -> !l
  %whole = tensor.empty() : !d
  %at0 = mli.subtensor %whole[0, 0, 0] [4, 4, 2] : !d to !s
  %narrow2 = mli.conv2d ins(%wide2, %sw, %sb : !l, !sw, !sb) outs(%at0 : !s) pad [0, 0, 0, 0] -> !s
  %with0 = tensor.insert_slice %narrow2 into %whole[0, 0, 0] [4, 4, 2] [1, 1, 1] : !s into !d
  %at1 = mli.subtensor %with0[0, 0, 2] [4, 4, 2] : !d to !s
  %narrow1 = mli.conv2d ins(%wide1, %sw, %sb : !l, !sw, !sb) outs(%at1 : !s) pad [0, 0, 0, 0] -> !s
  %with1 = tensor.insert_slice %narrow1 into %with0[0, 0, 2] [4, 4, 2] [1, 1, 1] : !s into !d
  %e3 = tensor.empty() : !d
  %b = mli.permute ins(%with1 : !d) outs(%e3 : !d) permutation [0, 1, 2] -> !d
  return %b : !d
}

// -----

!s = tensor<4x4x2x!mli.sa8<1:4:0>>
!l = tensor<4x4x16x!mli.sa8<1:4:0>>
!d = tensor<4x4x4x!mli.sa8<1:4:0>>
!sw = tensor<1x1x16x2x!mli.sa8<1:4:0>>
!lw = tensor<1x1x2x16x!mli.sa8<1:4:0>>
!sb = tensor<2x!mli.sa32<1:8:0>>
!lb = tensor<16x!mli.sa32<1:8:0>>

// The second operand is written over a part of the first one: insertions keep
// their order.
// ARENA: mli.arena_bytes = 352
// CHECK-LABEL: func.func @overlap(
// CHECK: %[[WIDE2:.*]] = mli.conv2d {{.*}}relu<gen>
// CHECK: %[[NARROW2:.*]] = mli.conv2d ins(%[[WIDE2]],
// CHECK: %[[WIDE1:.*]] = mli.conv2d
// CHECK: %[[WITH0:.*]] = tensor.insert_slice %[[NARROW2]] into %{{.*}}[0, 0, 0]
// CHECK: %[[AT1:.*]] = mli.subtensor %[[WITH0]][0, 0, 1]
// CHECK: %[[NARROW1:.*]] = mli.conv2d ins(%[[WIDE1]], {{.*}} outs(%[[AT1]]
// CHECK: tensor.insert_slice %[[NARROW1]] into %[[WITH0]][0, 0, 1]
// expected-remark @below {{kernels in a new order: 352 bytes live at once, 576 before, the least of all orders, 9 nodes}}
func.func @overlap(%in: !s, %sw: !sw, %lw: !lw, %sb: !sb, %lb: !lb) -> !d {
  %e0 = tensor.empty() : !s
  %a = mli.permute ins(%in : !s) outs(%e0 : !s) permutation [0, 1, 2] -> !s
  %e1 = tensor.empty() : !l
  %wide1 = mli.conv2d ins(%a, %lw, %lb : !s, !lw, !lb) outs(%e1 : !l) pad [0, 0, 0, 0] {relu = #mli.relu<none>} -> !l
  %e2 = tensor.empty() : !l
  %wide2 = mli.conv2d ins(%a, %lw, %lb : !s, !lw, !lb) outs(%e2 : !l) pad [0, 0, 0, 0] {relu = #mli.relu<gen>} -> !l
  %whole = tensor.empty() : !d
  %at0 = mli.subtensor %whole[0, 0, 0] [4, 4, 2] : !d to !s
  %narrow2 = mli.conv2d ins(%wide2, %sw, %sb : !l, !sw, !sb) outs(%at0 : !s) pad [0, 0, 0, 0] -> !s
  %with0 = tensor.insert_slice %narrow2 into %whole[0, 0, 0] [4, 4, 2] [1, 1, 1] : !s into !d
  %at1 = mli.subtensor %with0[0, 0, 1] [4, 4, 2] : !d to !s
  %narrow1 = mli.conv2d ins(%wide1, %sw, %sb : !l, !sw, !sb) outs(%at1 : !s) pad [0, 0, 0, 0] -> !s
  %with1 = tensor.insert_slice %narrow1 into %with0[0, 0, 1] [4, 4, 2] [1, 1, 1] : !s into !d
  %e3 = tensor.empty() : !d
  %b = mli.permute ins(%with1 : !d) outs(%e3 : !d) permutation [0, 1, 2] -> !d
  return %b : !d
}

// -----

!s = tensor<4x4x2x!mli.sa8<1:4:0>>
!l = tensor<4x4x16x!mli.sa8<1:4:0>>
func.func private @widen(!s) -> !l
func.func private @narrow(!l) -> !s

// A35
// Calls may have effects, so they keep their order.
// CHECK-LABEL: func.func @effects(
// CHECK: call @widen
// CHECK-NEXT: call @widen
// CHECK-NEXT: call @narrow
// CHECK-NEXT: call @narrow
// expected-remark @below {{kernels stay in their order: 544 bytes live at once, the least of all orders, 0 nodes}}
func.func @effects(%in: !s) -> !s {
  %e0 = tensor.empty() : !s
  %a = mli.permute ins(%in : !s) outs(%e0 : !s) permutation [0, 1, 2] -> !s
  %wide1 = call @widen(%a) : (!s) -> !l
  %wide2 = call @widen(%a) : (!s) -> !l
  %narrow1 = call @narrow(%wide1) : (!l) -> !s
  %narrow2 = call @narrow(%wide2) : (!l) -> !s
  %e5 = tensor.empty() : !s
  %sum = mli.eltwise_add ins(%narrow1, %narrow2 : !s, !s) outs(%e5 : !s) -> !s
  return %sum : !s
}

// -----

!s = tensor<4x4x2x!mli.sa8<1:4:0>>
!l = tensor<4x4x16x!mli.sa8<1:4:0>>

// What a function needs in itself counts where it is called.
// ARENA: mli.arena_bytes = 768
// CHECK-LABEL: func.func private @callee(
// expected-remark @below {{kernels stay in their order: 512 bytes live at once, the least of all orders, 0 nodes}}
func.func private @callee(%a: !l) -> !l {
  %e0 = tensor.empty() : !l
  %b = mli.permute ins(%a : !l) outs(%e0 : !l) permutation [1, 0, 2] -> !l
  %e1 = tensor.empty() : !l
  %c = mli.permute ins(%b : !l) outs(%e1 : !l) permutation [1, 0, 2] -> !l
  %e2 = tensor.empty() : !l
  %d = mli.permute ins(%c : !l) outs(%e2 : !l) permutation [1, 0, 2] -> !l
  return %d : !l
}
// CHECK-LABEL: func.func @caller(
// CHECK: %[[A:.*]] = mli.permute
// CHECK: mli.permute ins(%[[A]]
// CHECK: call @callee
// CHECK-NEXT: return
// expected-remark @below {{kernels in a new order: 768 bytes live at once, 800 before, the least of all orders, 1 node}}
func.func @caller(%in: !l, %other: !s) -> (!l, !s) {
  %e0 = tensor.empty() : !s
  %a = mli.permute ins(%other : !s) outs(%e0 : !s) permutation [1, 0, 2] -> !s
  %called = call @callee(%in) : (!l) -> !l
  %e1 = tensor.empty() : !s
  %b = mli.permute ins(%a : !s) outs(%e1 : !s) permutation [1, 0, 2] -> !s
  return %called, %b : !l, !s
}

// -----

!s = tensor<4x4x2x!mli.sa8<1:4:0>>
!l = tensor<4x4x16x!mli.sa8<1:4:0>>
!sw = tensor<1x1x16x2x!mli.sa8<1:4:0>>
!lw = tensor<1x1x2x16x!mli.sa8<1:4:0>>
!sb = tensor<2x!mli.sa32<1:8:0>>
!lb = tensor<16x!mli.sa32<1:8:0>>

// The body of a loop is ordered, too. What it needs inside counts while it runs, so
// nothing waits for its end.
// ARENA: mli.arena_bytes = 320
// CHECK-LABEL: func.func @loop(
// CHECK: %[[FIRST:.*]] = mli.permute {{.*}} permutation [1, 0, 2]
// CHECK: mli.permute ins(%[[FIRST]]
// CHECK: scf.for
// CHECK: %[[WIDE1:.*]] = mli.conv2d
// CHECK: mli.conv2d ins(%[[WIDE1]]
// CHECK: %[[WIDE2:.*]] = mli.conv2d
// CHECK: mli.conv2d ins(%[[WIDE2]]
// CHECK: scf.yield
// expected-remark @below {{kernels in a new order: 320 bytes live at once, 576 before, the least of all orders, 7 nodes}}
func.func @loop(%in: !s, %n: index, %sw: !sw, %lw: !lw, %sb: !sb, %lb: !lb) -> (!s, !s) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e6 = tensor.empty() : !s
  %first = mli.permute ins(%in : !s) outs(%e6 : !s) permutation [1, 0, 2] -> !s
  %e0 = tensor.empty() : !s
  %start = mli.permute ins(%in : !s) outs(%e0 : !s) permutation [0, 1, 2] -> !s
  %sums = scf.for %i = %zero to %n step %one iter_args(%carried = %start) -> !s {
    %e1 = tensor.empty() : !l
    %wide1 = mli.conv2d ins(%in, %lw, %lb : !s, !lw, !lb) outs(%e1 : !l) pad [0, 0, 0, 0] -> !l
    %e2 = tensor.empty() : !l
    %wide2 = mli.conv2d ins(%in, %lw, %lb : !s, !lw, !lb) outs(%e2 : !l) pad [0, 0, 0, 0] -> !l
    %e3 = tensor.empty() : !s
    %narrow1 = mli.conv2d ins(%wide1, %sw, %sb : !l, !sw, !sb) outs(%e3 : !s) pad [0, 0, 0, 0] -> !s
    %e4 = tensor.empty() : !s
    %narrow2 = mli.conv2d ins(%wide2, %sw, %sb : !l, !sw, !sb) outs(%e4 : !s) pad [0, 0, 0, 0] -> !s
    %sum = mli.eltwise_add ins(%narrow1, %narrow2 : !s, !s) outs(%carried : !s) -> !s
    scf.yield %sum : !s
  }
  %e7 = tensor.empty() : !s
  %second = mli.permute ins(%first : !s) outs(%e7 : !s) permutation [1, 0, 2] -> !s
  return %sums, %second : !s, !s
}

// -----

!s = tensor<4x4x2x!mli.sa8<1:4:0>>
!l = tensor<4x4x16x!mli.sa8<1:4:0>>

// A kernel that reads what an insertion writes over stays in front of it, though
// the memory of its result would begin later.
// ARENA: mli.arena_bytes = 512
// CHECK-LABEL: func.func @overwritten(
// CHECK: %[[A:.*]] = mli.permute {{.*}} -> tensor<4x4x16x
// CHECK: %[[READ:.*]] = mli.permute ins(%[[A]]
// CHECK: tensor.insert_slice %{{.*}} into %[[A]]
// expected-remark @below {{kernels stay in their order: 512 bytes live at once, the least of all orders, 0 nodes}}
func.func @overwritten(%in: !l, %part: !s) -> (!l, !l) {
  %e0 = tensor.empty() : !l
  %a = mli.permute ins(%in : !l) outs(%e0 : !l) permutation [0, 1, 2] -> !l
  %e1 = tensor.empty() : !l
  %read = mli.permute ins(%a : !l) outs(%e1 : !l) permutation [1, 0, 2] -> !l
  %inserted = tensor.insert_slice %part into %a[0, 0, 0] [4, 4, 2] [1, 1, 1] : !s into !l
  %e2 = tensor.empty() : !l
  %b = mli.permute ins(%inserted : !l) outs(%e2 : !l) permutation [1, 0, 2] -> !l
  %e3 = tensor.empty() : !l
  %c = mli.permute ins(%read : !l) outs(%e3 : !l) permutation [1, 0, 2] -> !l
  return %b, %c : !l, !l
}
