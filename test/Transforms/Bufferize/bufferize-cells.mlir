// RUN: mli-opt %s --mli-bufferize --split-input-file | FileCheck %s

!frames = tensor<6x16x!mli.fx16<12>>
!state = tensor<8x!mli.fx16<15>>
!weights = tensor<4x16x8x!mli.fx16<13>>
!recurrent = tensor<4x8x8x!mli.fx16<13>>
!bias = tensor<4x8x!mli.fx16<13>>
!out = tensor<1x8x!mli.fx16<15>>

// The cell is read: its contents go with it, and callers keep what they pass.
// CHECK-LABEL: func.func @cell_is_read
// CHECK-SAME: %[[CELL:[^:]*]]: memref<8x!mli.fx16<15>>{{[^,]*}}, %[[NEXT:[^:]*]]: memref<8x!mli.fx16<15>>{{[^,]*}}, %[[OUT:[^:]*]]: memref<1x8x!mli.fx16<15>>{{[^,]*}}) {
// CHECK: mli.mov ins(%[[CELL]] : {{.*}}) outs(%[[COPY:[^ ]*]] : {{.*}})
// CHECK: mli.lstm_cell ins({{.*}}) outs(%[[COPY]], %{{[^ ]*}} : {{.*}})
func.func @cell_is_read(%in: !frames, %weights: !weights, %recurrent: !recurrent,
                        %bias: !bias, %cell: !state) -> (!state, !out) {
  %init = tensor.empty() : !out
  %next, %result = mli.lstm_cell
    ins(%in, %cell, %weights, %recurrent, %bias
        : !frames, !state, !weights, !recurrent, !bias)
    outs(%cell, %init : !state, !out) -> !state, !out
  return %next, %result : !state, !out
}

// -----

!map = tensor<4x8x!mli.sa8<1:4:0>>
!block = tensor<4x4x!mli.sa8<1:4:0>>

// A view where the kernel takes it, a copy where it walks memory as one row.
// CHECK-LABEL: func.func @blocks
// CHECK-SAME: %[[MAP:[^:]*]]: memref<4x8x!mli.sa8<1:4:0>>{{[^,]*}}, %[[POSITION:[^:]*]]: memref<{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref
// CHECK: %[[BLOCK:.*]] = mli.subtensor %[[MAP]][0, 2] [4, 4] : memref<4x8x!mli.sa8<1:4:0>> to memref<4x4x!mli.sa8<1:4:0>, strided<[8, 1], offset: 2>>
// CHECK: mli.mov ins(%[[BLOCK]] : {{.*}}) outs(%[[DENSE:[^ ]*]] : memref<4x4x!mli.sa8<1:4:0>>)
// CHECK: mli.argmax ins(%[[DENSE]] : {{.*}})
// CHECK: mli.permute ins(%[[BLOCK]] : {{.*}})
func.func @blocks(%map: !map) -> (tensor<1x1x!mli.sa32<1:0:0>>, !block) {
  %block = mli.subtensor %map[0, 2] [4, 4] : !map to !block
  %position = tensor.empty() : tensor<1x1x!mli.sa32<1:0:0>>
  %0 = mli.argmax ins(%block : !block)
    outs(%position : tensor<1x1x!mli.sa32<1:0:0>>) -> tensor<1x1x!mli.sa32<1:0:0>>
  %init = tensor.empty() : !block
  %1 = mli.permute ins(%block : !block) outs(%init : !block) permutation [1, 0]
    -> !block
  return %0, %1 : tensor<1x1x!mli.sa32<1:0:0>>, !block
}

// -----

// No element is read.
// CHECK-LABEL: func.func @question
// CHECK-SAME: %[[MAP:[^:]*]]: memref<?x8x!mli.sa8<1:4:0>>
// CHECK-NEXT: mli.elem_count %[[MAP]] : memref<?x8x!mli.sa8<1:4:0>>
func.func @question(%map: tensor<?x8x!mli.sa8<1:4:0>>) -> index {
  %count = mli.elem_count %map : tensor<?x8x!mli.sa8<1:4:0>>
  return %count : index
}
