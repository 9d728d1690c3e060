// Kernels of which one uses the results of several are computed in the same tiles.
// Bytes are all that counts here.
// RUN: echo '{"cost": {"mac": 0, "call": 0, "code": 0}}' > %t.json
// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="unroll=0 overrides=%t.json max-stream=1" | FileCheck %s
// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="decide-only report overrides=%t.json max-stream=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="decide-only report max-group=2 overrides=%t.json max-stream=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAIRS
// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="decide-only overrides=%t.json max-stream=1" | mli-opt --split-input-file --mli-tile-to-fit="unroll=0 max-stream=1" | FileCheck %s

// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="decide-only report max-stream=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=COSTS

// A file names the kernels that are fused, in any order.
// RUN: sed '/^\/\/ -----/,$d' %s > %t.first.mlir
// RUN: echo '{"tiles": {"sum:3": {"sizes": [2, 8, 8], "fused": [0, 2, 1]}}}' > %t.file.json
// RUN: mli-opt %t.first.mlir --mli-tile-to-fit="decide-only report overrides=%t.file.json max-stream=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: remark: sum:3: tile [2, 8, 8] of [20, 8, 8], {{.*}}; 3 producers fused: [2, 1, 0]; as the file says
// RUN: echo '{"tiles": {"sum:3": {"sizes": [2, 8, 8], "fused": [0, 1]}}}' > %t.gap.json
// RUN: not mli-opt %t.first.mlir --mli-tile-to-fit="decide-only overrides=%t.gap.json max-stream=1" 2>&1 | FileCheck %s --check-prefix=GAP
// GAP: error: 'mli.convert' op expected 'fused' to be earlier kernels whose results only kernels of this group use, but got [0, 1]

// A kernel that a file cuts is in no group that the file does not say.
// RUN: echo '{"tiles": {"sum:2": {"sizes": [2, 8, 8]}}, "cost": {"mac": 0, "call": 0, "code": 0}}' > %t.own.json
// RUN: mli-opt %t.first.mlir --mli-tile-to-fit="decide-only report overrides=%t.own.json max-stream=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: remark: sum:2: tile [2, 8, 8] of [20, 8, 8], {{.*}}; as the file says
// OWN: remark: sum:3: tile {{.*}}; 0 producers fused; no double buffering, as kernels wait for moves
// OWN: note: sum:2 is not fused: a file says its tiles{{$}}
// RUN: echo '{"tiles": {"sum:2": {"sizes": [2, 8, 8]}, "sum:3": {"sizes": [2, 8, 8], "fused": [0, 2, 1]}}}' > %t.both.json
// RUN: not mli-opt %t.first.mlir --mli-tile-to-fit="decide-only overrides=%t.both.json max-stream=1" 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: 'mli.eltwise_add' op expected 'overrides' to say its tiles or to fuse it, but got both, 'sum:2' and 'fused' of 'sum:3'{{$}}

