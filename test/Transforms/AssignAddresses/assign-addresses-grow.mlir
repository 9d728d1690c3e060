// The memory that a fix names is one that the target may have, with banks of its
// size: who does as it says gets a plan.
// RUN: not mli-opt %s --mli-assign-addresses --split-input-file 2>&1 | FileCheck %s --implicit-check-not="bytes of memory"
// RUN: sed "s/npu_bytes = 1024/npu_bytes = 1056/; s/npu_bytes = 16,/npu_bytes = 32,/" %s > %t.mlir
// RUN: mli-opt %t.mlir --mli-assign-addresses --split-input-file | FileCheck %s --check-prefix=GROWN

// Not 21 bytes, which a unit of 16 bytes does not divide.
// CHECK: error: expected buffers of 'unit' to fit in 16 bytes of local memory, but got 21, 5 too many (proven)
// CHECK: note: would fit with 32 bytes of memory: the peak is then 21
// GROWN-LABEL: func.func @unit
!s = memref<16x!mli.sa8<1:4:0>, #mli.space<local>>
!t = memref<5x!mli.sa8<1:4:0>, #mli.space<local>>
!sp = memref<16x!mli.sa8<1:4:0>>
!tp = memref<5x!mli.sa8<1:4:0>>
module attributes {mli.target = #mli.target<vpx, npu_bytes = 16, banks = 1>} {
  func.func @unit(%s: !sp, %t: !tp) {
    %a = mli.alloc : !s
    %b = mli.alloc : !t
    mli.mov ins(%s : !sp) outs(%a : !s)
    mli.mov ins(%t : !tp) outs(%b : !t)
    mli.mov ins(%a : !s) outs(%s : !sp)
    mli.mov ins(%b : !t) outs(%t : !tp)
    return
  }
}

// -----

// Not 1040 bytes, of which bank 1 has 520.
// CHECK: error: expected buffers of 'banks' to fit in 1024 bytes of local memory, but got 1040, 16 too many (proven)
// CHECK: note: would fit with 1056 bytes of memory: the peak is then 1056
// GROWN-LABEL: func.func @banks
!s = memref<16x!mli.sa8<1:4:0>, #mli.space<local>>
!sp = memref<16x!mli.sa8<1:4:0>>
!l = memref<512x!mli.sa8<1:4:0>, #mli.space<local>>
!lp = memref<512x!mli.sa8<1:4:0>>
module attributes {mli.target = #mli.target<vpx, npu_bytes = 1024, banks = 2>} {
  func.func @banks(%s: !sp, %l: !lp) {
    %a = mli.alloc {avoid_banks = array<i64: 0>} : !s
    %b = mli.alloc {avoid_banks = array<i64: 0>} : !l
    mli.mov ins(%s : !sp) outs(%a : !s)
    mli.mov ins(%l : !lp) outs(%b : !l)
    mli.mov ins(%a : !s) outs(%s : !sp)
    mli.mov ins(%b : !l) outs(%l : !lp)
    return
  }
}
