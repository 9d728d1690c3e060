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
