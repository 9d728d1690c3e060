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

// R1, R5, R7
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
// R3, R4
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
// R5
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

// What is used behind a stream is whole; what needs all rows is behind it.
// R2
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
// R3
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
