// RUN: mli-opt %s --canonicalize --split-input-file | FileCheck %s

// What the folder calls is what would run: the numbers are those of
// docs/spec/kernels.md by hand.

!fixed = tensor<4x!mli.fx8<4>>
!coarse = tensor<4x!mli.fx8<2>>

// Fraction bits 4 to 2: a rounding shift by 2, halves up.
// F1
// CHECK-LABEL: func.func @convert
// CHECK-NEXT: %[[RESULT:.*]] = mli.constant dense<[1, 2, -1, 32]> : tensor<4xi8> to tensor<4x!mli.fx8<2>>
// CHECK-NEXT: return %[[RESULT]]
func.func @convert() -> !coarse {
  %value = mli.constant dense<[5, 6, -6, 127]> : tensor<4xi8> to !fixed
  %init = tensor.empty() : !coarse
  %result = mli.convert ins(%value : !fixed) outs(%init : !coarse) -> !coarse
  return %result : !coarse
}

// -----

!real = tensor<4xf32>
!code = tensor<4x!mli.sa8<1:1:3>>

// (x / 0.5) + 3, away from zero at halves, saturated.
// CHECK-LABEL: func.func @quantize
// CHECK-NEXT: %[[RESULT:.*]] = mli.constant dense<[4, 0, 103, -128]> : tensor<4xi8>
// CHECK-NEXT: return %[[RESULT]]
func.func @quantize() -> !code {
  %value = arith.constant dense<[0.25, -1.25, 50.0, -1000.0]> : !real
  %init = tensor.empty() : !code
  %result = mli.convert ins(%value : !real) outs(%init : !code) -> !code
  return %result : !code
}

// -----

!code = tensor<2x!mli.sa8<1:1:3>>

// CHECK-LABEL: func.func @dequantize
// CHECK-NEXT: %[[RESULT:.*]] = arith.constant dense<[5.000000e-01, -6.550000e+01]> : tensor<2xf32>
// CHECK-NEXT: return %[[RESULT]]
func.func @dequantize() -> tensor<2xf32> {
  %value = mli.constant dense<[4, -128]> : tensor<2xi8> to !code
  %init = tensor.empty() : tensor<2xf32>
  %result = mli.convert ins(%value : !code) outs(%init : tensor<2xf32>)
    -> tensor<2xf32>
  return %result : tensor<2xf32>
}

// -----

// Each column has its own scale: 1 / 2 and 1 / 8, to 1 / 4.
!axis = tensor<2x2x!mli.sa8<axis = 1, {1:1:0, 1:3:0}>>
!one = tensor<2x2x!mli.sa8<1:2:0>>

// CHECK-LABEL: func.func @convert_per_axis
// CHECK-NEXT: mli.constant dense<{{\[\[}}10, 4], [-10, -3]]> : tensor<2x2xi8>
func.func @convert_per_axis() -> !one {
  %value = mli.constant dense<[[5, 7], [-5, -7]]> : tensor<2x2xi8> to !axis
  %init = tensor.empty() : !one
  %result = mli.convert ins(%value : !axis) outs(%init : !one) -> !one
  return %result : !one
}

// -----

!cube = tensor<1x2x3x!mli.fx16<0>>
!turned = tensor<3x1x2x!mli.fx16<0>>

// CHECK-LABEL: func.func @permute
// CHECK-NEXT: mli.constant dense<{{\[\[\[}}1, 4]], {{\[\[}}2, 5]], {{\[\[}}3, 6]]]> : tensor<3x1x2xi16>
func.func @permute() -> !turned {
  %value = mli.constant dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi16>
    to !cube
  %init = tensor.empty() : !turned
  %result = mli.permute ins(%value : !cube) outs(%init : !turned)
    permutation [2, 0, 1] -> !turned
  return %result : !turned
}

// -----

!axis = tensor<2x3x!mli.sa8<axis = 0, {1:1:0, 1:3:0}>>
!turned = tensor<3x2x!mli.sa8<axis = 1, {1:1:0, 1:3:0}>>

