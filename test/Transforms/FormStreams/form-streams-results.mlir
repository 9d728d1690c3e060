// Results of calls have buffers of their own, also where nothing uses them.
// RUN: mli-opt %s --mli-buffer-pipeline="arena=min explain-streams" 2>&1 | FileCheck %s

!q = !mli.sa8<1:4:-128>
!w = tensor<3x3x1x4x!mli.sa8<5:10:0>>
!b = tensor<4x!mli.sa32<5:14:0>>
!map = tensor<6x8x4x!q>

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

// ST9
// CHECK: form-streams-results.mlir:[[#@LINE+2]]:1: remark: arena: 768 B
// CHECK: module attributes {{.*}} mli.arena_bytes = 768 :
func.func @unused(%a: !map, %w: !w, %b: !b) -> (!map, !map) {
  %x = call @callee(%a, %w, %b) : (!map, !w, !b) -> !map
  %y = call @callee(%x, %w, %b) : (!map, !w, !b) -> !map
  %z = call @callee(%x, %w, %b) : (!map, !w, !b) -> !map
  return %x, %y : !map, !map
}
