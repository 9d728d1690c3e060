// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Row by row; a bias of zeros.

// CHECK-LABEL: func.func @rows(
// CHECK:         %[[BIAS:.*]] = mli.constant dense<0> : tensor<5xi32>
// CHECK:         scf.for
// CHECK:         mli.fully_connected ins(%{{.*}}, %{{.*}}, %[[BIAS]] : tensor<4x!mli.sa8<1:0:8>>, tensor<4x5x!mli.sa8<
// CHECK:         tensor.insert_slice {{.*}} into tensor<3x5x!mli.sa8<1:0:-4>>
func.func @rows(%arg0: tensor<1x3x4xi8>) -> (tensor<1x3x5xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<1x4x5xi8>}> : () -> tensor<1x4x5xi8>
  %const2 = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %matmul = tosa.matmul %arg0, %const, %const2, %const3 : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
  %const4 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const5 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const6 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %matmul, %const4, %const5, %const6, %const7 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x5xi8>
  return %rescale : tensor<1x3x5xi8>
}

// -----

// CHECK-LABEL: func.func @one_row(
// CHECK-NOT:     scf.for
// CHECK:         mli.fully_connected
func.func @one_row(%arg0: tensor<1x1x4xi8>) -> (tensor<1x1x5xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<1x4x5xi8>}> : () -> tensor<1x4x5xi8>
  %const2 = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %matmul = tosa.matmul %arg0, %const, %const2, %const3 : (tensor<1x1x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x5xi32>
  %const4 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const5 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const6 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %matmul, %const4, %const5, %const6, %const7 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x5xi8>
  return %rescale : tensor<1x1x5xi8>
}

// -----

// Of two variables one is the weights of a convolution.

// CHECK-LABEL: func.func @matrices(
// CHECK:         mli.conv2d ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<3x1x4x!mli.sa8<1:0:8>>, tensor<1x1x4x5x!mli.sa8<{{.*}}:0>>, tensor<5x!mli.sa32<
func.func @matrices(%arg0: tensor<1x3x4xi8>, %arg1: tensor<1x4x5xi8>) -> (tensor<1x3x5xi8>) {
  %const = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %matmul = tosa.matmul %arg0, %arg1, %const, %const2 : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
  %const3 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const4 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const5 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %matmul, %const3, %const4, %const5, %const6 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x5xi8>
  return %rescale : tensor<1x3x5xi8>
}

// -----

// Weights are constants less their zero point.

// CHECK-LABEL: func.func @zero_point(
// CHECK:         mli.constant dense<-1> : tensor<4x5xi8>
// CHECK:         mli.fully_connected
func.func @zero_point(%arg0: tensor<1x3x4xi8>) -> (tensor<1x3x5xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<1x4x5xi8>}> : () -> tensor<1x4x5xi8>
  %const2 = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %matmul = tosa.matmul %arg0, %const, %const2, %const3 : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
  %const4 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const5 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const6 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %matmul, %const4, %const5, %const6, %const7 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x5xi8>
  return %rescale : tensor<1x3x5xi8>
}

// -----

// What 8 bits do not hold is a second part of the weights.

// CHECK-LABEL: func.func @far_zero_point(
// CHECK:         mli.conv2d ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<3x1x8x!mli.sa8<1:0:8>>, tensor<1x1x8x5x!mli.sa8<
func.func @far_zero_point(%arg0: tensor<1x3x4xi8>) -> (tensor<1x3x5xi8>) {
  %const = "tosa.const"() <{values = dense<-127> : tensor<1x4x5xi8>}> : () -> tensor<1x4x5xi8>
  %const2 = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %matmul = tosa.matmul %arg0, %const, %const2, %const3 : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
  %const4 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const5 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const6 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %matmul, %const4, %const5, %const6, %const7 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x5xi8>
  return %rescale : tensor<1x3x5xi8>
}

// -----

// CHECK-LABEL: func.func @two_matrices(
// CHECK:         scf.for
// CHECK:         mli.conv2d
func.func @two_matrices(%arg0: tensor<2x3x4xi8>) -> (tensor<2x3x5xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<2x4x5xi8>}> : () -> tensor<2x4x5xi8>
  %const2 = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %matmul = tosa.matmul %arg0, %const, %const2, %const3 : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
  %const4 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const5 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const6 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %matmul, %const4, %const5, %const6, %const7 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3x5xi8>
  return %rescale : tensor<2x3x5xi8>
}

// -----

// Products end in a rescale, and in nothing else.

func.func @sums(%arg0: tensor<1x3x4xi8>) -> (tensor<1x3x5xi32>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<1x4x5xi8>}> : () -> tensor<1x4x5xi8>
  %const2 = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.matmul' op not raised: expected a rescale of the sums to i8 or i16, but got tensor<1x3x5xi32>}}
  %matmul = tosa.matmul %arg0, %const, %const2, %const3 : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
  return %matmul : tensor<1x3x5xi32>
}
