// RUN: mli-opt %s --split-input-file --mli-legalize-subtensors=explain \
// RUN:   --verify-diagnostics | FileCheck %s

!t = tensor<4x4x2x!mli.sa8<1:7:3>>
!k = tensor<1x1x2x2x!mli.sa8<1:7:0>>
!b = tensor<2x!mli.sa32<1:14:0>>
!w = tensor<4x4x4x!mli.sa8<1:7:3>>

// The channels of two slices interleave, which a convolution does not take: the
// second is computed elsewhere.
// CHECK-LABEL: func @channels
// CHECK-SAME:    %[[A:.*]]: tensor<4x4x2x
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<4x4x4x
// CHECK:         %[[FIRST:.*]] = mli.subtensor %[[E]][0, 0, 0] [4, 4, 2]
// CHECK:         %[[V:.*]] = mli.conv2d ins(%[[A]], {{.*}}) outs(%[[FIRST]] :
// CHECK:         %[[W:.*]] = tensor.insert_slice %[[V]] into %[[E]][0, 0, 0]
// CHECK:         %[[OWN:.*]] = tensor.empty() : tensor<4x4x2x
// CHECK:         %[[U:.*]] = mli.conv2d ins(%[[V]], {{.*}}) outs(%[[OWN]] :
// CHECK:         %[[PLACE:.*]] = mli.subtensor %[[W]][0, 0, 2] [4, 4, 2]
// CHECK:         %[[M:.*]] = mli.mov ins(%[[U]] : {{.*}}) outs(%[[PLACE]] : {{.*}}) {reason = #mli.copy_reason<placed_elsewhere>}
// CHECK:         tensor.insert_slice %[[M]] into %[[W]][0, 0, 2]
func.func @channels(%a: !t, %k: !k, %b: !b) -> !w {
  %e = tensor.empty() : !t
  %v = mli.conv2d ins(%a, %k, %b : !t, !k, !b) outs(%e : !t) pad [0, 0, 0, 0] -> !t
  // expected-remark @+1 {{expected the result of 'mli.conv2d' to be in memory apart from operand 0, but got interleaved slices of one tensor; this copies 32 bytes, slices along the outermost dimension would copy none}}
  %u = mli.conv2d ins(%v, %k, %b : !t, !k, !b) outs(%e : !t) pad [0, 0, 0, 0] -> !t
  %w = tensor.concat dim(2) %v, %u : (!t, !t) -> !w
  return %w : !w
}

// -----

!t = tensor<4x4x2x!mli.sa8<1:7:3>>
!k = tensor<1x1x2x2x!mli.sa8<1:7:0>>
!b = tensor<2x!mli.sa32<1:14:0>>
!w = tensor<8x4x2x!mli.sa8<1:7:3>>

// Slices of rows do not interleave: all are computed in their destination.
// CHECK-LABEL: func @rows
// CHECK-NOT:     mli.mov
func.func @rows(%a: !t, %k: !k, %b: !b) -> !w {
  %e = tensor.empty() : !t
  %v = mli.conv2d ins(%a, %k, %b : !t, !k, !b) outs(%e : !t) pad [0, 0, 0, 0] -> !t
  %u = mli.conv2d ins(%v, %k, %b : !t, !k, !b) outs(%e : !t) pad [0, 0, 0, 0] -> !t
  %w = tensor.concat dim(0) %v, %u : (!t, !t) -> !w
  return %w : !w
}

// -----

!t = tensor<4x4x2x!mli.sa8<1:7:3>>
!w = tensor<4x4x4x!mli.sa8<1:7:3>>

