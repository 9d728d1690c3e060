// Every reason for a copy of a tensor: what fires it, what just misses it, and
// what the two options say of it.
// RUN: mli-opt %s --mli-legalize-subtensors --split-input-file | FileCheck %s
// RUN: mli-opt %s --mli-legalize-subtensors=explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: not mli-opt %s --mli-legalize-subtensors=reject-copies --split-input-file 2>&1 | FileCheck %s --check-prefix=REJECT

!map = tensor<4x6x8x!mli.fx8<3>>

// CHECK-LABEL: func.func @step
// CHECK-SAME: %[[MAP:.*]]: tensor
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<4x3x8x!mli.fx8<3>>
// CHECK-NEXT: %[[MOVED:.*]] = mli.mov ins(%[[MAP]] : {{.*}}) outs(%[[EMPTY]] : {{.*}}) {offsets = array<i64: 0, 1, 0>, reason = #mli.copy_reason<strided_step>, sizes = array<i64: 4, 5, 8>, steps = array<i64: 1, 2, 1>}
// CHECK-NEXT: return %[[MOVED]]
// REJECT: error: expected step of dimension 1 to be 1, but got 2{{$}}
// REJECT: note: this copies 96 bytes; a view of [4, 5, 8] from [0, 1, 0] would copy none{{$}}
func.func @step(%map: !map) -> tensor<4x3x8x!mli.fx8<3>> {
  // EXPLAIN: remark: expected step of dimension 1 to be 1, but got 2; this copies 96 bytes, a view of [4, 5, 8] from [0, 1, 0] would copy none{{$}}
  %0 = tensor.extract_slice %map[0, 1, 0] [4, 3, 8] [1, 2, 1]
    : !map to tensor<4x3x8x!mli.fx8<3>>
  return %0 : tensor<4x3x8x!mli.fx8<3>>
}

// A block that holds it, then a move with the step only.
// CHECK-LABEL: func.func @step_of_values
// CHECK-SAME: %[[MAP:.*]]: tensor<{{.*}}>, %[[AT:.*]]: index
// CHECK-NEXT: %[[BLOCK:.*]] = mli.subtensor %[[MAP]][0, %[[AT]], 0] [4, 5, 8] : {{.*}} to tensor<4x5x8x!mli.fx8<3>>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<4x3x8x!mli.fx8<3>>
// CHECK-NEXT: mli.mov ins(%[[BLOCK]] : {{.*}}) outs(%[[EMPTY]] : {{.*}}) {reason = #mli.copy_reason<strided_step>, steps = array<i64: 1, 2, 1>}
func.func @step_of_values(%map: !map, %at: index) -> tensor<4x3x8x!mli.fx8<3>> {
  // EXPLAIN: remark: expected step of dimension 1 to be 1, but got 2; this copies 96 bytes, a view of [4, 5, 8] from [0, ?, 0] would copy none{{$}}
  %0 = tensor.extract_slice %map[0, %at, 0] [4, 3, 8] [1, 2, 1]
    : !map to tensor<4x3x8x!mli.fx8<3>>
  return %0 : tensor<4x3x8x!mli.fx8<3>>
}

// -----

!map = tensor<1x6x8x!mli.fx8<3>>

