// Bounds that are values of constants, and slices at sums of values.
// RUN: mli-opt %s --mli-legalize-subtensors=reject-copies --split-input-file | FileCheck %s
// RUN: mli-opt %s --canonicalize --split-input-file | FileCheck %s --check-prefix=CANON
// RUN: mli-opt %s --mli-explain-slices --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

!map = tensor<6x4x!mli.fx8<3>>

// CHECK-LABEL: func.func @offset
// CHECK: mli.subtensor %{{.*}}[2, 0] [4, 4] : tensor<6x4x!mli.fx8<3>> to tensor<4x4x!mli.fx8<3>>
func.func @offset(%map: !map) -> tensor<4x4x!mli.fx8<3>> {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %map[%c2, 0] [4, 4] [1, 1]
    : !map to tensor<4x4x!mli.fx8<3>>
  return %0 : tensor<4x4x!mli.fx8<3>>
}

// A size is in the type of the result: what does not know it gets a cast.
// CANON-LABEL: func.func @block
// CANON: %[[BLOCK:.*]] = mli.subtensor %{{.*}}[2, 0] [%{{.*}}, 4] : {{.*}} to tensor<?x4x!mli.fx8<3>>
// CANON-NEXT: return %[[BLOCK]]
// CHECK-LABEL: func.func @block
// CHECK: %[[BLOCK:.*]] = mli.subtensor %{{.*}}[2, 0] [2, 4] : tensor<6x4x!mli.fx8<3>> to tensor<2x4x!mli.fx8<3>>
// CHECK-NEXT: %[[CAST:.*]] = tensor.cast %[[BLOCK]] : tensor<2x4x!mli.fx8<3>> to tensor<?x4x!mli.fx8<3>>
// CHECK-NEXT: return %[[CAST]]
func.func @block(%map: !map) -> tensor<?x4x!mli.fx8<3>> {
  %c2 = arith.constant 2 : index
  %0 = mli.subtensor %map[%c2, 0] [%c2, 4] : !map to tensor<?x4x!mli.fx8<3>>
  return %0 : tensor<?x4x!mli.fx8<3>>
}

// One that reaches behind the end stays as it is.
// CANON-LABEL: func.func @outside
// CANON: mli.subtensor %{{.*}}[%{{.*}}, 0] [2, 4]
func.func @outside(%map: !map) -> tensor<2x4x!mli.fx8<3>> {
  %c5 = arith.constant 5 : index
  %0 = mli.subtensor %map[%c5, 0] [2, 4] : !map to tensor<2x4x!mli.fx8<3>>
  return %0 : tensor<2x4x!mli.fx8<3>>
}

// A slice of a slice looks behind the cast.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME: %[[MAP:.*]]: tensor
// CHECK-NOT: tensor.cast
// CHECK: %[[BLOCK:.*]] = mli.subtensor %[[MAP]][2, 0] [2, 2] : tensor<6x4x!mli.fx8<3>> to tensor<2x2x!mli.fx8<3>>
// CHECK-NEXT: return %[[BLOCK]]
func.func @sizes(%map: !map) -> tensor<2x2x!mli.fx8<3>> {
  %c4 = arith.constant 4 : index
  %0 = tensor.extract_slice %map[1, 0] [%c4, 3] [1, 1]
    : !map to tensor<?x3x!mli.fx8<3>>
  %1 = tensor.extract_slice %0[1, 0] [2, 2] [1, 1]
    : tensor<?x3x!mli.fx8<3>> to tensor<2x2x!mli.fx8<3>>
  return %1 : tensor<2x2x!mli.fx8<3>>
}

// One element is not known to be dropped: the type says which one is.
// CHECK-LABEL: func.func @size_of_one
// CHECK: mli.subtensor %{{.*}}[2, 0] [%{{.*}}, 1] : {{.*}} to tensor<?x!mli.fx8<3>>
func.func @size_of_one(%map: !map) -> tensor<?x!mli.fx8<3>> {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %map[2, 0] [%c1, 1] [1, 1]
    : !map to tensor<?x!mli.fx8<3>>
  return %0 : tensor<?x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @buffer
// CHECK: %[[BLOCK:.*]] = mli.subtensor %{{.*}}[1, 0] [4, 3] : memref<6x4x!mli.fx8<3>> to memref<4x3x!mli.fx8<3>, strided<[4, 1], offset: 4>>
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[BLOCK]] : {{.*}} to memref<?x3x!mli.fx8<3>, strided<[4, 1], offset: ?>>
// CHECK-NEXT: return %[[CAST]]
func.func @buffer(%map: memref<6x4x!mli.fx8<3>>)
    -> memref<?x3x!mli.fx8<3>, strided<[4, 1], offset: ?>> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = mli.subtensor %map[%c1, 0] [%c4, 3] : memref<6x4x!mli.fx8<3>>
    to memref<?x3x!mli.fx8<3>, strided<[4, 1], offset: ?>>
  return %0 : memref<?x3x!mli.fx8<3>, strided<[4, 1], offset: ?>>
}

// CHECK-LABEL: func.func @subview
// CHECK: mli.subtensor %{{.*}}[1, 0] [4, 3] : memref<6x4x!mli.fx8<3>> to memref<4x3x!mli.fx8<3>, strided<[4, 1], offset: 4>>
func.func @subview(%map: memref<6x4x!mli.fx8<3>>)
    -> memref<?x3x!mli.fx8<3>, strided<[4, 1], offset: 4>> {
  %c4 = arith.constant 4 : index
  %0 = memref.subview %map[1, 0] [%c4, 3] [1, 1] : memref<6x4x!mli.fx8<3>>
    to memref<?x3x!mli.fx8<3>, strided<[4, 1], offset: 4>>
  return %0 : memref<?x3x!mli.fx8<3>, strided<[4, 1], offset: 4>>
}

