// RUN: mli-opt %s --convert-mli-to-llvm --split-input-file | FileCheck %s

// Rows side by side are one move, wherever the ring starts.
// CHECK-LABEL: llvm.func @contiguous
// CHECK: %[[DISTANCE:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(192 : i64)
// CHECK: %[[OFFSET:.*]] = llvm.mul %{{.*}}, %{{.*}} : i64
// CHECK: %[[RING:.*]] = llvm.getelementptr %{{.*}}[%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: %[[FROM:.*]] = llvm.getelementptr %[[RING]][%[[DISTANCE]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: "llvm.intr.memmove"(%[[RING]], %[[FROM]], %[[BYTES]]) <{isVolatile = false}>
// CHECK-NOT: llvm.br
!ring = memref<4x8x4x!mli.fx16<5>, strided<[32, 4, 1], offset: ?>>
func.func @contiguous(%ring: !ring) {
  mli.advance outs(%ring : !ring) {rows = 1}
  return
}

// Rows of two channels: a move for each of these.
// CHECK-LABEL: llvm.func @channels
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64)
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: llvm.br ^[[BODY:bb[0-9]+]](%[[ZERO]] : i64)
// CHECK: ^[[BODY]](%[[INDEX:.*]]: i64):
// CHECK: %[[BYTES:.*]] = llvm.mul %[[INDEX]], %{{.*}} : i64
// CHECK: %[[TO:.*]] = llvm.getelementptr %{{.*}}[%[[BYTES]]]
// CHECK: "llvm.intr.memmove"(%[[TO]],
// CHECK: %[[NEXT:.*]] = llvm.add %[[INDEX]], %{{.*}} : i64
// CHECK: %[[MORE:.*]] = llvm.icmp "slt" %[[NEXT]], %[[COUNT]] : i64
// CHECK: llvm.cond_br %[[MORE]], ^[[BODY]](%[[NEXT]] : i64), ^[[END:bb[0-9]+]]
// CHECK: ^[[END]]:
// CHECK: llvm.return
func.func @channels(%ring: memref<2x4x8x!mli.fx8<5>>) {
  mli.advance outs(%ring : memref<2x4x8x!mli.fx8<5>>) {rows = 2, dim = 1}
  return
}

// Gaps between rows, and in them: four runs of three rows. Strides that are not
// known are those of the descriptor.
// CHECK-LABEL: llvm.func @gaps
// CHECK-SAME: i64, %[[ROW:[^:]*]]: i64, %[[ITEM:[^:]*]]: i64, %{{[^:]*}}: i64) -> i32
// CHECK-DAG: %[[ITEM_BYTES:.*]] = llvm.mul %[[ITEM]],
// CHECK-DAG: %[[ROW_BYTES:.*]] = llvm.mul %[[ROW]],
// CHECK: llvm.br ^[[ITEMS:bb[0-9]+]]
// CHECK: ^[[ITEMS]](%[[I:.*]]: i64):
// CHECK: llvm.mul %[[I]], %[[ITEM_BYTES]]
// CHECK: llvm.br ^[[ROWS:bb[0-9]+]]
// CHECK: ^[[ROWS]](%[[J:.*]]: i64):
// CHECK: llvm.mul %[[J]], %[[ROW_BYTES]]
// CHECK: "llvm.intr.memmove"
// CHECK: llvm.cond_br %{{.*}}, ^[[ROWS]](
// CHECK: llvm.cond_br %{{.*}}, ^[[ITEMS]](
!gaps = memref<4x4x3x!mli.fx16<5>, strided<[?, ?, 1], offset: ?>>
func.func @gaps(%ring: !gaps) {
  mli.advance outs(%ring : !gaps) {rows = 1}
  return
}

// -----

// In the local memory of one NPU the ring is memory as any other.
!ring = memref<4x8x4x!mli.fx8<5>, #mli.space<local>>
module attributes {mli.target = #mli.target<vpx>} {
  // CHECK-LABEL: llvm.func @one_npu
  // CHECK: llvm.call @mli_local_operand
  // CHECK: llvm.cond_br
  // CHECK: %[[RING:.*]] = llvm.load
  // CHECK: "llvm.intr.memmove"(%[[RING]],
  // CHECK-NOT: llvm.call
  // CHECK: llvm.return
  func.func @one_npu() {
    %ring = mli.alloc {address = 64 : i64} : !ring
    mli.advance outs(%ring : !ring) {rows = 1}
    return
  }
}

// -----

// Over several NPUs rows go through plain memory, as they do between shapes.
#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [256, 128, 4, 1]>
!ring = memref<3x4x6x!mli.fx8<5>, #aligned, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  // CHECK-LABEL: llvm.func @several_npus
  // CHECK: llvm.call @mli_local_store
  // CHECK: llvm.call @mli_local_load
  // CHECK-NOT: memmove
  // CHECK: llvm.return
  func.func @several_npus() {
    %ring = mli.alloc {address = 0 : i64} : !ring
    mli.advance outs(%ring : !ring) {rows = 1}
    return
  }
}
