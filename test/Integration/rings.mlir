// Rows of rings that move up, in both placements.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 6x2 1..12

// Each row and the one two rows behind it: 1 + 5, 2 + 6, 3 + 7, ...
// RUN: %python %S/Inputs/make-npy.py %t/rows.npy i1 4x2 6 8 10 12 14 16 18 20
// RUN: mli-run %s --entry rows --input %t/in.npy --compare %t/rows.npy --stats | FileCheck %s
// RUN: mli-run %s --entry rows --input %t/in.npy --compare %t/rows.npy --placement local --target vpx
// CHECK: kernels: 1, moves: 2
// CHECK: moved up in rings: 24 bytes

// Columns of two channels as rows: the last two columns of each, and what was
// the second one.
// RUN: %python %S/Inputs/make-npy.py %t/columns.npy i1 2x2 3 5 9 11
// RUN: mli-run %s --entry columns --input %t/in.npy --compare %t/columns.npy
// RUN: mli-run %s --entry gaps --input %t/in.npy --compare %t/columns.npy

!map = tensor<6x2x!mli.fx8<3>>
!ring = tensor<3x2x!mli.fx8<3>>
!row = tensor<1x2x!mli.fx8<3>>
!sums = tensor<4x2x!mli.fx8<3>>
func.func @rows(%in: !map) -> !sums {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %ring0 = tensor.empty() : !ring
  %sums0 = tensor.empty() : !sums
  %all:2 = scf.for %i = %c0 to %c6 step %c1
      iter_args(%ring = %ring0, %sums = %sums0) -> (!ring, !sums) {
    %advanced = mli.advance outs(%ring : !ring) {rows = 1} -> !ring
    %row = tensor.extract_slice %in[%i, 0] [1, 2] [1, 1] : !map to !row
    %next = tensor.extract_slice %advanced[2, 0] [1, 2] [1, 1] : !ring to !row
    %copied = mli.mov ins(%row : !row) outs(%next : !row) -> !row
    %full = tensor.insert_slice %copied into %advanced[2, 0] [1, 2] [1, 1]
      : !row into !ring
    %is_full = arith.cmpi sge, %i, %c2 : index
    %written = scf.if %is_full -> (!sums) {
      %at = arith.subi %i, %c2 : index
      %first = tensor.extract_slice %full[0, 0] [1, 2] [1, 1] : !ring to !row
      %last = tensor.extract_slice %full[2, 0] [1, 2] [1, 1] : !ring to !row
      %init = tensor.extract_slice %sums[%at, 0] [1, 2] [1, 1] : !sums to !row
      %sum = mli.eltwise_add ins(%first, %last : !row, !row) outs(%init : !row)
        -> !row
      %inserted = tensor.insert_slice %sum into %sums[%at, 0] [1, 2] [1, 1]
        : !row into !sums
      scf.yield %inserted : !sums
    } else {
      scf.yield %sums : !sums
    }
    scf.yield %full, %written : !ring, !sums
  }
  return %all#1 : !sums
}

!columns = tensor<2x6x!mli.fx8<3>>
!two = tensor<2x2x!mli.fx8<3>>
func.func @columns(%in: !map) -> !two {
  %columns = mli.reshape %in : !map to !columns
  %ring0 = tensor.empty() : !columns
  %ring = mli.mov ins(%columns : !columns) outs(%ring0 : !columns)
    {reason = #mli.copy_reason<placed_elsewhere>} -> !columns
  %advanced = mli.advance outs(%ring : !columns) {rows = 2, dim = 1} -> !columns
  %init = tensor.empty() : !two
  %result = mli.mov ins(%advanced : !columns) outs(%init : !two)
    {sizes = array<i64: 2, 3>, steps = array<i64: 1, 2>} -> !two
  return %result : !two
}

// The same in a ring with gaps between its columns.
!wide = memref<2x6x2x!mli.fx8<3>>
!gaps = memref<2x6x1x!mli.fx8<3>, strided<[12, 2, 1]>>
func.func @gaps(%in: !map) -> !two {
  %from = bufferization.to_buffer %in read_only : !map to memref<6x2x!mli.fx8<3>>
  %columns = mli.reshape %from
    : memref<6x2x!mli.fx8<3>> to memref<2x6x1x!mli.fx8<3>>
  %wide = memref.alloc() : !wide
  %ring = mli.subtensor %wide[0, 0, 0] [2, 6, 1] : !wide to !gaps
  mli.mov ins(%columns : memref<2x6x1x!mli.fx8<3>>) outs(%ring : !gaps)
  mli.advance outs(%ring : !gaps) {rows = 2, dim = 1}
  %out = memref.alloc() : memref<2x2x1x!mli.fx8<3>>
  mli.mov ins(%ring : !gaps) outs(%out : memref<2x2x1x!mli.fx8<3>>)
    {sizes = array<i64: 2, 3, 1>, steps = array<i64: 1, 2, 1>}
  %flat = mli.reshape %out
    : memref<2x2x1x!mli.fx8<3>> to memref<2x2x!mli.fx8<3>>
  %result = bufferization.to_tensor %flat restrict : memref<2x2x!mli.fx8<3>> to !two
  return %result : !two
}
