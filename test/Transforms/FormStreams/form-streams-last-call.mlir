// Kernels whose last call has fewer rows are under one condition, with buffers of
// as many rows as the calls there have. The first one has a border on top, too.
// RUN: mli-opt %s --mli-form-streams | FileCheck %s
// RUN: mli-opt %s --mli-buffer-pipeline="arena=1000 explain-streams" 2>&1 | FileCheck %s --check-prefix=ARENA

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!map = tensor<10x6x4x!q>

// ST5, ST9
// ARENA: remark: arena: 96 B, 4.000 of the bound 24 B;
// ARENA: mli.arena_bytes = 96 : i64
// CHECK-LABEL: func.func @short
// CHECK: scf.for
// CHECK-NOT: tensor.empty
// CHECK: scf.if
// CHECK: %[[FULL:.*]] = tensor.empty() : tensor<4x6x4x
// CHECK: scf.if
// CHECK: mli.depthwise_conv2d {{.*}} pad [1, 0, 1, 1]
// CHECK: } else {
// CHECK: mli.depthwise_conv2d {{.*}} outs(%[[FULL]] : {{.*}}) pad [0, 0, 1, 1]
// CHECK: mli.relu {{.*}} -> tensor<4x6x4x
// CHECK: } else {
// CHECK: %[[SHORT:.*]] = tensor.empty() : tensor<2x6x4x
// CHECK: mli.depthwise_conv2d {{.*}} outs(%[[SHORT]] : {{.*}}) pad [0, 1, 1, 1]
// CHECK: mli.relu {{.*}} -> tensor<2x6x4x
// CHECK-NOT: scf.if
func.func @short(%a: !map, %w: tensor<3x3x1x4x!w>, %b: tensor<4x!b>) -> !map {
  %e0 = tensor.empty() : !map
  %x = mli.depthwise_conv2d
    ins(%a, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
  %e1 = tensor.empty() : !map
  %y = mli.relu ins(%x : !map) outs(%e1 : !map)
    {mli.stream = {kernels = 2 : i64, room = 1 : i64, rows = 4 : i64, stripes = 1 : i64}, relu = #mli.relu<relu1>} -> !map
  return %y : !map
}
