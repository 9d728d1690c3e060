// RUN: mli-opt --convert-tosa-to-mli=full --split-input-file %s | FileCheck %s

// A clamp is a relu, done by the convolution where nothing else reads its
// result.

// CHECK-LABEL: func.func @fused(
// CHECK:         mli.conv2d {{.*}} {relu = #mli.relu<gen>}
// CHECK-NOT:     mli.relu{{ }}
func.func @fused(%input: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<-10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %scaled = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %result = tosa.clamp %scaled {min_val = -10 : i8, max_val = 127 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %result : tensor<1x4x4x2xi8>
}

// -----

// CHECK-LABEL: func.func @own(
// CHECK:         %[[MAP:.*]] = mli.conv2d
// CHECK-NOT:     relu = 
// CHECK:         mli.relu ins(%[[MAP]] : {{.*}}) outs({{.*}}) {relu = #mli.relu<gen>}
func.func @own(%input: tensor<1x4x4x2xi8>) -> (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<-10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %scaled = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %result = tosa.clamp %scaled {min_val = -10 : i8, max_val = 127 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %scaled, %result : tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>
}

// -----

// The whole container: nothing to do. At zero point -128 that is any relu.

// CHECK-LABEL: func.func @none(
// CHECK-NOT:     relu
// CHECK:         return
func.func @none(%input: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %scaled = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %result = tosa.clamp %scaled {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %result : tensor<1x4x4x2xi8>
}

// -----

// Scale 1: relu6 ends 6 above the zero point, relu1 1 on both sides.

// CHECK-LABEL: func.func @ranges(
// CHECK:         mli.relu {{.*}} {relu = #mli.relu<relu6>}
// CHECK:         mli.relu {{.*}} {relu = #mli.relu<relu1>}
func.func @ranges(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %scaled = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  %six = tosa.clamp %scaled {min_val = 20 : i8, max_val = 26 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  %result = tosa.clamp %six {min_val = 19 : i8, max_val = 21 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// Any other range takes a kernel for each end that is less than the limit of the type.

// CHECK-LABEL: func.func @any_range(
// CHECK-SAME:      %[[INPUT:.*]]: tensor<4x!mli.sa8<1:0:0>>)
// CHECK:         %[[LOW:.*]] = mli.constant dense<-90> : tensor<1xi8>
// CHECK:         %[[ABOVE:.*]] = mli.eltwise_max ins(%[[INPUT]], %[[LOW]] :
// CHECK:         %[[HIGH:.*]] = mli.constant dense<71> : tensor<1xi8>
// CHECK:         mli.eltwise_min ins(%[[ABOVE]], %[[HIGH]] :
func.func @any_range(%input: tensor<4xi8>) -> tensor<4xi8> {
  %result = tosa.clamp %input {min_val = -90 : i8, max_val = 71 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// CHECK-LABEL: func.func @one_end(
// CHECK-NOT:     mli.eltwise_max
// CHECK:         mli.eltwise_min
func.func @one_end(%input: tensor<4xi8>) -> tensor<4xi8> {
  %result = tosa.clamp %input {min_val = -128 : i8, max_val = 71 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}
