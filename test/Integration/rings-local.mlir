// A ring in the local memory of one NPU, and of four, where the channels of its rows
// are over two of them. Each row and the one two rows behind it: 1 + 5, 2 + 6, ...
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 6x1x2 1..12
// RUN: %python %S/Inputs/make-npy.py %t/sums.npy i1 4x1x2 6 8 10 12 14 16 18 20
// RUN: mli-run %s --input %t/in.npy --compare %t/sums.npy --placement local --target vpx --stats | FileCheck %s
// RUN: mli-run %s --input %t/in.npy --compare %t/sums.npy --placement local --target vpx --double-buffer on
// RUN: mli-run %s --input %t/in.npy --compare %t/sums.npy --placement local --target custom,npus=4,npu-bytes=4096

// What moves up in a ring is counted by itself.
// CHECK: moved up in rings: 24 bytes
// CHECK: moved 20 bytes, 12 in and 8 out: 1.000 of the least 20

!map = tensor<6x1x2x!mli.fx8<3>>
!row = tensor<1x1x2x!mli.fx8<3>>
!sums = tensor<4x1x2x!mli.fx8<3>>
!local_ring = tensor<3x1x2x!mli.fx8<3>, #mli.space<local>>
!local_row = tensor<1x1x2x!mli.fx8<3>, #mli.space<local>>
func.func @main(%in: !map) -> !sums {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %ring0 = tensor.empty() : !local_ring
  %sums0 = tensor.empty() : !sums
  %all:2 = scf.for %i = %c0 to %c6 step %c1
      iter_args(%ring = %ring0, %sums = %sums0) -> (!local_ring, !sums) {
    %advanced = mli.advance outs(%ring : !local_ring) {rows = 1} -> !local_ring
    %row = tensor.extract_slice %in[%i, 0, 0] [1, 1, 2] [1, 1, 1] : !map to !row
    %next = tensor.extract_slice %advanced[2, 0, 0] [1, 1, 2] [1, 1, 1]
      : !local_ring to !local_row
    %copied = mli.mov ins(%row : !row) outs(%next : !local_row) -> !local_row
    %full = tensor.insert_slice %copied into %advanced[2, 0, 0] [1, 1, 2] [1, 1, 1]
      : !local_row into !local_ring
    %is_full = arith.cmpi sge, %i, %c2 : index
    %written = scf.if %is_full -> (!sums) {
      %at = arith.subi %i, %c2 : index
      %first = tensor.extract_slice %full[0, 0, 0] [1, 1, 2] [1, 1, 1]
        : !local_ring to !local_row
      %last = tensor.extract_slice %full[2, 0, 0] [1, 1, 2] [1, 1, 1]
        : !local_ring to !local_row
      %sum0 = tensor.empty() : !local_row
      %sum = mli.eltwise_add ins(%first, %last : !local_row, !local_row)
        outs(%sum0 : !local_row) -> !local_row
      %init = tensor.extract_slice %sums[%at, 0, 0] [1, 1, 2] [1, 1, 1] : !sums to !row
      %moved = mli.mov ins(%sum : !local_row) outs(%init : !row) -> !row
      %inserted = tensor.insert_slice %moved into %sums[%at, 0, 0] [1, 1, 2] [1, 1, 1]
        : !row into !sums
      scf.yield %inserted : !sums
    } else {
      scf.yield %sums : !sums
    }
    scf.yield %full, %written : !local_ring, !sums
  }
  return %all#1 : !sums
}
