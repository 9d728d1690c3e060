// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Output 0 has no weights and a bias of 2^30, which 2^-22 makes 256: the result
// saturates. Output 1 is as it is. Output 2 is 60, and moves by 2^-17.

// CHECK: !mli.sa8<axis = 3, {16384:20:0, 16384:19:0, 16384:20:0}>
// CHECK-LABEL: func.func @constants
// CHECK: mli.constant dense<{{\[\[\[\[}}0, 5, 0]]]]> : tensor<1x1x1x3xi8>
// CHECK: mli.constant dense<[7936, -7, 3840]> : tensor<3xi32>
// CHECK: mli.conv2d
func.func @constants(%x: tensor<1x1x1x1xi8>) -> tensor<1x1x1x3xi8> {
  %weights = "tosa.const"() <{values = dense<"0x000501"> : tensor<3x1x1x1xi8>}> : () -> tensor<3x1x1x1xi8>
  %bias = "tosa.const"() <{values = dense<[1073741824, -7, 1006632960]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %multipliers = "tosa.const"() <{values = dense<1073741824> : tensor<3xi32>}> : () -> tensor<3xi32>
  %shifts = "tosa.const"() <{values = dense<[52, 35, 54]> : tensor<3xi8>}> : () -> tensor<3xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %none = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %three = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{constants with a bias of their own scale: 2 of 3 outputs: 0, 2}}
  %sums = tosa.conv2d %x, %weights, %bias, %zero, %zero {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x1xi8>, tensor<3x1x1x1xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x3xi32>
  %y = tosa.rescale %sums, %multipliers, %shifts, %none, %three {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x3xi32>, tensor<3xi32>, tensor<3xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x3xi8>
  return %y : tensor<1x1x1x3xi8>
}

// -----

// Accumulators of output 0 are beyond 2^23, its quantized values around 100 are not.

// CHECK-LABEL: func.func @wide
// CHECK: mli.eltwise_mul
// CHECK: mli.convert {{.*}} -> tensor<1x1x1x!mli.fx16<7>>
// CHECK: mli.conv2d ins({{.*}}!mli.fx16<7>>
// CHECK: mli.convert {{.*}} -> tensor<1x1x2x!mli.sa8<1:0:3>>
// CHECK: mli.eltwise_mul
func.func @wide(%x: tensor<1x1x1x1xi8>) -> tensor<1x1x1x2xi8> {
  %weights = "tosa.const"() <{values = dense<"0x7F05"> : tensor<2x1x1x1xi8>}> : () -> tensor<2x1x1x1xi8>
  %bias = "tosa.const"() <{values = dense<[13172736, -7]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multipliers = "tosa.const"() <{values = dense<1073741824> : tensor<2xi32>}> : () -> tensor<2xi32>
  %shifts = "tosa.const"() <{values = dense<[47, 35]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %none = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %three = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{computed in fx16, since the kernel of 8 bits would saturate where results do not: 1 of 2 outputs: 0}}
  %sums = tosa.conv2d %x, %weights, %bias, %zero, %zero {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x1xi8>, tensor<2x1x1x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x2xi32>
  %y = tosa.rescale %sums, %multipliers, %shifts, %none, %three {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x2xi8>
  return %y : tensor<1x1x1x2xi8>
}

// -----

// Products lead back from a bias of 17 bits, of which the kernel drops two.

// CHECK-LABEL: func.func @rounded
// CHECK: mli.constant dense<[-66052, -7]> : tensor<2xi32>
// CHECK: mli.conv2d
func.func @rounded(%x: tensor<1x1x1x4xi8>) -> tensor<1x1x1x2xi8> {
  %weights = "tosa.const"() <{values = dense<"0x7F7F7F7F01020304"> : tensor<2x1x1x4xi8>}> : () -> tensor<2x1x1x4xi8>
  %bias = "tosa.const"() <{values = dense<[-66053, -7]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multipliers = "tosa.const"() <{values = dense<1073741824> : tensor<2xi32>}> : () -> tensor<2xi32>
  %shifts = "tosa.const"() <{values = dense<[36, 35]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %none = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %three = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{biases rounded to the 16 bits that the kernel takes: 1 of 2 outputs: 0}}
  %sums = tosa.conv2d %x, %weights, %bias, %zero, %zero {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x4xi8>, tensor<2x1x1x4xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x2xi32>
  %y = tosa.rescale %sums, %multipliers, %shifts, %none, %three {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x2xi8>
  return %y : tensor<1x1x1x2xi8>
}
