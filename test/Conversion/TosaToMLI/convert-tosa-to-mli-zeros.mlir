// Rescales by 0 return their output zero point.
// RUN: mli-opt %s --convert-tosa-to-mli=full --split-input-file | FileCheck %s

// A channel has weights and a bias of 0, and the factor of one that is not dead.
// CHECK-DAG: ![[BIAS:.*]] = !mli.sa32<axis = 0, {1:1:0, 1:1:0, 24576:15:0}>
// CHECK-DAG: ![[WEIGHTS:.*]] = !mli.sa8<axis = 3, {16384:15:0, 16384:15:0, 24576:15:0}>
// CHECK: func.func @channels
// CHECK-DAG: mli.constant dense<{{\[\[\[\[}}1, 0, 3], [1, 0, 3]]]]> : tensor<1x1x2x3xi8> to tensor<1x1x2x3x![[WEIGHTS]]>
// CHECK-DAG: mli.constant dense<[5, 0, 7]> : tensor<3xi32> to tensor<3x![[BIAS]]>
// CHECK: mli.conv2d
func.func @channels(%input: tensor<1x4x4x2xi8>) -> tensor<1x4x4x3xi8> {
  %weights = "tosa.const"() <{values = dense<[[[[1, 1]]], [[[2, 2]]], [[[3, 3]]]]> : tensor<3x1x1x2xi8>}> : () -> tensor<3x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<[5, 6, 7]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %multiplier = "tosa.const"() <{values = dense<[1073741824, 0, 1610612736]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %shift = "tosa.const"() <{values = dense<[31, 2, 31]> : tensor<3xi8>}> : () -> tensor<3xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x3xi32>, tensor<3xi32>, tensor<3xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x3xi8>
  return %result : tensor<1x4x4x3xi8>
}

// -----

// Of what it is of does not matter: nothing of that stays.
// CHECK-LABEL: func @all_channels
// CHECK-NEXT: mli.constant dense<7> : tensor<4x4x2xi8> to tensor<4x4x2x!mli.sa8<1:0:7>>
// CHECK-NOT: mli.conv2d
func.func @all_channels(%input: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multiplier = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<2xi8>}> : () -> tensor<2xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %result : tensor<1x4x4x2xi8>
}

// -----

// CHECK-LABEL: func @codes
// CHECK-NEXT: mli.constant dense<-128> : tensor<4xi8> to tensor<4x!mli.sa8<1:0:-128>>
func.func @codes(%input: tensor<4xi8>) -> tensor<4xi8> {
  %multiplier = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %result = tosa.rescale %input, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}
