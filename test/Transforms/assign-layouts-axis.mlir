// RUN: mli-opt %s --mli-assign-layouts=matrices --verify-diagnostics

!filters = memref<1x1x8x2x!mli.sa8<axis = 3, {5:10:0, 7:10:0}>, #mli.space<local>>
!weights = memref<8x2x!mli.sa8<axis = 1, {5:10:0, 7:10:0}>, #mli.space<local>>
!in = memref<8x!mli.sa8<1:4:0>>
!bias = memref<2x!mli.sa32<axis = 0, {5:14:0, 7:14:0}>>
!out = memref<2x!mli.sa8<1:4:0>>
!map = memref<1x1x8x!mli.sa8<1:4:0>>
!result = memref<1x1x2x!mli.sa8<1:4:0>>

module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  // O14
  func.func @move_along_the_axis(%in: !in, %map: !map, %bias: !bias, %out: !out, %result: !result) {
    %0 = memref.alloc() : !filters
    %1 = mli.reshape %0 : !filters to !weights
    mli.conv2d ins(%map, %0, %bias : !map, !filters, !bias) outs(%result : !result) pad [0, 0, 0, 0]
    // expected-error @below {{expected operand 1 of 'mli.fully_connected' to be matrix, as weights of a product, but got compact, and no pass moves elements that are quantised along an axis}}
    mli.fully_connected ins(%in, %1, %bias : !in, !weights, !bias) outs(%out : !out)
    return
  }
}
