// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Numbers that nothing gives a scale stand for themselves.

// CHECK-LABEL: func.func @transpose_of_words(
// CHECK:         mli.permute ins({{.*}} : tensor<2x3x!mli.fx16<0>>)
func.func @transpose_of_words(%arg0: tensor<2x3xi16>) -> (tensor<3x2xi16>) {
  %transpose = tosa.transpose %arg0 {perms = array<i32: 1, 0>} : (tensor<2x3xi16>) -> tensor<3x2xi16>
  return %transpose : tensor<3x2xi16>
}

// -----

// The kernel has no 32 bits, but a move has.

// CHECK-LABEL: func.func @transpose_of_sums(
// CHECK:         mli.mov ins({{.*}} : tensor<2x3x!mli.sa32<1:0:0>>) {{.*}} {permutation = array<i64: 1, 0>}
func.func @transpose_of_sums(%arg0: tensor<2x3xi32>) -> (tensor<3x2xi32>) {
  %transpose = tosa.transpose %arg0 {perms = array<i32: 1, 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %transpose : tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func.func @scale_of_words(
// CHECK-SAME:      tensor<2x3x!mli.fx16<3>>) -> tensor<3x2x!mli.fx16<3>>
func.func @scale_of_words(%arg0: tensor<2x3x!quant.uniform<i16:f32, 0.125>>) -> (tensor<3x2x!quant.uniform<i16:f32, 0.125>>) {
  %transpose = tosa.transpose %arg0 {perms = array<i32: 1, 0>} : (tensor<2x3x!quant.uniform<i16:f32, 0.125>>) -> tensor<3x2x!quant.uniform<i16:f32, 0.125>>
  return %transpose : tensor<3x2x!quant.uniform<i16:f32, 0.125>>
}

// -----

// CHECK-LABEL: func.func @max_pool(
// CHECK:         mli.maxpool ins({{.*}} : tensor<4x4x2x!mli.fx16<0>>)
func.func @max_pool(%arg0: tensor<1x4x4x2xi16>) -> (tensor<1x2x2x2xi16>) {
  %pool = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi16>) -> tensor<1x2x2x2xi16>
  return %pool : tensor<1x2x2x2xi16>
}

// -----

// CHECK-LABEL: func.func @reduce_max(
// CHECK:         mli.maxpool ins({{.*}} : tensor<3x1x2x!mli.fx16<0>>)
func.func @reduce_max(%arg0: tensor<3x2xi16>) -> (tensor<1x2xi16>) {
  %largest = tosa.reduce_max %arg0 {axis = 0 : i32} : (tensor<3x2xi16>) -> tensor<1x2xi16>
  return %largest : tensor<1x2xi16>
}

// -----

// The limits of the type clip nothing.

// CHECK-LABEL: func.func @clamp(
// CHECK:         mli.constant dense<-300> : tensor<1xi16>
// CHECK:         mli.eltwise_max
// CHECK-NOT:     mli.eltwise_min
func.func @clamp(%arg0: tensor<3x2xi16>) -> (tensor<3x2xi16>) {
  %clamp = tosa.clamp %arg0 {min_val = -300 : i16, max_val = 32767 : i16} : (tensor<3x2xi16>) -> tensor<3x2xi16>
  return %clamp : tensor<3x2xi16>
}

// -----

// Positions are moved as other numbers of 32 bits.

// CHECK-LABEL: func.func @positions(
// CHECK-SAME:      tensor<3x9x2x!mli.fx16<0>>) -> tensor<2x3x!mli.sa32<1:0:0>>
// CHECK:         mli.argmax
// CHECK:         mli.mov {{.*}} {permutation = array<i64: 1, 0>}
func.func @positions(%arg0: tensor<3x9x2xi16>) -> (tensor<2x3xi32>) {
  %positions = tosa.argmax %arg0 {axis = 1 : i32} : (tensor<3x9x2xi16>) -> tensor<3x2xi32>
  %transpose = tosa.transpose %positions {perms = array<i32: 1, 0>} : (tensor<3x2xi32>) -> tensor<2x3xi32>
  return %transpose : tensor<2x3xi32>
}

// -----

// A slice of the tensor dialect between operations of TOSA is theirs.

// CHECK-LABEL: func.func @slice(
// CHECK-SAME:      %[[ARG:[^:]*]]: tensor<1x8x8x1x!mli.sa8<1:0:0>>) -> tensor<6x6x!mli.sa8<1:0:0>>
// CHECK:         tensor.extract_slice {{.*}}[1, 1, 0] [6, 6, 1] [1, 1, 1] : tensor<8x8x1x!mli.sa8<1:0:0>> to tensor<6x6x1x!mli.sa8<1:0:0>>
func.func @slice(%arg0: tensor<1x8x8x1xi8>) -> (tensor<6x6xi8>) {
  %identity = tosa.identity %arg0 : (tensor<1x8x8x1xi8>) -> tensor<1x8x8x1xi8>
  %slice = tensor.extract_slice %identity[0, 1, 1, 0] [1, 6, 6, 1] [1, 1, 1, 1] : tensor<1x8x8x1xi8> to tensor<6x6xi8>
  return %slice : tensor<6x6xi8>
}

// -----

// Others are not.

// CHECK-LABEL: func.func @slice_alone(
// CHECK-SAME:      tensor<8xi8>) -> tensor<6xi8>
func.func @slice_alone(%arg0: tensor<8xi8>) -> (tensor<6xi8>) {
  %slice = tensor.extract_slice %arg0[1] [6] [1] : tensor<8xi8> to tensor<6xi8>
  return %slice : tensor<6xi8>
}
