// A function that is called has what its callers leave of the arena.
// RUN: mli-opt %s --mli-buffer-pipeline="arena=min explain-streams" 2>&1 | FileCheck %s --check-prefix=MIN
// RUN: mli-opt %s --mli-buffer-pipeline="arena=660 explain-streams" 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: mli-opt %s --mli-buffer-pipeline="arena=1152921504606846976 explain-streams" 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not mli-opt %s --mli-form-streams=arena=575 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: mli-opt %s --mli-buffer-pipeline=arena=576 -o /dev/null

!q = !mli.sa8<1:4:-128>
!w = tensor<3x3x1x4x!mli.sa8<5:10:0>>
!b = tensor<4x!mli.sa32<5:14:0>>
!map = tensor<6x8x4x!q>

// ST7, ST9
// MIN: form-streams-calls.mlir:[[#@LINE+7]]:1: remark: arena: 192 B, 1.000 of the bound 192 B; whole kernels 384 B
// MIN: remark: stream of 3 kernels, callee:0 to callee:2: {{.*}} 1,024 B moved up
// What fits beside the two maps that are live at the call.
// SOME: form-streams-calls.mlir:[[#@LINE+4]]:1: remark: arena: 256 B, 1.333 of the bound 192 B; whole kernels 384 B
// SOME: remark: stream of 3 kernels, callee:0 to callee:2: {{.*}} 512 B moved up
// ALL: form-streams-calls.mlir:[[#@LINE+2]]:1: remark: arena: 384 B, 2.000 of the bound 192 B; whole kernels 384 B
// ALL-NOT: remark: stream of
func.func private @callee(%a: !map, %w: !w, %b: !b) -> !map {
  %e0 = tensor.empty() : !map
  %x = mli.depthwise_conv2d ins(%a, %w, %b : !map, !w, !b)
    outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
  %e1 = tensor.empty() : !map
  %y = mli.depthwise_conv2d ins(%x, %w, %b : !map, !w, !b)
    outs(%e1 : !map) pad [1, 1, 1, 1] -> !map
  %e2 = tensor.empty() : !map
  %z = mli.depthwise_conv2d ins(%y, %w, %b : !map, !w, !b)
    outs(%e2 : !map) pad [1, 1, 1, 1] -> !map
  return %z : !map
}

// MIN: form-streams-calls.mlir:[[#@LINE+8]]:1: remark: arena: 576 B
// SOME: form-streams-calls.mlir:[[#@LINE+7]]:1: remark: arena: 640 B
// ALL: form-streams-calls.mlir:[[#@LINE+6]]:1: remark: arena: 768 B
// FEW: form-streams-calls.mlir:[[#@LINE+5]]:1: error: expected 'arena' to be at least 576 B
// FEW: note: this kernel needs that much with all that is live
// MIN: module attributes {{.*}} mli.arena_bytes = 576 :
// SOME: module attributes {{.*}} mli.arena_bytes = 640 :
// ALL: module attributes {{.*}} mli.arena_bytes = 768 :
func.func @main(%a: !map, %w: !w, %b: !b) -> !map {
  %e0 = tensor.empty() : !map
  %x = mli.depthwise_conv2d ins(%a, %w, %b : !map, !w, !b)
    outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
  %y = call @callee(%x, %w, %b) : (!map, !w, !b) -> !map
  %e2 = tensor.empty() : !map
  %z = mli.eltwise_max ins(%x, %y : !map, !map) outs(%e2 : !map) -> !map
  return %z : !map
}
