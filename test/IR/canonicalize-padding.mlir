// Padding that is known is an attribute.
// RUN: mli-opt %s --canonicalize | FileCheck %s

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x4x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>

// CHECK-LABEL: func.func @known
// CHECK-SAME: %[[LEFT:[^:]*]]: index
// CHECK: mli.conv2d {{.*}} pad [1, 1, %[[LEFT]], 2]
// CHECK: mli.maxpool {{.*}} pad [1, 1, 1, %[[LEFT]]]
func.func @known(%input: !map, %weights: !weights, %bias: !bias, %init: !map,
                 %left: index) -> !map {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %conv = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [%one, 1, %left, %two] -> !map
  %pool = mli.maxpool ins(%conv : !map) outs(%init : !map) kernel [3, 3]
    pad [%one, %one, %one, %left] -> !map
  return %pool : !map
}

// The kernel refuses what no attribute holds, where it is reached.
// CHECK-LABEL: func.func @not_a_padding
// CHECK: mli.maxpool {{.*}} pad [%{{.*}}, 1, %{{.*}}, 1]
func.func @not_a_padding(%input: !map, %init: !map) -> !map {
  %negative = arith.constant -1 : index
  %large = arith.constant 256 : index
  %pool = mli.maxpool ins(%input : !map) outs(%init : !map) kernel [3, 3]
    pad [%negative, 1, %large, 1] -> !map
  return %pool : !map
}
