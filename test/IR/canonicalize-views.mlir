// RUN: mli-opt %s --canonicalize | FileCheck %s

!map = tensor<4x6x8x!mli.fx8<3>>

// CHECK-LABEL: func.func @whole_block
// CHECK-SAME: %[[MAP:.*]]: tensor
// CHECK-NEXT: return %[[MAP]]
func.func @whole_block(%map: !map) -> !map {
  %0 = mli.subtensor %map[0, 0, 0] [4, 6, 8] : !map to !map
  return %0 : !map
}

// F6
// CHECK-LABEL: func.func @block_of_block
// CHECK-SAME: %[[MAP:.*]]: tensor
// CHECK-NEXT: %[[BLOCK:.*]] = mli.subtensor %[[MAP]][3, 3, 1] [1, 2, 4] : tensor<4x6x8x!mli.fx8<3>> to tensor<2x4x!mli.fx8<3>>
// CHECK-NEXT: return %[[BLOCK]]
func.func @block_of_block(%map: !map) -> tensor<2x4x!mli.fx8<3>> {
  %0 = mli.subtensor %map[3, 1, 0] [1, 5, 6] : !map to tensor<5x6x!mli.fx8<3>>
  %1 = mli.subtensor %0[2, 1] [2, 4] : tensor<5x6x!mli.fx8<3>>
    to tensor<2x4x!mli.fx8<3>>
  return %1 : tensor<2x4x!mli.fx8<3>>
}

