// Calls that take the status so far are tested once, before what must not run
// after a failure.
// RUN: mli-opt %s --convert-mli-to-llvm --split-input-file | FileCheck %s
// RUN: mli-opt %s --convert-mli-to-llvm=reports=false --split-input-file | FileCheck %s --check-prefix=SILENT

!map = memref<4x8x6x!mli.fx8<5>>
!local = memref<4x8x6x!mli.fx8<5>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK: llvm.mlir.global internal constant @[[TEXTS:.*]]("alloc \22first\22\00mov \22second\22\00

  // Each names what it is a part of, if it fails.
  // CHECK-LABEL: llvm.func @one_chain
  // CHECK: %[[FIRST:.*]] = llvm.mlir.addressof @[[TEXTS]]
  // CHECK: %[[WHERE_ALLOC:.*]] = llvm.getelementptr %[[FIRST]][0] : {{.*}}, i8
  // CHECK: %[[WHERE_MOV:.*]] = llvm.getelementptr %[[FIRST]][14] : {{.*}}, i8
  // CHECK: llvm.cond_br
  // CHECK: %[[ALLOCATED:.*]] = llvm.call @mli_local_alloc(%[[OK:.*]], %[[WHERE_ALLOC]], %
  // CHECK: %[[LOADED:.*]] = llvm.call @mli_local_load(%[[ALLOCATED]], %[[WHERE_MOV]], %
  // CHECK-NEXT: %[[IS_OK:.*]] = llvm.icmp "eq" %[[LOADED]], %[[OK]]
  // CHECK-NEXT: llvm.cond_br %[[IS_OK]], ^[[REST:.*]], ^[[FAILED:.*]](%[[LOADED]] : i32)
  // CHECK-NEXT: ^[[REST]]:
  // CHECK-NEXT: llvm.return %[[OK]]
  // CHECK-NEXT: ^[[FAILED]](%[[STATUS:.*]]: i32):
  // CHECK-NEXT: llvm.return %[[STATUS]]

  // SILENT-LABEL: llvm.func @one_chain
  // SILENT: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
  // SILENT: llvm.call @mli_local_alloc(%{{.*}}, %[[NULL]], %
  // SILENT: llvm.call @mli_local_load(%{{.*}}, %[[NULL]], %
  // SILENT-NOT: mli_report
  func.func @one_chain(%in: !map) {
    %a = mli.alloc {address = 32 : i64} : !local loc("first")
    mli.mov ins(%in : !map) outs(%a : !local) loc("second")
    return
  }

  // What other code reads or writes is as without the failure.
  // CHECK-LABEL: llvm.func @memory_between
  // CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @mli_local_load(%[[OK]], %
  // CHECK: llvm.cond_br
  // CHECK: llvm.store
  // CHECK: llvm.call @mli_local_store(%[[OK]], %
  // CHECK: llvm.cond_br
  func.func @memory_between(%in: !map, %count: memref<index>, %value: index) {
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    memref.store %value, %count[] : memref<index>
    mli.mov ins(%a : !local) outs(%in : !map)
    return
  }

  // The first failure is the one that is returned.
  // CHECK-LABEL: llvm.func @assertion_between
  // CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @mli_local_load(%[[OK]], %
  // CHECK: llvm.cond_br
  // CHECK: llvm.select
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @mli_local_store(%[[OK]], %
  // CHECK: llvm.cond_br
  func.func @assertion_between(%in: !map, %holds: i1) {
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    cf.assert %holds, "expected it to hold"
    mli.mov ins(%a : !local) outs(%in : !map)
    return
  }

  // A chain ends with its block. The check goes on where that would have gone.
  // CHECK-LABEL: llvm.func @branch_between
  // CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @mli_local_load(%[[OK]], %
  // CHECK: llvm.cond_br
  // CHECK: llvm.cond_br %{{.*}}, ^[[STORE:.*]], ^[[END:[^ ]*]]
  // CHECK-NEXT: ^[[STORE]]:
  // CHECK: llvm.call @mli_local_store(%[[OK]], %
  // CHECK-NEXT: llvm.icmp
  // CHECK-NEXT: llvm.cond_br %{{.*}}, ^[[END]], ^{{.*}}(
  // CHECK-NEXT: ^[[END]]:
  func.func @branch_between(%in: !map, %stores: i1) {
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    cf.cond_br %stores, ^store, ^end
  ^store:
    mli.mov ins(%a : !local) outs(%in : !map)
    cf.br ^end
  ^end:
    return
  }

  // What two branches need is at the start of the function, once.
  // CHECK-LABEL: llvm.func @two_branches
  // CHECK: %[[FIRST:.*]] = llvm.mlir.addressof @[[TEXTS]]
  // CHECK: %[[WHERE:.*]] = llvm.getelementptr %[[FIRST]][{{[0-9]+}}] : {{.*}}, i8
  // CHECK: llvm.cond_br
  // CHECK-NOT: llvm.{{mlir|getelementptr}}
  // CHECK: llvm.call @mli_local_store(%{{[0-9]+}}, %[[WHERE]], %
  // CHECK-NOT: llvm.{{mlir|getelementptr}}
  // CHECK: llvm.call @mli_local_store(%{{[0-9]+}}, %[[WHERE]], %
  // CHECK-NOT: llvm.{{mlir|getelementptr}}
  // CHECK: llvm.return
  func.func @two_branches(%out: !map, %other: !map, %stores: i1) {
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    cf.cond_br %stores, ^out, ^other
  ^out:
    mli.mov ins(%a : !local) outs(%out : !map) loc("move")
    cf.br ^end
  ^other:
    mli.mov ins(%a : !local) outs(%other : !map) loc("move")
    cf.br ^end
  ^end:
    return
  }

  // CHECK-LABEL: llvm.func @branch_with_values
  // CHECK-SAME: %[[COUNT:[^ ]*]]: i64)
  // CHECK: llvm.call @mli_local_load
  // CHECK-NEXT: llvm.icmp
  // CHECK-NEXT: llvm.cond_br %{{.*}}, ^[[HEAD:.*]](%[[COUNT]] : i64), ^{{.*}}(%{{.*}} : i32)
  // CHECK-NEXT: ^[[HEAD]](%[[LEFT:.*]]: i64):
  // CHECK: ^[[BODY:.*]]:
  // CHECK: %[[NEXT:.*]] = llvm.sub %[[LEFT]], %
  // CHECK: llvm.call @mli_local_store
  // CHECK-NEXT: llvm.icmp
  // CHECK-NEXT: llvm.cond_br %{{.*}}, ^[[HEAD]](%[[NEXT]] : i64), ^{{.*}}(%{{.*}} : i32)
  func.func @branch_with_values(%in: !map, %count: index) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    cf.br ^head(%count : index)
  ^head(%left: index):
    %ends = arith.cmpi eq, %left, %zero : index
    cf.cond_br %ends, ^end, ^body
  ^body:
    %next = arith.subi %left, %one : index
    mli.mov ins(%a : !local) outs(%in : !map)
    cf.br ^head(%next : index)
  ^end:
    return
  }
}

// -----

// Results of a failed function have no values.
!map = memref<4x8x6x!mli.fx8<5>>
!local = memref<4x8x6x!mli.fx8<5>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: llvm.func @number
  // CHECK: llvm.call @mli_local_load
  // CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[FAILED:.*]](%{{[0-9]+}} : i32)
  // CHECK: ^[[FAILED]](%[[STATUS:.*]]: i32):
  // CHECK-NEXT: %[[NOTHING:.*]] = llvm.mlir.poison : !llvm.struct<(i32, i64)>
  // CHECK-NEXT: %[[RESULT:.*]] = llvm.insertvalue %[[STATUS]], %[[NOTHING]][0]
  // CHECK-NEXT: llvm.return %[[RESULT]]
  func.func private @number(%in: !map, %number: index) -> index {
    %a = mli.alloc {address = 32 : i64, mli.shared} : !local
    mli.mov ins(%in : !map) outs(%a : !local)
    return %number : index
  }
}