// The same size, where the second one forgot it.
// CHECK-LABEL: func.func @put_back_a_size
// CHECK: %[[RELU:.*]] = mli.relu
// CHECK-NEXT: return %[[RELU]]
func.func @put_back_a_size(%map: !map) -> !map {
  %c4 = arith.constant 4 : index
  %empty = tensor.empty() : !map
  %relu = mli.relu ins(%map : !map) outs(%empty : !map)
    {relu = #mli.relu<none>} -> !map
  %0 = tensor.extract_slice %relu[2, 0] [%c4, 4] [1, 1]
    : !map to tensor<?x4x!mli.fx8<3>>
  %1 = tensor.insert_slice %0 into %relu[2, 0] [%c4, 4] [1, 1]
    : tensor<?x4x!mli.fx8<3>> into !map
  return %1 : !map
}

// CHECK-LABEL: func.func @block_of_block_at_a_value
// CHECK-SAME: %[[MAP:.*]]: tensor<{{.*}}>, %[[AT:.*]]: index
// CHECK-NEXT: %[[SUM:.*]] = affine.apply #{{.*}}()[%[[AT]]]
// CHECK-NEXT: %[[BLOCK:.*]] = mli.subtensor %[[MAP]][%[[SUM]], 0] [2, 4]
// CHECK-NEXT: return %[[BLOCK]]
func.func @block_of_block_at_a_value(%map: !map, %at: index)
    -> tensor<2x4x!mli.fx8<3>> {
  %0 = mli.subtensor %map[%at, 0] [3, 4] : !map to tensor<3x4x!mli.fx8<3>>
  %1 = mli.subtensor %0[1, 0] [2, 4]
    : tensor<3x4x!mli.fx8<3>> to tensor<2x4x!mli.fx8<3>>
  return %1 : tensor<2x4x!mli.fx8<3>>
}

// At once, dimension 0 would be dropped and not dimension 1.
// CHECK-LABEL: func.func @other_dimension_at_a_value
// CHECK-COUNT-2: mli.subtensor
func.func @other_dimension_at_a_value(%map: !map, %at: index)
    -> tensor<1x!mli.fx8<3>> {
  %0 = mli.subtensor %map[0, %at] [6, 1] : !map to tensor<6x!mli.fx8<3>>
  %1 = mli.subtensor %0[%at] [1]
    : tensor<6x!mli.fx8<3>> to tensor<1x!mli.fx8<3>>
  return %1 : tensor<1x!mli.fx8<3>>
}

// What is written where it was taken from is there.
// CHECK-LABEL: func.func @put_back
// CHECK: %[[RELU:.*]] = mli.relu
// CHECK-NEXT: return %[[RELU]]
func.func @put_back(%map: !map) -> !map {
  %c2 = arith.constant 2 : index
  %empty = tensor.empty() : !map
  %relu = mli.relu ins(%map : !map) outs(%empty : !map)
    {relu = #mli.relu<none>} -> !map
  %0 = tensor.extract_slice %relu[2, 0] [4, 4] [1, 1]
    : !map to tensor<4x4x!mli.fx8<3>>
  %1 = tensor.insert_slice %0 into %relu[%c2, 0] [4, 4] [1, 1]
    : tensor<4x4x!mli.fx8<3>> into !map
  return %1 : !map
}

// The same where the offset is a sum.
// CHECK-LABEL: func.func @put_back_at_a_sum
// CHECK: %[[RELU:.*]] = mli.relu
// CHECK-NOT: tensor.insert_slice
// CHECK: return %[[RELU]]
func.func @put_back_at_a_sum(%map: !map, %at: index) -> !map {
  %c0 = arith.constant 0 : index
  %same = arith.addi %at, %c0 : index
  %empty = tensor.empty() : !map
  %relu = mli.relu ins(%map : !map) outs(%empty : !map)
    {relu = #mli.relu<none>} -> !map
  %0 = tensor.extract_slice %relu[%at, 0] [4, 4] [1, 1]
    : !map to tensor<4x4x!mli.fx8<3>>
  %1 = tensor.insert_slice %0 into %relu[%same, 0] [4, 4] [1, 1]
    : tensor<4x4x!mli.fx8<3>> into !map
  return %1 : !map
}

// -----

!weights = tensor<4x4x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 3:3:0, 2:3:0}>>
!half = tensor<4x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 3:3:0, 2:3:0}>>

// CHECK: !mli.sa8<axis = 1, {7:3:0, 3:3:0}>
// CHECK-LABEL: func.func @quantised_axis
// EXPLAIN: remark: a view: 1 mli.subtensor, no element is copied
func.func @quantised_axis(%weights: !weights, %at: index) -> i32 {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %weights[0, %c1] [4, 2] [1, 1] : !weights to !half
  %1 = mli.scale %0[%at] : !half
  return %1 : i32
}

// -----

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!part = memref<4x8x2x!mli.fx8<3>, strided<[8, 1, 1024], offset: ?>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  // CHECK-LABEL: func.func @channel
  // CHECK: mli.subtensor %{{.*}}[0, 0, 1] [4, 8, 2] : {{.*}} to memref<4x8x2x!mli.fx8<3>, #{{.*}}, #mli.space<local>>
  // EXPLAIN: remark: a view: 1 mli.subtensor, no element is copied
  func.func @channel(%map: !map, %out: memref<4x8x2x!mli.fx8<3>>) {
    %at = arith.constant 1 : index
    %0 = memref.subview %map[0, 0, %at] [4, 8, 2] [1, 1, 1] : !map to !part
    memref.copy %0, %out : !part to memref<4x8x2x!mli.fx8<3>>
    return
  }
}