!q = !mli.sa8<1:4:-128>
!s = !mli.fx16<8>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 1920>} {

// Both operands of a sum and what is behind it: three kernels of 16 bits, of which
// 5 rows are 1920 bytes.
// Z9
// CHECK-LABEL: func.func @sum
// CHECK: scf.for %[[ROW:[^ ]+]] =
// CHECK: %[[A:.+]] = tensor.extract_slice %arg0[%[[ROW]], 0, 0] [5, 8, 8]
// CHECK: %[[L:.+]] = mli.convert ins(%[[A]] : {{.*}} -> tensor<5x8x8x!mli.fx16<8>>
// CHECK: %[[B:.+]] = tensor.extract_slice %arg1[%[[ROW]], 0, 0] [5, 8, 8]
// CHECK: %[[R:.+]] = mli.convert ins(%[[B]] : {{.*}} -> tensor<5x8x8x!mli.fx16<8>>
// CHECK: %[[S:.+]] = mli.eltwise_add ins(%[[L]], %[[R]] :
// CHECK: mli.convert ins(%[[S]] :
// CHECK-NOT: mli.convert
// SAID: remark: sum:3: tile [5, 8, 8] of [20, 8, 8], order [0], takes 1,920 B of 1,920 B; moves 3,840 B, {{.*}}; 3 producers fused: [2, 1, 0]; no double buffering, as kernels wait for moves
// PAIRS: note: sum:1 is not fused: groups have at most 2 kernels
func.func @sum(%a: tensor<20x8x8x!q>, %b: tensor<20x8x8x!q>)
    -> tensor<20x8x8x!q> {
  %e0 = tensor.empty() : tensor<20x8x8x!s>
  %l = mli.convert ins(%a : tensor<20x8x8x!q>)
    outs(%e0 : tensor<20x8x8x!s>) -> tensor<20x8x8x!s>
  %e1 = tensor.empty() : tensor<20x8x8x!s>
  %r = mli.convert ins(%b : tensor<20x8x8x!q>)
    outs(%e1 : tensor<20x8x8x!s>) -> tensor<20x8x8x!s>
  %e2 = tensor.empty() : tensor<20x8x8x!s>
  %s = mli.eltwise_add ins(%l, %r : tensor<20x8x8x!s>, tensor<20x8x8x!s>)
    outs(%e2 : tensor<20x8x8x!s>) -> tensor<20x8x8x!s>
  %e3 = tensor.empty() : tensor<20x8x8x!q>
  %o = mli.convert ins(%s : tensor<20x8x8x!s>)
    outs(%e3 : tensor<20x8x8x!q>) -> tensor<20x8x8x!q>
  return %o : tensor<20x8x8x!q>
}

// Both pools ask for the same rows, halos included: these are computed once.
// Z15
// CHECK-LABEL: func.func @diamond
// CHECK: scf.for %[[ROW:[^ ]+]] =
// CHECK: %[[A:.+]] = tensor.extract_slice %arg0[%{{.+}}, 0, 0] [11, 64, 1]
// CHECK: %[[X:.+]] = mli.relu ins(%[[A]] :
// CHECK: %[[L:.+]] = mli.maxpool ins(%[[X]] :
// CHECK-NOT: mli.relu
// CHECK-NOT: affine.apply
// CHECK: %[[R:.+]] = mli.avepool ins(%[[X]] :
// CHECK: mli.eltwise_add ins(%[[L]], %[[R]] :
// SAID: remark: diamond:3: {{.*}}; 3 producers fused: [2, 1, 0];
func.func @diamond(%a: tensor<60x64x1x!q>) -> tensor<60x64x1x!q> {
  %e = tensor.empty() : tensor<60x64x1x!q>
  %x = mli.relu ins(%a : tensor<60x64x1x!q>)
    outs(%e : tensor<60x64x1x!q>) {relu = #mli.relu<gen>} -> tensor<60x64x1x!q>
  %l = mli.maxpool ins(%x : tensor<60x64x1x!q>) outs(%e : tensor<60x64x1x!q>)
    kernel [3, 3] pad [1, 1, 1, 1] -> tensor<60x64x1x!q>
  %r = mli.avepool ins(%x : tensor<60x64x1x!q>) outs(%e : tensor<60x64x1x!q>)
    kernel [3, 3] pad [1, 1, 1, 1] -> tensor<60x64x1x!q>
  %o = mli.eltwise_add ins(%l, %r : tensor<60x64x1x!q>, tensor<60x64x1x!q>)
    outs(%e : tensor<60x64x1x!q>) -> tensor<60x64x1x!q>
  return %o : tensor<60x64x1x!q>
}

// The same value twice.
// CHECK-LABEL: func.func @square
// CHECK: %[[X:.+]] = mli.relu
// CHECK: mli.eltwise_mul ins(%[[X]], %[[X]] :
// CHECK-NOT: mli.relu
// SAID: remark: square:1: {{.*}}; 1 producers fused: [0];
func.func @square(%a: tensor<40x8x8x!q>) -> tensor<40x8x8x!q> {
  %e = tensor.empty() : tensor<40x8x8x!q>
  %x = mli.relu ins(%a : tensor<40x8x8x!q>)
    outs(%e : tensor<40x8x8x!q>) {relu = #mli.relu<gen>} -> tensor<40x8x8x!q>
  %o = mli.eltwise_mul ins(%x, %x : tensor<40x8x8x!q>, tensor<40x8x8x!q>)
    outs(%e : tensor<40x8x8x!q>) -> tensor<40x8x8x!q>
  return %o : tensor<40x8x8x!q>
}

// The sum asks for the rows that the pool asks for without its halo.
// Z15
// CHECK-LABEL: func.func @disputed
// CHECK: %[[X:.+]] = scf.for
// CHECK: mli.relu
// CHECK: scf.for
// CHECK-NOT: mli.relu
// CHECK: mli.maxpool
// CHECK: mli.eltwise_add
// SAID: remark: disputed:2: {{.*}}; 1 producers fused: [1];
// SAID: note: disputed:0 is not fused: its users need different tiles of it
func.func @disputed(%a: tensor<60x64x1x!q>) -> tensor<60x64x1x!q> {
  %e = tensor.empty() : tensor<60x64x1x!q>
  %x = mli.relu ins(%a : tensor<60x64x1x!q>)
    outs(%e : tensor<60x64x1x!q>) {relu = #mli.relu<gen>} -> tensor<60x64x1x!q>
  %l = mli.maxpool ins(%x : tensor<60x64x1x!q>) outs(%e : tensor<60x64x1x!q>)
    kernel [3, 3] pad [1, 1, 1, 1] -> tensor<60x64x1x!q>
  %o = mli.eltwise_add ins(%x, %l : tensor<60x64x1x!q>, tensor<60x64x1x!q>)
    outs(%e : tensor<60x64x1x!q>) -> tensor<60x64x1x!q>
  return %o : tensor<60x64x1x!q>
}

// What somebody else uses is computed as a whole.
// CHECK-LABEL: func.func @escapes
// SAID: remark: escapes:1: {{.*}}; 0 producers fused;
func.func @escapes(%a: tensor<40x8x8x!q>)
    -> (tensor<40x8x8x!q>, tensor<40x8x8x!q>) {
  %e = tensor.empty() : tensor<40x8x8x!q>
  %x = mli.relu ins(%a : tensor<40x8x8x!q>)
    outs(%e : tensor<40x8x8x!q>) {relu = #mli.relu<gen>} -> tensor<40x8x8x!q>
  %o = mli.eltwise_mul ins(%x, %x : tensor<40x8x8x!q>, tensor<40x8x8x!q>)
    outs(%e : tensor<40x8x8x!q>) -> tensor<40x8x8x!q>
  return %x, %o : tensor<40x8x8x!q>, tensor<40x8x8x!q>
}

}

// -----

// The weights of both branches stay in local memory.
!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 256>} {

// SAID: remark: branches_fit:2: {{.*}}; 2 producers fused: [1, 0];
// COSTS: note: branches_fit:1 is not fused: that costs more{{$}}
func.func @branches_fit(%a: tensor<48x48x64x!q>, %w: tensor<1x1x64x1x!w>,
    %b: tensor<1x!b>) -> tensor<48x48x1x!q> {
  %e = tensor.empty() : tensor<48x48x1x!q>
  %l = mli.conv2d ins(%a, %w, %b : tensor<48x48x64x!q>, tensor<1x1x64x1x!w>,
    tensor<1x!b>) outs(%e : tensor<48x48x1x!q>) pad [0, 0, 0, 0]
    -> tensor<48x48x1x!q>
  %r = mli.conv2d ins(%a, %w, %b : tensor<48x48x64x!q>, tensor<1x1x64x1x!w>,
    tensor<1x!b>) outs(%e : tensor<48x48x1x!q>) pad [0, 0, 0, 0]
    -> tensor<48x48x1x!q>
  %o = mli.eltwise_add ins(%l, %r : tensor<48x48x1x!q>, tensor<48x48x1x!q>)
    outs(%e : tensor<48x48x1x!q>) -> tensor<48x48x1x!q>
  return %o : tensor<48x48x1x!q>
}

}

// -----

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 240>} {

// SAID: remark: branches:2: {{.*}}; 1 producers fused: [1];
// SAID: note: branches:0 is not fused: the smallest tile would take 256 B, 16 B too many
func.func @branches(%a: tensor<48x48x64x!q>, %w: tensor<1x1x64x1x!w>,
    %b: tensor<1x!b>) -> tensor<48x48x1x!q> {
  %e = tensor.empty() : tensor<48x48x1x!q>
  %l = mli.conv2d ins(%a, %w, %b : tensor<48x48x64x!q>, tensor<1x1x64x1x!w>,
    tensor<1x!b>) outs(%e : tensor<48x48x1x!q>) pad [0, 0, 0, 0]
    -> tensor<48x48x1x!q>
  %r = mli.conv2d ins(%a, %w, %b : tensor<48x48x64x!q>, tensor<1x1x64x1x!w>,
    tensor<1x!b>) outs(%e : tensor<48x48x1x!q>) pad [0, 0, 0, 0]
    -> tensor<48x48x1x!q>
  %o = mli.eltwise_add ins(%l, %r : tensor<48x48x1x!q>, tensor<48x48x1x!q>)
    outs(%e : tensor<48x48x1x!q>) -> tensor<48x48x1x!q>
  return %o : tensor<48x48x1x!q>
}

}

// -----

!w = !mli.sa8<5:10:0>
!q = !mli.sa8<1:4:-128>
!b = !mli.sa32<5:14:0>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 2304>} {

// All of the only filter is there for each tile of rows.
// SAID: remark: one_filter:1: tile [5, 15, 1] of [15, 15, 1], {{.*}}; 0 producers fused;
// SAID: note: one_filter:0 is not fused: all of it would be computed for each tile
func.func @one_filter(%a: tensor<16x16x16x!q>, %w: tensor<2x2x16x1x!w>,
    %b: tensor<1x!b>) -> tensor<15x15x1x!q> {
  %f = tensor.empty() : tensor<2x2x16x1x!w>
  %x = mli.relu ins(%w : tensor<2x2x16x1x!w>)
    outs(%f : tensor<2x2x16x1x!w>) {relu = #mli.relu<gen>}
    -> tensor<2x2x16x1x!w>
  %e = tensor.empty() : tensor<15x15x1x!q>
  %o = mli.conv2d ins(%a, %x, %b : tensor<16x16x16x!q>, tensor<2x2x16x1x!w>,
    tensor<1x!b>) outs(%e : tensor<15x15x1x!q>) pad [0, 0, 0, 0]
    -> tensor<15x15x1x!q>
  return %o : tensor<15x15x1x!q>
}

// Of several, each tile of channels has its own.
// CHECK-LABEL: func.func @filters
// CHECK: scf.for %[[FILTER:[^ ]+]] =
// CHECK: %[[W:.+]] = tensor.extract_slice %arg1[0, 0, 0, %[[FILTER]]] [2, 2, 16, 8]
// CHECK: %[[X:.+]] = mli.relu ins(%[[W]] :
// CHECK: mli.conv2d ins(%arg0, %[[X]],
// CHECK-NOT: mli.relu
// SAID: remark: filters:1: tile [7, 7, 8] of [7, 7, 16], order [2], {{.*}}, 51,200 MACs per NPU, {{.*}}; 1 producers fused: [0];
func.func @filters(%a: tensor<8x8x16x!q>, %w: tensor<2x2x16x16x!w>,
    %b: tensor<16x!b>) -> tensor<7x7x16x!q> {
  %f = tensor.empty() : tensor<2x2x16x16x!w>
  %x = mli.relu ins(%w : tensor<2x2x16x16x!w>)
    outs(%f : tensor<2x2x16x16x!w>) {relu = #mli.relu<gen>}
    -> tensor<2x2x16x16x!w>
  %e = tensor.empty() : tensor<7x7x16x!q>
  %o = mli.conv2d ins(%a, %x, %b : tensor<8x8x16x!q>, tensor<2x2x16x16x!w>,
    tensor<16x!b>) outs(%e : tensor<7x7x16x!q>) pad [0, 0, 0, 0]
    -> tensor<7x7x16x!q>
  return %o : tensor<7x7x16x!q>
}

}

// -----

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 4096>} {

// An expansion and what is behind it, channel by channel: halos of rows would be
// computed twice, channels have none. The input stays through all tiles.
// Z9
// CHECK-LABEL: func.func @expansion
// CHECK: scf.for %[[C:[^ ]+]] =
// CHECK: %[[W1:.+]] = tensor.extract_slice %arg1[0, 0, 0, %[[C]]] [1, 1, 8, 4]
// CHECK: %[[B1:.+]] = tensor.extract_slice %arg2[%[[C]]] [4]
// CHECK: %[[X:.+]] = mli.conv2d ins(%arg0, %[[W1]], %[[B1]] : {{.*}} -> tensor<16x16x4x
// CHECK: %[[W2:.+]] = tensor.extract_slice %arg3[0, 0, 0, %[[C]]] [3, 3, 1, 4]
// CHECK: mli.depthwise_conv2d ins(%[[X]], %[[W2]], {{.*}} pad [1, 1, 1, 1] {{.*}} -> tensor<8x8x4x
// CHECK-NOT: mli.conv2d
// SAID: remark: expansion:1: tile [8, 8, 4] of [8, 8, 32], order [2], takes 3,392 B of 4,096 B; moves 4,896 B, 83,968 MACs per NPU, {{.*}}; 1 producers fused: [0];
func.func @expansion(%a: tensor<16x16x8x!q>, %w1: tensor<1x1x8x32x!w>,
    %b1: tensor<32x!b>, %w2: tensor<3x3x1x32x!w>, %b2: tensor<32x!b>)
    -> tensor<8x8x32x!q> {
  %e1 = tensor.empty() : tensor<16x16x32x!q>
  %x = mli.conv2d ins(%a, %w1, %b1 : tensor<16x16x8x!q>, tensor<1x1x8x32x!w>,
    tensor<32x!b>) outs(%e1 : tensor<16x16x32x!q>) pad [0, 0, 0, 0]
    -> tensor<16x16x32x!q>
  %e2 = tensor.empty() : tensor<8x8x32x!q>
  %o = mli.depthwise_conv2d ins(%x, %w2, %b2 : tensor<16x16x32x!q>,
    tensor<3x3x1x32x!w>, tensor<32x!b>) outs(%e2 : tensor<8x8x32x!q>)
    pad [1, 1, 1, 1] {strides = array<i64: 2, 2>} -> tensor<8x8x32x!q>
  return %o : tensor<8x8x32x!q>
}

}
