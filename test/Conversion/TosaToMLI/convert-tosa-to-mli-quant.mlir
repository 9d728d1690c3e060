// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Types of the quant dialect specify scales. The factor of the
// sums, 1/2^8, is the weights' scale times the ratio 1/2 of the feature maps'.

// CHECK-LABEL: func.func @conv(
// CHECK-SAME:      %{{.*}}: tensor<1x4x4x2x!mli.sa8<26214:19:3>>) -> tensor<1x4x4x2x!mli.sa8<26214:18:-4>>
// CHECK:         mli.constant dense<1> : {{.*}} to tensor<1x1x2x2x!mli.sa8<16384:21:0>>
// CHECK:         mli.conv2d
// CHECK-NOT:     builtin.unrealized_conversion_cast
!act = !quant.uniform<i8:f32, 0.05:3>
!out = !quant.uniform<i8:f32, 0.1:-4>
!wgt = !quant.uniform<i8:f32:0, {0.01,0.02}>
!acc = !quant.uniform<i32:f32, 0.0005>
func.func @conv(%input: tensor<1x4x4x2x!act>) -> tensor<1x4x4x2x!out> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2x!wgt>
  %bias = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2x!act>, tensor<2x1x1x2x!wgt>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2x!acc>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2x!acc>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2x!out>
  return %result : tensor<1x4x4x2x!out>
}

// -----

// They contradict the factors of rescales.

!act = !quant.uniform<i8:f32, 0.5:3>
!out = !quant.uniform<i8:f32, 2.0:3>
func.func @convert(%input: tensor<4x!act>) -> tensor<4x!out> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: expected a ratio of scales of 2.500000e-01, as other operations have it, but got 5.000000e-01}}
  %result = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x!act>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x!out>
  return %result : tensor<4x!out>
}

// -----

!act = !quant.uniform<i8:f32, 0.5:3>
func.func @zero_point(%input: tensor<4x!act>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: expected zero point 3, which the tensor has elsewhere, but got 4}}
  %result = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x!act>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// Operations that stay keep their types.

// CHECK-LABEL: func.func @partial(
// CHECK-SAME:      -> tensor<4x!quant.uniform<i8:f32, 1.000000e+00:3>>
// CHECK:         %[[CODES:.*]] = builtin.unrealized_conversion_cast %{{.*}} : tensor<4x!mli.sa8<1:0:3>> to tensor<4x!quant.uniform<i8:f32, 1.000000e+00:3>>
// CHECK:         tosa.custom %[[CODES]]
!act = !quant.uniform<i8:f32, 0.5:3>
!out = !quant.uniform<i8:f32, 1.0:3>
func.func @partial(%input: tensor<4x!act>) -> tensor<4x!out> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %first = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x!act>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x!out>
  // expected-remark @below {{'tosa.custom' op not raised: no kernel computes it, alone or with its neighbours; the program around the network has to compute a custom operation}}
  %result = tosa.custom %first {domain_name = "own", implementation_attrs = "", operator_name = "f"} : (tensor<4x!out>) -> tensor<4x!out>
  return %result : tensor<4x!out>
}

// -----

// Feature maps have one scale.

!act = !quant.uniform<i8:f32:0, {0.5, 0.25}>
func.func @axis(%input: tensor<2x!act>) -> tensor<2x!act> {
  %shape = tosa.const_shape {values = dense<[2]> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-remark @below {{'tosa.reshape' op not raised: expected input quantised per tensor, but got !quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>}}
  %result = tosa.reshape %input, %shape : (tensor<2x!act>, !tosa.shape<1>) -> tensor<2x!act>
  return %result : tensor<2x!act>
}
