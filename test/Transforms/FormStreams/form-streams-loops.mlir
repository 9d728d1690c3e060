// What a loop starts with is copied if it is used later, and planned so.
// RUN: mli-opt %s --split-input-file --mli-buffer-pipeline="arena=min explain-streams" 2> %t.txt | FileCheck %s
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=PLAN

!q = !mli.sa8<1:4:-128>
!map = tensor<8x4x4x!q>
!row = tensor<1x4x4x!q>

// ST9
// PLAN: [[#@LINE+2]]:1: remark: arena: 256 B
// CHECK: mli.arena_bytes = 256 :
func.func @behind(%a: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e0 = tensor.empty() : !map
  %x = mli.relu ins(%a : !map) outs(%e0 : !map) {relu = #mli.relu<gen>} -> !map
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%r = %x) -> !map {
    %s = tensor.extract_slice %a[%i, 0, 0] [1, 4, 4] [1, 1, 1] : !map to !row
    %n = tensor.insert_slice %s into %r[%i, 0, 0] [1, 4, 4] [1, 1, 1] : !row into !map
    scf.yield %n : !map
  }
  %e1 = tensor.empty() : !map
  %z = mli.eltwise_max ins(%x, %y : !map, !map) outs(%e1 : !map) -> !map
  %e2 = tensor.empty() : !map
  %t = mli.eltwise_add ins(%z, %a : !map, !map) outs(%e2 : !map) -> !map
  return %t : !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<8x4x4x!q>
!half = tensor<4x4x4x!q>
!row = tensor<1x4x4x!q>

// The same for a view of it, of which only the part is copied.
// PLAN: [[#@LINE+2]]:1: remark: arena: 256 B
// CHECK: mli.arena_bytes = 192 :
func.func @view(%a: !map) -> !half {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e0 = tensor.empty() : !map
  %x = mli.relu ins(%a : !map) outs(%e0 : !map) {relu = #mli.relu<gen>} -> !map
  %v = tensor.extract_slice %x[0, 0, 0] [4, 4, 4] [1, 1, 1] : !map to !half
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%r = %x) -> !map {
    %s = tensor.extract_slice %a[%i, 0, 0] [1, 4, 4] [1, 1, 1] : !map to !row
    %n = tensor.insert_slice %s into %r[%i, 0, 0] [1, 4, 4] [1, 1, 1] : !row into !map
    scf.yield %n : !map
  }
  %w = tensor.extract_slice %y[0, 0, 0] [4, 4, 4] [1, 1, 1] : !map to !half
  %e1 = tensor.empty() : !half
  %z = mli.eltwise_max ins(%v, %w : !half, !half) outs(%e1 : !half) -> !half
  return %z : !half
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<8x4x4x!q>
!row = tensor<1x4x4x!q>

// What is used in front of the loop only is not.
// PLAN: [[#@LINE+2]]:1: remark: arena: 256 B
// CHECK: mli.arena_bytes = 256 :
func.func @front(%a: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e0 = tensor.empty() : !map
  %x = mli.relu ins(%a : !map) outs(%e0 : !map) {relu = #mli.relu<gen>} -> !map
  %e1 = tensor.empty() : !map
  %u = mli.relu ins(%x : !map) outs(%e1 : !map) {relu = #mli.relu<relu1>} -> !map
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%r = %x) -> !map {
    %s = tensor.extract_slice %a[%i, 0, 0] [1, 4, 4] [1, 1, 1] : !map to !row
    %n = tensor.insert_slice %s into %r[%i, 0, 0] [1, 4, 4] [1, 1, 1] : !row into !map
    scf.yield %n : !map
  }
  %e2 = tensor.empty() : !map
  %z = mli.eltwise_max ins(%u, %y : !map, !map) outs(%e2 : !map) -> !map
  %e3 = tensor.empty() : !map
  %t = mli.eltwise_add ins(%z, %a : !map, !map) outs(%e3 : !map) -> !map
  return %t : !map
}
