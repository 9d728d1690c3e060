// Slices that are neither views nor moves.
// RUN: mli-opt %s --mli-legalize-subtensors --split-input-file --verify-diagnostics

!weights = tensor<4x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
func.func @value_on_the_axis(%weights: !weights, %at: index) {
  // expected-error @below {{expected offset and size of the quantised axis 1 to be attributes, but got a value}}
  %0 = tensor.extract_slice %weights[0, %at] [4, 2] [1, 1] : !weights to !weights
  return
}

// -----

!row = tensor<8x!mli.fx8<3>>
func.func @backwards(%row: !row) -> tensor<2x!mli.fx8<3>> {
  // expected-error @below {{expected step of dimension 0 to be at least 1, but got -1}}
  %0 = tensor.extract_slice %row[7] [2] [-1] : !row to tensor<2x!mli.fx8<3>>
  return %0 : tensor<2x!mli.fx8<3>>
}

// -----

!row = tensor<2x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @backwards_along_the_axis(%row: !row) {
  // expected-error @below {{expected step of dimension 0 to be at least 1, but got -1}}
  %0 = tensor.extract_slice %row[0] [2] [-1] : !row to !row
  return
}

// -----

!weights = tensor<4x?x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
func.func @behind_the_parameters(%weights: !weights) {
  // V2
  // expected-error @below {{expected a slice along the quantised axis 1 to end at 2, with its parameters, but got 3}}
  %0 = tensor.extract_slice %weights[0, 1] [4, 2] [1, 1] : !weights to tensor<4x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
  return
}

// -----

// A tensor whose parameters are not as many is none of this dialect.
!weights = tensor<4x4x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
func.func @other_parameters(%weights: !weights) {
  %0 = tensor.extract_slice %weights[0, 2] [4, 2] [1, 1] : !weights to tensor<4x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
  return
}

// -----

!weights = tensor<4x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
!row = tensor<4x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
func.func @axis_is_dropped(%weights: !weights) {
  // expected-error @below {{expected the quantised axis 1 to be kept, but got rank 1, which drops it}}
  %0 = tensor.extract_slice %weights[0, 1] [4, 1] [1, 1] : !weights to !row
  return
}

// -----

!weights = tensor<4x4x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 3:3:0, 2:3:0}>>
!half = tensor<4x2x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 3:3:0, 2:3:0}>>
func.func @type_cannot_follow(%weights: !weights) -> !half {
  // expected-error @below {{expected users of a slice along the quantised axis to be of 'mli', but got 'func.return', whose type cannot follow}}
  %0 = tensor.extract_slice %weights[0, 2] [4, 2] [1, 1] : !weights to !half
  return %0 : !half
}

// -----

!weights = tensor<4x4x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 3:3:0, 2:3:0}>>
!rows = tensor<2x4x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 3:3:0, 2:3:0}>>
func.func @step_of_an_axis(%weights: !weights) -> !rows {
  // expected-error @below {{expected a view, as no pass moves elements that are quantised along axis 1, but got: expected step of dimension 0 to be 1, but got 2}}
  %0 = tensor.extract_slice %weights[0, 0] [2, 4] [2, 1] : !weights to !rows
  return %0 : !rows
}

// -----

!map = tensor<4x4x!mli.fx8<3>>
func.func @step_is_a_value(%map: !map, %step: index) -> tensor<2x4x!mli.fx8<3>> {
  // expected-error @below {{expected step of dimension 0 to be 1, but got a value}}
  %0 = tensor.extract_slice %map[0, 0] [2, 4] [%step, 1]
    : !map to tensor<2x4x!mli.fx8<3>>
  return %0 : tensor<2x4x!mli.fx8<3>>
}

// -----

!map = tensor<2x3x!mli.fx8<3>>
func.func @padding_is_a_value(%map: !map, %code: !mli.fx8<3>)
    -> tensor<4x4x!mli.fx8<3>> {
  // expected-error @below {{expected 'tensor.pad' to have a constant as value and known padding, but got values}}
  %0 = tensor.pad %map low[1, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to tensor<4x4x!mli.fx8<3>>
  return %0 : tensor<4x4x!mli.fx8<3>>
}

// -----

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!part = memref<4x8x2x!mli.fx8<3>, strided<[8, 1, 1024], offset: ?>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @channel_is_a_value(%map: !map, %out: memref<4x8x2x!mli.fx8<3>>, %at: index) {
    // expected-error @below {{expected offset and size of dimension 2, which decide the layout, to be attributes, but got a value}}
    %0 = memref.subview %map[0, 0, %at] [4, 8, 2] [1, 1, 1] : !map to !part
    memref.copy %0, %out : !part to memref<4x8x2x!mli.fx8<3>>
    return
  }
}

