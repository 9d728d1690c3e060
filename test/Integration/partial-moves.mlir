// A move into a part of a buffer in local memory leaves the rest of it as it
// is, where the part cuts a channel of a matrix and a group of a mode, too.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/map.npy i2 2x2 1..4
// RUN: %python %S/Inputs/make-npy.py %t/column.npy i2 2x1 9 8
// RUN: %python %S/Inputs/make-npy.py %t/expected.npy i2 2x2 9 2 8 4
// RUN: mli-run %s --entry matrix --placement local --input %t/map.npy --input %t/column.npy --compare %t/expected.npy
// RUN: mli-run %s --entry mode --placement local --input %t/map.npy --input %t/column.npy --compare %t/expected.npy

#matrix = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 32768, start_npu = 2, columns = 2, strides = [16, 16, 2, 1]>
#narrow = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 32768, start_npu = 1, columns = 1, strides = [16, 16, 1, 1]>
#mode = #mli.layout<aligned, mode = 2N, dims = [w, n], npus = 4, npu_elements = 32768, strides = [16, 16, 2, 1]>
#line = #mli.layout<aligned, dims = [h, w], npus = 4, npu_elements = 32768, strides = [16, 16, 1, 1]>
!map = tensor<2x2x!mli.fx16<11>>
!column = tensor<2x1x!mli.fx16<11>>
!plain = memref<2x2x!mli.fx16<11>>
!plain_column = memref<2x1x!mli.fx16<11>>

module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 65536, unit = 32>} {
  func.func @matrix(%map: !map, %column: !column) -> !map {
    %local = mli.alloc : memref<2x2x!mli.fx16<11>, #matrix, #mli.space<local>>
    %from = bufferization.to_buffer %map read_only : !map to !plain
    memref.copy %from, %local : !plain to memref<2x2x!mli.fx16<11>, #matrix, #mli.space<local>>
    %part = mli.alloc : memref<2x1x!mli.fx16<11>, #narrow, #mli.space<local>>
    %other = bufferization.to_buffer %column read_only : !column to !plain_column
    memref.copy %other, %part : !plain_column to memref<2x1x!mli.fx16<11>, #narrow, #mli.space<local>>
    mli.mov ins(%part : memref<2x1x!mli.fx16<11>, #narrow, #mli.space<local>>)
      outs(%local : memref<2x2x!mli.fx16<11>, #matrix, #mli.space<local>>) {dst_offsets = array<i64: 0, 0>}
    %to = memref.alloc() : !plain
    memref.copy %local, %to : memref<2x2x!mli.fx16<11>, #matrix, #mli.space<local>> to !plain
    %result = bufferization.to_tensor %to restrict : !plain to !map
    return %result : !map
  }

  func.func @mode(%map: !map, %column: !column) -> !map {
    %local = mli.alloc : memref<2x2x!mli.fx16<11>, #mode, #mli.space<local>>
    %from = bufferization.to_buffer %map read_only : !map to !plain
    memref.copy %from, %local : !plain to memref<2x2x!mli.fx16<11>, #mode, #mli.space<local>>
    %part = mli.alloc : memref<2x1x!mli.fx16<11>, #line, #mli.space<local>>
    %other = bufferization.to_buffer %column read_only : !column to !plain_column
    memref.copy %other, %part : !plain_column to memref<2x1x!mli.fx16<11>, #line, #mli.space<local>>
    mli.mov ins(%part : memref<2x1x!mli.fx16<11>, #line, #mli.space<local>>)
      outs(%local : memref<2x2x!mli.fx16<11>, #mode, #mli.space<local>>) {dst_offsets = array<i64: 0, 0>}
    %to = memref.alloc() : !plain
    memref.copy %local, %to : memref<2x2x!mli.fx16<11>, #mode, #mli.space<local>> to !plain
    %result = bufferization.to_tensor %to restrict : !plain to !map
    return %result : !map
  }
}
