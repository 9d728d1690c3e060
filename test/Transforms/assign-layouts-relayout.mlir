// Buffers that kernels want in several layouts, and why.
// RUN: mli-opt %s --mli-assign-layouts=matrices --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-assign-layouts="matrices explain" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: mli-opt %s --mli-assign-layouts=matrices --mli-assign-addresses --split-input-file -o /dev/null

!map = memref<1x1x40x!mli.fx16<8>, #mli.space<local>>
!row = memref<40x!mli.fx16<8>, #mli.space<local>>
!weights = memref<40x40x!mli.fx16<8>, #mli.space<local>>
!plain = memref<40x!mli.fx16<8>>

// The pooled map is compact, the product wants its row as a matrix. Its result
// is one, also for the kernels that take any layout.
// O12, O13, O14
// CHECK-DAG: #[[IN_MAP:.*]] = #mli.layout<compact, dims = [h, w, c]
// CHECK-DAG: #[[IN_ROW:.*]] = #mli.layout<compact, dims = [c]
// CHECK-DAG: #[[IN_MATRIX:.*]] = #mli.layout<matrix, dims = [w], npus = 4, npu_elements = 8192, columns = 10, strides = [64, 64, 10, 1]>
// CHECK-LABEL: @product
// CHECK: mli.alloc {{.*}} : memref<1x1x40x!mli.fx16<8>, #[[IN_MAP]],
// CHECK: %[[MAP:.*]] = mli.alloc {{.*}} : memref<1x1x40x!mli.fx16<8>, #[[IN_MAP]],
// CHECK: %[[OUT:.*]] = mli.alloc {{.*}} : memref<40x!mli.fx16<8>, #[[IN_MATRIX]],
// CHECK: %[[SUM:.*]] = mli.alloc {{.*}} : memref<40x!mli.fx16<8>, #[[IN_MATRIX]],
// CHECK: %[[ROW:.*]] = mli.reshape %[[MAP]] : {{.*}} to memref<40x!mli.fx16<8>, #[[IN_ROW]],
// CHECK-NEXT: %[[COPY:.*]] = mli.alloc {{.*}} : memref<40x!mli.fx16<8>, #[[IN_MATRIX]],
// CHECK-NEXT: mli.mov ins(%[[ROW]] : {{.*}}) outs(%[[COPY]] : {{.*}}) {reason = #mli.copy_reason<kernel_layout>}
// CHECK-NEXT: mli.fully_connected ins(%[[COPY]],
// CHECK-SAME: outs(%[[OUT]] :
// CHECK-NEXT: mli.eltwise_add ins(%[[OUT]], %[[OUT]] : {{.*}}) outs(%[[SUM]] :
module @product attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f(%bias: !plain) {
    // EXPLAIN: remark: its layout as feature map is compact: 20 bytes per NPU, 1280 if aligned
    %map = memref.alloc() : !map
    // EXPLAIN: remark: its layout as feature map is compact: 20 bytes per NPU, 1280 if aligned
    %pooled = memref.alloc() : !map
    // EXPLAIN: remark: its layout as weights of a product is matrix of 10 columns per channel: 5120 bytes per NPU
    %weights = memref.alloc() : !weights
    // EXPLAIN: remark: its layout as row of a product is matrix of 10 columns per channel: 128 bytes per NPU
    %out = memref.alloc() : !row
    // EXPLAIN: remark: its layout as row of a product is matrix of 10 columns per channel: 128 bytes per NPU
    %sum = memref.alloc() : !row
    mli.avepool ins(%map : !map) outs(%pooled : !map) kernel [1, 1] pad [0, 0, 0, 0]
    %row = mli.reshape %pooled : !map to !row
    // EXPLAIN: remark: expected operand 0 of 'mli.fully_connected' to be matrix, as row of a product, but got compact; this copies 80 bytes, a buffer that only such kernels use would copy none
    mli.fully_connected ins(%row, %weights, %bias : !row, !weights, !plain) outs(%out : !row)
    mli.eltwise_add ins(%out, %out : !row, !row) outs(%sum : !row)
    return
  }
}

// -----

!map = memref<5x5x4x!mli.fx16<8>, #mli.space<local>>
!filters = memref<5x5x4x4x!mli.fx16<8>, #mli.space<local>>
!first = memref<1x5x4x4x!mli.fx16<8>, strided<[80, 16, 4, 1]>, #mli.space<local>>
!seen = memref<5x4x4x!mli.fx16<8>, strided<[16, 4, 1]>, #mli.space<local>>
!plain = memref<4x!mli.fx16<8>>
!out = memref<1x1x4x!mli.fx16<8>, #mli.space<local>>
!pooled = memref<5x4x4x!mli.fx16<8>, #mli.space<local>>

// Written by one kernel with a contract, read by another: the filters stay as
// they are, their part is a map of its own for the pool.
// O12, O14
// CHECK-LABEL: @filters
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<kernel_layout>}
// CHECK-NEXT: mli.avepool
// CHECK: mli.conv2d
module @filters attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384>} {
  func.func @f(%bias: !plain) {
    %map = memref.alloc() : !map
    %filters = memref.alloc() : !filters
    %out = memref.alloc() : !out
    %pooled = memref.alloc() : !pooled
    %seen = memref.subview %filters[0, 0, 0, 0] [1, 5, 4, 4] [1, 1, 1, 1] : !filters to !seen
    mli.avepool ins(%seen : !seen) outs(%pooled : !pooled) kernel [1, 1] pad [0, 0, 0, 0]
    mli.conv2d ins(%map, %filters, %bias : !map, !filters, !plain) outs(%out : !out) pad [0, 0, 0, 0]
    return
  }
}
