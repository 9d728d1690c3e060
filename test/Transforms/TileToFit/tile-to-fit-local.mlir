// What stays whole in local memory from one kernel to another never moves out and
// in again. Each kernel is alone here, in no group and no stream.
// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="decide-only max-group=1 max-stream=1" | FileCheck %s
// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="decide-only report max-group=1 max-stream=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="unroll=0 max-group=1 max-stream=1" | FileCheck %s --check-prefix=TILES
// What is decided stays so.
// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="decide-only max-group=1 max-stream=1" | mli-opt --split-input-file --mli-tile-to-fit=unroll=0 | FileCheck %s --check-prefix=TILES

// Where there is no room for it besides tiles, nothing stays.
// RUN: mli-opt %s --split-input-file --mli-tile-to-fit="decide-only reserve=256 max-group=1 max-stream=1" | FileCheck %s --check-prefix=FULL

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 1024>} {

// Beside a map of 768 bytes there is room for tiles of 256.
// CHECK-LABEL: func.func @stays
// CHECK: %[[LOCAL:.+]] = tensor.empty() : tensor<12x8x8x{{.*}}, #mli.space<local>>
// CHECK: %[[M:.+]] = mli.depthwise_conv2d {{.*}} outs(%[[LOCAL]] : {{.*}} {mli.tile = {order = array<i64: 2>, sizes = array<i64: 12, 8, 2>}} -> tensor<12x8x8x{{.*}}, #mli.space<local>>
// CHECK-NOT: mli.mov
// CHECK: mli.conv2d ins(%[[M]], {{.*}} -> tensor<12x8x8x!mli.sa8<1:4:-128>>{{$}}
// SAID: remark: stays:0: tile [12, 8, 2] of [12, 8, 8], order [2], takes 240 B of 1,024 B; moves 872 B, {{.*}}; leaves 768 B in local memory; 0 producers fused;
// SAID: remark: stays:1: {{.*}} takes 240 B of 1,024 B; moves 864 B, {{.*}}; finds 768 B in local memory; 0 producers fused;
// SAID: note: stays:0 is not fused: groups have at most 1 kernels
// TILES-LABEL: func.func @stays
// TILES: %[[LOCAL:.+]] = tensor.empty() : tensor<12x8x8x{{.*}}, #mli.space<local>>
// TILES: %[[M:.+]] = scf.for {{.*}} iter_args(%[[PART:.+]] = %[[LOCAL]])
// TILES: %[[INIT:.+]] = tensor.extract_slice %[[PART]]{{.*}} to tensor<12x8x2x{{.*}}, #mli.space<local>>
// TILES: mli.depthwise_conv2d {{.*}} outs(%[[INIT]] :
// TILES: tensor.extract_slice %[[M]]
// TILES: mli.conv2d
// FULL-LABEL: func.func @stays
// FULL-NOT: #mli.space
func.func @stays(%a: tensor<12x8x8x!q>, %w1: tensor<3x3x1x8x!w>,
    %b1: tensor<8x!b>, %w2: tensor<1x1x8x8x!w>, %b2: tensor<8x!b>)
    -> tensor<12x8x8x!q> {
  %e1 = tensor.empty() : tensor<12x8x8x!q>
  %m = mli.depthwise_conv2d
    ins(%a, %w1, %b1 : tensor<12x8x8x!q>, tensor<3x3x1x8x!w>, tensor<8x!b>)
    outs(%e1 : tensor<12x8x8x!q>) pad [1, 1, 1, 1] -> tensor<12x8x8x!q>
  %e2 = tensor.empty() : tensor<12x8x8x!q>
  %r = mli.conv2d
    ins(%m, %w2, %b2 : tensor<12x8x8x!q>, tensor<1x1x8x8x!w>, tensor<8x!b>)
    outs(%e2 : tensor<12x8x8x!q>) pad [0, 0, 0, 0] -> tensor<12x8x8x!q>
  return %r : tensor<12x8x8x!q>
}

// What is returned moves out as well.
// CHECK-LABEL: func.func @returned
// CHECK: %[[M:.+]] = mli.relu {{.*}} -> tensor<12x8x8x{{.*}}, #mli.space<local>>
// CHECK: %[[OUT:.+]] = mli.mov ins(%[[M]] : {{.*}} -> tensor<12x8x8x!mli.sa8<1:4:-128>>
// CHECK: %[[R:.+]] = mli.maxpool ins(%[[M]] :
// CHECK: return %[[OUT]], %[[R]] :
func.func @returned(%a: tensor<12x8x8x!q>)
    -> (tensor<12x8x8x!q>, tensor<12x8x8x!q>) {
  %e = tensor.empty() : tensor<12x8x8x!q>
  %m = mli.relu ins(%a : tensor<12x8x8x!q>)
    outs(%e : tensor<12x8x8x!q>) {relu = #mli.relu<gen>} -> tensor<12x8x8x!q>
  %r = mli.maxpool ins(%m : tensor<12x8x8x!q>) outs(%e : tensor<12x8x8x!q>)
    kernel [3, 3] pad [1, 1, 1, 1] -> tensor<12x8x8x!q>
  return %m, %r : tensor<12x8x8x!q>, tensor<12x8x8x!q>
}

// So is what a kernel reads a slice of, and what it computes into one.
// CHECK-LABEL: func.func @sliced
// CHECK: %[[M:.+]] = mli.relu {{.*}} -> tensor<12x8x8x{{.*}}, #mli.space<local>>
// CHECK: %[[OUT:.+]] = mli.mov ins(%[[M]] : {{.*}} -> tensor<12x8x8x!mli.sa8<1:4:-128>>
// CHECK: %[[R:.+]] = mli.maxpool ins(%[[M]] : {{.*}} -> tensor<12x8x8x!mli.sa8<1:4:-128>>
// CHECK: %[[S:.+]] = tensor.extract_slice %[[OUT]]
// CHECK: %[[INTO:.+]] = tensor.extract_slice %[[R]]
// CHECK: mli.relu ins(%[[S]] : {{.*}} outs(%[[INTO]] :
func.func @sliced(%a: tensor<12x8x8x!q>) -> tensor<12x8x8x!q> {
  %e = tensor.empty() : tensor<12x8x8x!q>
  %m = mli.relu ins(%a : tensor<12x8x8x!q>)
    outs(%e : tensor<12x8x8x!q>) {relu = #mli.relu<gen>} -> tensor<12x8x8x!q>
  %r = mli.maxpool ins(%m : tensor<12x8x8x!q>) outs(%e : tensor<12x8x8x!q>)
    kernel [3, 3] pad [1, 1, 1, 1] -> tensor<12x8x8x!q>
  %s = tensor.extract_slice %m[4, 0, 0] [2, 8, 8] [1, 1, 1]
    : tensor<12x8x8x!q> to tensor<2x8x8x!q>
  %p = tensor.extract_slice %r[0, 0, 0] [2, 8, 8] [1, 1, 1]
    : tensor<12x8x8x!q> to tensor<2x8x8x!q>
  %t = mli.relu ins(%s : tensor<2x8x8x!q>) outs(%p : tensor<2x8x8x!q>)
    {relu = #mli.relu<gen>} -> tensor<2x8x8x!q>
  %u = tensor.insert_slice %t into %r[0, 0, 0] [2, 8, 8] [1, 1, 1]
    : tensor<2x8x8x!q> into tensor<12x8x8x!q>
  return %u : tensor<12x8x8x!q>
}

// What several kernels read moves in once, in the shape that they take.
// CHECK-LABEL: func.func @shared
// CHECK: %[[VIEW:.+]] = mli.reshape %arg0 :
// CHECK: %[[A:.+]] = mli.mov ins(%[[VIEW]] : {{.*}} -> tensor<12x8x8x{{.*}}, #mli.space<local>>
// CHECK-NEXT: mli.maxpool ins(%[[A]] :
// CHECK-NOT: mli.mov
// CHECK: mli.avepool ins(%[[A]] :
// SAID: remark: shared:0: {{.*}}; finds 768 B in local memory; 0 producers fused;
// SAID: remark: shared:1: {{.*}}; finds 768 B in local memory; 0 producers fused;
func.func @shared(%a: tensor<1x12x8x8x!q>)
    -> (tensor<12x8x8x!q>, tensor<12x8x8x!q>) {
  %v = mli.reshape %a : tensor<1x12x8x8x!q> to tensor<12x8x8x!q>
  %e = tensor.empty() : tensor<12x8x8x!q>
  %l = mli.maxpool ins(%v : tensor<12x8x8x!q>) outs(%e : tensor<12x8x8x!q>)
    kernel [3, 3] pad [1, 1, 1, 1] -> tensor<12x8x8x!q>
  %r = mli.avepool ins(%v : tensor<12x8x8x!q>) outs(%e : tensor<12x8x8x!q>)
    kernel [3, 3] pad [1, 1, 1, 1] -> tensor<12x8x8x!q>
  return %l, %r : tensor<12x8x8x!q>, tensor<12x8x8x!q>
}

// A call may take all of local memory: what is there moves in again behind it.
// CHECK-LABEL: func.func @call
// CHECK: %[[BEFORE:.+]] = mli.mov ins(%arg0 :
// CHECK-COUNT-2: mli.relu ins(%[[BEFORE]] :
// CHECK: call @other
// CHECK: %[[BEHIND:.+]] = mli.mov ins(%arg0 :
// CHECK-COUNT-2: mli.relu ins(%[[BEHIND]] :
func.func private @other()
func.func @call(%a: tensor<12x8x8x!q>) -> (tensor<12x8x8x!q>,
    tensor<12x8x8x!q>, tensor<12x8x8x!q>, tensor<12x8x8x!q>) {
  %e = tensor.empty() : tensor<12x8x8x!q>
  %r = mli.relu ins(%a : tensor<12x8x8x!q>)
    outs(%e : tensor<12x8x8x!q>) {relu = #mli.relu<gen>} -> tensor<12x8x8x!q>
  %s = mli.relu ins(%a : tensor<12x8x8x!q>)
    outs(%e : tensor<12x8x8x!q>) {relu = #mli.relu<relu1>} -> tensor<12x8x8x!q>
  func.call @other() : () -> ()
  %t = mli.relu ins(%a : tensor<12x8x8x!q>)
    outs(%e : tensor<12x8x8x!q>) {relu = #mli.relu<gen>} -> tensor<12x8x8x!q>
  %u = mli.relu ins(%a : tensor<12x8x8x!q>)
    outs(%e : tensor<12x8x8x!q>) {relu = #mli.relu<relu1>} -> tensor<12x8x8x!q>
  return %r, %s, %t, %u : tensor<12x8x8x!q>, tensor<12x8x8x!q>,
    tensor<12x8x8x!q>, tensor<12x8x8x!q>
}

// What the program itself has in local memory leaves less room for tiles.
// Z20
// CHECK-LABEL: func.func @taken
// FULL-LABEL: func.func @taken
// CHECK: mli.relu ins(%arg1 : {{.*}} {mli.tile = {order = array<i64: 0>, sizes = array<i64: 4, 8, 8>}
func.func @taken(%a: tensor<8x8x8x!q>, %b: tensor<20x8x8x!q>)
    -> (tensor<20x8x8x!q>, tensor<8x8x8x!q>) {
  %l = tensor.empty() : tensor<8x8x8x!q, #mli.space<local>>
  %m = mli.mov ins(%a : tensor<8x8x8x!q>)
    outs(%l : tensor<8x8x8x!q, #mli.space<local>>)
    -> tensor<8x8x8x!q, #mli.space<local>>
  %e = tensor.empty() : tensor<20x8x8x!q>
  %r = mli.relu ins(%b : tensor<20x8x8x!q>)
    outs(%e : tensor<20x8x8x!q>) {relu = #mli.relu<gen>} -> tensor<20x8x8x!q>
  %o = tensor.empty() : tensor<8x8x8x!q>
  %n = mli.mov ins(%m : tensor<8x8x8x!q, #mli.space<local>>)
    outs(%o : tensor<8x8x8x!q>) -> tensor<8x8x8x!q>
  return %r, %n : tensor<20x8x8x!q>, tensor<8x8x8x!q>
}

}

// -----

// Several NPUs have other layouts for filters than for maps, so that one of two
// uses has to move.
!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>

module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {

// CHECK-LABEL: func.func @maps
// CHECK: %[[X:.+]] = mli.maxpool {{.*}} -> tensor<32x16x4x{{.*}}, #mli.space<local>>
// CHECK: mli.conv2d ins(%[[X]],
// SAID: remark: maps:1: {{.*}}; finds 512 B in local memory; 0 producers fused;
func.func @maps(%a: tensor<32x16x4x!q>, %w: tensor<1x1x4x4x!w>,
    %b: tensor<4x!b>) -> tensor<32x16x4x!q> {
  %e = tensor.empty() : tensor<32x16x4x!q>
  %x = mli.maxpool ins(%a : tensor<32x16x4x!q>) outs(%e : tensor<32x16x4x!q>)
    kernel [1, 1] pad [0, 0, 0, 0] -> tensor<32x16x4x!q>
  %o = mli.conv2d ins(%x, %w, %b : tensor<32x16x4x!q>, tensor<1x1x4x4x!w>,
    tensor<4x!b>) outs(%e : tensor<32x16x4x!q>) pad [0, 0, 0, 0]
    -> tensor<32x16x4x!q>
  return %o : tensor<32x16x4x!q>
}

// CHECK-LABEL: func.func @filters
// CHECK-NOT: #mli.space
// CHECK: mli.conv2d
func.func @filters(%a: tensor<32x16x16x!q>, %w: tensor<2x2x16x16x!w>,
    %b: tensor<16x!b>) -> tensor<31x15x16x!q> {
  %f = tensor.empty() : tensor<2x2x16x16x!w>
  %x = mli.relu ins(%w : tensor<2x2x16x16x!w>)
    outs(%f : tensor<2x2x16x16x!w>) {relu = #mli.relu<gen>}
    -> tensor<2x2x16x16x!w>
  %e = tensor.empty() : tensor<31x15x16x!q>
  %o = mli.conv2d ins(%a, %x, %b : tensor<32x16x16x!q>, tensor<2x2x16x16x!w>,
    tensor<16x!b>) outs(%e : tensor<31x15x16x!q>) pad [0, 0, 0, 0]
    -> tensor<31x15x16x!q>
  return %o : tensor<31x15x16x!q>
}

}
