// A tensor in fx16 has two bytes for each quantized value.
// RUN: mli-opt %s --convert-tosa-to-mli=sums=exact --split-input-file --verify-diagnostics -o /dev/null

func.func @positions(%input: tensor<2x536870912xi8>) -> tensor<536870912xi32> {
  // expected-remark @below {{'tosa.argmax' op not raised: expected output to have at most 2147483647 bytes, but got 2147483648}}
  %result = tosa.argmax %input {axis = 0 : i32} : (tensor<2x536870912xi8>) -> tensor<536870912xi32>
  return %result : tensor<536870912xi32>
}

// -----

!map = tensor<1x32768x32768x1xi8>
!sums = tensor<1x32768x32768x1xi32>
func.func @input_in_fx16(%input: !map) -> !map {
  %weights = "tosa.const"() <{values = dense<127> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
  %bias = "tosa.const"() <{values = dense<13172736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<47> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.conv2d' op not raised: expected input in fx16 to have at most 2147483647 bytes, but got 2147483648}}
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!map, tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> !sums
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.conv2d', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (!sums, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> !map
  return %result : !map
}

// -----

!map = tensor<1x32768x16384x1xi8>
!result = tensor<1x32768x16384x2xi8>
!sums = tensor<1x32768x16384x2xi32>
func.func @output_in_fx16(%input: !map) -> !result {
  %weights = "tosa.const"() <{values = dense<127> : tensor<2x1x1x1xi8>}> : () -> tensor<2x1x1x1xi8>
  %bias = "tosa.const"() <{values = dense<13172736> : tensor<2xi32>}> : () -> tensor<2xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<47> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.conv2d' op not raised: expected output in fx16 to have at most 2147483647 bytes, but got 2147483648}}
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!map, tensor<2x1x1x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> !sums
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.conv2d', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (!sums, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> !result
  return %result : !result
}

// -----

// A sum is computed all the same.
!map = tensor<1x32768x32768xi8>
!sums = tensor<1x32768x32768xi32>
func.func @exact_sum(%input: !map) -> !map {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %wide = tosa.rescale %input, %multiplier, %shift, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (!map, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> !sums
  // expected-remark @below {{each operand is rounded by itself, since the sum in fx16 would have over 2147483647 bytes}}
  %sum = tosa.add %wide, %wide : (!sums, !sums) -> !sums
  %result = tosa.rescale %sum, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (!sums, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> !map
  return %result : !map
}