// CHECK-LABEL: func.func @permute_axis
// CHECK-NEXT: mli.constant dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
func.func @permute_axis() -> !turned {
  %value = mli.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
    to !axis
  %init = tensor.empty() : !turned
  %result = mli.permute ins(%value : !axis) outs(%init : !turned)
    permutation [1, 0] -> !turned
  return %result : !turned
}

// -----

// Both halves, so the program gets no larger; the type has the cut list.
!weights = tensor<2x4x!mli.sa8<axis = 1, {1:1:0, 1:2:0, 1:3:0, 1:4:0}>>
!left = tensor<2x2x!mli.sa8<axis = 1, {1:1:0, 1:2:0}>>
!right = tensor<2x2x!mli.sa8<axis = 1, {1:3:0, 1:4:0}>>

// CHECK-LABEL: func.func @subtensors
// CHECK-DAG: %[[LEFT:.*]] = mli.constant dense<{{\[\[}}1, 2], [5, 6]]> : tensor<2x2xi8>
// CHECK-DAG: %[[RIGHT:.*]] = mli.constant dense<{{\[\[}}3, 4], [7, 8]]> : tensor<2x2xi8>
// CHECK: return %[[LEFT]], %[[RIGHT]]
func.func @subtensors() -> (!left, !right) {
  %value = mli.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
    to !weights
  %left = mli.subtensor %value[0, 0] [2, 2] : !weights to !left
  %right = mli.subtensor %value[0, 2] [2, 2] : !weights to !right
  return %left, %right : !left, !right
}

// F2
// CHECK-LABEL: func.func @subtensor_of_used
// CHECK: mli.constant dense<{{\[\[}}1, 2, 3, 4], [5, 6, 7, 8]]>
// CHECK: mli.subtensor
func.func @subtensor_of_used() -> (!weights, !left) {
  %value = mli.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
    to !weights
  %left = mli.subtensor %value[0, 0] [2, 2] : !weights to !left
  return %value, %left : !weights, !left
}

// More than there was: two of three rows, twice.
// CHECK-LABEL: func.func @subtensors_overlap
// CHECK: mli.subtensor
// CHECK: mli.subtensor
func.func @subtensors_overlap()
    -> (tensor<2x!mli.fx8<1>>, tensor<2x!mli.fx8<1>>) {
  %value = mli.constant dense<[1, 2, 3]> : tensor<3xi8>
    to tensor<3x!mli.fx8<1>>
  %0 = mli.subtensor %value[0] [2] : tensor<3x!mli.fx8<1>>
    to tensor<2x!mli.fx8<1>>
  %1 = mli.subtensor %value[1] [2] : tensor<3x!mli.fx8<1>>
    to tensor<2x!mli.fx8<1>>
  return %0, %1 : tensor<2x!mli.fx8<1>>, tensor<2x!mli.fx8<1>>
}

// CHECK-LABEL: func.func @subtensor_at_a_value
// CHECK: mli.subtensor
func.func @subtensor_at_a_value(%at: index) -> tensor<2x!mli.fx8<1>> {
  %value = mli.constant dense<[1, 2, 3]> : tensor<3xi8>
    to tensor<3x!mli.fx8<1>>
  %0 = mli.subtensor %value[%at] [2] : tensor<3x!mli.fx8<1>>
    to tensor<2x!mli.fx8<1>>
  return %0 : tensor<2x!mli.fx8<1>>
}

// -----

!matrix = tensor<2x2x!mli.fx8<1>>
!vector = tensor<4x!mli.fx8<1>>

// CHECK-LABEL: func.func @reshape
// CHECK-NEXT: mli.constant dense<[1, 2, 3, 4]> : tensor<4xi8> to tensor<4x!mli.fx8<1>>
func.func @reshape() -> !vector {
  %value = mli.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8> to !matrix
  %result = mli.reshape %value : !matrix to !vector
  return %result : !vector
}

// The elements are in the program as they are.
// CHECK-LABEL: func.func @reshape_of_used
// CHECK: mli.reshape
func.func @reshape_of_used() -> (!matrix, !vector) {
  %value = mli.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8> to !matrix
  %result = mli.reshape %value : !matrix to !vector
  return %value, %result : !matrix, !vector
}

