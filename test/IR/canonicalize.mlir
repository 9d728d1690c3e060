// RUN: mli-opt %s --canonicalize --split-input-file | FileCheck %s

!cube = tensor<2x2x2x!mli.fx8<7>>
!matrix = tensor<2x4x!mli.fx8<7>>
!vector = tensor<8x!mli.fx8<7>>

// CHECK-LABEL: func.func @reshape_to_same_type
// CHECK-SAME: %[[SOURCE:.*]]: tensor
// CHECK-NEXT: return %[[SOURCE]]
func.func @reshape_to_same_type(%source: !cube) -> !cube {
  %result = mli.reshape %source : !cube to !cube
  return %result : !cube
}

// CHECK-LABEL: func.func @reshape_there_and_back
// CHECK-SAME: %[[SOURCE:.*]]: tensor
// CHECK-NEXT: return %[[SOURCE]]
func.func @reshape_there_and_back(%source: !cube) -> !cube {
  %matrix = mli.reshape %source : !cube to !matrix
  %result = mli.reshape %matrix : !matrix to !cube
  return %result : !cube
}

// F6
// CHECK-LABEL: func.func @reshape_of_reshape
// CHECK-SAME: %[[SOURCE:.*]]: tensor
// CHECK-NEXT: %[[RESULT:.*]] = mli.reshape %[[SOURCE]] : tensor<2x2x2x!mli.fx8<7>> to tensor<8x!mli.fx8<7>>
// CHECK-NEXT: return %[[RESULT]]
func.func @reshape_of_reshape(%source: !cube) -> !vector {
  %matrix = mli.reshape %source : !cube to !matrix
  %result = mli.reshape %matrix : !matrix to !vector
  return %result : !vector
}

// CHECK-LABEL: func.func @inner_reshape_is_used
// CHECK-SAME: %[[SOURCE:.*]]: tensor
// CHECK-NEXT: %[[MATRIX:.*]] = mli.reshape %[[SOURCE]]
// CHECK-NEXT: %[[VECTOR:.*]] = mli.reshape %[[SOURCE]]
// CHECK-NEXT: return %[[MATRIX]], %[[VECTOR]]
func.func @inner_reshape_is_used(%source: !cube) -> (!matrix, !vector) {
  %matrix = mli.reshape %source : !cube to !matrix
  %vector = mli.reshape %matrix : !matrix to !vector
  return %matrix, %vector : !matrix, !vector
}

// CHECK-LABEL: func.func @reshape_of_buffers
// CHECK-SAME: %[[SOURCE:.*]]: memref
// CHECK-NEXT: return %[[SOURCE]]
func.func @reshape_of_buffers(%source: memref<2x4xf32>) -> memref<2x4xf32> {
  %vector = mli.reshape %source : memref<2x4xf32> to memref<8xf32>
  %result = mli.reshape %vector : memref<8xf32> to memref<2x4xf32>
  return %result : memref<2x4xf32>
}

// -----

!first = tensor<1x1x2x!mli.sa8<axis = 0, {5:3:0}>>
!second = tensor<1x1x2x!mli.sa8<axis = 1, {5:3:0}>>

// An axis of size 1 that has wandered: no identity, but one reshape.
// CHECK-LABEL: func.func @reshape_of_wandering_axis
// CHECK-SAME: %[[SOURCE:.*]]: tensor
// CHECK-NEXT: %[[RESULT:.*]] = mli.reshape %[[SOURCE]] : tensor<1x1x2x!sa8_axis0> to tensor<1x1x2x!sa8_axis1>
// CHECK-NEXT: return %[[RESULT]]
func.func @reshape_of_wandering_axis(%source: !first) -> !second {
  %middle = mli.reshape %source
    : !first to tensor<1x2x!mli.sa8<axis = 0, {5:3:0}>>
  %result = mli.reshape %middle
    : tensor<1x2x!mli.sa8<axis = 0, {5:3:0}>> to !second
  return %result : !second
}

// -----

!map = memref<4x4xf32>

// CHECK-LABEL: func.func @move_onto_itself
// CHECK-NEXT: return
func.func @move_onto_itself(%map: !map) {
  mli.mov ins(%map : !map) outs(%map : !map)
  mli.mov ins(%map : !map) outs(%map : !map)
    {offsets = array<i64: 1, 0>, sizes = array<i64: 2, 4>,
     dst_offsets = array<i64: 1, 0>, steps = array<i64: 1, 1>,
     permutation = array<i64: 0, 1>, pad_low = array<i64: 0, 0>}
  return
}

