// Rules of types that hold for one operation are not checked again for another
// that is alike: each of these pairs differs in one thing alone.
//
// RUN: mli-opt %s --split-input-file --verify-diagnostics --mlir-disable-threading
// RUN: mli-opt %s --split-input-file --verify-diagnostics

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [64, 64, 5, 1]>
!map = memref<4x5x3x!mli.fx16<12>, #aligned, #mli.space<local>>
module {
  module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
    func.func @target(%map: !map) {
      mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
      return
    }
  }
  module attributes {mli.target = #mli.target<custom, npus = 8, npu_bytes = 16384>} {
    func.func @other_target(%map: !map) {
      // S9
      // expected-error @below {{expected layout of 'input' to have the 8 NPUs of 'mli.target', but got 4}}
      mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
      return
    }
  }
}

// -----

#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 8192, strides = [64, 64, 5, 1]>
!map = memref<4x5x3x!mli.fx16<12>, #aligned, #mli.space<local>>
module {
  module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
    func.func @target(%map: !map) {
      mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
      return
    }
  }
  func.func @no_target(%map: !map) {
    // S5
    // expected-error @below {{expected 'mli.target' to be on a module around, but got none}}
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    return
  }
}

// -----

!map = tensor<4x4x!mli.fx8<3>>
!row = tensor<1x4x!mli.fx8<3>>
func.func @offset_given_as_size(%map: !map, %i: index) {
  %0 = mli.subtensor %map[%i, 0] [1, 4] : !map to !row
  // expected-error @below {{expected the number of 'sizes' to match the number of dynamic entries in 'static_sizes' (1 vs 0)}}
  %1 = "mli.subtensor"(%map, %i) <{
    operandSegmentSizes = array<i32: 1, 0, 1>,
    static_offsets = array<i64: -9223372036854775808, 0>,
    static_sizes = array<i64: 1, 4>}> : (!map, index) -> !row
  return
}

// -----

!map = tensor<4x4x!mli.fx8<3>>
!half = tensor<4x2x!mli.fx8<3>>
func.func @other_offset(%map: !map) {
  %0 = mli.subtensor %map[0, 2] [4, 2] : !map to !half
  // V2
  // expected-error @below {{expected dimension 1 of 'source' to reach 5, the end of the block, but got 4}}
  %1 = mli.subtensor %map[0, 3] [4, 2] : !map to !half
  return
}

// -----

!map = tensor<4x4x!mli.fx8<3>>
!half = tensor<4x2x!mli.fx8<3>>
func.func @other_size(%map: !map) {
  %0 = mli.subtensor %map[0, 2] [4, 2] : !map to !half
  // V2
  // expected-error @below {{expected dimension 1 of 'source' to reach 5, the end of the block, but got 4}}
  %1 = mli.subtensor %map[0, 2] [4, 3] : !map to !half
  return
}

// -----

// What fails is checked again.
!map = tensor<4x4x!mli.fx8<3>>
!half = tensor<4x2x!mli.fx8<3>>
func.func @both_invalid(%map: !map) {
  // V2
  // expected-error @below {{expected dimension 1 of 'source' to reach 5, the end of the block, but got 4}}
  %0 = mli.subtensor %map[0, 3] [4, 2] : !map to !half
  return
}
func.func @again(%map: !map) {
  // V2
  // expected-error @below {{expected dimension 1 of 'source' to reach 5, the end of the block, but got 4}}
  %0 = mli.subtensor %map[0, 3] [4, 2] : !map to !half
  return
}

// -----

!map = memref<4x4x!mli.fx8<3>>
!half = memref<2x4x!mli.fx8<3>>
func.func @other_offset_of_move(%map: !map, %init: !half) {
  mli.mov ins(%map : !map) outs(%init : !half) {offsets = array<i64: 2, 0>, sizes = array<i64: 2, 4>}
  // D16
  // expected-error @below {{expected dimension 0 of 'input' with padding to reach 5, the end of the slice, but got 4}}
  mli.mov ins(%map : !map) outs(%init : !half) {offsets = array<i64: 3, 0>, sizes = array<i64: 2, 4>}
  return
}

// -----

!map = memref<4x4x!mli.fx8<3>>
!half = memref<2x4x!mli.fx8<3>>
func.func @other_size_of_move(%map: !map, %init: !half) {
  mli.mov ins(%map : !map) outs(%init : !half) {offsets = array<i64: 1, 0>, sizes = array<i64: 2, 4>}
  // D17
  // expected-error @below {{expected dimension 0 of 'init' to hold the 3 elements written from 0, but got 2}}
  mli.mov ins(%map : !map) outs(%init : !half) {offsets = array<i64: 1, 0>, sizes = array<i64: 3, 4>}
  return
}

