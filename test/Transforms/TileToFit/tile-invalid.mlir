// Tiles that kernels do not compute, each with its reason. The two errors that
// upstream adds are not ours.
// RUN: mli-opt %s --transform-preload-library="transform-library-paths=%S/../Inputs/tile.mlir" \
// RUN:   --transform-interpreter --split-input-file --verify-diagnostics

!map = tensor<4x8x!mli.sa8<3:6:-5>>
!out = tensor<4x8x!mli.sa8<1:8:-128>>
func.func @slice_of_softmax(%input: !map, %init: !out) -> !out {
  // N1
  // expected-error @below {{expected tile of dimension 1 to be whole, as the kernel needs all of it at once, but got offset ? and size 2}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.softmax ins(%input : !map) outs(%init : !out)
    {axis = 1 : i32, tile = 1} -> !out
  return %result : !out
}

// -----

!map = tensor<4x8x!mli.fx16<11>>
!out = tensor<4x8x!mli.fx16<15>>
func.func @all_of_l2_normalize(%input: !map, %init: !out) -> !out {
  // N1
  // expected-error @below {{expected tile of dimension 0 to be whole, as the kernel needs all of it at once, but got offset ? and size 2}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.l2_normalize ins(%input : !map) outs(%init : !out) {tile = 0}
    -> !out
  return %result : !out
}

// -----

// A position counts all elements of the input.
!map = tensor<4x8x!mli.sa8<3:6:-5>>
!positions = tensor<4x2x!mli.sa32<1:0:0>>
func.func @slices_of_argmax(%input: !map, %init: !positions) -> !positions {
  // N1
  // expected-error @below {{expected tile of dimension 0 to be whole, as the kernel needs all of it at once, but got offset ? and size 2}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.argmax ins(%input : !map) outs(%init : !positions)
    {axis = 0 : i32, topk = 2 : i32, tile = 0} -> !positions
  return %result : !positions
}

// -----

!in = tensor<6x16x!mli.fx16<12>>
!state = tensor<8x!mli.fx16<15>>
!weights = tensor<3x16x8x!mli.fx16<13>>
!recurrent = tensor<3x8x8x!mli.fx16<13>>
!bias = tensor<3x8x!mli.fx16<13>>
!out = tensor<6x8x!mli.fx16<15>>
func.func @steps_of_a_cell(%input: !in, %state: !state, %weights: !weights,
                           %recurrent: !recurrent, %bias: !bias, %init: !out)
    -> !out {
  // N1
  // expected-error @below {{expected tile of dimension 0 to be whole, as the kernel needs all of it at once, but got offset ? and size 2}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.gru_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%init : !out) {all_results, tile = 0} -> !out
  return %result : !out
}

// -----

!map = tensor<8x8x3x!mli.sa8<1:4:-128>>
!weights = tensor<3x3x3x4x!mli.sa8<axis = 3, {5:10:0, 7:10:0, 9:10:0, 3:10:0}>>
!bias = tensor<4x!mli.sa32<axis = 0, {5:14:0, 7:14:0, 9:14:0, 3:14:0}>>
!out = tensor<6x6x4x!mli.sa8<1:4:-128>>
func.func @loop_over_parameters(%input: !map, %weights: !weights, %bias: !bias,
                                %init: !out) -> !out {
  // N2
  // expected-error @below {{expected tile of dimension 2 to have a constant offset and size, as it cuts the quantised axis 3 of operand 1, but got offset ? and size 2}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {tile = 2} -> !out
  return %result : !out
}

// -----

!in = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x2x6x!mli.fx16<14>>
!bias = tensor<6x!mli.fx16<10>>
!out = tensor<6x6x6x!mli.fx16<9>>
func.func @tiles_across_groups(%input: !in, %weights: !weights, %bias: !bias,
                               %init: !out) -> !out {
  // N3
  // expected-error @below {{expected tile of dimension 2 to be whole groups of 3 filters, or part of one, but got offset ? and size 2}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.group_conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {tile = 2} -> !out
  return %result : !out
}

// -----

!in = tensor<8x8x?x!mli.fx16<10>>
!weights = tensor<3x3x2x6x!mli.fx16<14>>
!bias = tensor<6x!mli.fx16<10>>
!out = tensor<6x6x6x!mli.fx16<9>>
func.func @unknown_groups(%input: !in, %weights: !weights, %bias: !bias,
                          %init: !out) -> !out {
  // N3
  // expected-error @below {{expected tile of dimension 2 to be whole, as the filters of a group are not known, but got offset ? and size 2}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.group_conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {tile = 2} -> !out
  return %result : !out
}

// -----

!in = tensor<6x6x4x!mli.fx8<5>>
!padded = tensor<8x8x4x!mli.fx8<5>>
func.func @loop_over_padding(%source: !in, %init: !padded) -> !padded {
  // N4
  // expected-error @below {{expected tile of dimension 0 to have a constant offset, as the move pads it, but got offset ? and size 2}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.mov ins(%source : !in) outs(%init : !padded)
    {pad_low = array<i64: 1, 1, 0>, pad_high = array<i64: 1, 1, 0>, tile = 0}
    -> !padded
  return %result : !padded
}

// -----

!in = tensor<6x5x!mli.fx8<5>>
!padded = tensor<8x5x!mli.fx8<5>>
func.func @ragged_beside_padding(%source: !in, %init: !padded) -> !padded {
  // N5
  // expected-error @below {{expected tile of dimension 1 to have a constant size, as the move says its sizes, but got offset ? and size ?}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.mov ins(%source : !in) outs(%init : !padded)
    {pad_low = array<i64: 2, 0>, sizes = array<i64: 8, 5>, tile = 1} -> !padded
  return %result : !padded
}

// -----

!real = tensor<4x8xf32>
!codes = tensor<4x8x!mli.sa8<axis = 0, {5:10:0, 7:10:0, 9:10:0, 3:10:0}>>
func.func @result_of_many_scales(%input: !real, %init: !codes) -> !codes {
  // N2
  // expected-error @below {{expected tile of dimension 0 to have a constant offset and size, as it cuts the quantised axis 0 of operand 1, but got offset ? and size 2}}
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %result = mli.convert ins(%input : !real) outs(%init : !codes) {tile = 0}
    -> !codes
  return %result : !codes
}

// -----

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, start_npu = 2, strides = [128, 64, 5, 1]>
!placed = memref<4x5x3x!mli.fx16<12>, #aligned, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @placed_buffers(%map: !placed) {
    // N8
    // expected-error @below {{expected tile of dimension 0 to be whole, as operand 0 has a layout of local memory, but got offset ? and size 2}}
    // expected-error @below {{faild to tile operation}}
    // expected-error @below {{failed to generate tiling loops}}
    mli.relu ins(%map : !placed) outs(%map : !placed)
      {relu = #mli.relu<gen>, tile = 0}
    return
  }
}