// Equal views of one buffer, as insertions of what was computed in place.
// F4
// CHECK-LABEL: func.func @move_onto_equal_view
// CHECK-NEXT: return
func.func @move_onto_equal_view(%map: !map, %row: index) {
  %any = memref.cast %map : !map to memref<?x?xf32>
  %same = memref.cast %map : !map to memref<?x?xf32>
  %from = mli.subtensor %any[%row, 1] [2, 3] : memref<?x?xf32>
    to memref<2x3xf32, strided<[?, 1], offset: ?>>
  %to = mli.subtensor %same[%row, 1] [2, 3] : memref<?x?xf32>
    to memref<2x3xf32, strided<[?, 1], offset: ?>>
  mli.mov ins(%from : memref<2x3xf32, strided<[?, 1], offset: ?>>)
    outs(%to : memref<2x3xf32, strided<[?, 1], offset: ?>>)
  return
}

// Other shapes in between lead back to it.
// F4
// CHECK-LABEL: func.func @move_onto_reshaped_view
// CHECK-NEXT: return
func.func @move_onto_reshaped_view(%map: memref<2x3x4xf32>) {
  %from = mli.subtensor %map[0, 0, 0] [1, 3, 4] : memref<2x3x4xf32>
    to memref<1x3x4xf32, strided<[12, 4, 1]>>
  %flat = mli.reshape %from : memref<1x3x4xf32, strided<[12, 4, 1]>>
    to memref<12xf32>
  %back = mli.reshape %flat : memref<12xf32> to memref<1x3x4xf32>
  mli.mov ins(%back : memref<1x3x4xf32>)
    outs(%from : memref<1x3x4xf32, strided<[12, 4, 1]>>)
  return
}

// Elements of another shape are in other places.
// CHECK-LABEL: func.func @move_onto_other_shape
// CHECK: mli.mov
func.func @move_onto_other_shape(%map: memref<3x3xf32>) {
  %flat = mli.reshape %map : memref<3x3xf32> to memref<9xf32>
  %back = mli.reshape %flat : memref<9xf32> to memref<3x3xf32>
  mli.mov ins(%back : memref<3x3xf32>) outs(%map : memref<3x3xf32>)
    {permutation = array<i64: 1, 0>}
  return
}

// CHECK-LABEL: func.func @move_onto_other_view
// CHECK-COUNT-2: mli.mov
func.func @move_onto_other_view(%map: !map, %other: !map, %row: index,
                                %next: index) {
  %from = mli.subtensor %map[%row, 1] [1, 3] : !map
    to memref<1x3xf32, strided<[4, 1], offset: ?>>
  %to = mli.subtensor %map[%next, 1] [1, 3] : !map
    to memref<1x3xf32, strided<[4, 1], offset: ?>>
  %elsewhere = mli.subtensor %other[%row, 1] [1, 3] : !map
    to memref<1x3xf32, strided<[4, 1], offset: ?>>
  mli.mov ins(%from : memref<1x3xf32, strided<[4, 1], offset: ?>>)
    outs(%to : memref<1x3xf32, strided<[4, 1], offset: ?>>)
  mli.mov ins(%from : memref<1x3xf32, strided<[4, 1], offset: ?>>)
    outs(%elsewhere : memref<1x3xf32, strided<[4, 1], offset: ?>>)
  return
}

// CHECK-LABEL: func.func @move_of_a_tensor_onto_itself
// CHECK-SAME: %[[MAP:.*]]: tensor
// CHECK-NEXT: return %[[MAP]]
func.func @move_of_a_tensor_onto_itself(%map: tensor<4xf32>) -> tensor<4xf32> {
  %result = mli.mov ins(%map : tensor<4xf32>) outs(%map : tensor<4xf32>)
    -> tensor<4xf32>
  return %result : tensor<4xf32>
}

// CHECK-LABEL: func.func @move_within_itself
// CHECK-COUNT-3: mli.mov
func.func @move_within_itself(%map: !map) {
  mli.mov ins(%map : !map) outs(%map : !map)
    {offsets = array<i64: 2, 0>, dst_offsets = array<i64: 0, 0>}
  mli.mov ins(%map : !map) outs(%map : !map) {permutation = array<i64: 1, 0>}
  mli.mov ins(%map : !map) outs(%map : !map)
    {sizes = array<i64: 4, 4>, pad_low = array<i64: 1, 0>}
  return
}

// CHECK-LABEL: func.func @move_elsewhere
// CHECK: mli.mov
func.func @move_elsewhere(%map: !map, %other: !map) {
  mli.mov ins(%map : !map) outs(%other : !map)
  return
}

// Kernels on tensors have no effects: unused ones go. On buffers they stay.
// CHECK-LABEL: func.func @unused_kernels
// CHECK-NOT: -> tensor
// CHECK: mli.convert
func.func @unused_kernels(%map: tensor<4xf32>, %buffer: !map, %other: !map) {
  %unused = mli.convert ins(%map : tensor<4xf32>) outs(%map : tensor<4xf32>)
    -> tensor<4xf32>
  mli.convert ins(%buffer : !map) outs(%other : !map)
  return
}
