// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// The kernel cuts off the negative padding that TOSA adds to the result. Weights
// are HWIO.

// CHECK-LABEL: func.func @enlarged(
// CHECK:         mli.transpose_conv2d ins({{.*}} : tensor<2x3x2x!mli.sa8<1:0:3>>, tensor<3x3x2x4x!sa8_axis3>,
// CHECK-SAME:      outs({{.*}} : tensor<4x6x4x!mli.sa8<1:0:7>>) pad [1, 0, 0, 1] {strides = array<i64: 2, 2>}
func.func @enlarged(%arg0: tensor<1x2x3x2xi8>) -> (tensor<1x4x6x4xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<4x3x3x2xi8>}> : () -> tensor<4x3x3x2xi8>
  %const2 = "tosa.const"() <{values = dense<0> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %transpose_conv2d = tosa.transpose_conv2d %arg0, %const, %const2, %const3, %const4 {acc_type = i32, out_pad = array<i64: -1, 0, 0, -1>, stride = array<i64: 2, 2>} : (tensor<1x2x3x2xi8>, tensor<4x3x3x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x6x4xi32>
  %const5 = "tosa.const"() <{values = dense<[1073741824, 1073741824, 1073741824, 1073741824]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const6 = "tosa.const"() <{values = dense<[31, 32, 31, 33]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %transpose_conv2d, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x6x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x6x4xi8>
  return %rescale : tensor<1x4x6x4xi8>
}

// -----

// The loop computes one image after the other.

// CHECK-LABEL: func.func @batch(
// CHECK:         scf.for
// CHECK:         tensor.extract_slice {{.*}} to tensor<2x3x2x!mli.sa8<1:0:3>>
// CHECK:         mli.transpose_conv2d
// CHECK:         tensor.insert_slice {{.*}} into tensor<3x4x6x4x!mli.sa8<1:0:7>>
func.func @batch(%arg0: tensor<3x2x3x2xi8>) -> (tensor<3x4x6x4xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<4x3x3x2xi8>}> : () -> tensor<4x3x3x2xi8>
  %const2 = "tosa.const"() <{values = dense<0> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %transpose_conv2d = tosa.transpose_conv2d %arg0, %const, %const2, %const3, %const4 {acc_type = i32, out_pad = array<i64: -1, 0, 0, -1>, stride = array<i64: 2, 2>} : (tensor<3x2x3x2xi8>, tensor<4x3x3x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x4x6x4xi32>
  %const5 = "tosa.const"() <{values = dense<[1073741824, 1073741824, 1073741824, 1073741824]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const6 = "tosa.const"() <{values = dense<[31, 32, 31, 33]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %transpose_conv2d, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<3x4x6x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<3x4x6x4xi8>
  return %rescale : tensor<3x4x6x4xi8>
}

// -----

// A border around the sums has no kernel.

func.func @more_than_the_sums(%arg0: tensor<1x2x3x2xi8>) -> (tensor<1x6x7x4xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<4x3x3x2xi8>}> : () -> tensor<4x3x3x2xi8>
  %const2 = "tosa.const"() <{values = dense<0> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.transpose_conv2d' op not raised: expected 'out_pad' to be at most 0, but got 1}}
  %transpose_conv2d = tosa.transpose_conv2d %arg0, %const, %const2, %const3, %const4 {acc_type = i32, out_pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x2x3x2xi8>, tensor<4x3x3x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x4xi32>
  %const5 = "tosa.const"() <{values = dense<[1073741824, 1073741824, 1073741824, 1073741824]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const6 = "tosa.const"() <{values = dense<[31, 32, 31, 33]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.transpose_conv2d', which is not raised}}
  %rescale = tosa.rescale %transpose_conv2d, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x6x7x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x7x4xi8>
  return %rescale : tensor<1x6x7x4xi8>
}

// -----

// Windows side by side: no gaps, no sums.

// CHECK-LABEL: func.func @side_by_side(
// CHECK:         mli.transpose_conv2d ins({{.*}} : tensor<2x3x2x!mli.sa8<1:0:3>>, tensor<3x3x2x4x!sa8_axis3>,
// CHECK-SAME:      outs({{.*}} : tensor<5x9x4x!mli.sa8<1:0:7>>) pad [0, 0, 0, 0] {strides = array<i64: 2, 3>}

func.func @side_by_side(%arg0: tensor<1x2x3x2xi8>) -> (tensor<1x5x9x4xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<4x3x3x2xi8>}> : () -> tensor<4x3x3x2xi8>
  %const2 = "tosa.const"() <{values = dense<0> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %transpose_conv2d = tosa.transpose_conv2d %arg0, %const, %const2, %const3, %const4 {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 3>} : (tensor<1x2x3x2xi8>, tensor<4x3x3x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x9x4xi32>
  %const5 = "tosa.const"() <{values = dense<[1073741824, 1073741824, 1073741824, 1073741824]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const6 = "tosa.const"() <{values = dense<[31, 32, 31, 33]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %transpose_conv2d, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x5x9x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x9x4xi8>
  return %rescale : tensor<1x5x9x4xi8>
}

// -----

// Windows that leave gaps between them.

func.func @gaps(%arg0: tensor<1x2x3x2xi8>) -> (tensor<1x5x11x4xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<4x3x3x2xi8>}> : () -> tensor<4x3x3x2xi8>
  %const2 = "tosa.const"() <{values = dense<0> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.transpose_conv2d' op not raised: expected 'stride' to be at most the window of 3, but got 4}}
  %transpose_conv2d = tosa.transpose_conv2d %arg0, %const, %const2, %const3, %const4 {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 4>} : (tensor<1x2x3x2xi8>, tensor<4x3x3x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x11x4xi32>
  %const5 = "tosa.const"() <{values = dense<[1073741824, 1073741824, 1073741824, 1073741824]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %const6 = "tosa.const"() <{values = dense<[31, 32, 31, 33]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.transpose_conv2d', which is not raised}}
  %rescale = tosa.rescale %transpose_conv2d, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x5x11x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x11x4xi8>
  return %rescale : tensor<1x5x11x4xi8>
}