// At once, dimension 0 would be dropped and not dimension 1.
// CHECK-LABEL: func.func @another_dimension_is_dropped
// CHECK-COUNT-2: mli.subtensor
func.func @another_dimension_is_dropped(%map: !map) -> tensor<1x8x!mli.fx8<3>> {
  %0 = mli.subtensor %map[0, 1, 0] [4, 1, 8] : !map to tensor<4x8x!mli.fx8<3>>
  %1 = mli.subtensor %0[2, 0] [1, 8] : tensor<4x8x!mli.fx8<3>>
    to tensor<1x8x!mli.fx8<3>>
  return %1 : tensor<1x8x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @unknown_block_of_block
// CHECK-COUNT-2: mli.subtensor
func.func @unknown_block_of_block(%map: !map, %at: index)
    -> tensor<1x6x8x!mli.fx8<3>> {
  %0 = mli.subtensor %map[%at, 0, 0] [2, 6, 8] : !map
    to tensor<2x6x8x!mli.fx8<3>>
  %1 = mli.subtensor %0[1, 0, 0] [1, 6, 8] : tensor<2x6x8x!mli.fx8<3>>
    to tensor<1x6x8x!mli.fx8<3>>
  return %1 : tensor<1x6x8x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @identity_permutation
// CHECK-SAME: %[[MAP:.*]]: tensor<4x6x8x!mli.fx8<3>>, %
// CHECK-NEXT: return %[[MAP]]
func.func @identity_permutation(%map: !map, %init: !map) -> !map {
  %0 = mli.permute ins(%map : !map) outs(%init : !map) permutation [0, 1, 2]
    -> !map
  return %0 : !map
}

// F6
// CHECK-LABEL: func.func @permutation_of_permutation
// CHECK-SAME: %[[MAP:.*]]: tensor<4x6x8x!mli.fx8<3>>, %{{.*}}: tensor<8x4x6x!mli.fx8<3>>, %[[INIT:.*]]: tensor<8x6x4x!mli.fx8<3>>)
// CHECK-NEXT: %[[RESULT:.*]] = mli.permute ins(%[[MAP]] : {{.*}}) outs(%[[INIT]] : {{.*}}) permutation [2, 1, 0]
// CHECK-NEXT: return %[[RESULT]]
func.func @permutation_of_permutation(
    %map: !map, %init: tensor<8x4x6x!mli.fx8<3>>,
    %last: tensor<8x6x4x!mli.fx8<3>>) -> tensor<8x6x4x!mli.fx8<3>> {
  %0 = mli.permute ins(%map : !map) outs(%init : tensor<8x4x6x!mli.fx8<3>>)
    permutation [2, 0, 1] -> tensor<8x4x6x!mli.fx8<3>>
  %1 = mli.permute ins(%0 : tensor<8x4x6x!mli.fx8<3>>)
    outs(%last : tensor<8x6x4x!mli.fx8<3>>) permutation [0, 2, 1]
    -> tensor<8x6x4x!mli.fx8<3>>
  return %1 : tensor<8x6x4x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @copy_of_a_buffer
// CHECK: mli.permute
func.func @copy_of_a_buffer(%from: memref<4x4x!mli.fx8<3>>,
                            %to: memref<4x4x!mli.fx8<3>>) {
  mli.permute ins(%from : memref<4x4x!mli.fx8<3>>)
    outs(%to : memref<4x4x!mli.fx8<3>>) permutation [0, 1]
  return
}

!bias = tensor<2x!mli.sa32<axis = 0, {5:14:-3, 7:-13:4}>>

// H2, H3, H4, H5
// CHECK-LABEL: func.func @known_answers
// CHECK-DAG: %[[C24:.*]] = arith.constant 24 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[SIZE:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[SCALE:.*]] = arith.constant 7 : i32
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant -13 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant -3 : i32
// CHECK: return %[[C24]], %[[C1]], %[[SIZE]], %[[SCALE]], %[[SHIFT]], %[[ZERO]]
func.func @known_answers(%map: tensor<?x6x4x!mli.fx8<3>>,
                         %scalar: tensor<!mli.fx8<3>>, %bias: !bias)
    -> (index, index, index, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = mli.elem_count %map {dim = 1 : i32} : tensor<?x6x4x!mli.fx8<3>>
  %1 = mli.elem_count %scalar : tensor<!mli.fx8<3>>
  %2 = mli.element_size %bias : !bias
  %3 = mli.scale %bias[%c1] : !bias
  %4 = mli.scale_shift %bias[%c1] : !bias
  %5 = mli.zero_offset %bias[%c0] : !bias
  return %0, %1, %2, %3, %4, %5 : index, index, index, i32, i32, i32
}

// From the rank on there is no dimension, and an empty product is 1.
// H1
// CHECK-LABEL: func.func @count_from_the_rank_on
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: return %[[ONE]], %[[ONE]]
func.func @count_from_the_rank_on(%map: tensor<?x6x!mli.fx8<3>>,
                                  %buffer: memref<?x6x!mli.fx8<3>>)
    -> (index, index) {
  %0 = mli.elem_count %map {dim = 2 : i32} : tensor<?x6x!mli.fx8<3>>
  %1 = mli.elem_count %buffer {dim = 2 : i32} : memref<?x6x!mli.fx8<3>>
  return %0, %1 : index, index
}

// Per tensor the index does not matter; f32 has scale 1 and nothing else.
// H3, H4, H5
// CHECK-LABEL: func.func @any_index
// CHECK-DAG: %[[FX:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: return %[[FX]], %[[ONE]], %[[ZERO]]
func.func @any_index(%map: tensor<4x!mli.fx8<3>>, %real: tensor<4xf32>,
                     %at: index) -> (i32, i32, i32) {
  %0 = mli.scale_shift %map[%at] : tensor<4x!mli.fx8<3>>
  %1 = mli.scale %real[%at] : tensor<4xf32>
  %2 = mli.zero_offset %real[%at] : tensor<4xf32>
  return %0, %1, %2 : i32, i32, i32
}

// CHECK-LABEL: func.func @unknown_answers
// CHECK: mli.elem_count
// CHECK: mli.scale
// CHECK: mli.scale
func.func @unknown_answers(%map: tensor<?x6x4x!mli.fx8<3>>, %bias: !bias,
                           %at: index) -> (index, i32, i32) {
  %c2 = arith.constant 2 : index
  %0 = mli.elem_count %map : tensor<?x6x4x!mli.fx8<3>>
  %1 = mli.scale %bias[%at] : !bias
  %2 = mli.scale %bias[%c2] : !bias
  return %0, %1, %2 : index, i32, i32
}
