// RUN: mli-opt --convert-tosa-to-mli=full --split-input-file %s | FileCheck %s

// Operands come in on 2^20 and 2^19 of their scales, one times 0.75 more; the
// sum leaves on 2^-19: ratios to the result's scale of 1.5 and 1.

// CHECK-LABEL: func.func @add(
// CHECK-SAME:      %[[LHS:.*]]: tensor<1x2x2x3x!mli.sa8<24576:14:-128>>, %[[RHS:.*]]: tensor<1x2x2x3x!mli.sa8<1:0:4>>) -> tensor<1x2x2x3x!mli.sa8<1:0:9>>
// CHECK-DAG:     %[[LHS_MAP:.*]] = mli.reshape %[[LHS]]
// CHECK-DAG:     %[[RHS_MAP:.*]] = mli.reshape %[[RHS]]
// CHECK:         mli.eltwise_add ins(%[[LHS_MAP]], %[[RHS_MAP]] : tensor<2x2x3x!mli.sa8<24576:14:-128>>, tensor<2x2x3x!mli.sa8<1:0:4>>)
// CHECK-SAME:      outs({{.*}} : tensor<2x2x3x!mli.sa8<1:0:9>>)
func.func @add(%lhs: tensor<1x2x2x3xi8>, %rhs: tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %three_quarters = "tosa.const"() <{values = dense<1610612736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s10 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s11 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s49 = "tosa.const"() <{values = dense<49> : tensor<1xi8>}> : () -> tensor<1xi8>
  %lhs_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rhs_zp = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %out_zp = "tosa.const"() <{values = dense<9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %lhs_wide = tosa.rescale %lhs, %half, %s10, %lhs_zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x2x2x3xi32>
  %lhs_scaled = tosa.rescale %lhs_wide, %three_quarters, %s31, %zero, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2x2x3xi32>
  %rhs_wide = tosa.rescale %rhs, %half, %s11, %rhs_zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x2x2x3xi32>
  %sum = tosa.add %lhs_scaled, %rhs_wide : (tensor<1x2x2x3xi32>, tensor<1x2x2x3xi32>) -> tensor<1x2x2x3xi32>
  %result = tosa.rescale %sum, %half, %s49, %zero, %out_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  return %result : tensor<1x2x2x3xi8>
}

// -----

// One number is added to all elements; it may be a constant.

// CHECK-LABEL: func.func @add_scalar(
// CHECK-SAME:      %{{.*}}: tensor<4x2x!mli.sa8<24576:14:-128>>) -> tensor<4x2x!mli.sa8<1:0:9>>
// CHECK:         %[[SCALAR:.*]] = mli.constant dense<5> : tensor<1x1xi8> to tensor<1x1x!mli.sa8<1:0:4>>
// CHECK:         mli.eltwise_add ins(%{{.*}}, %[[SCALAR]] :
func.func @add_scalar(%lhs: tensor<4x2xi8>) -> tensor<4x2xi8> {
  %rhs = "tosa.const"() <{values = dense<5> : tensor<1x1xi8>}> : () -> tensor<1x1xi8>
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %three_quarters = "tosa.const"() <{values = dense<1610612736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s10 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s11 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s49 = "tosa.const"() <{values = dense<49> : tensor<1xi8>}> : () -> tensor<1xi8>
  %lhs_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rhs_zp = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %out_zp = "tosa.const"() <{values = dense<9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %lhs_wide = tosa.rescale %lhs, %half, %s10, %lhs_zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x2xi32>
  %lhs_scaled = tosa.rescale %lhs_wide, %three_quarters, %s31, %zero, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<4x2xi32>
  %rhs_wide = tosa.rescale %rhs, %half, %s11, %rhs_zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1xi32>
  %sum = tosa.add %lhs_scaled, %rhs_wide : (tensor<4x2xi32>, tensor<1x1xi32>) -> tensor<4x2xi32>
  %result = tosa.rescale %sum, %half, %s49, %zero, %out_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x2xi8>
  return %result : tensor<4x2xi8>
}

// -----

// CHECK-LABEL: func.func @pools(
// CHECK-SAME:      %{{.*}}: tensor<1x6x6x2x!mli.sa8<1:0:5>>) -> tensor<1x1x1x2x!mli.sa8<1:0:-7>>
// CHECK:         mli.maxpool ins({{.*}}) outs({{.*}} : tensor<3x2x2x!mli.sa8<1:0:5>>) kernel [3, 3] pad [1, 0, 0, 0] {strides = array<i64: 2, 3>}
// CHECK:         mli.depthwise_conv2d ins({{.*}}) outs({{.*}} : tensor<1x2x1x!mli.sa8<1:0:5>>) pad [0, 0, 0, 0] ->
// CHECK:         mli.avepool ins({{.*}}) outs({{.*}} : tensor<1x1x2x!mli.sa8<1:0:-7>>) kernel [1, 1]
func.func @pools(%input: tensor<1x6x6x2xi8>) -> tensor<1x1x1x2xi8> {
  %zp = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.max_pool2d %input {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 3>} : (tensor<1x6x6x2xi8>) -> tensor<1x3x2x2xi8>
  %1 = tosa.avg_pool2d %0, %zp, %zp {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x2x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x2xi8>
  %2 = tosa.avg_pool2d %1, %zp, %other_zp {acc_type = i32, kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x2xi8>
  return %2 : tensor<1x1x1x2xi8>
}

// -----

// Reshapes only specify the shape that the next kernel reads.

// CHECK-LABEL: func.func @views(
// CHECK-SAME:      %[[INPUT:.*]]: tensor<1x4x4x2x!mli.sa8<1:0:0>>) -> tensor<2x6x!mli.sa8<1:0:0>>
// CHECK-NEXT:    %[[MAP:.*]] = mli.reshape %[[INPUT]] : {{.*}} to tensor<4x4x2x
// CHECK-NEXT:    %[[SLICE:.*]] = tensor.extract_slice %[[MAP]][1, 0, 0] [3, 2, 2] [1, 1, 1]
// CHECK-NEXT:    %[[RESULT:.*]] = mli.reshape %[[SLICE]] : {{.*}} to tensor<2x6x
// CHECK-NEXT:    return %[[RESULT]]
func.func @views(%input: tensor<1x4x4x2xi8>) -> tensor<2x6xi8> {
  %start = tosa.const_shape {values = dense<[0, 1, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size = tosa.const_shape {values = dense<[1, 3, 2, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %flat = tosa.const_shape {values = dense<[12]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %rows = tosa.const_shape {values = dense<[2, 6]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %slice = tosa.slice %input, %start, %size : (tensor<1x4x4x2xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x3x2x2xi8>
  %0 = tosa.reshape %slice, %flat : (tensor<1x3x2x2xi8>, !tosa.shape<1>) -> tensor<12xi8>
  %1 = tosa.reshape %0, %rows : (tensor<12xi8>, !tosa.shape<2>) -> tensor<2x6xi8>
  return %1 : tensor<2x6xi8>
}

// -----

// A batch that is no feature map is sliced as it is.

// CHECK-LABEL: func.func @slice_batch(
// CHECK-NEXT:    tensor.extract_slice %{{.*}}[1, 0, 0, 0] [1, 4, 4, 2] [1, 1, 1, 1]
func.func @slice_batch(%input: tensor<2x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  %start = tosa.const_shape {values = dense<[1, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size = tosa.const_shape {values = dense<[1, 4, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %slice = tosa.slice %input, %start, %size : (tensor<2x4x4x2xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x2xi8>
  return %slice : tensor<1x4x4x2xi8>
}

// -----

// From one quantisation to another: half the scale, rounded as converts do.

// CHECK-LABEL: func.func @convert(
// CHECK-SAME:      %{{.*}}: tensor<4x!mli.sa8<1:1:-128>>) -> tensor<4x!mli.sa8<1:0:3>>
// CHECK:         mli.convert
func.func @convert(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %result = tosa.rescale %input, %half, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// A 16-bit multiplier: 24576 * 2^-15 is a ratio of 0.75.

// CHECK-LABEL: func.func @narrow_multiplier(
// CHECK-SAME:      %{{.*}}: tensor<4x!mli.sa8<24576:15:-128>>) -> tensor<4x!mli.sa8<1:0:3>>
func.func @narrow_multiplier(%input: tensor<4xi8>) -> tensor<4xi8> {
  %multiplier = "tosa.const"() <{values = dense<24576> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<15> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %result = tosa.rescale %input, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = INEXACT_ROUND, scale32 = false} : (tensor<4xi8>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}
