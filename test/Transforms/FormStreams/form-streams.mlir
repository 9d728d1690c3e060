// What is streamed, of which shape, and what is said of it.
// RUN: mli-opt %s --mli-form-streams="arena=min decide-only" | FileCheck %s --check-prefix=DECIDE
// RUN: mli-opt %s --mli-form-streams="arena=min report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: mli-opt %s --mli-form-streams="arena=min decide-only" | mli-opt --mli-form-streams -o %t.applied
// RUN: mli-opt %s --mli-form-streams=arena=min -o %t.formed
// RUN: cmp %t.applied %t.formed
// RUN: mli-opt %s --mli-form-streams=arena=min | FileCheck %s
// RUN: mli-opt %s --mli-form-streams | FileCheck %s --check-prefix=WHOLE

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!map = tensor<6x6x4x!q>
!p = tensor<6x6x4x!mli.sa8<1:8:-128>>

// WHOLE-NOT: scf.for

// ST1, ST5, ST7, ST9
// DECIDE-LABEL: func.func @chain
// DECIDE: mli.eltwise_max {{.*}} {mli.stream = {kernels = 3 : i64, room = 1 : i64, rows = 1 : i64, stripes = 1 : i64}}
// REPORT: remark: arena: 104 B, 1.083 of the bound 96 B; whole kernels 288 B
// REPORT: remark: stream of 3 kernels, chain:0 to chain:2: 7 steps of 1 row, 112 B with all that is live; 18 calls, 336 B moved up, 0 products computed again
// REPORT: note: chain:0: 3 of 6 rows, 72 B, for chain:1, chain:2; 2 of them move up each time
// REPORT: note: chain:1: 1 of 6 rows within a step, 24 B, for chain:2
// REPORT: note: chain:2: all 6 rows, for uses after the stream
// CHECK-LABEL: func.func @chain
// CHECK-DAG: %[[RING:.*]] = tensor.empty() : tensor<3x6x4x
// CHECK-DAG: %[[OUT:.*]] = tensor.empty() : tensor<6x6x4x
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[R:.*]] = %[[RING]], %{{.*}} = %[[OUT]])
// CHECK: %[[UP:.*]] = mli.advance outs(%[[R]] : {{.*}}) {rows = 1 : i64}
// CHECK: scf.if
// First rows, those in the middle, and the last one.
// CHECK: mli.depthwise_conv2d {{.*}} pad [1, 0, 1, 1]
// CHECK: mli.depthwise_conv2d {{.*}} pad [0, 0, 1, 1]
// CHECK: mli.depthwise_conv2d {{.*}} pad [0, 1, 1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %[[UP]][2, 0, 0] [1, 6, 4]
// What lives within a step.
// CHECK: %[[ROW:.*]] = tensor.empty() : tensor<1x6x4x
// CHECK: mli.depthwise_conv2d {{.*}} outs(%[[ROW]] : {{.*}}) pad [1, 0, 1, 1]
// CHECK: mli.eltwise_max
// CHECK-NOT: mli.stream =
func.func @chain(%a: !map, %w: tensor<3x3x1x4x!w>, %b: tensor<4x!b>) -> !map {
  %e0 = tensor.empty() : !map
  %x = mli.depthwise_conv2d
    ins(%a, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
  %e1 = tensor.empty() : !map
  %y = mli.depthwise_conv2d
    ins(%x, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e1 : !map) pad [1, 1, 1, 1] -> !map
  %e2 = tensor.empty() : !map
  %z = mli.eltwise_max ins(%x, %y : !map, !map) outs(%e2 : !map) -> !map
  return %z : !map
}

// Kernels in front of a stride run in an inner loop; what is read one row at a
// time has no ring.
// ST3, ST4
// REPORT: remark: stream of 3 kernels, stride:0 to stride:2: 9 steps of 1 row
// REPORT: note: stride:0: 3 of 16 rows, 72 B, for stride:1; 1 of them move up each time
// CHECK-LABEL: func.func @stride
// CHECK: scf.for {{.*}} = %c0{{.*}} to %c9
// CHECK: mli.advance {{.*}} {rows = 2 : i64}
// CHECK: scf.for {{.*}} to %c2
// CHECK: mli.conv2d {{.*}} outs({{.*}} : tensor<1x6x4x
func.func @stride(%a: tensor<16x6x4x!q>, %w: tensor<3x3x1x4x!w>,
    %b: tensor<4x!b>, %w1: tensor<1x1x4x4x!w>) -> tensor<8x6x4x!q> {
  %e0 = tensor.empty() : tensor<16x6x4x!q>
  %x = mli.conv2d
    ins(%a, %w1, %b : tensor<16x6x4x!q>, tensor<1x1x4x4x!w>, tensor<4x!b>)
    outs(%e0 : tensor<16x6x4x!q>) pad [0, 0, 0, 0] -> tensor<16x6x4x!q>
  %e1 = tensor.empty() : tensor<8x6x4x!q>
  %y = mli.depthwise_conv2d
    ins(%x, %w, %b : tensor<16x6x4x!q>, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e1 : tensor<8x6x4x!q>) pad [0, 1, 1, 1] {strides = array<i64: 2, 1>}
    -> tensor<8x6x4x!q>
  %e2 = tensor.empty() : tensor<8x6x4x!q>
  %z = mli.conv2d
    ins(%y, %w1, %b : tensor<8x6x4x!q>, tensor<1x1x4x4x!w>, tensor<4x!b>)
    outs(%e2 : tensor<8x6x4x!q>) pad [0, 0, 0, 0] -> tensor<8x6x4x!q>
  return %z : tensor<8x6x4x!q>
}

// Rows that a skip connection needs later are at their number modulo the ring:
// nothing moves up.
// ST5
// REPORT: remark: stream of 4 kernels, skip:0 to skip:3
// REPORT: note: skip:0: 2 of 6 rows, 48 B, for skip:1, skip:3{{$}}
// CHECK-LABEL: func.func @skip
// CHECK: affine.apply #{{.*}}(%{{.*}})
// CHECK: mli.conv2d
// CHECK: mli.conv2d
// CHECK: mli.eltwise_add
func.func @skip(%a: !map, %w: tensor<3x3x1x4x!w>, %b: tensor<4x!b>,
    %w1: tensor<1x1x4x4x!w>) -> !map {
  %e0 = tensor.empty() : !map
  %x = mli.conv2d ins(%a, %w1, %b : !map, tensor<1x1x4x4x!w>, tensor<4x!b>)
    outs(%e0 : !map) pad [0, 0, 0, 0] -> !map
  %e1 = tensor.empty() : !map
  %y = mli.conv2d ins(%x, %w1, %b : !map, tensor<1x1x4x4x!w>, tensor<4x!b>)
    outs(%e1 : !map) pad [0, 0, 0, 0] -> !map
  %e2 = tensor.empty() : !map
  %z = mli.depthwise_conv2d
    ins(%y, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e2 : !map) pad [1, 1, 1, 1] -> !map
  %e3 = tensor.empty() : !map
  %s = mli.eltwise_add ins(%x, %z : !map, !map) outs(%e3 : !map) -> !map
  return %s : !map
}

// What is used behind a stream is whole; a softmax needs all rows, and its
// tables more than a stream saves.
// ST2
// DECIDE-LABEL: func.func @whole
// DECIDE-NOT: mli.stream =
// REPORT: remark: arena: 860 B, 5.972 of the bound 144 B; whole kernels 860 B
// REPORT: remark: not streamed: it needs all rows at once
// CHECK-LABEL: func.func @whole
// CHECK-NOT: scf.for
func.func @whole(%a: !map, %w: tensor<3x3x1x4x!w>, %b: tensor<4x!b>)
    -> (!map, !p) {
  %e0 = tensor.empty() : !map
  %x = mli.depthwise_conv2d
    ins(%a, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
  %e1 = tensor.empty() : !map
  %y = mli.depthwise_conv2d
    ins(%x, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e1 : !map) pad [1, 1, 1, 1] -> !map
  %e2 = tensor.empty() : !map
  %z = mli.depthwise_conv2d
    ins(%y, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e2 : !map) pad [1, 1, 1, 1] -> !map
  %e3 = tensor.empty() : !p
  %s = mli.softmax ins(%z : !map) outs(%e3 : !p) {axis = -1 : i32} -> !p
  return %y, %s : !map, !p
}

// A transposed kernel makes as many rows a call as its stride has.
// ST3
// REPORT: remark: stream of 2 kernels, transposed:0 to transposed:1: 6 steps of 2 rows
// DECIDE-LABEL: func.func @transposed
// DECIDE: mli.stream =
// CHECK-LABEL: func.func @transposed
// CHECK: mli.transpose_conv2d {{.*}} -> tensor<2x12x4x
func.func @transposed(%a: !map, %w: tensor<2x2x4x4x!w>, %b: tensor<4x!b>,
    %w1: tensor<1x1x4x4x!w>) -> tensor<12x12x4x!q> {
  %e0 = tensor.empty() : !map
  %x = mli.conv2d ins(%a, %w1, %b : !map, tensor<1x1x4x4x!w>, tensor<4x!b>)
    outs(%e0 : !map) pad [0, 0, 0, 0] -> !map
  %e1 = tensor.empty() : tensor<12x12x4x!q>
  %y = mli.transpose_conv2d
    ins(%x, %w, %b : !map, tensor<2x2x4x4x!w>, tensor<4x!b>)
    outs(%e1 : tensor<12x12x4x!q>) pad [0, 0, 0, 0]
    {strides = array<i64: 2, 2>} -> tensor<12x12x4x!q>
  return %y : tensor<12x12x4x!q>
}
