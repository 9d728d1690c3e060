// What is decided is remarked and stands in attributes; a file decides otherwise.
// RUN: mli-opt %s --mli-tile-to-fit="decide-only overrides=%S/../Inputs/tile-costs.json max-stream=1" | FileCheck %s
// RUN: mli-opt %s --mli-tile-to-fit="decide-only report max-stream=1" 2>&1 | FileCheck %s --check-prefix=CODE
// RUN: mli-opt %s --mli-tile-to-fit="decide-only report overrides=%S/../Inputs/tile-costs.json max-stream=1" 2>&1 -o /dev/null | FileCheck %s --check-prefix=SAID
// RUN: mli-opt %s --mli-tile-to-fit="decide-only overrides=%S/../Inputs/tile-overrides.json max-stream=1" | FileCheck %s --check-prefix=FILE
// RUN: mli-opt %s --mli-tile-to-fit="decide-only report overrides=%S/../Inputs/tile-overrides.json max-stream=1" 2>&1 -o /dev/null | FileCheck %s --check-prefix=REPORT
// RUN: mli-opt %s --mli-tile-to-fit="decide-only max-group=1 max-stream=1" | FileCheck %s --check-prefix=ALONE
// RUN: mli-opt %s --mli-tile-to-fit="decide-only report double-buffer=auto max-stream=1" 2>&1 -o /dev/null | FileCheck %s --check-prefix=PAYS
// RUN: mli-opt %s --mli-tile-to-fit="decide-only report double-buffer=on max-stream=1" 2>&1 -o /dev/null | FileCheck %s --check-prefix=ALWAYS
// RUN: mli-opt %s --mli-tile-to-fit="decide-only report double-buffer=off overrides=%S/../Inputs/tile-overrides.json max-stream=1" 2>&1 -o /dev/null | FileCheck %s --check-prefix=NEVER
// RUN: mli-opt %s --mli-tile-to-fit="double-buffer=on max-stream=1" | FileCheck %s --check-prefix=BESIDE
// RUN: mli-opt %s --mli-tile-to-fit="decide-only reserve=512 max-stream=1" | FileCheck %s --check-prefix=RESERVE
// RUN: mli-opt %s --mli-tile-to-fit="decide-only overrides=%S/../Inputs/tile-costs.json max-stream=1" | mli-opt --mli-tile-to-fit | FileCheck %s --check-prefix=APPLY

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 1024>} {

// Z7
// CHECK-LABEL: func.func @rows
// CHECK: mli.eltwise_add {{.*}} {mli.tile = {order = array<i64: 0>, sizes = array<i64: 5, 8, 8>}}
// SAID: remark: rows:0: tile [5, 8, 8] of [20, 8, 8], order [0], takes 960 B of 1,024 B; moves 3,840 B, 1,280 MACs per NPU, 0 B alignment waste, 0 bank conflicts, 4 calls, 1 unrolled, estimated cost 4,256; 0 producers fused; no double buffering, as kernels wait for moves
// FILE-LABEL: func.func @rows
// FILE: mli.eltwise_add {{.*}} {mli.tile = {double_buffer, order = array<i64: 2, 0>, sizes = array<i64: 4, 8, 4>}}
// REPORT: remark: rows:0: tile [4, 8, 4] of [20, 8, 8], order [2, 0], takes 768 B of 1,024 B; moves 3,840 B, 1,280 MACs per NPU, 0 B alignment waste, 0 bank conflicts, 10 calls, 5 unrolled, estimated cost 4,128; 0 producers fused; as the file says
// RESERVE-LABEL: func.func @rows
// RESERVE: sizes = array<i64: 2, 8, 8>
// APPLY-LABEL: func.func @rows
// APPLY-NOT: mli.tile
// APPLY: mli.eltwise_add {{.*}} -> tensor<5x8x8x
func.func @rows(%a: tensor<20x8x8x!q>, %b: tensor<20x8x8x!q>)
    -> tensor<20x8x8x!q> {
  %init = tensor.empty() : tensor<20x8x8x!q>
  %r = mli.eltwise_add ins(%a, %b : tensor<20x8x8x!q>, tensor<20x8x8x!q>)
    outs(%init : tensor<20x8x8x!q>) -> tensor<20x8x8x!q>
  return %r : tensor<20x8x8x!q>
}

// Z9
// CHECK-LABEL: func.func @chain
// CHECK: mli.depthwise_conv2d {{.*}} {mli.tile_fused{{.*}}}
// CHECK: mli.conv2d {{.*}} {mli.tile = {order = array<i64: 0>, sizes = array<i64: 5, 8, 8>}}
// SAID: remark: chain:1: tile [5, 8, 8] of [24, 8, 8], {{.*}}; 1 producers fused: [0]; no double buffering, as kernels wait for moves
// FILE-LABEL: func.func @chain
// FILE: mli.depthwise_conv2d {{.*}} {mli.tile_fused{{.*}}}
// FILE: mli.conv2d {{.*}} {mli.tile = {order = array<i64: 0>, sizes = array<i64: 3, 8, 8>}}
// Two kernels for each of three kinds of tiles are more code than these bytes are
// worth.
// CODE: remark: chain:1: {{.*}} 4 calls, 1 unrolled, {{.*}}; 0 producers fused
// ALONE-LABEL: func.func @chain
// ALONE: mli.depthwise_conv2d {{.*}} {mli.tile = {
// ALONE: mli.conv2d {{.*}} {mli.tile = {
func.func @chain(%a: tensor<24x8x8x!q>, %w1: tensor<3x3x1x8x!w>,
    %b1: tensor<8x!b>, %w2: tensor<1x1x8x8x!w>, %b2: tensor<8x!b>)
    -> tensor<24x8x8x!q> {
  %e1 = tensor.empty() : tensor<24x8x8x!q>
  %m = mli.depthwise_conv2d
    ins(%a, %w1, %b1 : tensor<24x8x8x!q>, tensor<3x3x1x8x!w>, tensor<8x!b>)
    outs(%e1 : tensor<24x8x8x!q>) pad [1, 1, 1, 1] -> tensor<24x8x8x!q>
  %e2 = tensor.empty() : tensor<24x8x8x!q>
  %r = mli.conv2d
    ins(%m, %w2, %b2 : tensor<24x8x8x!q>, tensor<1x1x8x8x!w>, tensor<8x!b>)
    outs(%e2 : tensor<24x8x8x!q>) pad [0, 0, 0, 0] -> tensor<24x8x8x!q>
  return %r : tensor<24x8x8x!q>
}

// Moves that run along need room for two tiles, which is worth it where kernels
// take as long as they.
// Z11
// CHECK-LABEL: func.func @doubled
// CHECK: sizes = array<i64: 16, 8, 4>}}
// FILE-LABEL: func.func @doubled
// FILE: mli.maxpool {{.*}} {mli.tile = {double_buffer, order = array<i64: 2>, sizes = array<i64: 16, 8, 1>}}
// REPORT: remark: chain:1: {{.*}}; 1 producers fused: [0]; as the file says
// REPORT: remark: doubled:0: {{.*}}; double buffering{{$}}
// PAYS: remark: doubled:0: {{.*}}; no double buffering, as tiles of half the size cost more
// ALWAYS: remark: doubled:0: {{.*}}; double buffering{{$}}
// NEVER: remark: doubled:0: {{.*}}; no double buffering, as kernels wait for moves
// What the tiles beside one take, each kernel says for those who move.
// BESIDE-LABEL: func.func @doubled
// BESIDE: mli.maxpool {{.*}} {mli.double_buffer = {{[0-9]+}} : i64}
func.func @doubled(%a: tensor<16x8x8x!q>) -> tensor<16x8x8x!q> {
  %init = tensor.empty() : tensor<16x8x8x!q>
  %r = mli.maxpool ins(%a : tensor<16x8x8x!q>) outs(%init : tensor<16x8x8x!q>)
    kernel [3, 3] pad [1, 1, 1, 1] -> tensor<16x8x8x!q>
  return %r : tensor<16x8x8x!q>
}

}