// -----

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!part = memref<4x4x3x!mli.fx8<3>, strided<[8, 1, 1024], offset: ?>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @start_is_a_value(%map: !map, %out: memref<4x4x3x!mli.fx8<3>>, %at: index) {
    // expected-error @below {{expected a view, as no move in local memory takes an offset that is a value, but got: expected start in local memory to be divisible by 4, but got 1}}
    %0 = memref.subview %map[0, %at, 0] [4, 4, 3] [1, 1, 1] : !map to !part
    memref.copy %0, %out : !part to memref<4x4x3x!mli.fx8<3>>
    return
  }
}

// -----

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!part = memref<?x8x3x!mli.fx8<3>, strided<[16, 1, 1024]>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @size_is_a_value(%map: !map, %out: memref<?x8x3x!mli.fx8<3>>, %size: index) {
    // expected-error @below {{expected a view, as no move in local memory takes a size that is a value, but got: expected step of dimension 0 to be 1, but got 2}}
    %0 = memref.subview %map[0, 0, 0] [%size, 8, 3] [2, 1, 1] : !map to !part
    memref.copy %0, %out : !part to memref<?x8x3x!mli.fx8<3>>
    return
  }
}

// -----

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!odd = memref<4x6x3x!mli.fx8<3>, strided<[8, 1, 1024], offset: 2>, #mli.space<local>>
!row = memref<4x!mli.fx8<3>, strided<[1], offset: 2>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @cast_of_a_copy(%map: !map, %out: memref<4x!mli.fx8<3>>) {
    // expected-error @below {{expected users of a slice that is copied to read or write it, but got 'memref.reinterpret_cast'}}
    %0 = memref.subview %map[0, 2, 0] [4, 6, 3] [1, 1, 1] : !map to !odd
    %1 = memref.reinterpret_cast %0 to offset: [2], sizes: [4], strides: [1]
      : !odd to !row
    memref.copy %1, %out : !row to memref<4x!mli.fx8<3>>
    return
  }
}

// -----

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!part = memref<4x8x2x!mli.fx8<3>, strided<[8, 1, 1024]>, #mli.space<local>>
func.func @no_target(%map: !map, %out: memref<4x8x2x!mli.fx8<3>>) {
  // expected-error @below {{expected 'mli.target' to be on a module around, but got none}}
  %0 = memref.subview %map[0, 0, 0] [4, 8, 2] [1, 1, 1] : !map to !part
  memref.copy %0, %out : !part to memref<4x8x2x!mli.fx8<3>>
  return
}

// -----

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
!part = memref<2x8x3x!mli.fx8<3>, strided<[8, 1, 1024], offset: 8>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @fixed_type(%map: !map) -> !part {
    // expected-error @below {{expected users of a slice in local memory to take any layout, but got one of a fixed type}}
    %0 = memref.subview %map[1, 0, 0] [2, 8, 3] [1, 1, 1] : !map to !part
    return %0 : !part
  }
}

// -----

func.func @no_elements(%row: tensor<4x!mli.fx8<3>>) -> tensor<0x!mli.fx8<3>> {
  // expected-error @below {{expected size of dimension 0 to be at least 1, but got 0}}
  %0 = tensor.extract_slice %row[0] [0] [1]
    : tensor<4x!mli.fx8<3>> to tensor<0x!mli.fx8<3>>
  return %0 : tensor<0x!mli.fx8<3>>
}

// -----

func.func @nothing_is_left(%map: tensor<3x7x!mli.fx8<3>>)
    -> tensor<4x7x!mli.fx8<3>> {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  // expected-error @below {{expected padding that leaves elements of the source, but got [-4, 0] before and [5, 0] after}}
  %0 = tensor.pad %map low[-4, 0] high[5, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : tensor<3x7x!mli.fx8<3>> to tensor<4x7x!mli.fx8<3>>
  return %0 : tensor<4x7x!mli.fx8<3>>
}

// -----

// What lies behind a cast may be too small for the slice.
func.func @outside_of_cast(%map: tensor<4x4x!mli.fx8<7>>)
    -> tensor<3x4x!mli.fx8<7>> {
  %0 = tensor.cast %map : tensor<4x4x!mli.fx8<7>> to tensor<?x4x!mli.fx8<7>>
  // expected-error @below {{'mli.subtensor' op expected dimension 0 of 'source' to reach 6, the end of the block, but got 4}}
  %1 = tensor.extract_slice %0[3, 0] [3, 4] [1, 1]
    : tensor<?x4x!mli.fx8<7>> to tensor<3x4x!mli.fx8<7>>
  return %1 : tensor<3x4x!mli.fx8<7>>
}
