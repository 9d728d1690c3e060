// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize | FileCheck %s

// Between the calls that start and end two engines, each operation says what it uses:
// 2 is written by a move, 3 read by a kernel and 4 written by it.

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: llvm.func @both
  // CHECK-DAG: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK-DAG: %[[LOADED:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK-DAG: %[[READ:.*]] = llvm.mlir.constant(3 : i32)
  // CHECK-DAG: %[[WRITTEN:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK-COUNT-2: llvm.call @mli_local_alloc
  // CHECK: %[[ALLOCATED:.*]] = llvm.call @mli_local_alloc
  // A failure before the bracket does not start it.
  // CHECK-NEXT: %[[MAY_START:.*]] = llvm.icmp "eq" %[[ALLOCATED]], %[[OK]]
  // CHECK-NEXT: llvm.cond_br %[[MAY_START]], ^[[START:.*]], ^{{.*}}(%[[ALLOCATED]] : i32)
  // CHECK: ^[[START]]:
  // CHECK-NEXT: llvm.call @okk_parallel_start() : () -> ()
  // CHECK-NEXT: %[[FIRST:.*]] = llvm.call @mli_local_operand(%[[OK]], %[[WHERE:[0-9]+]], %{{.*}}, %{{.*}}, %{{.*}}, %[[READ]], %[[IN:[0-9]+]])
  // CHECK-NEXT: %[[SECOND:.*]] = llvm.call @mli_local_operand(%[[FIRST]], %[[WHERE]], %{{.*}}, %{{.*}}, %{{.*}}, %[[WRITTEN]], %[[OUT:[0-9]+]])
  // CHECK-NEXT: %[[GOOD:.*]] = llvm.icmp "eq" %[[SECOND]], %[[OK]]
  // CHECK-NEXT: llvm.cond_br %[[GOOD]], ^{{.*}}, ^{{.*}}(%[[SECOND]] : i32)
  // CHECK: llvm.call @mli_krn_relu_fx8(%[[IN]], %{{.*}}, %[[OUT]])
  // CHECK: %[[MOVED:.*]] = llvm.call @mli_local_load(%[[OK]], %{{.*}}, %[[LOADED]])
  // CHECK-NEXT: llvm.call @okk_parallel_end() : () -> ()
  // CHECK-NEXT: llvm.call @mli_local_store(%[[MOVED]], %{{.*}}, %[[OK]])
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

  // A move within local memory reads by its view, and says what it writes by a call.
  // CHECK-LABEL: llvm.func @within
  // CHECK-DAG: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK-DAG: %[[MOVED_FROM:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK-DAG: %[[MOVED_TO:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @mli_krn_relu_fx8
  // CHECK: %[[VIEWED:.*]] = llvm.call @mli_local_operand(%[[OK]], %[[WHERE:[0-9]+]], %{{.*}}, %{{.*}}, %{{.*}}, %[[MOVED_FROM]], %[[VIEW:[0-9]+]])
  // CHECK-NEXT: %[[DECLARED:.*]] = llvm.call @mli_local_declare(%[[VIEWED]], %[[WHERE]], %[[TO:[0-9]+]], %[[VIEW]], %[[MOVED_TO]])
  // CHECK-NEXT: llvm.icmp "eq" %[[DECLARED]], %[[OK]]
  // CHECK: llvm.call @mli_local_scatter(%[[VIEW]], %[[TO]])
  func.func @within() {
    %a = mli.alloc {address = 0 : i64} : !local
    %b = mli.alloc {address = 128 : i64} : !local
    %c = mli.alloc {address = 256 : i64} : !local
    %d = mli.alloc {address = 384 : i64} : !local
    mli.parallel {
      mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
      mli.mov ins(%c : !local) outs(%d : !local)
    }
    return
  }
}
