// RUN: mli-opt %s --canonicalize --split-input-file | FileCheck %s

!map = tensor<4x!mli.sa8<5:3:-128>>

// F3
// CHECK-LABEL: func.func @convert_to_itself
// CHECK-SAME: %[[MAP:[a-z0-9]*]]: tensor
// CHECK-NEXT: return %[[MAP]]
func.func @convert_to_itself(%map: !map, %init: !map) -> !map {
  %result = mli.convert ins(%map : !map) outs(%init : !map) -> !map
  return %result : !map
}

// CHECK-LABEL: func.func @convert_of_floats
// CHECK-SAME: %[[MAP:[a-z0-9]*]]: tensor
// CHECK-NEXT: return %[[MAP]]
func.func @convert_of_floats(%map: tensor<4xf32>, %init: tensor<4xf32>)
    -> tensor<4xf32> {
  %result = mli.convert ins(%map : tensor<4xf32>) outs(%init : tensor<4xf32>)
    -> tensor<4xf32>
  return %result : tensor<4xf32>
}

// CHECK-LABEL: func.func @convert_per_axis_to_itself
// CHECK-SAME: %[[MAP:[a-z0-9]*]]: tensor
// CHECK-NEXT: return %[[MAP]]
!axis = tensor<2x!mli.sa8<axis = 0, {5:3:0, 32767:-128:32640}>>
func.func @convert_per_axis_to_itself(%map: !axis, %init: !axis) -> !axis {
  %result = mli.convert ins(%map : !axis) outs(%init : !axis) -> !axis
  return %result : !axis
}

// -----

// The kernel takes code and zero point apart in 16 bits: 127 becomes -1.
!map = tensor<4x!mli.sa8<5:3:-32768>>

// CHECK-LABEL: func.func @far_zero_point
// CHECK: mli.convert
func.func @far_zero_point(%map: !map, %init: !map) -> !map {
  %result = mli.convert ins(%map : !map) outs(%init : !map) -> !map
  return %result : !map
}

// -----

// Of large sums the kernel drops the last bits.
!sum = tensor<4x!mli.sa32<5:3:0>>

// CHECK-LABEL: func.func @wide_codes
// CHECK: mli.convert
func.func @wide_codes(%map: !sum, %init: !sum) -> !sum {
  %result = mli.convert ins(%map : !sum) outs(%init : !sum) -> !sum
  return %result : !sum
}

// -----

!buffer = memref<4x!mli.sa8<5:3:0>>

// CHECK-LABEL: func.func @convert_of_buffers
// CHECK: mli.convert
func.func @convert_of_buffers(%map: !buffer, %init: !buffer) {
  mli.convert ins(%map : !buffer) outs(%init : !buffer)
  return
}

// -----

!small = tensor<4x!mli.fx8<4>>
!wide = tensor<4x!mli.fx16<9>>
!other = tensor<4x!mli.fx8<2>>

// All codes survive the step between.
// CHECK-LABEL: func.func @convert_by_a_wide_type
// CHECK-SAME: %[[MAP:[a-z0-9]*]]: tensor<4x!mli.fx8<4>>
// CHECK-NEXT: %[[INIT:.*]] = tensor.empty() : tensor<4x!mli.fx8<2>>
// CHECK-NEXT: %[[RESULT:.*]] = mli.convert ins(%[[MAP]] : tensor<4x!mli.fx8<4>>) outs(%[[INIT]] : tensor<4x!mli.fx8<2>>)
// CHECK-NEXT: return %[[RESULT]]
func.func @convert_by_a_wide_type(%map: !small) -> !other {
  %wide_init = tensor.empty() : !wide
  %wide = mli.convert ins(%map : !small) outs(%wide_init : !wide) -> !wide
  %init = tensor.empty() : !other
  %result = mli.convert ins(%wide : !wide) outs(%init : !other) -> !other
  return %result : !other
}

// CHECK-LABEL: func.func @convert_there_and_back
// CHECK-SAME: %[[MAP:[a-z0-9]*]]: tensor
// CHECK-NEXT: return %[[MAP]]
func.func @convert_there_and_back(%map: !small) -> !small {
  %wide_init = tensor.empty() : !wide
  %wide = mli.convert ins(%map : !small) outs(%wide_init : !wide) -> !wide
  %init = tensor.empty() : !small
  %result = mli.convert ins(%wide : !wide) outs(%init : !small) -> !small
  return %result : !small
}

// Two bits are lost on the way.
// F3
// CHECK-LABEL: func.func @convert_by_a_coarse_type
// CHECK-COUNT-2: mli.convert
func.func @convert_by_a_coarse_type(%map: !small) -> !small {
  %other_init = tensor.empty() : !other
  %other = mli.convert ins(%map : !small) outs(%other_init : !other) -> !other
  %init = tensor.empty() : !small
  %result = mli.convert ins(%other : !other) outs(%init : !small) -> !small
  return %result : !small
}

