// RUN: mli-opt --convert-tosa-to-mli=full --split-input-file %s | FileCheck %s

// OHWI weights become HWIO, a factor of 0.5 and one of 0.375 the scales of two
// output channels. Nothing else fixes scales, so they are 1.

// CHECK:         ![[BIAS_TYPE:.*]] = !mli.sa32<axis = 0, {1:1:0, 24576:16:0}>
// CHECK:         ![[WEIGHTS_TYPE:.*]] = !mli.sa8<axis = 3, {16384:15:0, 24576:16:0}>
// CHECK-LABEL: func.func @conv2d(
// CHECK-SAME:      %[[INPUT:.*]]: tensor<1x5x4x2x!mli.sa8<1:0:-128>>) -> tensor<1x2x2x2x!mli.sa8<1:0:7>>
// CHECK-DAG:     %[[WEIGHTS:.*]] = mli.constant dense<{{\[\[\[\[}}1, 5], [2, 6]], {{\[\[}}3, 7], [4, 8]]]]> : tensor<1x2x2x2xi8> to tensor<1x2x2x2x![[WEIGHTS_TYPE]]>
// CHECK-DAG:     %[[BIAS:.*]] = mli.constant dense<[100, -100]> : tensor<2xi32> to tensor<2x![[BIAS_TYPE]]>
// CHECK-DAG:     %[[MAP:.*]] = mli.reshape %[[INPUT]] : {{.*}} to tensor<5x4x2x!mli.sa8<1:0:-128>>
// CHECK-DAG:     %[[INIT:.*]] = tensor.empty() : tensor<2x2x2x!mli.sa8<1:0:7>>
// CHECK:         %[[RESULT:.*]] = mli.conv2d ins(%[[MAP]], %[[WEIGHTS]], %[[BIAS]] :
// CHECK-SAME:      outs(%[[INIT]] : {{.*}}) pad [0, 0, 0, 1] {dilations = array<i64: 1, 2>, strides = array<i64: 4, 2>} -> tensor<2x2x2x!mli.sa8<1:0:7>>
// CHECK:         %[[BATCHED:.*]] = mli.reshape %[[RESULT]] : {{.*}} to tensor<1x2x2x2x!mli.sa8<1:0:7>>
// CHECK:         return %[[BATCHED]]
func.func @conv2d(%input: tensor<1x5x4x2xi8>) -> tensor<1x2x2x2xi8> {
  %weights = "tosa.const"() <{values = dense<[[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]]> : tensor<2x1x2x2xi8>}> : () -> tensor<2x1x2x2xi8>
  %bias = "tosa.const"() <{values = dense<[100, -100]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multiplier = "tosa.const"() <{values = dense<[1073741824, 1610612736]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %shift = "tosa.const"() <{values = dense<[31, 32]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 2>, pad = array<i64: 0, 0, 0, 1>, stride = array<i64: 4, 2>} : (tensor<1x5x4x2xi8>, tensor<2x1x2x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x2xi32>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2x2x2xi8>
  return %result : tensor<1x2x2x2xi8>
}

// -----

// One factor, 18958 * 2^-23 to the nearest mantissa, for all channels; weights
// from a resource, a bias of one element, and a 16-bit multiplier elsewhere.

// CHECK-LABEL: func.func @per_tensor(
// CHECK-DAG:     mli.constant dense<{{\[\[\[\[}}1, 3], [2, 4]]]]> : tensor<1x1x2x2xi8> to tensor<1x1x2x2x!mli.sa8<18958:23:0>>
// CHECK-DAG:     mli.constant dense<-3> : tensor<2xi32> to tensor<2x!mli.sa32<18958:23:0>>
// CHECK:         mli.conv2d
func.func @per_tensor(%input: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  %weights = "tosa.const"() <{values = dense_resource<weights> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<-3> : tensor<1xi32>}> : () -> tensor<1xi32>
  %multiplier = "tosa.const"() <{values = dense<1242405367> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %result : tensor<1x4x4x2xi8>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x0100000001020304"
    }
  }
#-}

// -----

// One filter a channel.

// CHECK-LABEL: func.func @depthwise(
// CHECK:         mli.constant dense<{{\[\[\[\[}}1, 2, 3]], {{\[\[}}4, 5, 6]]]]> : tensor<1x2x1x3xi8> to tensor<1x2x1x3x!mli.sa8<16384:15:0>>
// CHECK:         mli.depthwise_conv2d
func.func @depthwise(%input: tensor<1x4x4x3xi8>) -> tensor<1x4x3x3xi8> {
  %weights = "tosa.const"() <{values = dense<[[[[1], [2], [3]], [[4], [5], [6]]]]> : tensor<1x2x3x1xi8>}> : () -> tensor<1x2x3x1xi8>
  %bias = "tosa.const"() <{values = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.depthwise_conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xi8>, tensor<1x2x3x1xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x3x3xi32>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x3x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x3x3xi8>
  return %result : tensor<1x4x3x3xi8>
}

// -----

// All filters on one channel are an ordinary convolution.

// CHECK-LABEL: func.func @depthwise_one_channel(
// CHECK:         mli.constant dense<{{\[\[\[\[}}1, 2, 3]], {{\[\[}}4, 5, 6]]]]> : tensor<1x2x1x3xi8> to tensor<1x2x1x3x!mli.sa8<16384:15:0>>
// CHECK:         mli.conv2d
func.func @depthwise_one_channel(%input: tensor<1x4x4x1xi8>) -> tensor<1x4x3x3xi8> {
  %weights = "tosa.const"() <{values = dense<[[[[1, 2, 3]], [[4, 5, 6]]]]> : tensor<1x2x1x3xi8>}> : () -> tensor<1x2x1x3xi8>
  %bias = "tosa.const"() <{values = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.depthwise_conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x1xi8>, tensor<1x2x1x3xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x3x3xi32>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x3x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x3x3xi8>
  return %result : tensor<1x4x3x3xi8>
}

// -----

// Several filters a channel: one group a channel.

// CHECK-LABEL: func.func @depthwise_multiplier(
// CHECK:         mli.constant dense<{{\[\[\[\[}}1, 2, 3, 4]]]]> : tensor<1x1x1x4xi8> to tensor<1x1x1x4x!mli.sa8<16384:15:0>>
// CHECK:         mli.group_conv2d ins(%{{.*}} : tensor<4x4x2x!mli.sa8<1:0:-128>>
func.func @depthwise_multiplier(%input: tensor<1x4x4x2xi8>) -> tensor<1x4x4x4xi8> {
  %weights = "tosa.const"() <{values = dense<[[[[1, 2], [3, 4]]]]> : tensor<1x1x2x2xi8>}> : () -> tensor<1x1x2x2xi8>
  %bias = "tosa.const"() <{values = dense<[1, 2, 3, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.depthwise_conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<1x1x2x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi32>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x4xi8>
  return %result : tensor<1x4x4x4xi8>
}

// -----

// A row of features between reshapes; OI weights become IO.

// CHECK-LABEL: func.func @fully_connected(
// CHECK-SAME:      %[[INPUT:.*]]: tensor<1x4x!mli.sa8<1:0:-128>>) -> tensor<1x2x!mli.sa8<1:0:7>>
// CHECK-DAG:     %[[WEIGHTS:.*]] = mli.constant dense<{{\[\[}}1, 5], [2, 6], [3, 7], [4, 8]]> : tensor<4x2xi8> to tensor<4x2x!mli.sa8<16384:15:0>>
// CHECK-DAG:     %[[ROW:.*]] = mli.reshape %[[INPUT]] : {{.*}} to tensor<4x!mli.sa8<1:0:-128>>
// CHECK:         mli.fully_connected ins(%[[ROW]], %[[WEIGHTS]], %{{.*}}) outs(%{{.*}}) -> tensor<2x!mli.sa8<1:0:7>>
// CHECK-NEXT:    mli.reshape %{{.*}} to tensor<1x2x!mli.sa8<1:0:7>>
// CHECK-NEXT:    return
func.func @fully_connected(%input: tensor<1x4xi8>) -> tensor<1x2xi8> {
  %map = tosa.const_shape {values = dense<[1, 1, 1, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %row = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %weights = "tosa.const"() <{values = dense<[[[[1, 2, 3, 4]]], [[[5, 6, 7, 8]]]]> : tensor<2x1x1x4xi8>}> : () -> tensor<2x1x1x4xi8>
  %bias = "tosa.const"() <{values = dense<[100, -100]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %features = tosa.reshape %input, %map : (tensor<1x4xi8>, !tosa.shape<4>) -> tensor<1x1x1x4xi8>
  %sums = tosa.conv2d %features, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x4xi8>, tensor<2x1x1x4xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x2xi32>
  %scaled = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x2xi8>
  %result = tosa.reshape %scaled, %row : (tensor<1x1x1x2xi8>, !tosa.shape<2>) -> tensor<1x2xi8>
  return %result : tensor<1x2xi8>
}

// -----

// The same on a 4-D feature map stays a convolution.

// CHECK-LABEL: func.func @pointwise(
// CHECK-NOT:     mli.fully_connected
// CHECK:         mli.conv2d
func.func @pointwise(%input: tensor<1x1x1x4xi8>) -> tensor<1x1x1x2xi8> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x4xi8>}> : () -> tensor<2x1x1x4xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sums = tosa.conv2d %input, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x4xi8>, tensor<2x1x1x4xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x2xi32>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x2xi8>
  return %result : tensor<1x1x1x2xi8>
}

// -----

// Padding with the zero point goes into the convolution after it.

// CHECK-LABEL: func.func @pad(
// CHECK:         mli.conv2d ins({{.*}} : tensor<4x4x1x!mli.sa8<1:0:-128>>, {{.*}} pad [1, 0, 2, 1] ->
func.func @pad(%input: tensor<1x4x4x1xi8>) -> tensor<1x3x5x1xi8> {
  %amounts = tosa.const_shape {values = dense<[0, 0, 1, 0, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %weights = "tosa.const"() <{values = dense<1> : tensor<1x3x3x1xi8>}> : () -> tensor<1x3x3x1xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %padded = tosa.pad %input, %amounts, %input_zp : (tensor<1x4x4x1xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x5x6x1xi8>
  %sums = tosa.conv2d %padded, %weights, %bias, %input_zp, %weight_zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x6x1xi8>, tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5x1xi32>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x5x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x5x1xi8>
  return %result : tensor<1x3x5x1xi8>
}
