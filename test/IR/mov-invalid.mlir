// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = tensor<4x4x!mli.fx8<7>>
func.func @negative_offset(%input: !map, %init: !map) {
  // T14
  // expected-error @below {{expected 'offsets' to be in [0, 2147483647], but got -1}}
  %result = mli.mov ins(%input : !map) outs(%init : !map)
    {offsets = array<i64: 0, -1>} -> !map
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @size_of_zero(%input: !map, %init: !map) {
  // T14
  // expected-error @below {{expected 'sizes' to be in [1, 2147483647], but got 0}}
  %result = mli.mov ins(%input : !map) outs(%init : !map)
    {sizes = array<i64: 4, 0>} -> !map
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @step_of_zero(%input: !map, %init: !map) {
  // T14
  // expected-error @below {{expected 'steps' to be in [1, 2147483647], but got 0}}
  %result = mli.mov ins(%input : !map) outs(%init : !map)
    {steps = array<i64: 0, 1>} -> !map
  return
}

// -----

!map = tensor<?x4x!mli.fx8<7>>
func.func @offset_beyond_uint32(%input: !map, %init: !map) {
  // T14
  // expected-error @below {{expected 'dst_offsets' to be in [0, 2147483647], but got 4294967297}}
  %result = mli.mov ins(%input : !map) outs(%init : !map)
    {dst_offsets = array<i64: 4294967297, 0>} -> !map
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @permutation_beyond_rank(%input: !map, %init: !map) {
  // T14
  // expected-error @below {{expected 'permutation' to be in [0, 1], but got 2}}
  %result = mli.mov ins(%input : !map) outs(%init : !map)
    {permutation = array<i64: 0, 2>} -> !map
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @padding_beyond_uint8(%input: !map, %init: tensor<260x4x!mli.fx8<7>>) {
  // T14
  // expected-error @below {{expected 'pad_low' to be in [0, 255], but got 256}}
  %result = mli.mov ins(%input : !map) outs(%init : tensor<260x4x!mli.fx8<7>>)
    {pad_low = array<i64: 256, 0>} -> tensor<260x4x!mli.fx8<7>>
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @negative_padding(%input: !map, %init: tensor<3x4x!mli.fx8<7>>) {
  // T14
  // expected-error @below {{expected 'pad_high' to be in [0, 255], but got -1}}
  %result = mli.mov ins(%input : !map) outs(%init : tensor<3x4x!mli.fx8<7>>)
    {pad_high = array<i64: -1, 0>} -> tensor<3x4x!mli.fx8<7>>
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @offset_of_one_dimension(%input: !map, %init: !map) {
  // T15
  // expected-error @below {{expected 'offsets' to have 2 entries, but got 1}}
  %result = mli.mov ins(%input : !map) outs(%init : !map)
    {offsets = array<i64: 0>} -> !map
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @init_of_other_rank(%input: !map, %init: tensor<16x!mli.fx8<7>>) {
  // D13
  // expected-error @below {{expected 'init' to have rank 2, but got 1}}
  %result = mli.mov ins(%input : !map) outs(%init : tensor<16x!mli.fx8<7>>)
    -> tensor<16x!mli.fx8<7>>
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @dimension_named_twice(%input: !map, %init: !map) {
  // D14
  // expected-error @below {{expected 'permutation' to name each dimension once, but got [1, 1]}}
  %result = mli.mov ins(%input : !map) outs(%init : !map)
    {permutation = array<i64: 1, 1>} -> !map
  return
}

// -----

!axis = tensor<3x!mli.sa8<axis = 0, {5:3:0, 7:3:0, 9:2:1}>>
!other = tensor<2x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @slice_without_its_parameters(%input: !axis, %init: !other) {
  // D15
  // expected-error @below {{expected 'init' to have elements of '!mli.sa8<axis = 0, {7:3:0, 9:2:1}>', as the move cuts the quantised axis of 'input', but got '!mli.sa8<axis = 0, {5:3:0, 7:3:0}>'}}
  %result = mli.mov ins(%input : !axis) outs(%init : !other)
    {offsets = array<i64: 1>} -> !other
  return
}

// -----

!in = tensor<1x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
!other = tensor<2x1x!mli.sa8<axis = 1, {5:3:0}>>
func.func @permuted_without_its_axis(%input: !in, %init: !other) {
  // D15
  // expected-error @below {{expected 'init' to have elements of '!mli.sa8<axis = 0, {5:3:0, 7:3:0}>', as the move cuts the quantised axis of 'input', but got '!mli.sa8<axis = 1, {5:3:0}>'}}
  %result = mli.mov ins(%input : !in) outs(%init : !other)
    {permutation = array<i64: 1, 0>} -> !other
  return
}

// -----

!axis = tensor<1x!mli.sa8<axis = 0, {5:3:0}>>
!padded = tensor<2x!mli.sa8<axis = 0, {5:3:0, 5:3:0}>>
func.func @padding_with_parameters(%input: !axis, %init: !padded) {
  // D15
  // expected-error @below {{expected 'init' to have elements of '!mli.sa8<axis = 0, {5:3:0, 1:0:0}>', as the move cuts the quantised axis of 'input', but got '!mli.sa8<axis = 0, {5:3:0, 5:3:0}>'}}
  %result = mli.mov ins(%input : !axis) outs(%init : !padded)
    {pad_high = array<i64: 1>} -> !padded
  return
}

// -----

!axis = memref<?x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
!whole = memref<4x!mli.sa8<axis = 0, {1:1:1, 2:2:2, 7:3:0, 4:4:4}>>
func.func @part_of_other_parameters(%input: !axis, %init: !whole) {
  // D15
  // expected-error @below {{expected 'init' to have elements of '!mli.sa8<axis = 0, {1:1:1, 5:3:0, 7:3:0, 4:4:4}>', as the move cuts the quantised axis of 'input', but got '!mli.sa8<axis = 0, {1:1:1, 2:2:2, 7:3:0, 4:4:4}>'}}
  mli.mov ins(%input : !axis) outs(%init : !whole)
    {dst_offsets = array<i64: 1>}
  return
}

// -----

// A size that is not in the shape is known by the parameters.
!axis = memref<?x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @slice_behind_the_parameters(%input: !axis, %init: !axis) {
  // D16
  // expected-error @below {{expected dimension 0 of 'input' with padding to reach 3, the end of the slice, but got 2}}
  mli.mov ins(%input : !axis) outs(%init : !axis)
    {offsets = array<i64: 1>, sizes = array<i64: 2>}
  return
}

// -----

!axis = tensor<2x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
!wide = tensor<2x!mli.sa32<axis = 0, {5:3:0, 7:3:0}>>
func.func @axis_of_another_kind(%input: !axis, %init: !wide) {
  // E1
  // expected-error @below {{expected 'init' to have elements of the kind of 'input' '!mli.sa8<axis = 0, {5:3:0, 7:3:0}>', but got '!mli.sa32<axis = 0, {5:3:0, 7:3:0}>'}}
  %result = mli.mov ins(%input : !axis) outs(%init : !wide) -> !wide
  return
}

// -----

func.func @move_to_other_parameters(%input: tensor<4x!mli.fx8<7>>,
                                    %init: tensor<4x!mli.fx8<6>>) {
  // T11
  // expected-error @below {{expected 'init' to have the element type of 'input' '!mli.fx8<7>', but got '!mli.fx8<6>'}}
  %result = mli.mov ins(%input : tensor<4x!mli.fx8<7>>)
    outs(%init : tensor<4x!mli.fx8<6>>) -> tensor<4x!mli.fx8<6>>
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @slice_behind_the_input(%input: !map, %init: tensor<4x3x!mli.fx8<7>>) {
  // D16
  // expected-error @below {{expected dimension 1 of 'input' with padding to reach 6, the end of the slice, but got 5}}
  %result = mli.mov ins(%input : !map) outs(%init : tensor<4x3x!mli.fx8<7>>)
    {offsets = array<i64: 0, 3>, sizes = array<i64: 4, 3>,
     pad_high = array<i64: 0, 1>} -> tensor<4x3x!mli.fx8<7>>
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @offset_behind_the_input(%input: !map, %init: !map) {
  // D16
  // expected-error @below {{expected dimension 0 of 'input' with padding to reach 5, the end of the slice, but got 4}}
  %result = mli.mov ins(%input : !map) outs(%init : !map)
    {offsets = array<i64: 4, 0>} -> !map
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @block_smaller_than_init(%input: !map, %init: !map) {
  // D17
  // expected-error @below {{expected dimension 1 of 'init' to hold the 2 elements written from 0, but got 4}}
  %result = mli.mov ins(%input : !map) outs(%init : !map)
    {steps = array<i64: 1, 2>} -> !map
  return
}

// -----

!map = tensor<4x4x!mli.fx8<7>>
func.func @block_behind_init(%input: !map, %init: tensor<8x8x!mli.fx8<7>>) {
  // D17
  // expected-error @below {{expected dimension 0 of 'init' to hold the 4 elements written from 5, but got 8}}
  %result = mli.mov ins(%input : !map) outs(%init : tensor<8x8x!mli.fx8<7>>)
    {dst_offsets = array<i64: 5, 4>} -> tensor<8x8x!mli.fx8<7>>
  return
}

// -----

func.func @permuted_sizes(%input: tensor<2x3x!mli.fx8<7>>,
                          %init: tensor<2x3x!mli.fx8<7>>) {
  // D17
  // expected-error @below {{expected dimension 0 of 'init' to hold the 3 elements written from 0, but got 2}}
  %result = mli.mov ins(%input : tensor<2x3x!mli.fx8<7>>)
    outs(%init : tensor<2x3x!mli.fx8<7>>) {permutation = array<i64: 1, 0>}
    -> tensor<2x3x!mli.fx8<7>>
  return
}

// -----

!map = tensor<2x6x!mli.fx8<7>, #mli.space<local>>
!row = tensor<8x!mli.fx8<7>, #mli.space<local>>
func.func @other_shape_of_fewer_elements(%input: !map, %init: !row) {
  // D21
  // expected-error @below {{expected 'init' to have as many elements as 'input', of type 'tensor<2x6x!mli.fx8<7>, #mli.space<local>>', but got 'tensor<8x!mli.fx8<7>, #mli.space<local>>'}}
  %result = mli.mov ins(%input : !map) outs(%init : !row) -> !row
  return
}

// -----

!map = tensor<2x6x!mli.sa8<axis = 0, {1:2:3, 4:5:6}>, #mli.space<local>>
!row = tensor<12x!mli.sa8<1:2:3>, #mli.space<local>>
func.func @other_shape_of_an_axis(%input: !map, %init: !row) {
  // D15
  // expected-error @below {{expected 'input' to be quantised per tensor, but got axis 0}}
  %result = mli.mov ins(%input : !map) outs(%init : !row) -> !row
  return
}

// -----

func.func @other_shape_in_system_memory(%input: tensor<2x6x!mli.fx8<7>>,
                                        %init: tensor<12x!mli.fx8<7>>) {
  // D13
  // expected-error @below {{expected 'init' to have rank 2, but got 1}}
  %result = mli.mov ins(%input : tensor<2x6x!mli.fx8<7>>)
    outs(%init : tensor<12x!mli.fx8<7>>) -> tensor<12x!mli.fx8<7>>
  return
}
