// Column stripes, one behind the other: what lies between them is computed twice.
// RUN: mli-opt %s --mli-form-streams="arena=min recompute=20" | FileCheck %s
// RUN: mli-opt %s --mli-form-streams="arena=min recompute=20 report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: mli-opt %s --mli-form-streams="arena=min" | FileCheck %s --check-prefix=NONE

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!map = tensor<6x8x4x!q>

// A ring of 3 rows of 5 columns.
// ST6, I7
// REPORT: remark: arena: {{.*}} of the bound 60 B; whole kernels 192 B
// REPORT: remark: stream of 2 kernels, chain:0 to chain:1: 7 steps of 1 row, 2 column stripes, 64 B with all that is live; 24 calls, {{.*}} products computed again
// CHECK-LABEL: func.func @chain
// CHECK: scf.for
// CHECK: tensor.extract_slice %arg0[%{{.*}}, 0, 0] [2, 6, 4]
// CHECK: mli.depthwise_conv2d {{.*}} pad [1, 0, 1, 0] -> tensor<1x5x4x
// CHECK: mli.depthwise_conv2d {{.*}} -> tensor<1x4x4x
// CHECK: scf.for
// CHECK: tensor.extract_slice %arg0[%{{.*}}, 2, 0] [2, 6, 4]
// CHECK: mli.depthwise_conv2d {{.*}} pad [1, 0, 0, 1] -> tensor<1x5x4x
// NONE: scf.for
// NONE-NOT: scf.for
func.func @chain(%a: !map, %w: tensor<3x3x1x4x!w>, %b: tensor<4x!b>) -> !map {
  %e0 = tensor.empty() : !map
  %x = mli.depthwise_conv2d
    ins(%a, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
  %e1 = tensor.empty() : !map
  %y = mli.depthwise_conv2d
    ins(%x, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e1 : !map) pad [1, 1, 1, 1] -> !map
  return %y : !map
}
