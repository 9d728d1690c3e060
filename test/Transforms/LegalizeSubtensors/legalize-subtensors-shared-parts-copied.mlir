// What just misses a place: parts that are copied, and the whole text of why.
// RUN: mli-opt %s --mli-legalize-subtensors=explain --split-input-file --verify-diagnostics
// RUN: mli-opt %s --mli-legalize-subtensors --mli-bufferize --mli-legalize-subtensors -o /dev/null --split-input-file

!head = tensor<2x3x4x!mli.fx8<3>>
!boxes = tensor<6x4x!mli.fx8<3>>

// Columns have gaps, which another shape has not.
func.func @gaps(%a: !head) -> tensor<6x8x!mli.fx8<3>> {
  %empty = tensor.empty() : !head
  %0 = mli.relu ins(%a : !head) outs(%empty : !head) {relu = #mli.relu<gen>} -> !head
  %1 = mli.reshape %0 : !head to !boxes
  // expected-remark @below {{expected operand 0 of 'tensor.concat' to be computed in its destination, but got a value of 2 uses; this copies 24 bytes, a kernel that writes it there would copy none}}
  // expected-remark @below {{expected operand 1 of 'tensor.concat' to be computed in its destination, but got a value of 2 uses; this copies 24 bytes, a kernel that writes it there would copy none}}
  %2 = tensor.concat dim(1) %1, %1 : (!boxes, !boxes) -> tensor<6x8x!mli.fx8<3>>
  return %2 : tensor<6x8x!mli.fx8<3>>
}

// Once it is in its place, and once a copy.
func.func @twice(%a: !head) -> tensor<12x4x!mli.fx8<3>> {
  %empty = tensor.empty() : !head
  %0 = mli.relu ins(%a : !head) outs(%empty : !head) {relu = #mli.relu<gen>} -> !head
  %1 = mli.reshape %0 : !head to !boxes
  // expected-remark @below {{expected operand 1 of 'tensor.concat' to be computed in its destination, but got a value of 2 uses; this copies 24 bytes, a kernel that writes it there would copy none}}
  %2 = tensor.concat dim(0) %1, %1 : (!boxes, !boxes) -> tensor<12x4x!mli.fx8<3>>
  return %2 : tensor<12x4x!mli.fx8<3>>
}

// The caller gets a buffer of its own.
func.func @returned(%a: !boxes) -> (!boxes, tensor<12x4x!mli.fx8<3>>) {
  %empty = tensor.empty() : !boxes
  %0 = mli.relu ins(%a : !boxes) outs(%empty : !boxes) {relu = #mli.relu<gen>} -> !boxes
  %1 = mli.relu ins(%a : !boxes) outs(%empty : !boxes) {relu = #mli.relu<relu1>} -> !boxes
  // expected-remark @below {{expected operand 0 of 'tensor.concat' to be computed in its destination, but got a value of 2 uses; this copies 24 bytes, a kernel that writes it there would copy none}}
  %2 = tensor.concat dim(0) %0, %1 : (!boxes, !boxes) -> tensor<12x4x!mli.fx8<3>>
  return %0, %2 : !boxes, tensor<12x4x!mli.fx8<3>>
}

// -----

!row = tensor<1x16x!mli.sa8<1:4:-128>>
!map = tensor<2x8x!mli.sa8<1:4:-128>>
!weights = tensor<16x3x!mli.sa8<5:10:0>>
!bias = tensor<3x!mli.sa32<5:14:0>>
!out = tensor<3x!mli.sa8<1:3:4>>
!whole = tensor<2x16x!mli.sa8<1:4:-128>>

// Another kernel walks it as one row.
func.func @needs_rows(%a: !map, %weights: !weights, %bias: !bias) -> (!whole, !out) {
  %empty = tensor.empty() : !map
  %0 = mli.eltwise_add ins(%a, %a : !map, !map) outs(%empty : !map) -> !map
  %1 = tensor.empty() : !out
  %2 = mli.fully_connected ins(%0, %weights, %bias : !map, !weights, !bias) outs(%1 : !out) -> !out
  // expected-remark @below {{expected operand 0 of 'tensor.concat' to be computed in its destination, but got a value of 2 uses; this copies 16 bytes, a kernel that writes it there would copy none}}
  // expected-remark @below {{expected operand 1 of 'tensor.concat' to be computed in its destination, but got an argument; this copies 16 bytes, a kernel that writes it there would copy none}}
  %3 = tensor.concat dim(1) %0, %a : (!map, !map) -> !whole
  return %3, %2 : !whole, !out
}
