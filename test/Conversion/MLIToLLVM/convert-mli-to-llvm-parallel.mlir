// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize | FileCheck %s

// Between the calls that start and end two engines, each operation first says
// what it uses: 0 is the engine for moves and what is read.

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: llvm.func @both
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK-NOT: mli_local_use
  // CHECK: llvm.call @mli_local_poison
  // CHECK: llvm.call @okk_parallel_start() : () -> ()
  // CHECK: llvm.call @mli_local_use(%{{.*}}, %{{.*}}, %[[ONE]], %[[ZERO]])
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @mli_local_view
  // CHECK: llvm.call @mli_local_use(%{{.*}}, %{{.*}}, %[[ONE]], %[[ONE]])
  // CHECK: llvm.call @mli_local_view
  // CHECK: llvm.call @mli_krn_relu_fx8
  // CHECK: llvm.call @mli_local_use(%{{.*}}, %{{.*}}, %[[ZERO]], %[[ONE]])
  // CHECK: llvm.call @mli_local_scatter
  // CHECK: llvm.call @okk_parallel_end() : () -> ()
  // CHECK-NOT: mli_local_use
  // CHECK: llvm.call @mli_local_gather
  func.func @both(%next: !map, %out: !map) {
    %a = mli.alloc {address = 0 : i64} : !local
    %b = mli.alloc {address = 128 : i64} : !local
    %c = mli.alloc {address = 256 : i64} : !local
    mli.parallel {
      mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
      mli.mov ins(%next : !map) outs(%c : !local)
    }
    mli.mov ins(%b : !local) outs(%out : !map)
    return
  }
}
