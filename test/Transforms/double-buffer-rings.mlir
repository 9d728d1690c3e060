// Rows that move up in local memory take the engine of kernels, and the time that the
// cost `shift` says.
// RUN: mli-opt %s --mli-double-buffer=mode=on | FileCheck %s
// RUN: mli-opt %s --mli-double-buffer="mode=on explain" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: func.func @beside(
  // CHECK: mli.parallel {
  // CHECK-NEXT: mli.advance outs(%[[RING:.*]] : {{.*}}) {rows = 1 : i64}
  // CHECK-NEXT: mli.mov ins(%arg1
  // WHY: remark: moves 256 B, cost 256; kernels cost 24; 24 at the same time: 256 instead of 280
  func.func @beside(%in: !map, %next: !map) {
    %ring = mli.alloc : !local
    mli.mov ins(%in : !map) outs(%ring : !local)
    mli.advance outs(%ring : !local) {rows = 1}
    %other = mli.alloc : !local
    mli.mov ins(%next : !map) outs(%other : !local)
    return
  }

  // What is moved into the ring waits for its rows.
  // CHECK-LABEL: func.func @into_the_ring(
  // CHECK-NOT: mli.parallel
  // CHECK: return
  // WHY: remark: exposed transfer: 128 bytes, as 'mli.advance' uses its buffers
  func.func @into_the_ring(%in: !map) {
    %ring = mli.alloc : !local
    mli.advance outs(%ring : !local) {rows = 1}
    mli.mov ins(%in : !map) outs(%ring : !local)
    return
  }
}
