// RUN: mli-opt --convert-tosa-to-mli=full --verify-diagnostics %s

// All that is left is an error, not only the first; what is raised is none.

func.func @leftovers(%input: tensor<1x4x4x2xf32>, %codes: tensor<4xi8>) -> (tensor<1x4x4x2xf32>, tensor<4xi8>, tensor<4xi8>) {
  %weights = "tosa.const"() <{values = dense<1.0> : tensor<2x1x1x2xf32>}> : () -> tensor<2x1x1x2xf32>
  %bias = "tosa.const"() <{values = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %float_zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @below {{'tosa.conv2d' op cannot be raised to mli: expected i8 or i16 input and i8 weights, but got f32 and f32}}
  %sums = tosa.conv2d %input, %weights, %bias, %float_zp, %float_zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  // expected-error @below {{'tosa.tanh' op cannot be raised to mli: no kernel computes it, alone or with its neighbours; quantise the network, where it is a table}}
  %tanh = tosa.tanh %codes : (tensor<4xi8>) -> tensor<4xi8>
  %result = tosa.rescale %tanh, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  // A constant that nobody takes but the caller.
  // expected-error @below {{'tosa.const' op cannot be raised to mli: no kernel computes it, alone or with its neighbours}}
  %constant = "tosa.const"() <{values = dense<5> : tensor<4xi8>}> : () -> tensor<4xi8>
  return %sums, %result, %constant : tensor<1x4x4x2xf32>, tensor<4xi8>, tensor<4xi8>
}
