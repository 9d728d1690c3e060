// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Values are held with the upper bit flipped, 128 less: 130 is 2, which makes
// the first rescale nothing.

// CHECK-LABEL: func.func @both_ends(
// CHECK-SAME:      tensor<1x2x2x3x!mli.sa8<1:0:2>> {mli.unsigned}) -> (tensor<1x1x1x3x!mli.sa8<1:0:-11>> {mli.unsigned})
// CHECK-NOT:     mli.convert
// CHECK:         mli.maxpool
// CHECK:         mli.convert
func.func @both_ends(%arg0: tensor<1x2x2x3xui8>) -> (tensor<1x1x1x3xui8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<130> : tensor<1xui8>}> : () -> tensor<1xui8>
  %const4 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = true, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x2x2x3xui8>, tensor<1xi32>, tensor<1xi8>, tensor<1xui8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  %max_pool2d = tosa.max_pool2d %rescale {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x3xi8>) -> tensor<1x1x1x3xi8>
  %const5 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const8 = "tosa.const"() <{values = dense<117> : tensor<1xui8>}> : () -> tensor<1xui8>
  %rescale2 = tosa.rescale %max_pool2d, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = true, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xui8>) -> tensor<1x1x1x3xui8>
  return %rescale2 : tensor<1x1x1x3xui8>
}

// -----

// Other users would read the values as signed.

func.func @two_readers(%arg0: tensor<4xui8>) -> (tensor<4xi8>, tensor<4xui8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<130> : tensor<1xui8>}> : () -> tensor<1xui8>
  %const4 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: expected unsigned 'input' to be an argument of a function without callers, and without other users, but got tensor<4xui8>}}
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = true, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xui8>, tensor<1xi32>, tensor<1xi8>, tensor<1xui8>, tensor<1xi8>) -> tensor<4xi8>
  return %rescale, %arg0 : tensor<4xi8>, tensor<4xui8>
}

// -----

func.func @two_results(%arg0: tensor<4xi8>) -> (tensor<4xui8>, tensor<4xui8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<130> : tensor<1xui8>}> : () -> tensor<1xui8>
  // expected-remark @below {{'tosa.rescale' op not raised: expected unsigned 'output' to be the result of a function without callers, and without other users, but got tensor<4xui8>}}
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = true, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xui8>) -> tensor<4xui8>
  return %rescale, %rescale : tensor<4xui8>, tensor<4xui8>
}

// -----

func.func @wide(%arg0: tensor<4xi32>) -> (tensor<4xui8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const4 = "tosa.const"() <{values = dense<130> : tensor<1xui8>}> : () -> tensor<1xui8>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = true, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xui8>) -> tensor<4xui8>
  return %rescale : tensor<4xui8>
}

// -----

func.func @five_dimensions(%arg0: tensor<1x1x1x1x2xui8>) -> (tensor<1x1x1x1x2xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<2> : tensor<1xui8>}> : () -> tensor<1xui8>
  %const4 = "tosa.const"() <{values = dense<130> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: expected a static shape of 1 to 4 dimensions, but got tensor<1x1x1x1x2xui8>}}
  %rescale = tosa.rescale %arg0, %const, %const2, %const3, %const4 {input_unsigned = true, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1x2xui8>, tensor<1xi32>, tensor<1xi8>, tensor<1xui8>, tensor<1xi8>) -> tensor<1x1x1x1x2xi8>
  return %rescale : tensor<1x1x1x1x2xi8>
}
