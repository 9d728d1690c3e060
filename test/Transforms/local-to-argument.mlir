// The local memory of one NPU becomes an argument of functions that use it.

// RUN: mli-opt %s --mli-local-to-argument | FileCheck %s
// RUN: mli-opt %s --mli-local-to-argument --convert-mli-to-llvm | FileCheck %s --check-prefix=CALLS

!map = memref<4x4x8x!mli.fx8<5>>
#map = #mli.layout<continuous, dims = [c, h, w], npus = 1, npu_elements = 4096, strides = [128, 32, 8, 1]>
!local = memref<4x4x8x!mli.fx8<5>, #map, #mli.space<local>>

// A caller of a function with buffers there has it, too; others do not.
// CHECK-LABEL: func.func @caller
// CHECK-SAME: %[[IN:.*]]: memref<{{[^%]*}}, %[[OUT:.*]]: memref<{{[^%]*}} {mli.result = 0 : i64}, %[[ARENA:.*]]: memref<64xi8> {mli.arena}, %[[LOCAL:.*]]: memref<4096xi8> {mli.local})
// CHECK: call @kernel(%[[IN]], %[[OUT]], %[[LOCAL]])
// CHECK: call @other(%[[IN]])
// CHECK-LABEL: func.func private @kernel
// CHECK-SAME: %{{.*}}: memref<4096xi8> {mli.local})

// Moves and kernels take addresses of the argument, and nothing of the model of local
// memory is called.
// CALLS-NOT: @mli_local_
// CALLS-NOT: @okk_
// CALLS-LABEL: llvm.func @kernel(%{{.*}}, %arg18: !llvm.ptr, %arg19: !llvm.ptr, %{{.*}})
// CALLS-DAG: %[[FIRST:.*]] = llvm.mlir.constant(128 : i64) : i64
// CALLS-DAG: %[[SECOND:.*]] = llvm.mlir.constant(256 : i64) : i64
// CALLS: %[[PLACE:.*]] = llvm.getelementptr %arg19[%[[FIRST]]]
// CALLS: llvm.store %[[PLACE]],
// CALLS: llvm.call @mli_mov_tensor_sync(
// CALLS: llvm.getelementptr %arg19[%[[SECOND]]]
// CALLS: llvm.call @mli_krn_relu_fx8(
// CALLS: llvm.call @mli_mov_tensor_sync(
// CALLS-NOT: @mli_local_
// CALLS-NOT: @okk_
module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 4096, unit = 16, banks = 1, dma_align = 16>} {
  func.func @caller(%in: !map, %out: !map {mli.result = 0 : i64}, %arena: memref<64xi8> {mli.arena}) {
    call @kernel(%in, %out) : (!map, !map) -> ()
    call @other(%in) : (!map) -> ()
    return
  }
  func.func private @kernel(%in: !map, %out: !map) {
    %0 = mli.alloc {address = 128 : i64} : !local
    %1 = mli.alloc {address = 256 : i64} : !local
    // CHECK: mli.mov
    // CHECK-NEXT: mli.relu
    // CHECK-NEXT: mli.mov
    // CHECK-NOT: mli.parallel
    mli.parallel {
      mli.mov ins(%in : !map) outs(%0 : !local)
    }
    mli.relu ins(%0 : !local) outs(%1 : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%1 : !local) outs(%out : !map)
    return
  }
  // CHECK-LABEL: func.func private @other(%{{[a-z0-9]*}}: memref<4x4x8x!mli.fx8<5>>) {
  func.func private @other(%in: !map) {
    mli.relu ins(%in : !map) outs(%in : !map) {relu = #mli.relu<gen>}
    return
  }
}
