// What a stream of a single step keeps exists in that step only, also if kernels in
// front of a stride make it in a loop of their own.
// RUN: mli-opt %s --mli-form-streams | FileCheck %s

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!map = tensor<8x6x4x!q>
!third = tensor<3x6x4x!q>

// ST5
// CHECK-LABEL: func.func @strided
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<3x6x4x{{[^,]*}}>) {
// CHECK: tensor.empty() : tensor<3x6x4x
// CHECK: tensor.empty() : tensor<8x6x4x
// CHECK: scf.for
// CHECK: mli.depthwise_conv2d
// CHECK: strides = array<i64: 3, 1>
func.func @strided(%a: !map, %w: tensor<3x3x1x4x!w>, %u: tensor<2x1x1x4x!w>,
                   %b: tensor<4x!b>) -> !third {
  %e0 = tensor.empty() : !map
  %x = mli.relu ins(%a : !map) outs(%e0 : !map) {relu = #mli.relu<gen>} -> !map
  %e1 = tensor.empty() : !map
  %y = mli.depthwise_conv2d
    ins(%x, %w, %b : !map, tensor<3x3x1x4x!w>, tensor<4x!b>)
    outs(%e1 : !map) pad [1, 1, 1, 1] -> !map
  %e2 = tensor.empty() : !third
  %z = mli.depthwise_conv2d
    ins(%y, %u, %b : !map, tensor<2x1x1x4x!w>, tensor<4x!b>)
    outs(%e2 : !third) pad [0, 0, 0, 0]
    {strides = array<i64: 3, 1>,
     mli.stream = {kernels = 3 : i64, room = 1 : i64, rows = 3 : i64, stripes = 1 : i64}} -> !third
  return %z : !third
}
