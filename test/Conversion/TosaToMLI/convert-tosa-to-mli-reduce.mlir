// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Rows and columns, which the kernel reduces; the factor is the ratio of
// scales once the number of elements is in it.

// CHECK-LABEL: func.func @mean(
// CHECK:         mli.avepool ins({{.*}} : tensor<32x1x3x!mli.sa8<1:-1:-9>>) outs({{.*}} : tensor<1x1x3x!mli.sa8<1:0:4>>) kernel [32, 1] pad [0, 0, 0, 0]
func.func @mean(%arg0: tensor<1x4x8x3xi8>) -> (tensor<1x1x1x3xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<-9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x8x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x8x3xi32>
  %reduce_sum = tosa.reduce_sum %rescale {axis = 1 : i32} : (tensor<1x4x8x3xi32>) -> tensor<1x1x8x3xi32>
  %reduce_sum2 = tosa.reduce_sum %reduce_sum {axis = 2 : i32} : (tensor<1x1x8x3xi32>) -> tensor<1x1x1x3xi32>
  %const5 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<42> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %reduce_sum2, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x3xi8>
  return %rescale2 : tensor<1x1x1x3xi8>
}

// -----

// Other dimensions are put there.

// CHECK-LABEL: func.func @channels(
// CHECK:         mli.permute {{.*}} permutation [1, 0]
// CHECK:         mli.avepool {{.*}} kernel [8, 1]
func.func @channels(%arg0: tensor<1x4x2x8xi8>) -> (tensor<1x4x2x1xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<-9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x2x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x2x8xi32>
  %reduce_sum = tosa.reduce_sum %rescale {axis = 3 : i32} : (tensor<1x4x2x8xi32>) -> tensor<1x4x2x1xi32>
  %const5 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<41> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %reduce_sum, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x2x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x2x1xi8>
  return %rescale2 : tensor<1x4x2x1xi8>
}

// -----

// CHECK-LABEL: func.func @maps(
// CHECK:         scf.for
// CHECK:         mli.avepool
func.func @maps(%arg0: tensor<2x4x4x3xi8>) -> (tensor<2x1x1x3xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<-9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4x4x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4x4x3xi32>
  %reduce_sum = tosa.reduce_sum %rescale {axis = 1 : i32} : (tensor<2x4x4x3xi32>) -> tensor<2x1x4x3xi32>
  %reduce_sum2 = tosa.reduce_sum %reduce_sum {axis = 2 : i32} : (tensor<2x1x4x3xi32>) -> tensor<2x1x1x3xi32>
  %const5 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<42> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %reduce_sum2, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x1x1x3xi8>
  return %rescale2 : tensor<2x1x1x3xi8>
}

// -----

// A sum is a mean in another scale.

// CHECK-LABEL: func.func @sum(
// CHECK:         mli.avepool ins({{.*}} : tensor<4x1x8x!mli.sa8<1:-2:-9>>) outs({{.*}} : tensor<1x1x8x!mli.sa8<1:0:4>>) kernel [4, 1]
func.func @sum(%arg0: tensor<4x8xi8>) -> (tensor<1x8xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<-9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x8xi32>
  %reduce_sum = tosa.reduce_sum %rescale {axis = 0 : i32} : (tensor<4x8xi32>) -> tensor<1x8xi32>
  %const5 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %reduce_sum, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8xi8>
  return %rescale2 : tensor<1x8xi8>
}

// -----

// With 8 bits of its factor the average pool is off by more than 1.

// CHECK-LABEL: func.func @far_mean(
// CHECK-NOT:     mli.avepool
// CHECK:         mli.depthwise_conv2d
func.func @far_mean(%arg0: tensor<1x7x7x3xi8>) -> (tensor<1x1x1x3xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x7x7x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x7x7x3xi32>
  %reduce_sum = tosa.reduce_sum %rescale {axis = 1 : i32} : (tensor<1x7x7x3xi32>) -> tensor<1x1x7x3xi32>
  // expected-remark @below {{computed by products with ones, since the average pool would be off by up to 3.1}}
  %reduce_sum2 = tosa.reduce_sum %reduce_sum {axis = 2 : i32} : (tensor<1x1x7x3xi32>) -> tensor<1x1x1x3xi32>
  %const5 = "tosa.const"() <{values = dense<2138718409> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<42> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %reduce_sum2, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x3xi8>
  return %rescale2 : tensor<1x1x1x3xi8>
}

// -----

// CHECK-LABEL: func.func @saturated_mean(
// CHECK-NOT:     mli.avepool
// CHECK:         mli.depthwise_conv2d
func.func @saturated_mean(%arg0: tensor<1x128x128x3xi8>) -> (tensor<1x1x1x3xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x128x128x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x128x128x3xi32>
  %reduce_sum = tosa.reduce_sum %rescale {axis = 1 : i32} : (tensor<1x128x128x3xi32>) -> tensor<1x1x128x3xi32>
  // expected-remark @below {{computed by products with ones, since the average pool would saturate}}
  %reduce_sum2 = tosa.reduce_sum %reduce_sum {axis = 2 : i32} : (tensor<1x1x128x3xi32>) -> tensor<1x1x1x3xi32>
  %const5 = "tosa.const"() <{values = dense<1717986918> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<57> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %reduce_sum2, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x3xi8>
  return %rescale2 : tensor<1x1x1x3xi8>
}

// -----

// CHECK-LABEL: func.func @greatest(
// CHECK:         mli.maxpool {{.*}} kernel [4, 1]
func.func @greatest(%arg0: tensor<4x6xi8>) -> (tensor<1x6xi8>) {
  %reduce_max = tosa.reduce_max %arg0 {axis = 0 : i32} : (tensor<4x6xi8>) -> tensor<1x6xi8>
  return %reduce_max : tensor<1x6xi8>
}

// -----

// Windows have sides of 8 bits.

func.func @prime(%arg0: tensor<257x2xi8>) -> (tensor<1x2xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<-9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<257x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<257x2xi32>
  // expected-remark @below {{'tosa.reduce_sum' op not raised: expected a number of elements to reduce that has sides of at most 255, but got 257}}
  %reduce_sum = tosa.reduce_sum %rescale {axis = 0 : i32} : (tensor<257x2xi32>) -> tensor<1x2xi32>
  %const5 = "tosa.const"() <{values = dense<2139127680> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<47> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.reduce_sum', which is not raised}}
  %rescale2 = tosa.rescale %reduce_sum, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2xi8>
  return %rescale2 : tensor<1x2xi8>
}

// -----

// Sums end in a rescale.

func.func @plain_sum(%arg0: tensor<4x2xi32>) -> (tensor<1x2xi32>) {
  // expected-remark @below {{'tosa.reduce_sum' op not raised: no kernel computes it, alone or with its neighbours}}
  %reduce_sum = tosa.reduce_sum %arg0 {axis = 0 : i32} : (tensor<4x2xi32>) -> tensor<1x2xi32>
  return %reduce_sum : tensor<1x2xi32>
}