// A kernel that may write in the place of what it reads takes them, too.
// CHECK-LABEL: func @elementwise
// CHECK-NOT:     mli.mov
func.func @elementwise(%a: !t) -> !w {
  %e = tensor.empty() : !t
  %v = mli.eltwise_add ins(%a, %a : !t, !t) outs(%e : !t) -> !t
  %u = mli.relu ins(%v : !t) outs(%e : !t) {relu = #mli.relu<gen>} -> !t
  %w = tensor.concat dim(2) %v, %u : (!t, !t) -> !w
  return %w : !w
}

// -----

!t = tensor<4x4x2x!mli.sa8<1:7:3>>
!h = tensor<2x4x2x!mli.sa8<1:7:3>>
!w = tensor<4x4x4x!mli.sa8<1:7:3>>

// A nested destination: one slice of it is read, and another slice of the outer one
// written.
// CHECK-LABEL: func @inner
// CHECK:         %[[OWN:.*]] = tensor.empty() : tensor<4x4x2x
// CHECK:         mli.permute ins({{.*}}) outs(%[[OWN]] :
// CHECK:         mli.mov {{.*}} {reason = #mli.copy_reason<placed_elsewhere>}
func.func @inner(%a: !h) -> !w {
  %eh = tensor.empty() : !h
  %et = tensor.empty() : !t
  %x = mli.eltwise_add ins(%a, %a : !h, !h) outs(%eh : !h) -> !h
  %y = mli.eltwise_sub ins(%x, %a : !h, !h) outs(%eh : !h) -> !h
  %v = tensor.concat dim(0) %x, %y : (!h, !h) -> !t
  // expected-remark @+1 {{expected the result of 'mli.permute' to be in memory apart from operand 0, but got interleaved slices of one tensor; this copies 32 bytes, slices along the outermost dimension would copy none}}
  %u = mli.permute ins(%v : !t) outs(%et : !t) permutation [1, 0, 2] -> !t
  %w = tensor.concat dim(2) %v, %u : (!t, !t) -> !w
  return %w : !w
}

// -----

!t = tensor<2x3x!mli.sa8<1:7:3>>
!w = tensor<2x6x!mli.sa8<1:7:3>>

// One operand twice: the move to its second slice does not conflict.
// CHECK-LABEL: func @twice
// CHECK:         %[[V:.*]] = mli.eltwise_add
// CHECK:         %[[OWN:.*]] = tensor.empty() : tensor<2x3x
// CHECK:         %[[APART:.*]] = mli.mov ins(%[[V]] : {{.*}}) outs(%[[OWN]] :
// CHECK:         mli.mov ins(%[[APART]] :
func.func @twice(%a: !t) -> !w {
  %e = tensor.empty() : !t
  %v = mli.eltwise_add ins(%a, %a : !t, !t) outs(%e : !t) -> !t
  // expected-remark @+2 {{expected operand 1 of 'tensor.concat' to be computed in its destination, but got a value of 2 uses; this copies 6 bytes, a kernel that writes it there would copy none}}
  // expected-remark @+1 {{expected the result of 'mli.mov' to be in memory apart from operand 0, but got interleaved slices of one tensor; this copies 6 bytes, slices along the outermost dimension would copy none}}
  %w = tensor.concat dim(1) %v, %v : (!t, !t) -> !w
  return %w : !w
}

// -----

!t = tensor<2x3x!mli.sa8<1:7:3>>
!w = tensor<2x6x!mli.sa8<1:7:3>>
!into = tensor<4x8x!mli.sa8<1:7:3>>

// The same in a slice of an argument, which the result is a copy of.
// CHECK-LABEL: func @twice_in_an_argument
// CHECK:         %[[V:.*]] = mli.eltwise_add
// CHECK:         %[[OWN:.*]] = tensor.empty() : tensor<2x3x
// CHECK:         %[[APART:.*]] = mli.mov ins(%[[V]] : {{.*}}) outs(%[[OWN]] :
// CHECK:         mli.mov ins(%[[APART]] :
func.func @twice_in_an_argument(%a: !t, %into: !into) -> !into {
  %e = tensor.empty() : !t
  %v = mli.eltwise_add ins(%a, %a : !t, !t) outs(%e : !t) -> !t
  // expected-remark @+2 {{expected operand 1 of 'tensor.concat' to be computed in its destination, but got a value of 2 uses; this copies 6 bytes, a kernel that writes it there would copy none}}
  // expected-remark @+1 {{expected the result of 'mli.mov' to be in memory apart from operand 0, but got interleaved slices of one tensor; this copies 6 bytes, slices along the outermost dimension would copy none}}
  %w = tensor.concat dim(1) %v, %v : (!t, !t) -> !w
  %r = tensor.insert_slice %w into %into[1, 1] [2, 6] [1, 1] : !w into !into
  return %r : !into
}

// -----

!t = tensor<2x3x!mli.sa8<1:7:3>>
!w = tensor<2x6x!mli.sa8<1:7:3>>

// What is read of an argument stays where it is: nothing conflicts.
// CHECK-LABEL: func @argument
// CHECK-NOT:     mli.mov
func.func @argument(%w: !w) -> !w {
  %left = tensor.extract_slice %w[0, 0] [2, 3] [1, 1] : !w to !t
  %e = tensor.empty() : !t
  %v = mli.permute ins(%left : !t) outs(%e : !t) permutation [0, 1] -> !t
  %r = tensor.insert_slice %v into %w[0, 3] [2, 3] [1, 1] : !t into !w
  return %r : !w
}