// CHECK-LABEL: func.func @inner_unit_dim
// CHECK: mli.mov {{.*}} {offsets = array<i64: 0, 0, 3>, reason = #mli.copy_reason<inner_unit_dims>, sizes = array<i64: 1, 6, 1>}
// CHECK-NEXT: mli.reshape %{{.*}} : tensor<1x6x1x!mli.fx8<3>> to tensor<1x6x!mli.fx8<3>>
// REJECT: error: expected the first dimensions of size 1 to be dropped, which keeps [1, 2], but got [0, 1]{{$}}
// REJECT: note: this copies 6 bytes; a view of [1, 6, 1] from [0, 0, 3] without dropping would copy none{{$}}
func.func @inner_unit_dim(%map: !map) -> tensor<1x6x!mli.fx8<3>> {
  // EXPLAIN: remark: expected the first dimensions of size 1 to be dropped, which keeps [1, 2], but got [0, 1]; this copies 6 bytes, a view of [1, 6, 1] from [0, 0, 3] without dropping would copy none{{$}}
  %0 = tensor.extract_slice %map[0, 0, 3] [1, 6, 1] [1, 1, 1]
    : !map to tensor<1x6x!mli.fx8<3>>
  return %0 : tensor<1x6x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @first_unit_dim
// CHECK-NEXT: mli.subtensor
// CHECK-NEXT: return
func.func @first_unit_dim(%map: !map) -> tensor<6x1x!mli.fx8<3>> {
  %0 = tensor.extract_slice %map[0, 0, 3] [1, 6, 1] [1, 1, 1]
    : !map to tensor<6x1x!mli.fx8<3>>
  return %0 : tensor<6x1x!mli.fx8<3>>
}

// -----

!map = tensor<4x16x!mli.sa8<1:4:-128>>
!weights = tensor<16x3x!mli.sa8<5:10:0>>
!bias = tensor<3x!mli.sa32<5:14:0>>
!out = tensor<3x!mli.sa8<1:3:4>>
!cut = tensor<2x8x!mli.sa8<1:4:-128>>
!row = tensor<1x16x!mli.sa8<1:4:-128>>
!column = tensor<4x!mli.sa8<1:4:-128>>
!flat = tensor<16x!mli.sa8<1:4:-128>>

// CHECK-LABEL: func.func @gaps
// CHECK: %[[CUT:.*]] = mli.subtensor
// CHECK: %[[MOVED:.*]] = mli.mov ins(%[[CUT]] : {{.*}} {reason = #mli.copy_reason<kernel_contiguous>}
// CHECK: mli.fully_connected ins(%[[MOVED]], {{.*}}
// REJECT: error: expected operand 0 of 'mli.fully_connected' to be contiguous, but got shape [2, 8] with strides [16, 1]{{$}}
// REJECT: note: this copies 16 bytes; a slice along dimension 0 only would copy none{{$}}
func.func @gaps(%map: !map, %weights: !weights, %bias: !bias, %init: !out)
    -> !out {
  // EXPLAIN: remark: expected operand 0 of 'mli.fully_connected' to be contiguous, but got shape [2, 8] with strides [16, 1]; this copies 16 bytes, a slice along dimension 0 only would copy none{{$}}
  %0 = tensor.extract_slice %map[1, 8] [2, 8] [1, 1] : !map to !cut
  %1 = mli.fully_connected ins(%0, %weights, %bias : !cut, !weights, !bias)
    outs(%init : !out) -> !out
  return %1 : !out
}

// CHECK-LABEL: func.func @no_gaps
// CHECK-NOT: mli.mov
// CHECK: return
func.func @no_gaps(%map: !map, %weights: !weights, %bias: !bias, %init: !out)
    -> !out {
  %0 = tensor.extract_slice %map[1, 0] [1, 16] [1, 1] : !map to !row
  %1 = mli.fully_connected ins(%0, %weights, %bias : !row, !weights, !bias)
    outs(%init : !out) -> !out
  return %1 : !out
}

// CHECK-LABEL: func.func @inner_stride
// CHECK: mli.mov {{.*}} {reason = #mli.copy_reason<kernel_layout>}
// CHECK-NEXT: mli.relu
// REJECT: error: expected innermost stride of operand 0 of 'mli.relu' to be 1, but got 16{{$}}
// REJECT: note: this copies 4 bytes; a slice that keeps the last dimension would copy none{{$}}
func.func @inner_stride(%map: !map, %init: !column) -> !column {
  // EXPLAIN: remark: expected innermost stride of operand 0 of 'mli.relu' to be 1, but got 16; this copies 4 bytes, a slice that keeps the last dimension would copy none{{$}}
  %0 = tensor.extract_slice %map[0, 2] [4, 1] [1, 1] : !map to !column
  %1 = mli.relu ins(%0 : !column) outs(%init : !column)
    {relu = #mli.relu<gen>} -> !column
  return %1 : !column
}

// A permutation takes any strides.
// CHECK-LABEL: func.func @any_inner_stride
// CHECK-NOT: mli.mov
// CHECK: return
func.func @any_inner_stride(%map: !map, %init: !column) -> !column {
  %0 = tensor.extract_slice %map[0, 2] [4, 1] [1, 1] : !map to !column
  %1 = mli.permute ins(%0 : !column) outs(%init : !column) permutation [0]
    -> !column
  return %1 : !column
}

// -----

!a = tensor<2x8x!mli.fx8<3>>
!whole = tensor<4x8x!mli.fx8<3>>
!bias = tensor<2x!mli.sa32<axis = 0, {5:14:0, 7:14:0}>>

// CHECK-LABEL: func.func @argument
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x8x
// CHECK: %[[PLACE:.*]] = mli.subtensor %{{.*}}[2, 0] [2, 8]
// CHECK: %[[MOVED:.*]] = mli.mov ins(%[[A]] : {{.*}}) outs(%[[PLACE]] : {{.*}}) {reason = #mli.copy_reason<placed_elsewhere>}
// CHECK: tensor.insert_slice %[[MOVED]] into %{{.*}}[2, 0] [2, 8] [1, 1]
// REJECT: error: expected operand 1 of 'tensor.concat' to be computed in its destination, but got an argument{{$}}
// REJECT: note: this copies 16 bytes; a kernel that writes it there would copy none{{$}}
func.func @argument(%a: !a) -> !whole {
  %empty = tensor.empty() : !a
  %0 = mli.relu ins(%a : !a) outs(%empty : !a) {relu = #mli.relu<gen>} -> !a
  // EXPLAIN: remark: expected operand 1 of 'tensor.concat' to be computed in its destination, but got an argument; this copies 16 bytes, a kernel that writes it there would copy none{{$}}
  %1 = tensor.concat dim(0) %0, %a : (!a, !a) -> !whole
  return %1 : !whole
}

// CHECK-LABEL: func.func @two_uses
func.func @two_uses(%a: !a) -> (!a, !whole) {
  %empty = tensor.empty() : !a
  %0 = mli.relu ins(%a : !a) outs(%empty : !a) {relu = #mli.relu<gen>} -> !a
  %other = tensor.empty() : !a
  %1 = mli.relu ins(%0 : !a) outs(%other : !a) {relu = #mli.relu<relu1>} -> !a
  // EXPLAIN: remark: expected operand 0 of 'tensor.concat' to be computed in its destination, but got a value of 3 uses; this copies 16 bytes, a kernel that writes it there would copy none{{$}}
  %2 = tensor.concat dim(0) %0, %1 : (!a, !a) -> !whole
  return %0, %2 : !a, !whole
}

// CHECK-LABEL: func.func @reshaped_and_constant
func.func @reshaped_and_constant(%flat: tensor<16x!mli.fx8<3>>) -> !whole {
  %0 = mli.reshape %flat : tensor<16x!mli.fx8<3>> to !a
  %1 = mli.constant dense<3> : tensor<2x8xi8> to !a
  // EXPLAIN: remark: expected operand 0 of 'tensor.concat' to be computed in its destination, but got a value of 'mli.reshape'; this copies 16 bytes, a kernel that writes it there would copy none{{$}}
  // EXPLAIN: remark: expected operand 1 of 'tensor.concat' to be computed in its destination, but got a constant; this copies 16 bytes, a kernel that writes it there would copy none{{$}}
  %2 = tensor.concat dim(0) %0, %1 : (!a, !a) -> !whole
  return %2 : !whole
}

// CHECK-LABEL: func.func @insertion
// CHECK: %[[PLACE:.*]] = mli.subtensor %{{.*}}[1, 0] [2, 8]
// CHECK: mli.mov {{.*}} outs(%[[PLACE]] : {{.*}}) {reason = #mli.copy_reason<placed_elsewhere>}
// REJECT: error: expected the source of 'tensor.insert_slice' to be computed in its destination, but got an argument{{$}}
// REJECT: note: this copies 16 bytes; a kernel that writes it there would copy none{{$}}
func.func @insertion(%a: !a, %b: !whole) -> !whole {
  %empty = tensor.empty() : !whole
  %whole = mli.relu ins(%b : !whole) outs(%empty : !whole)
    {relu = #mli.relu<gen>} -> !whole
  // EXPLAIN: remark: expected the source of 'tensor.insert_slice' to be computed in its destination, but got an argument; this copies 16 bytes, a kernel that writes it there would copy none{{$}}
  %0 = tensor.insert_slice %a into %whole[1, 0] [2, 8] [1, 1] : !a into !whole
  return %0 : !whole
}

// The whole is not written: bufferization copies it, and then the part.
// CHECK-LABEL: func.func @insertion_into_an_argument
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT: return
func.func @insertion_into_an_argument(%a: !a, %whole: !whole) -> !whole {
  %0 = tensor.insert_slice %a into %whole[1, 0] [2, 8] [1, 1] : !a into !whole
  return %0 : !whole
}

// Bufferization sees that this is in its place.
// CHECK-LABEL: func.func @loop
// CHECK-NOT: mli.mov
// CHECK: return
func.func @loop(%a: !a, %whole: !whole) -> !whole {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %slice = tensor.extract_slice %whole[1, 0] [2, 8] [1, 1] : !whole to !a
  %0 = scf.for %i = %c0 to %c2 step %c1 iter_args(%iter = %slice) -> !a {
    %1 = mli.relu ins(%a : !a) outs(%iter : !a) {relu = #mli.relu<gen>} -> !a
    scf.yield %1 : !a
  }
  %2 = tensor.insert_slice %0 into %whole[1, 0] [2, 8] [1, 1] : !a into !whole
  return %2 : !whole
}

// -----

!map = tensor<2x3x!mli.fx8<3>>
!padded = tensor<4x4x!mli.fx8<3>>

// CHECK-LABEL: func.func @padding
// CHECK: mli.mov {{.*}} {pad_high = array<i64: 1, 0>, pad_low = array<i64: 1, 1>, reason = #mli.copy_reason<padding>}
// CHECK-NEXT: return
// REJECT: error: expected no padding, but got [1, 1] before and [1, 0] after{{$}}
// REJECT: note: this copies 16 bytes; padding of the kernel that reads it would copy none{{$}}
func.func @padding(%map: !map) -> !padded {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  // EXPLAIN: remark: expected no padding, but got [1, 1] before and [1, 0] after; this copies 16 bytes, padding of the kernel that reads it would copy none{{$}}
  %0 = tensor.pad %map low[1, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to !padded
  return %0 : !padded
}

// CHECK-LABEL: func.func @padding_with_a_code
// CHECK-DAG: %[[ROW:.*]] = mli.constant dense<7> : tensor<1x4xi8>
// CHECK-DAG: %[[COLUMN:.*]] = mli.constant dense<7> : tensor<2x1xi8>
// CHECK: %[[PLACE:.*]] = mli.subtensor %{{.*}}[1, 1] [2, 3]
// CHECK: mli.mov ins(%{{.*}} : {{.*}}) outs(%[[PLACE]] : {{.*}}) {reason = #mli.copy_reason<placed_elsewhere>}
// CHECK: %[[ABOVE:.*]] = mli.subtensor %{{.*}}[0, 0] [1, 4]
// CHECK: mli.mov ins(%[[ROW]] : {{.*}} outs(%[[ABOVE]] : {{.*}} {reason = #mli.copy_reason<padding>}
// CHECK: %[[BELOW:.*]] = mli.subtensor %{{.*}}[3, 0] [1, 4]
// CHECK: mli.mov {{.*}} outs(%[[BELOW]] : {{.*}} {reason = #mli.copy_reason<padding>}
// CHECK: %[[LEFT:.*]] = mli.subtensor %{{.*}}[1, 0] [2, 1]
// CHECK: mli.mov ins(%[[COLUMN]] : {{.*}} outs(%[[LEFT]] : {{.*}} {reason = #mli.copy_reason<padding>}
func.func @padding_with_a_code(%map: !map) -> !padded {
  %seven = mli.constant dense<7> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %seven[] : tensor<!mli.fx8<3>>
  // EXPLAIN-DAG: remark: expected no padding, but got [1, 1] before and [1, 0] after; this copies 4 bytes, padding of the kernel that reads it would copy none{{$}}
  // EXPLAIN-DAG: remark: expected no padding, but got [1, 1] before and [1, 0] after; this copies 2 bytes, padding of the kernel that reads it would copy none{{$}}
  // EXPLAIN-DAG: remark: expected operand 0 of 'tensor.pad' to be computed in its destination, but got an argument; this copies 6 bytes, a kernel that writes it there would copy none{{$}}
  %0 = tensor.pad %map low[1, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to !padded
  return %0 : !padded
}