// Sums have too many codes to try.
// CHECK-LABEL: func.func @convert_of_sums
// CHECK-COUNT-2: mli.convert
func.func @convert_of_sums(%map: tensor<4x!mli.sa32<1:4:0>>) -> !other {
  %wide_init = tensor.empty() : !wide
  %wide = mli.convert ins(%map : tensor<4x!mli.sa32<1:4:0>>)
    outs(%wide_init : !wide) -> !wide
  %init = tensor.empty() : !other
  %result = mli.convert ins(%wide : !wide) outs(%init : !other) -> !other
  return %result : !other
}

// To the same type, too, sums beyond 2^29 are rounded.
// F3
// CHECK-LABEL: func.func @convert_sums_to_themselves
// CHECK: mli.convert
func.func @convert_sums_to_themselves(%sums: tensor<4x!mli.sa32<1:4:0>>)
    -> tensor<4x!mli.sa32<1:4:0>> {
  %init = tensor.empty() : tensor<4x!mli.sa32<1:4:0>>
  %result = mli.convert ins(%sums : tensor<4x!mli.sa32<1:4:0>>)
    outs(%init : tensor<4x!mli.sa32<1:4:0>>) -> tensor<4x!mli.sa32<1:4:0>>
  return %result : tensor<4x!mli.sa32<1:4:0>>
}

// CHECK-LABEL: func.func @convert_by_floats
// CHECK-COUNT-2: mli.convert
func.func @convert_by_floats(%map: !small) -> !other {
  %real_init = tensor.empty() : tensor<4xf32>
  %real = mli.convert ins(%map : !small) outs(%real_init : tensor<4xf32>)
    -> tensor<4xf32>
  %init = tensor.empty() : !other
  %result = mli.convert ins(%real : tensor<4xf32>) outs(%init : !other)
    -> !other
  return %result : !other
}

// -----

// A quantised axis that moves needs the step between.
!rows = tensor<1x1x!mli.sa8<axis = 0, {1:3:0}>>
!columns = tensor<1x1x!mli.sa8<axis = 1, {1:3:0}>>
!none = tensor<1x1x!mli.sa8<1:3:0>>

// CHECK-LABEL: func.func @convert_between_axes
// CHECK-COUNT-2: mli.convert
func.func @convert_between_axes(%map: !rows) -> !columns {
  %none_init = tensor.empty() : !none
  %none = mli.convert ins(%map : !rows) outs(%none_init : !none) -> !none
  %init = tensor.empty() : !columns
  %result = mli.convert ins(%none : !none) outs(%init : !columns) -> !columns
  return %result : !columns
}

// -----

!map = tensor<6x8x!mli.fx8<3>>

// F4
// CHECK-LABEL: func.func @copy
// CHECK-SAME: %[[MAP:[a-z0-9]*]]: tensor
// CHECK-NEXT: return %[[MAP]], %[[MAP]]
func.func @copy(%map: !map, %init: !map) -> (!map, !map) {
  %0 = mli.mov ins(%map : !map) outs(%init : !map) -> !map
  %1 = mli.mov ins(%map : !map) outs(%init : !map)
    {offsets = array<i64: 0, 0>, sizes = array<i64: 6, 8>,
     steps = array<i64: 1, 1>, permutation = array<i64: 0, 1>} -> !map
  return %0, %1 : !map, !map
}

