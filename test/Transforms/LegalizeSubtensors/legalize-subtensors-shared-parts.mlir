// Parts that others read, too, or that are computed in another shape, and what
// is padded: kernels write them in their place, and the others read them there.
// RUN: mli-opt %s --mli-legalize-subtensors=reject-copies --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-legalize-subtensors --mli-bufferize=reject-copies --mli-legalize-subtensors=reject-copies --cse --canonicalize --split-input-file | FileCheck %s --check-prefix=BUFFER

!map = tensor<4x8x!mli.fx8<3>>
!whole = tensor<4x16x!mli.fx8<3>>

// CHECK-LABEL: func.func @read_before
// CHECK: %[[FIRST:.*]] = mli.relu ins(%{{.*}}) outs(%{{.*}}) {relu = #mli.relu<gen>}
// CHECK: mli.relu ins(%[[FIRST]] : {{.*}}) outs(%{{.*}}) {relu = #mli.relu<relu1>}

// BUFFER-LABEL: func.func @read_before
// BUFFER-SAME: %[[A:[^:]*]]: memref<4x8x{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref<4x16x
// BUFFER-NEXT: %[[LEFT:.*]] = mli.subtensor %[[OUT]][0, 0] [4, 8]
// BUFFER-NEXT: mli.relu ins(%[[A]] : {{.*}}) outs(%[[LEFT]] : {{.*}})
// BUFFER-NEXT: %[[RIGHT:.*]] = mli.subtensor %[[OUT]][0, 8] [4, 8]
// BUFFER-NEXT: mli.relu ins(%[[LEFT]] : {{.*}}) outs(%[[RIGHT]] : {{.*}})
// BUFFER-NEXT: return
func.func @read_before(%a: !map) -> !whole {
  %empty = tensor.empty() : !map
  %0 = mli.relu ins(%a : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
  %1 = mli.relu ins(%0 : !map) outs(%empty : !map) {relu = #mli.relu<relu1>} -> !map
  %2 = tensor.concat dim(1) %0, %1 : (!map, !map) -> !whole
  return %2 : !whole
}

// What reads it later reads the whole: that may be written over by then.
// BUFFER-LABEL: func.func @read_behind
// BUFFER-SAME: %[[A:[^:]*]]: memref<4x8x{{[^,]*}}>{{[^,]*}}, %[[SUM:[^:]*]]: memref<4x8x{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref<4x16x
// BUFFER: %[[WHOLE:.*]] = memref.alloc() : memref<4x16x
// BUFFER: %[[LEFT:.*]] = mli.subtensor %[[WHOLE]][0, 0] [4, 8]
// BUFFER-NEXT: mli.relu ins(%[[A]] : {{.*}}) outs(%[[LEFT]] : {{.*}})
// BUFFER: mli.relu ins(%[[WHOLE]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// BUFFER: mli.eltwise_add ins(%[[A]], %[[LEFT]] : {{.*}}) outs(%[[SUM]]
func.func @read_behind(%a: !map) -> (!map, !whole) {
  %empty = tensor.empty() : !map
  %0 = mli.relu ins(%a : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
  %1 = mli.relu ins(%a : !map) outs(%empty : !map) {relu = #mli.relu<relu1>} -> !map
  %2 = tensor.concat dim(1) %0, %1 : (!map, !map) -> !whole
  %all = tensor.empty() : !whole
  %3 = mli.relu ins(%2 : !whole) outs(%all : !whole) {relu = #mli.relu<relu6>} -> !whole
  %4 = mli.eltwise_add ins(%a, %0 : !map, !map) outs(%empty : !map) -> !map
  return %4, %3 : !map, !whole
}

// -----

!head = tensor<2x3x4x!mli.fx8<3>>
!boxes = tensor<6x4x!mli.fx8<3>>
!all = tensor<12x4x!mli.fx8<3>>

// Rows behind each other, whatever shape the kernel gives them; another kernel
// reads that shape.
// CHECK-LABEL: func.func @other_shape
// CHECK: %[[PLACE:.*]] = mli.subtensor %{{.*}}[0, 0] [6, 4]
// CHECK: %[[HEAD:.*]] = mli.reshape %[[PLACE]] : tensor<6x4x!mli.fx8<3>> to tensor<2x3x4x!mli.fx8<3>>
// CHECK: mli.relu ins(%{{.*}} : {{.*}}) outs(%[[HEAD]] : {{.*}}) {relu = #mli.relu<gen>}

// BUFFER-LABEL: func.func @other_shape
// BUFFER-SAME: %[[A:[^:]*]]: memref<2x3x4x{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref<12x4x
// BUFFER-NEXT: %[[FIRST:.*]] = mli.subtensor %[[OUT]][0, 0] [6, 4]
// BUFFER-NEXT: %[[HEAD:.*]] = mli.reshape %[[FIRST]]
// BUFFER-NEXT: mli.relu ins(%[[A]] : {{.*}}) outs(%[[HEAD]] : {{.*}})
// BUFFER-NEXT: %[[SECOND:.*]] = mli.subtensor %[[OUT]][6, 0] [6, 4]
// BUFFER-NEXT: %[[LAST:.*]] = mli.reshape %[[SECOND]]
// BUFFER-NEXT: mli.relu ins(%[[HEAD]] : {{.*}}) outs(%[[LAST]] : {{.*}})
// BUFFER-NEXT: return
func.func @other_shape(%a: !head) -> !all {
  %empty = tensor.empty() : !head
  %0 = mli.relu ins(%a : !head) outs(%empty : !head) {relu = #mli.relu<gen>} -> !head
  %1 = mli.relu ins(%0 : !head) outs(%empty : !head) {relu = #mli.relu<relu1>} -> !head
  %2 = mli.reshape %0 : !head to !boxes
  %3 = mli.reshape %1 : !head to !boxes
  %4 = tensor.concat dim(0) %2, %3 : (!boxes, !boxes) -> !all
  return %4 : !all
}

// -----

!map = tensor<4x8x3x!mli.fx8<3>>
!batch = tensor<1x4x8x3x!mli.fx8<3>>
!whole = tensor<1x4x8x6x!mli.fx8<3>>

// Without the first dimension the part is still a block, with gaps.
// BUFFER-LABEL: func.func @batch
// BUFFER-SAME: %[[A:[^:]*]]: memref<4x8x3x{{[^,]*}}>{{[^,]*}}, %[[OUT:[^:]*]]: memref<1x4x8x6x
// BUFFER-NEXT: %[[FIRST:.*]] = mli.subtensor %[[OUT]][0, 0, 0, 0] [1, 4, 8, 3] : {{.*}} to memref<4x8x3x
// BUFFER-NEXT: mli.relu ins(%[[A]] : {{.*}}) outs(%[[FIRST]] : {{.*}})
// BUFFER-NEXT: %[[SECOND:.*]] = mli.subtensor %[[OUT]][0, 0, 0, 3] [1, 4, 8, 3] : {{.*}} to memref<4x8x3x
// BUFFER-NEXT: mli.relu ins(%[[A]] : {{.*}}) outs(%[[SECOND]] : {{.*}})
// BUFFER-NEXT: return
func.func @batch(%a: !map) -> !whole {
  %empty = tensor.empty() : !map
  %0 = mli.relu ins(%a : !map) outs(%empty : !map) {relu = #mli.relu<gen>} -> !map
  %1 = mli.reshape %0 : !map to !batch
  %2 = mli.relu ins(%a : !map) outs(%empty : !map) {relu = #mli.relu<relu1>} -> !map
  %3 = mli.reshape %2 : !map to !batch
  %4 = tensor.concat dim(3) %1, %3 : (!batch, !batch) -> !whole
  return %4 : !whole
}

// -----

!row = tensor<8x!mli.fx8<3>>
!column = tensor<8x1x!mli.fx8<3>>
!map = tensor<4x8x!mli.fx8<3>>

// A row for each round, which the kernel writes as a column.
// BUFFER-LABEL: func.func @rounds
// BUFFER: scf.for %[[I:.*]] =
// BUFFER: %[[ROW:.*]] = mli.subtensor %{{.*}}[%[[I]], 0] [1, 8]
// BUFFER-NEXT: %[[COLUMN:.*]] = mli.reshape %[[ROW]]
// BUFFER-NEXT: mli.relu ins(%{{.*}} : {{.*}}) outs(%[[COLUMN]] : {{.*}})
// BUFFER-NOT: mli.mov
// BUFFER: return
func.func @rounds(%a: !column) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %empty = tensor.empty() : !map
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%iter = %empty) -> !map {
    %column = tensor.empty() : !column
    %1 = mli.relu ins(%a : !column) outs(%column : !column) {relu = #mli.relu<gen>} -> !column
    %2 = mli.reshape %1 : !column to !row
    %3 = tensor.insert_slice %2 into %iter[%i, 0] [1, 8] [1, 1] : !row into !map
    scf.yield %3 : !map
  }
  return %0 : !map
}
