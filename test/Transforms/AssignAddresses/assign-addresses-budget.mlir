// Twenty buffers that fill 512 bytes without a gap: in the order of size, of area
// or of height they do not, a search of a few nodes finds out how. So does every
// way to say how long it may be.
// RUN: mli-opt %s --mli-attach-target=target=vpx --mli-assign-addresses="minimise budget=0" | FileCheck %s --check-prefix=GREEDY
// RUN: mli-opt %s --mli-attach-target=target=vpx --mli-assign-addresses="minimise budget=20000" | FileCheck %s --check-prefix=SEARCH
// RUN: mli-opt %s --mli-attach-target=target=vpx --mli-assign-addresses=minimise | FileCheck %s --check-prefix=SEARCH
// RUN: not mli-opt %s --mli-local-pipeline="target=vpx,npu-bytes=512 double-buffer=off budget=0" 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: mli-opt %s --mli-local-pipeline="target=vpx,npu-bytes=512 double-buffer=off budget=20000" -o /dev/null
// RUN: %python %S/../../Integration/Inputs/make-npy.py %t.npy i1 4 1..4
// RUN: not mli-run %s --input %t.npy --placement local --target vpx,npu-bytes=512 --double-buffer=off --planner-budget=0 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: mli-run %s --input %t.npy --placement local --target vpx,npu-bytes=512 --double-buffer=off --planner-budget=20000 | FileCheck %s --check-prefix=RAN

// The one behind the others ends at 640.
// GREEDY-LABEL: func.func @tiles
// GREEDY: mli.alloc {address = 512 : i64} : memref<128x
// SEARCH-LABEL: func.func @tiles
// SEARCH-NOT: address = 512
// FULL: assign-addresses-budget.mlir:[[@LINE+10]]:1: error: expected buffers of 'tiles' to fit in 512 bytes of local memory, but got 640, 128 too many (not proven: a larger 'budget' may find a plan)
// RAN: codes: 1 2 3 4

!one = memref<128x!mli.sa8<1:4:0>, #mli.space<local>>
!two = memref<256x!mli.sa8<1:4:0>, #mli.space<local>>
!three = memref<384x!mli.sa8<1:4:0>, #mli.space<local>>
!in1 = memref<128x!mli.sa8<1:4:0>>
!in2 = memref<256x!mli.sa8<1:4:0>>
!in3 = memref<384x!mli.sa8<1:4:0>>

func.func @tiles(%one: !in1, %two: !in2, %three: !in3) {
  %b2 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b2 : !one)
  %b5 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b5 : !one)
  %b7 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b7 : !one)
  %b18 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b18 : !one)
  mli.mov ins(%b7 : !one) outs(%one : !in1)
  %b11 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b11 : !one)
  mli.mov ins(%b18 : !one) outs(%one : !in1)
  %b15 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b15 : !one)
  mli.mov ins(%b5 : !one) outs(%one : !in1)
  %b8 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b8 : !one)
  mli.mov ins(%b2 : !one) outs(%one : !in1)
  %b0 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b0 : !one)
  mli.mov ins(%b11 : !one) outs(%one : !in1)
  mli.mov ins(%b15 : !one) outs(%one : !in1)
  %b6 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b6 : !one)
  %b17 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b17 : !one)
  mli.mov ins(%b0 : !one) outs(%one : !in1)
  %b1 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b1 : !one)
  mli.mov ins(%b8 : !one) outs(%one : !in1)
  %b10 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b10 : !one)
  mli.mov ins(%b1 : !one) outs(%one : !in1)
  mli.mov ins(%b17 : !one) outs(%one : !in1)
  %b14 = mli.alloc : !two
  mli.mov ins(%two : !in2) outs(%b14 : !two)
  mli.mov ins(%b6 : !one) outs(%one : !in1)
  mli.mov ins(%b10 : !one) outs(%one : !in1)
  mli.mov ins(%b14 : !two) outs(%two : !in2)
  %b3 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b3 : !one)
  %b12 = mli.alloc : !two
  mli.mov ins(%two : !in2) outs(%b12 : !two)
  %b13 = mli.alloc : !one
  mli.mov ins(%one : !in1) outs(%b13 : !one)
  mli.mov ins(%b12 : !two) outs(%two : !in2)
  %b16 = mli.alloc : !two
  mli.mov ins(%two : !in2) outs(%b16 : !two)
  mli.mov ins(%b16 : !two) outs(%two : !in2)
  %b19 = mli.alloc : !two
  mli.mov ins(%two : !in2) outs(%b19 : !two)
  mli.mov ins(%b19 : !two) outs(%two : !in2)
  %b4 = mli.alloc : !two
  mli.mov ins(%two : !in2) outs(%b4 : !two)
  mli.mov ins(%b3 : !one) outs(%one : !in1)
  mli.mov ins(%b13 : !one) outs(%one : !in1)
  %b9 = mli.alloc : !two
  mli.mov ins(%two : !in2) outs(%b9 : !two)
  mli.mov ins(%b4 : !two) outs(%two : !in2)
  mli.mov ins(%b9 : !two) outs(%two : !in2)
  return
}
func.func @main(%x: tensor<4x!mli.sa8<1:4:0>>) -> tensor<4x!mli.sa8<1:4:0>> {
  %e = tensor.empty() : tensor<4x!mli.sa8<1:4:0>>
  %0 = mli.relu ins(%x : tensor<4x!mli.sa8<1:4:0>>) outs(%e : tensor<4x!mli.sa8<1:4:0>>) {relu = #mli.relu<gen>} -> tensor<4x!mli.sa8<1:4:0>>
  return %0 : tensor<4x!mli.sa8<1:4:0>>
}
