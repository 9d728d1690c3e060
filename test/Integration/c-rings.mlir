// A stream of rows as C: rows of a map through a ring, two of them for each row of
// windows, in loops and conditions whose indices are computed.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 8x6x2 -48..47
// RUN: %python %S/Inputs/c-package.py %build %t/c %s %t/in.npy | FileCheck %s
// RUN: %python %S/Inputs/c-package.py %build %t/hook %s %t/in.npy -- --moves hook | FileCheck %s
// CHECK: 1 runs, 3 packages: the same

// The greatest of each window, and none below 0.
// RUN: %python %S/Inputs/make-npy.py %t/windows.npy i1 3x4x2 0 0 0 0 0 0 0 0 16..23 40..47
// RUN: mli-run %s --input %t/in.npy --compare %t/windows.npy

!map = tensor<8x6x2x!mli.fx8<3>>
!ring = tensor<3x6x2x!mli.fx8<3>>
!row = tensor<1x6x2x!mli.fx8<3>>
!windows = tensor<3x4x2x!mli.fx8<3>>
!window = tensor<1x4x2x!mli.fx8<3>>
func.func @main(%in: !map) -> !windows {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %ring0 = tensor.empty() : !ring
  %windows0 = tensor.empty() : !windows
  %all:2 = scf.for %j = %c0 to %c4 step %c1
      iter_args(%before = %ring0, %windows = %windows0) -> (!ring, !windows) {
    %ring = scf.for %s = %c0 to %c2 step %c1 iter_args(%old = %before) -> !ring {
      %i = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%j, %s)
      %wrapped = arith.remui %i, %c8 : index
      %signed = arith.remsi %wrapped, %c9 : index
      %most = arith.minsi %signed, %c7 : index
      %at = arith.maxsi %most, %c0 : index
      %advanced = mli.advance outs(%old : !ring) {rows = 1} -> !ring
      %source = tensor.extract_slice %in[%at, 0, 0] [1, 6, 2] [1, 1, 1] : !map to !row
      %place = tensor.extract_slice %advanced[2, 0, 0] [1, 6, 2] [1, 1, 1] : !ring to !row
      %made = mli.relu ins(%source : !row) outs(%place : !row)
        {relu = #mli.relu<gen>} -> !row
      %new = tensor.insert_slice %made into %advanced[2, 0, 0] [1, 6, 2] [1, 1, 1]
        : !row into !ring
      scf.yield %new : !ring
    }
    %is_full = arith.cmpi sge, %j, %c1 : index
    %is_inside = arith.cmpi slt, %j, %c4 : index
    %both = arith.andi %is_full, %is_inside : i1
    %written = scf.if %both -> (!windows) {
      %less = arith.subi %j, %c1 : index
      %row = arith.select %is_full, %less, %c0 : index
      %init = tensor.extract_slice %windows[%row, 0, 0] [1, 4, 2] [1, 1, 1]
        : !windows to !window
      %pooled = mli.maxpool ins(%ring : !ring) outs(%init : !window) kernel [3, 3]
        pad [0, 0, 0, 0] -> !window
      %inserted = tensor.insert_slice %pooled into %windows[%row, 0, 0] [1, 4, 2]
        [1, 1, 1] : !window into !windows
      scf.yield %inserted : !windows
    } else {
      scf.yield %windows : !windows
    }
    scf.yield %ring, %written : !ring, !windows
  }
  return %all#1 : !windows
}
