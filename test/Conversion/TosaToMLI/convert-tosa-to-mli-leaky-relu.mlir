// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// By the sign of the input; the slope is the ratio of the factors.

// CHECK-LABEL: func.func @choice(
// CHECK:         %[[SLOPE:.*]] = mli.constant dense<1> : tensor<1xi8> to tensor<1x!mli.sa8<1:2:0>>
// CHECK:         mli.leaky_relu ins({{.*}}, %[[SLOPE]] : tensor<2x2x3x!mli.sa8<1:1:3>>, {{.*}}) outs({{.*}} : tensor<2x2x3x!mli.sa8<1:0:-7>>)
func.func @choice(%arg0: tensor<1x2x2x3xi8>) -> (tensor<1x2x2x3xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x2x2x3xi32>
  %const5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
  %greater_equal = tosa.greater_equal %rescale, %const5 : (tensor<1x2x2x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x2x2x3xi1>
  %const6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const8 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const9 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %arg0, %const6, %const7, %const8, %const9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  %const10 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const11 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const12 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const13 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale3 = tosa.rescale %arg0, %const10, %const11, %const12, %const13 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  %select = tosa.select %greater_equal, %rescale3, %rescale2 : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  return %select : tensor<1x2x2x3xi8>
}

// -----

func.func @other_branch(%arg0: tensor<1x2x2x3xi8>) -> (tensor<1x2x2x3xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x2x2x3xi32>
  %const5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
  // expected-remark @below {{'tosa.greater_equal' op not raised: no kernel computes it, alone or with its neighbours}}
  %greater_equal = tosa.greater_equal %rescale, %const5 : (tensor<1x2x2x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x2x2x3xi1>
  %const6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const8 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const9 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %arg0, %const6, %const7, %const8, %const9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  %const10 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const11 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const12 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const13 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale3 = tosa.rescale %arg0, %const10, %const11, %const12, %const13 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  // expected-remark @below {{'tosa.select' op not raised: expected a selection between two rescales of the compared value, but got others}}
  %select = tosa.select %greater_equal, %arg0, %rescale2 : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  return %select : tensor<1x2x2x3xi8>
}

// -----

func.func @other_sign(%arg0: tensor<1x2x2x3xi8>) -> (tensor<1x2x2x3xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x2x2x3xi32>
  %const5 = "tosa.const"() <{values = dense<1> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
  // expected-remark @below {{'tosa.greater_equal' op not raised: no kernel computes it, alone or with its neighbours}}
  %greater_equal = tosa.greater_equal %rescale, %const5 : (tensor<1x2x2x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x2x2x3xi1>
  %const6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const8 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const9 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %arg0, %const6, %const7, %const8, %const9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  %const10 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const11 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const12 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const13 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale3 = tosa.rescale %arg0, %const10, %const11, %const12, %const13 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  // expected-remark @below {{'tosa.select' op not raised: expected a selection by sign, but got another}}
  %select = tosa.select %greater_equal, %rescale3, %rescale2 : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  return %select : tensor<1x2x2x3xi8>
}

// -----

func.func @other_zero_point(%arg0: tensor<1x2x2x3xi8>) -> (tensor<1x2x2x3xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x2x2x3xi32>
  %const5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
  // expected-remark @below {{'tosa.greater_equal' op not raised: no kernel computes it, alone or with its neighbours}}
  %greater_equal = tosa.greater_equal %rescale, %const5 : (tensor<1x2x2x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x2x2x3xi1>
  %const6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const8 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const9 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %arg0, %const6, %const7, %const8, %const9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  %const10 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const11 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const12 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const13 = "tosa.const"() <{values = dense<-6> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale3 = tosa.rescale %arg0, %const10, %const11, %const12, %const13 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  // expected-remark @below {{'tosa.select' op not raised: expected one zero point of input and of output, but got two}}
  %select = tosa.select %greater_equal, %rescale3, %rescale2 : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  return %select : tensor<1x2x2x3xi8>
}

// -----

func.func @nothing_above(%arg0: tensor<1x2x2x3xi8>) -> (tensor<1x2x2x3xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x2x2x3xi32>
  %const5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
  // expected-remark @below {{'tosa.greater_equal' op not raised: no kernel computes it, alone or with its neighbours}}
  %greater_equal = tosa.greater_equal %rescale, %const5 : (tensor<1x2x2x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x2x2x3xi1>
  %const6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const8 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const9 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale2 = tosa.rescale %arg0, %const6, %const7, %const8, %const9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  %const10 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const11 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const12 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const13 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale3 = tosa.rescale %arg0, %const10, %const11, %const12, %const13 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  // expected-remark @below {{'tosa.select' op not raised: expected a positive factor for elements that are not negative, but got 0}}
  %select = tosa.select %greater_equal, %rescale3, %rescale2 : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  return %select : tensor<1x2x2x3xi8>
}
