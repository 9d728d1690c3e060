// Slices of tensors that are views.
// RUN: mli-opt %s --mli-legalize-subtensors=reject-copies --split-input-file | FileCheck %s
// RUN: mli-opt %s --canonicalize --mli-legalize-subtensors --split-input-file | FileCheck %s --check-prefix=LATER

!map = tensor<4x6x8x!mli.fx8<3>>

// CHECK-LABEL: func.func @block
// CHECK-SAME: %[[MAP:.*]]: tensor
// CHECK-NEXT: %[[BLOCK:.*]] = mli.subtensor %[[MAP]][1, 2, 0] [2, 3, 8] : tensor<4x6x8x!mli.fx8<3>> to tensor<2x3x8x!mli.fx8<3>>
// CHECK-NEXT: return %[[BLOCK]]
func.func @block(%map: !map) -> tensor<2x3x8x!mli.fx8<3>> {
  %0 = tensor.extract_slice %map[1, 2, 0] [2, 3, 8] [1, 1, 1]
    : !map to tensor<2x3x8x!mli.fx8<3>>
  return %0 : tensor<2x3x8x!mli.fx8<3>>
}

// A step to nowhere is none.
// CHECK-LABEL: func.func @values
// CHECK-SAME: %[[MAP:.*]]: tensor<{{.*}}>, %[[AT:.*]]: index, %[[SIZE:.*]]: index
// CHECK-NEXT: mli.subtensor %[[MAP]][1, %[[AT]], 0] [1, %[[SIZE]], 8] : {{.*}} to tensor<?x8x!mli.fx8<3>>
func.func @values(%map: !map, %at: index, %size: index)
    -> tensor<?x8x!mli.fx8<3>> {
  %0 = tensor.extract_slice %map[1, %at, 0] [1, %size, 8] [5, 1, 1]
    : !map to tensor<?x8x!mli.fx8<3>>
  return %0 : tensor<?x8x!mli.fx8<3>>
}

// The first dimension that has size 1 is dropped.
// CHECK-LABEL: func.func @leading_unit_dims
// CHECK-NEXT: mli.subtensor %{{.*}}[1, 2, 3] [1, 1, 5] : {{.*}} to tensor<5x!mli.fx8<3>>
func.func @leading_unit_dims(%map: !map) -> tensor<5x!mli.fx8<3>> {
  %0 = tensor.extract_slice %map[1, 2, 3] [1, 1, 5] [1, 1, 1]
    : !map to tensor<5x!mli.fx8<3>>
  return %0 : tensor<5x!mli.fx8<3>>
}

// Dimension 0 stays whole until dimension 2 is gone.
// CHECK-LABEL: func.func @inner_unit_dim_in_two_steps
// CHECK-SAME: %[[MAP:.*]]: tensor
// CHECK-NEXT: %[[COLUMN:.*]] = mli.subtensor %[[MAP]][0, 0, 3] [4, 6, 1] : {{.*}} to tensor<4x6x!mli.fx8<3>>
// CHECK-NEXT: %[[ROW:.*]] = mli.subtensor %[[COLUMN]][2, 0] [1, 6] : {{.*}} to tensor<1x6x!mli.fx8<3>>
// CHECK-NEXT: return %[[ROW]]
func.func @inner_unit_dim_in_two_steps(%map: !map) -> tensor<1x6x!mli.fx8<3>> {
  %0 = tensor.extract_slice %map[2, 0, 3] [1, 6, 1] [1, 1, 1]
    : !map to tensor<1x6x!mli.fx8<3>>
  return %0 : tensor<1x6x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[MAP:.*]]: tensor
// CHECK-NEXT: %[[BLOCK:.*]] = mli.subtensor %[[MAP]][2, 3, 4] [1, 2, 3] : {{.*}} to tensor<1x2x3x!mli.fx8<3>>
// CHECK-NEXT: return %[[BLOCK]]
func.func @chain(%map: !map) -> tensor<1x2x3x!mli.fx8<3>> {
  %0 = tensor.extract_slice %map[1, 2, 0] [3, 4, 8] [1, 1, 1]
    : !map to tensor<3x4x8x!mli.fx8<3>>
  %1 = mli.subtensor %0[1, 1, 0] [2, 3, 8]
    : tensor<3x4x8x!mli.fx8<3>> to tensor<2x3x8x!mli.fx8<3>>
  %2 = tensor.extract_slice %1[0, 0, 4] [1, 2, 3] [1, 1, 1]
    : tensor<2x3x8x!mli.fx8<3>> to tensor<1x2x3x!mli.fx8<3>>
  return %2 : tensor<1x2x3x!mli.fx8<3>>
}

// -----

!weights = tensor<3x3x8x4x!mli.sa8<axis = 3, {5:3:0, 7:3:0, 9:3:0, 2:3:0}>>
!row = tensor<3x8x2x!mli.sa8<axis = 3, {5:3:0, 7:3:0, 9:3:0, 2:3:0}>>
!half = tensor<3x3x8x2x!mli.sa8<axis = 3, {5:3:0, 7:3:0, 9:3:0, 2:3:0}>>

// CHECK: !{{.*}} = !mli.sa8<axis = 2, {9:3:0, 2:3:0}>
// The slice gets the parameters of its indices, and so does a slice of it.
// CHECK-LABEL: func.func @quantised_axis
// CHECK: arith.constant 2 : i32
// CHECK: mli.scale %{{.*}}[%{{.*}}] : tensor<3x8x2x!{{.*}}>
// What is asked of it is not answered before.
// LATER-LABEL: func.func @quantised_axis
// LATER: arith.constant 2 : i32
func.func @quantised_axis(%weights: !weights, %at: index) -> (i32, i32) {
  %0 = tensor.extract_slice %weights[0, 0, 0, 2] [3, 3, 8, 2] [1, 1, 1, 1]
    : !weights to !half
  %c1 = arith.constant 1 : index
  %1 = mli.scale %0[%c1] : !half
  %2 = tensor.extract_slice %0[1, 0, 0, 0] [1, 3, 8, 2] [1, 1, 1, 1]
    : !half to !row
  %3 = mli.scale %2[%at] : !row
  return %1, %3 : i32, i32
}

// -----

// What is known when compiling is copied when compiling.
// CHECK-LABEL: func.func @constant
// CHECK-NEXT: %[[ODD:.*]] = mli.constant dense<[2, 4]> : tensor<2xi8> to tensor<2x!mli.fx8<3>>
// CHECK-NEXT: return %[[ODD]]
func.func @constant() -> tensor<2x!mli.fx8<3>> {
  %0 = mli.constant dense<[1, 2, 3, 4]> : tensor<4xi8> to tensor<4x!mli.fx8<3>>
  %1 = tensor.extract_slice %0[1] [2] [2]
    : tensor<4x!mli.fx8<3>> to tensor<2x!mli.fx8<3>>
  return %1 : tensor<2x!mli.fx8<3>>
}
