// RUN: mli-opt %s --mli-assign-layouts --split-input-file --verify-diagnostics
// RUN: echo "module {}" | not mli-opt --mli-assign-layouts=mode=2IC 2>&1 | FileCheck %s
// CHECK: for the --mode option: Cannot find option named '2IC'!

!map = memref<8x8x3x!mli.fx8<3>, #mli.space<local>>

module attributes {mli.target = #mli.target<bm1684>} {
  // O11
  // expected-error @below {{expected argument 0 of 'argument' to have an mli layout in local memory, but got 'memref<8x8x3x!mli.fx8<3>, #mli.space<local>>'}}
  func.func @argument(%map: !map) {
    return
  }
}

// -----

!map = memref<8x8x3x!mli.fx8<3>, #mli.space<local>>

module attributes {mli.target = #mli.target<bm1684>} {
  memref.global "private" @data : !map
  // O11
  func.func @from_elsewhere() {
    // expected-error @below {{'memref.get_global' op expected a buffer in local memory without a layout to be allocated in its function, but got 'memref<8x8x3x!mli.fx8<3>, #mli.space<local>>'}}
    %0 = memref.get_global @data : !map
    return
  }
}

// -----

!map = memref<8x8x3x!mli.fx8<3>, #mli.space<local>>
!row = memref<192x!mli.fx8<3>, #mli.space<local>>

module attributes {mli.target = #mli.target<bm1684>} {
  // O11
  func.func @to_elsewhere() {
    %0 = memref.alloc() : !map
    // expected-error @below {{'memref.collapse_shape' op expected operand 0 to be in system memory, or to have an mli layout, but got 'memref<8x8x3x!mli.fx8<3>, #mli.space<local>>'}}
    %1 = memref.collapse_shape %0 [[0, 1, 2]] : !map into !row
    return
  }
}

// -----

!map = memref<?x8x3x!mli.fx8<3>, #mli.space<local>>

module attributes {mli.target = #mli.target<bm1684>} {
  // O11
  func.func @dynamic(%n: index) {
    // expected-error @below {{expected a buffer in local memory to have up to four static dimensions and elements of whole bytes, but got 'memref<?x8x3x!mli.fx8<3>, #mli.space<local>>'}}
    %0 = memref.alloc(%n) : !map
    return
  }
}

// -----

!map = memref<256x256x65x!mli.fx8<3>, #mli.space<local>>

module attributes {mli.target = #mli.target<bm1684, npu_bytes = 65536>} {
  // O11
  func.func @too_large() {
    // expected-error @below {{expected a buffer that local memory has a layout for, but got: expected 'bytes_per_npu' to be at most 65536, but got 131072}}
    %0 = memref.alloc() : !map
    return
  }
}

// -----

// S5
!map = memref<8x8x3x!mli.fx8<3>, #mli.space<local>>
// expected-error @below {{'func.func' op expected 'mli.target' to be on a module around, but got none}}
func.func @no_target() {
  %0 = memref.alloc() : !map
  return
}

// -----

!map = memref<8x8x6x!mli.fx8<3>, #mli.space<local>>
!part = memref<8x8x2x!mli.fx8<3>, strided<[48, 6, 1], offset: ?>, #mli.space<local>>

module attributes {mli.target = #mli.target<bm1684>} {
  func.func @channel_that_is_a_value(%c: index) {
    %0 = memref.alloc() : !map
    // expected-error @below {{expected offset and size of dimension 2, which decide the layout, to be attributes, but got a value}}
    %1 = mli.subtensor %0[0, 0, %c] [8, 8, 2] : !map to !part
    mli.relu ins(%1 : !part) outs(%1 : !part) {relu = #mli.relu<gen>}
    return
  }
}

// -----

!map = memref<8x8x6x!mli.fx8<3>, #mli.space<local>>
!taller = memref<9x8x6x!mli.fx8<3>, #mli.space<local>>
!part = memref<8x8x3x!mli.fx8<3>, strided<[48, 6, 1], offset: 3>, #mli.space<local>>

module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 8>} {
  // O11
  func.func @two_layouts(%which: i1) {
    %0 = memref.alloc() : !map
    %1 = memref.alloc() : !taller
    %2 = mli.subtensor %0[0, 0, 3] [8, 8, 3] : !map to !part
    %3 = mli.subtensor %1[0, 0, 3] [8, 8, 3] : !taller to !part
    // expected-error @below {{expected values that control flow forwards to have one layout, but got 'memref<8x8x3x!mli.fx8<3>, #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, start_npu = 3, strides = [128, 64, 8, 1]>, #mli.space<local>>' and 'memref<8x8x3x!mli.fx8<3>, #mli.layout<strided, dims = [h, w, c], npus = 4, npu_elements = 16384, start_npu = 3, strides = [144, 72, 8, 1]>, #mli.space<local>>'}}
    %4 = arith.select %which, %2, %3 : !part
    mli.relu ins(%4 : !part) outs(%4 : !part) {relu = #mli.relu<gen>}
    return
  }
}

// -----

!filters = memref<2x2x2x2x!mli.sa8<axis = 3, {5:10:0, 7:10:0}>, #mli.space<local>>
!weights = memref<8x2x!mli.sa8<axis = 1, {5:10:0, 7:10:0}>, #mli.space<local>>
!in = memref<8x!mli.sa8<1:4:0>>
!bias = memref<2x!mli.sa32<axis = 0, {5:14:0, 7:14:0}>>
!out = memref<2x!mli.sa8<1:4:0>>
!map = memref<2x2x2x!mli.sa8<1:4:0>>
!result = memref<1x1x2x!mli.sa8<1:4:0>>

module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  // O15
  func.func @reshape_along_the_axis(%in: !in, %map: !map, %bias: !bias, %out: !out, %result: !result) {
    %0 = memref.alloc() : !filters
    // expected-error @below {{expected each element of a reshape to keep its address, but got compact, and no pass moves elements that are quantised along an axis}}
    %1 = mli.reshape %0 : !filters to !weights
    mli.conv2d ins(%map, %0, %bias : !map, !filters, !bias) outs(%result : !result) pad [0, 0, 0, 0]
    mli.fully_connected ins(%in, %1, %bias : !in, !weights, !bias) outs(%out : !out)
    return
  }
}

// -----

!map = memref<4x8x40x!mli.fx8<3>, #mli.space<local>>
!row = memref<1280x!mli.fx8<3>, #mli.space<local>>
!half = memref<640x!mli.fx8<3>, strided<[1]>, #mli.space<local>>

module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  // O15
  func.func @view_of_reshape(%out: memref<640x!mli.fx8<3>>) {
    %0 = memref.alloc() : !map
    // expected-error @below {{expected users of a reshape that is copied to read or write it, but got 'mli.subtensor'}}
    %1 = mli.reshape %0 : !map to !row
    %2 = mli.subtensor %1[0] [640] : !row to !half
    mli.mov ins(%2 : !half) outs(%out : memref<640x!mli.fx8<3>>)
    return
  }
}
