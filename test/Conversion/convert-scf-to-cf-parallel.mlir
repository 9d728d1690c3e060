// Branches are no part of mli.parallel: what has loops or conditions becomes calls of
// the runtime, and operations from inside keep a mark.
// RUN: mli-opt %s --mli-convert-scf-to-cf | FileCheck %s

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>

// CHECK-LABEL: func.func @parallel
// CHECK: llvm.call @okk_parallel_start() : () -> ()
// CHECK-NEXT: cf.cond_br
// CHECK: mli.mov {{.*}} {mli.runs_parallel}
// CHECK: mli.relu {{.*}} {mli.runs_parallel, relu
// CHECK-NEXT: llvm.call @okk_parallel_end() : () -> ()
// CHECK: mli.parallel {
// CHECK-NEXT: mli.relu
// CHECK-NOT: mli.runs_parallel
// CHECK: return
func.func @parallel(%a: !map, %b: !local, %c: !local, %d: !local, %is: i1) {
  mli.parallel {
    scf.if %is {
      mli.mov ins(%a : !map) outs(%b : !local)
    }
    mli.relu ins(%c : !local) outs(%d : !local) {relu = #mli.relu<gen>}
  }
  mli.parallel {
    mli.relu ins(%c : !local) outs(%d : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%a : !map) outs(%b : !local)
  }
  return
}