// -----

!map = memref<4x4x!mli.fx8<3>>
func.func @other_permutation(%map: !map, %init: !map) {
  mli.mov ins(%map : !map) outs(%init : !map) {permutation = array<i64: 1, 0>}
  // expected-error @below {{expected 'permutation' to name each dimension once, but got [1, 1]}}
  mli.mov ins(%map : !map) outs(%init : !map) {permutation = array<i64: 1, 1>}
  return
}

// -----

!map = memref<4x4x!mli.fx8<3>>
!half = memref<2x4x!mli.fx8<3>>
func.func @other_part(%half: !half, %init: !map) {
  mli.mov ins(%half : !half) outs(%init : !map) {dst_offsets = array<i64: 2, 0>}
  // D17
  // expected-error @below {{expected dimension 0 of 'init' to hold the 2 elements written from 3, but got 4}}
  mli.mov ins(%half : !half) outs(%init : !map) {dst_offsets = array<i64: 3, 0>}
  return
}

// -----

!map = memref<4x4x4x!mli.fx16<7>>
!weights = memref<3x3x4x4x!mli.fx16<7>>
!bias = memref<4x!mli.fx16<7>>
func.func @other_padding(%map: !map, %weights: !weights, %bias: !bias, %init: !map) {
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
      outs(%init : !map) pad [1, 1, 1, 1] {strides = array<i64: 1, 1>}
  // T17
  // expected-error @below {{expected dimension 0 of 'input' with padding to be at least 6, which 4 windows need, but got 5}}
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
      outs(%init : !map) pad [1, 0, 1, 1] {strides = array<i64: 1, 1>}
  return
}

// -----

!map = memref<4x4x4x!mli.fx16<7>>
!weights = memref<3x3x4x4x!mli.fx16<7>>
!bias = memref<4x!mli.fx16<7>>
func.func @other_dilations(%map: !map, %weights: !weights, %bias: !bias, %init: !map) {
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
      outs(%init : !map) pad [1, 1, 1, 1] {strides = array<i64: 1, 1>}
  // T17
  // expected-error @below {{expected dimension 0 of 'input' with padding to be at least 8, which 4 windows need, but got 6}}
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
      outs(%init : !map) pad [1, 1, 1, 1] {dilations = array<i64: 2, 1>, strides = array<i64: 1, 1>}
  return
}

// -----

!map = memref<4x4x4x!mli.fx16<7>>
!weights = memref<3x3x4x4x!mli.fx16<7>>
!bias = memref<4x!mli.fx16<7>>
func.func @other_strides(%map: !map, %weights: !weights, %bias: !bias, %init: !map) {
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
      outs(%init : !map) pad [1, 1, 1, 1] {strides = array<i64: 1, 1>}
  // T17
  // expected-error @below {{expected dimension 0 of 'input' with padding to be at least 9, which 4 windows need, but got 6}}
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
      outs(%init : !map) pad [1, 1, 1, 1] {strides = array<i64: 2, 1>}
  return
}

// -----

!map = memref<4x4x4x!mli.fx16<7>>
!weights = memref<3x3x4x4x!mli.fx16<7>>
!bias = memref<4x!mli.fx16<7>>
func.func @other_buffer(%map: !map, %weights: !weights, %bias: !bias, %init: !map) {
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
      outs(%init : !map) pad [1, 1, 1, 1] {strides = array<i64: 1, 1>}
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'input', but got the same}}
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
      outs(%map : !map) pad [1, 1, 1, 1] {strides = array<i64: 1, 1>}
  return
}

// -----

!map = memref<4x4x!mli.fx8<3>, #mli.space<local>>
!view = memref<2x4x!mli.fx8<3>, strided<[4, 1]>, #mli.space<local>>
module attributes {mli.target = #mli.target<bm1684>} {
  // What is a view of a buffer without a layout gets one with it.
  func.func @other_origin(%map: !map, %init: !map, %view: !view) {
    %0 = mli.subtensor %map[0, 0] [2, 4] : !map to !view
    mli.relu ins(%0 : !view) outs(%0 : !view) {relu = #mli.relu<gen>}
    // S8
    // expected-error @below {{expected 'input' to have an mli layout on 64 NPUs, but got 'memref<2x4x!mli.fx8<3>, strided<[4, 1]>, #mli.space<local>>'}}
    mli.relu ins(%view : !view) outs(%view : !view) {relu = #mli.relu<gen>}
    return
  }
}