// CHECK-LABEL: func.func @copy_of_a_part
// CHECK: mli.mov
func.func @copy_of_a_part(%map: tensor<?x8x!mli.fx8<3>>,
                          %init: tensor<?x8x!mli.fx8<3>>)
    -> tensor<?x8x!mli.fx8<3>> {
  %0 = mli.mov ins(%map : tensor<?x8x!mli.fx8<3>>)
    outs(%init : tensor<?x8x!mli.fx8<3>>) {sizes = array<i64: 2, 8>}
    -> tensor<?x8x!mli.fx8<3>>
  return %0 : tensor<?x8x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @copy_into_a_part
// CHECK: mli.mov
func.func @copy_into_a_part(%map: !map, %init: !map) -> !map {
  %0 = mli.mov ins(%map : !map) outs(%init : !map)
    {sizes = array<i64: 2, 8>, dst_offsets = array<i64: 0, 0>} -> !map
  return %0 : !map
}

// CHECK-LABEL: func.func @copy_to_an_npu
// CHECK: mli.mov
func.func @copy_to_an_npu(%map: !map,
                          %init: tensor<6x8x!mli.fx8<3>, #mli.space<local>>)
    -> tensor<6x8x!mli.fx8<3>, #mli.space<local>> {
  %0 = mli.mov ins(%map : !map)
    outs(%init : tensor<6x8x!mli.fx8<3>, #mli.space<local>>)
    -> tensor<6x8x!mli.fx8<3>, #mli.space<local>>
  return %0 : tensor<6x8x!mli.fx8<3>, #mli.space<local>>
}

// Element [i, j] is [1 + j, 3 + 3 i] of the first slice, and that is
// [1 + 2 (1 + j), 1 + 3 + 3 i] of the source.
// F5
// CHECK-LABEL: func.func @slice_of_slice
// CHECK-SAME: %[[MAP:[a-z0-9]*]]: tensor<6x8x!mli.fx8<3>>
// CHECK: mli.mov ins(%[[MAP]] : tensor<6x8x!mli.fx8<3>>) outs(%{{.*}} : tensor<2x2x!mli.fx8<3>>) {offsets = array<i64: 3, 4>, permutation = array<i64: 1, 0>, sizes = array<i64: 3, 4>, steps = array<i64: 2, 3>}
// CHECK-NOT: mli.mov
func.func @slice_of_slice(%map: !map) -> tensor<2x2x!mli.fx8<3>> {
  %first_init = tensor.empty() : tensor<3x7x!mli.fx8<3>>
  %first = mli.mov ins(%map : !map) outs(%first_init : tensor<3x7x!mli.fx8<3>>)
    {offsets = array<i64: 1, 1>, steps = array<i64: 2, 1>}
    -> tensor<3x7x!mli.fx8<3>>
  %init = tensor.empty() : tensor<2x2x!mli.fx8<3>>
  %result = mli.mov ins(%first : tensor<3x7x!mli.fx8<3>>)
    outs(%init : tensor<2x2x!mli.fx8<3>>)
    {offsets = array<i64: 1, 3>, steps = array<i64: 1, 3>,
     permutation = array<i64: 1, 0>} -> tensor<2x2x!mli.fx8<3>>
  return %result : tensor<2x2x!mli.fx8<3>>
}

// F5
// CHECK-LABEL: func.func @pad_of_slice
// CHECK-COUNT-2: mli.mov
func.func @pad_of_slice(%map: !map) -> tensor<4x8x!mli.fx8<3>> {
  %first_init = tensor.empty() : tensor<2x8x!mli.fx8<3>>
  %first = mli.mov ins(%map : !map) outs(%first_init : tensor<2x8x!mli.fx8<3>>)
    {offsets = array<i64: 2, 0>, sizes = array<i64: 2, 8>}
    -> tensor<2x8x!mli.fx8<3>>
  %init = tensor.empty() : tensor<4x8x!mli.fx8<3>>
  %result = mli.mov ins(%first : tensor<2x8x!mli.fx8<3>>)
    outs(%init : tensor<4x8x!mli.fx8<3>>)
    {pad_low = array<i64: 1, 0>, pad_high = array<i64: 1, 0>}
    -> tensor<4x8x!mli.fx8<3>>
  return %result : tensor<4x8x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @slice_of_a_part
// CHECK-COUNT-2: mli.mov
func.func @slice_of_a_part(%map: !map, %init: !map)
    -> tensor<2x8x!mli.fx8<3>> {
  %first = mli.mov ins(%map : !map) outs(%init : !map)
    {sizes = array<i64: 2, 8>, dst_offsets = array<i64: 1, 0>} -> !map
  %last = tensor.empty() : tensor<2x8x!mli.fx8<3>>
  %result = mli.mov ins(%first : !map) outs(%last : tensor<2x8x!mli.fx8<3>>)
    {sizes = array<i64: 2, 8>} -> tensor<2x8x!mli.fx8<3>>
  return %result : tensor<2x8x!mli.fx8<3>>
}

// A pass has said why.
// CHECK-LABEL: func.func @copies_with_a_reason
// CHECK-COUNT-3: mli.mov
func.func @copies_with_a_reason(%map: !map, %init: !map)
    -> (!map, tensor<2x8x!mli.fx8<3>>) {
  %0 = mli.mov ins(%map : !map) outs(%init : !map)
    {reason = #mli.copy_reason<kernel_contiguous>} -> !map
  %first = tensor.empty() : tensor<3x8x!mli.fx8<3>>
  %1 = mli.mov ins(%map : !map) outs(%first : tensor<3x8x!mli.fx8<3>>)
    {steps = array<i64: 2, 1>, reason = #mli.copy_reason<strided_step>}
    -> tensor<3x8x!mli.fx8<3>>
  %last = tensor.empty() : tensor<2x8x!mli.fx8<3>>
  %2 = mli.mov ins(%1 : tensor<3x8x!mli.fx8<3>>)
    outs(%last : tensor<2x8x!mli.fx8<3>>) {sizes = array<i64: 2, 8>}
    -> tensor<2x8x!mli.fx8<3>>
  return %0, %2 : !map, tensor<2x8x!mli.fx8<3>>
}
