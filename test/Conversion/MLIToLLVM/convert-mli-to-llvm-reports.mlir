// Without reports a failure is a status alone.

// RUN: mli-opt %s --convert-mli-to-llvm=reports=false | FileCheck %s

!map = memref<?x4x8x!mli.fx8<5>>

// CHECK-NOT: mli_report_
// CHECK-NOT: mli_texts
// CHECK-LABEL: llvm.func @rows(
// CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32) : i32

// The offset is checked as ever.
// CHECK: %[[IS_OK:.*]] = llvm.icmp "eq" %[[STATUS:.*]], %[[OK]]
// CHECK: llvm.cond_br %[[IS_OK]], ^{{.*}}, ^[[FAILED:.*]](%[[STATUS]] : i32)
// CHECK: %[[STATUS:.*]] = llvm.call @mli_krn_relu_fx8(
// CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[FAILED]](%[[STATUS]] : i32)
// CHECK: ^[[FAILED]](%[[STATUS:.*]]: i32):
// CHECK-NEXT: llvm.return %[[STATUS]] : i32
// CHECK-NOT: mli_report_
func.func @rows(%in: !map, %out: memref<1x4x8x!mli.fx8<5>>, %row: index) {
  %0 = mli.subtensor %in[%row, 0, 0] [1, 4, 8] : !map to memref<1x4x8x!mli.fx8<5>, strided<[32, 8, 1], offset: ?>>
  mli.relu ins(%0 : memref<1x4x8x!mli.fx8<5>, strided<[32, 8, 1], offset: ?>>) outs(%out : memref<1x4x8x!mli.fx8<5>>) {relu = #mli.relu<gen>}
  return
}
