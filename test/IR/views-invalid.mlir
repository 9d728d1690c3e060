// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = tensor<4x4x!mli.fx8<3>>
func.func @block_as_buffer(%map: !map) {
  // D6
  // expected-error @below {{expected 'result' to be a tensor as 'source', but got 'memref<4x4x!mli.fx8<3>>'}}
  %0 = mli.subtensor %map[0, 0] [4, 4] : !map to memref<4x4x!mli.fx8<3>>
  return
}

// -----

!map = tensor<4x?x!mli.fx8<3>>
func.func @empty_block(%map: !map) {
  // V1
  // expected-error @below {{expected size of dimension 1 to be at least 1, but got 0}}
  %0 = mli.subtensor %map[0, 0] [4, 0] : !map to !map
  return
}

// -----

!map = tensor<4x4x!mli.fx8<3>>
func.func @block_beyond_source(%map: !map) {
  // V2
  // expected-error @below {{expected dimension 1 of 'source' to reach 5, the end of the block, but got 4}}
  %0 = mli.subtensor %map[0, 3] [4, 2] : !map to tensor<4x2x!mli.fx8<3>>
  return
}

// -----

!map = tensor<4x4x!mli.fx8<3>>
func.func @start_beyond_source(%map: !map, %size: index) {
  // V2
  // expected-error @below {{expected dimension 0 of 'source' to reach 5, the end of the block, but got 4}}
  %0 = mli.subtensor %map[4, 0] [%size, 4] : !map to tensor<?x4x!mli.fx8<3>>
  return
}

// -----

// A quantised axis of unknown size has as many indices as parameters.
!axis = tensor<?x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @block_beyond_parameters(%map: !axis) {
  // V2
  // expected-error @below {{expected dimension 0 of 'source' to reach 3, the end of the block, but got 2}}
  %0 = mli.subtensor %map[1] [2] : !axis to !axis
  return
}

// -----

!axis = tensor<2x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @unknown_parameters(%map: !axis, %at: index) {
  // V3
  // expected-error @below {{expected offset and size of the quantised axis 0 to be attributes, but got a value}}
  %0 = mli.subtensor %map[%at] [1] : !axis to tensor<1x!mli.sa8<axis = 0, {5:3:0}>>
  return
}

// -----

!axis = tensor<2x4x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @dropped_axis(%map: !axis) {
  // V4
  // expected-error @below {{expected 'result' to keep the quantised axis 0, but got rank 1, which drops it}}
  %0 = mli.subtensor %map[1, 0] [1, 1] : !axis to tensor<1x!mli.sa8<7:3:0>>
  return
}

// -----

!map = tensor<4x4x!mli.fx8<3>>
func.func @rank_of_block(%map: !map) {
  // V5
  // expected-error @below {{expected 'result' to have a rank in [1, 2], as dimensions of size 1 may be dropped, but got 0}}
  %0 = mli.subtensor %map[0, 0] [1, 4] : !map to tensor<!mli.fx8<3>>
  return
}

// -----

!map = tensor<4x4x!mli.fx8<3>>
func.func @higher_rank(%map: !map) {
  // V5
  // expected-error @below {{expected 'result' to have a rank in [1, 2], as dimensions of size 1 may be dropped, but got 3}}
  %0 = mli.subtensor %map[0, 0] [1, 4] : !map to tensor<1x1x4x!mli.fx8<3>>
  return
}

// -----

!map = memref<4x4x!mli.fx8<3>>
func.func @layout_of_block(%map: !map) {
  // V6
  // expected-error @below {{expected 'result' to be 'memref<2x4x!mli.fx8<3>, strided<[4, 1], offset: 4>>', but got 'memref<2x4x!mli.fx8<3>>'}}
  %0 = mli.subtensor %map[1, 0] [2, 4] : !map to memref<2x4x!mli.fx8<3>>
  return
}

// -----

!axis = tensor<2x4x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @parameters_of_block(%map: !axis) {
  // V6
  // expected-error @below {{expected 'result' to be 'tensor<1x4x!mli.sa8<axis = 0, {7:3:0}>>', but got 'tensor<1x4x!mli.sa8<axis = 0, {5:3:0}>>'}}
  %0 = mli.subtensor %map[1, 0] [1, 4] : !axis to tensor<1x4x!mli.sa8<axis = 0, {5:3:0}>>
  return
}

// -----

func.func @five_dimensions(%map: tensor<1x1x1x1x1xf32>) {
  // T1
  // expected-error @below {{expected 'source' to have at most 4 dimensions, but got 5}}
  %0 = mli.subtensor %map[0, 0, 0, 0, 0] [1, 1, 1, 1, 1]
    : tensor<1x1x1x1x1xf32> to tensor<1xf32>
  return
}

// -----

func.func @negative_offset(%map: tensor<4xf32>) {
  // expected-error @below {{expected offsets to be non-negative, but got -1}}
  %0 = mli.subtensor %map[-1] [1] : tensor<4xf32> to tensor<1xf32>
  return
}

// -----

func.func @unknown_memory() {
  // V7
  // expected-error @below {{expected 'result' to have a static shape, but got [?]}}
  %0 = mli.alloc : memref<?x!mli.fx8<3>>
  return
}

// -----

func.func @negative_address() {
  // V8
  // expected-error @below {{expected 'address' to be at least 0, but got -4}}
  %0 = mli.alloc {address = -4 : i64} : memref<4x!mli.fx8<3>>
  return
}

// -----

func.func @cut_element() {
  // V11
  // expected-error @below {{expected 'address' to be a multiple of the 2 bytes of an element, but got 5}}
  %0 = mli.alloc {address = 5 : i64} : memref<4x!mli.fx16<3>>
  return
}

// -----

func.func @count_beyond_rank(%map: tensor<4x4x!mli.fx8<3>>) {
  // H1
  // expected-error @below {{expected 'dim' to be in [0, 2], but got 3}}
  %0 = mli.elem_count %map {dim = 3 : i32} : tensor<4x4x!mli.fx8<3>>
  return
}

// -----

!swapped = memref<4x4x!mli.fx8<3>, affine_map<(i, j) -> (i mod 2, j)>>
func.func @block_without_strides(%map: !swapped) {
  // T6
  // expected-error @below {{expected 'source' to have a strided layout, but got 'memref<4x4x!mli.fx8<3>, affine_map<(d0, d1) -> (d0 mod 2, d1)>>'}}
  %0 = mli.subtensor %map[0, 0] [2, 2] : !swapped to memref<2x2x!mli.fx8<3>>
  return
}

// -----

#map = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 1024, strides = [32, 32, 8, 1]>
!map = memref<4x8x3x!mli.fx8<3>, #map, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @value_chooses_the_npu(%map: !map, %at: index) {
    // V9
    // expected-error @below {{expected offset and size of dimension 2, which decide the layout, to be attributes, but got a value}}
    %0 = mli.subtensor %map[0, 0, %at] [4, 8, 2] : !map to !map
    return
  }
}

// -----

#map = #mli.layout<compact, mode = 4N, dims = [n, w], npus = 4, npu_elements = 1024, strides = [8, 8, 8, 1]>
!map = memref<4x8x!mli.fx8<3>, #map, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024>} {
  func.func @cut_group(%map: !map) {
    // V10
    // expected-error @below {{expected a block that local memory has a view of, but got: expected 'offset.n' to be divisible by 4, but got 2}}
    %0 = mli.subtensor %map[2, 0] [2, 8] : !map to !map
    return
  }
}
