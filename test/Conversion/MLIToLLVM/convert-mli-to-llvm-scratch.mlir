// Scratch memory of a kernel is in the memory that is an argument: where its data begins,
// which in a part of a caller's memory is not where that was allocated.

// RUN: mli-opt %s --convert-mli-to-llvm | FileCheck %s

!row = memref<16x!mli.fx8<7>>

// The arena is neither the first argument nor the last one.
// CHECK-LABEL: llvm.func @in_arena(
// CHECK: %[[AT:.*]] = llvm.mlir.constant(64 : i64) : i64
// CHECK: %[[TABLE:.*]] = llvm.getelementptr %arg6[%[[AT]]]
// CHECK: llvm.store %[[TABLE]],
// CHECK: llvm.call @mli_krn_tanh_create_lut(
func.func private @in_arena(%in: !row, %arena: memref<1024xi8> {mli.arena}, %out: !row) {
  mli.tanh ins(%in : !row) outs(%out : !row) {mli.scratch_address = 64 : i64}
  return
}

#row = #mli.layout<continuous, dims = [w], npus = 1, npu_elements = 4096, strides = [16, 16, 16, 1]>
!local = memref<16x!mli.fx8<7>, #row, #mli.space<local>>

// CHECK-LABEL: llvm.func @in_local(%arg0: !llvm.ptr, %arg1: !llvm.ptr,
// CHECK: %[[AT:.*]] = llvm.mlir.constant(128 : i64) : i64
// CHECK: %[[TABLE:.*]] = llvm.getelementptr %arg1[%[[AT]]]
// CHECK: llvm.store %[[TABLE]],
// CHECK: llvm.call @mli_krn_tanh_create_lut(
module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 4096, unit = 16, banks = 1, dma_align = 16>} {
  func.func @in_local(%memory: memref<4096xi8> {mli.local}) {
    %0 = mli.alloc {address = 0 : i64} : !local
    mli.tanh ins(%0 : !local) outs(%0 : !local) {mli.scratch_address = 128 : i64}
    return
  }
}