// CHECK-LABEL: func.func @reshape_of_resource
// CHECK-NEXT: mli.constant dense_resource<four> : tensor<4xi8> to tensor<4x!mli.fx8<1>>
func.func @reshape_of_resource() -> !vector {
  %value = mli.constant dense_resource<four> : tensor<2x2xi8> to !matrix
  %result = mli.reshape %value : !matrix to !vector
  return %result : !vector
}

// CHECK-LABEL: func.func @permute_of_resource
// CHECK-NEXT: mli.constant dense<{{\[\[}}1, 3], [2, -4]]> : tensor<2x2xi8>
func.func @permute_of_resource() -> !matrix {
  %value = mli.constant dense_resource<four> : tensor<2x2xi8> to !matrix
  %init = tensor.empty() : !matrix
  %result = mli.permute ins(%value : !matrix) outs(%init : !matrix)
    permutation [1, 0] -> !matrix
  return %result : !matrix
}

{-#
  dialect_resources: {
    builtin: {
      four: "0x01000000010203FC"
    }
  }
#-}

// -----

// Padded by one on the left, every second element, behind two others.
!in = tensor<3x!mli.fx16<1>>
!out = tensor<5x!mli.fx16<1>>

// CHECK-LABEL: func.func @mov
// CHECK-NEXT: mli.constant dense<[7, 8, 0, 2, 9]> : tensor<5xi16>
func.func @mov() -> !out {
  %value = mli.constant dense<[1, 2, 3]> : tensor<3xi16> to !in
  %init = mli.constant dense<[7, 8, 9, 9, 9]> : tensor<5xi16> to !out
  %result = mli.mov ins(%value : !in) outs(%init : !out)
    {pad_low = array<i64: 1>, sizes = array<i64: 4>, steps = array<i64: 2>,
     dst_offsets = array<i64: 2>} -> !out
  return %result : !out
}

// CHECK-LABEL: func.func @mov_into_unknown
// CHECK: mli.mov
func.func @mov_into_unknown(%init: !out) -> !out {
  %value = mli.constant dense<[1, 2, 3]> : tensor<3xi16> to !in
  %result = mli.mov ins(%value : !in) outs(%init : !out)
    {dst_offsets = array<i64: 2>} -> !out
  return %result : !out
}

// The window of the source has the shape of the whole destination.
// CHECK-LABEL: func.func @mov_of_equal_shapes
// CHECK-NEXT: mli.constant dense<[7, 1, 2]> : tensor<3xi16>
func.func @mov_of_equal_shapes() -> !in {
  %value = mli.constant dense<[1, 2, 3]> : tensor<3xi16> to !in
  %init = mli.constant dense<[7, 8, 9]> : tensor<3xi16> to !in
  %result = mli.mov ins(%value : !in) outs(%init : !in)
    {sizes = array<i64: 2>, dst_offsets = array<i64: 1>} -> !in
  return %result : !in
}

// -----

!sa = tensor<3x!mli.sa8<1:1:0>>
!one = tensor<1x!mli.sa8<1:1:0>>
!fx = tensor<3x!mli.fx8<1>>

// CHECK-LABEL: func.func @arithmetic
// CHECK-DAG: %[[SUM:.*]] = mli.constant dense<[11, -110, 127]> : tensor<3xi8>
// CHECK-DAG: %[[LESS:.*]] = mli.constant dense<[1, -120, 10]> : tensor<3xi8>
// CHECK-DAG: %[[RELU:.*]] = mli.constant dense<[1, 0, 120]> : tensor<3xi8>
// CHECK-DAG: %[[LEAKY:.*]] = mli.constant dense<[1, -60, 120]> : tensor<3xi8>
// CHECK: return %[[SUM]], %[[LESS]], %[[RELU]], %[[LEAKY]]
func.func @arithmetic() -> (!sa, !sa, !sa, !fx) {
  %value = mli.constant dense<[1, -120, 120]> : tensor<3xi8> to !sa
  %ten = mli.constant dense<10> : tensor<1xi8> to !one
  %fixed = mli.constant dense<[1, -120, 120]> : tensor<3xi8> to !fx
  %half = mli.constant dense<1> : tensor<1xi8> to tensor<1x!mli.fx8<1>>
  %init = tensor.empty() : !sa
  %fx = tensor.empty() : !fx
  %sum = mli.eltwise_add ins(%value, %ten : !sa, !one) outs(%init : !sa) -> !sa
  %less = mli.eltwise_min ins(%value, %ten : !sa, !one) outs(%init : !sa)
    -> !sa
  %relu = mli.relu ins(%value : !sa) outs(%init : !sa)
    {relu = #mli.relu<gen>} -> !sa
  %leaky = mli.leaky_relu ins(%fixed, %half : !fx, tensor<1x!mli.fx8<1>>)
    outs(%fx : !fx) -> !fx
  return %sum, %less, %relu, %leaky : !sa, !sa, !sa, !fx
}

// -----

!most = tensor<1048576x!mli.fx8<1>>
!more = tensor<1048577x!mli.fx8<1>>

// CHECK-LABEL: func.func @largest
// CHECK-NEXT: mli.constant
// CHECK-NEXT: return
func.func @largest() -> !most {
  %value = mli.constant dense<-1> : tensor<1048576xi8> to !most
  %init = tensor.empty() : !most
  %result = mli.relu ins(%value : !most) outs(%init : !most)
    {relu = #mli.relu<gen>} -> !most
  return %result : !most
}

// CHECK-LABEL: func.func @too_large
// CHECK: mli.relu
func.func @too_large() -> !more {
  %value = mli.constant dense<-1> : tensor<1048577xi8> to !more
  %init = tensor.empty() : !more
  %result = mli.relu ins(%value : !more) outs(%init : !more)
    {relu = #mli.relu<gen>} -> !more
  return %result : !more
}

// One element for all stays one.
// CHECK-LABEL: func.func @large_splat
// CHECK-NEXT: mli.constant dense<-1> : tensor<1048576xi8>
// CHECK-NEXT: return
func.func @large_splat() -> !most {
  %value = mli.constant dense<-1> : tensor<1048577xi8> to !more
  %result = mli.subtensor %value[1] [1048576] : !more to !most
  return %result : !most
}

// -----

!local = tensor<2x!mli.fx8<1>, #mli.space<local>>

// A constant is in system memory.
// CHECK-LABEL: func.func @move_to_an_npu
// CHECK: mli.mov
func.func @move_to_an_npu() -> !local {
  %value = mli.constant dense<[1, 2]> : tensor<2xi8> to tensor<2x!mli.fx8<1>>
  %init = tensor.empty() : !local
  %result = mli.mov ins(%value : tensor<2x!mli.fx8<1>>) outs(%init : !local)
    -> !local
  return %result : !local
}

// Upstream folders see no elements that they would misread.
// CHECK-LABEL: func.func @upstream_slice
// CHECK: mli.constant
// CHECK: tensor.extract_slice
func.func @upstream_slice() -> tensor<1x!mli.fx8<1>> {
  %value = mli.constant dense<[1, 2]> : tensor<2xi8> to tensor<2x!mli.fx8<1>>
  %slice = tensor.extract_slice %value[0] [1] [1]
    : tensor<2x!mli.fx8<1>> to tensor<1x!mli.fx8<1>>
  return %slice : tensor<1x!mli.fx8<1>>
}

// Equal constants become one, on buffers too.
// CHECK-LABEL: func.func @equal_constants
// CHECK-NEXT: %[[VALUE:.*]] = mli.constant dense<[1, 2]> : tensor<2xi8> to memref<2x!mli.fx8<1>>
// CHECK-NEXT: return %[[VALUE]], %[[VALUE]]
func.func @equal_constants() -> (memref<2x!mli.fx8<1>>, memref<2x!mli.fx8<1>>) {
  %0 = mli.constant dense<[1, 2]> : tensor<2xi8> to memref<2x!mli.fx8<1>>
  %1 = mli.constant dense<[1, 2]> : tensor<2xi8> to memref<2x!mli.fx8<1>>
  return %0, %1 : memref<2x!mli.fx8<1>>, memref<2x!mli.fx8<1>>
}
