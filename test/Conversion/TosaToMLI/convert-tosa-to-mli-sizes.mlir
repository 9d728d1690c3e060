// Tensors of more bytes than kernels take stay, with the reason.
// RUN: mli-opt %s --convert-tosa-to-mli --convert-quant-to-mli --split-input-file --verify-diagnostics -o /dev/null

!map = tensor<2x32768x32768xi8>
func.func @elements(%input: !map) -> !map {
  // expected-remark @below {{'tosa.clamp' op not raised: expected input to have at most 2147483647 bytes, but got 2147483648}}
  %result = tosa.clamp %input {max_val = 3 : i8, min_val = 0 : i8} : (!map) -> !map
  return %result : !map
}

// -----

// More than 64 bits count.
!map = tensor<4294967296x4294967296x4xi8>
func.func @more_elements(%input: !map) -> !map {
  // expected-remark @below {{'tosa.clamp' op not raised: expected input to have at most 2147483647 bytes, but got 2305843009213693951}}
  %result = tosa.clamp %input {max_val = 3 : i8, min_val = 0 : i8} : (!map) -> !map
  return %result : !map
}

// -----

!wide = tensor<1x65536x32768xui8>
!map = tensor<1x65536x32768xi8>
func.func @unsigned_elements(%input: !wide) -> !map {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<128> : tensor<1xui8>}> : () -> tensor<1xui8>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: expected output to have at most 2147483647 bytes, but got 2147483648}}
  %result = tosa.rescale %input, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = true, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (!wide, tensor<1xi32>, tensor<1xi8>, tensor<1xui8>, tensor<1xi8>) -> !map
  return %result : !map
}

// -----

func.func @weights(%input: tensor<1x1x1x32768xi8>) -> tensor<1x1x1x65536xi8> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<65536x1x1x32768xi8>}> : () -> tensor<65536x1x1x32768xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<65536xi32>}> : () -> tensor<65536xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.conv2d' op not raised: expected 'weight' to have at most 2147483647 bytes, but got 2147483648}}
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x32768xi8>, tensor<65536x1x1x32768xi8>, tensor<65536xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x65536xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.conv2d', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x65536xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x65536xi8>
  return %result : tensor<1x1x1x65536xi8>
}

// -----

func.func @outputs(%input: tensor<1x1x1x1xi8>) -> tensor<1x1x1x536870912xi8> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<536870912x1x1x1xi8>}> : () -> tensor<536870912x1x1x1xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<536870912xi32>}> : () -> tensor<536870912xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.conv2d' op not raised: expected 'weight' to have at most 268435456 elements, but got 536870912}}
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x1xi8>, tensor<536870912x1x1x1xi8>, tensor<536870912xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x536870912xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.conv2d', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x536870912xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x536870912xi8>
  return %result : tensor<1x1x1x536870912xi8>
}

// -----

// Constants of 16 bits are chosen from numbers of 8 bytes.
func.func @words(%input: tensor<1x1x1x4096xi16>) -> tensor<1x1x1x8192xi16> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<8192x1x1x4096xi8>}> : () -> tensor<8192x1x1x4096xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<8192xi48>}> : () -> tensor<8192xi48>
  %multiplier = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<15> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  // expected-remark @below {{'tosa.conv2d' op not raised: expected 'weight' to have at most 16777216 elements, but got 33554432}}
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %weight_zp {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x4096xi16>, tensor<8192x1x1x4096xi8>, tensor<8192xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x1x1x8192xi48>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.conv2d', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<1x1x1x8192xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x1x1x8192xi16>
  return %result : tensor<1x1x1x8192xi16>
}

// -----

// A tensor of f32 has four bytes for each quantized value.
!codes = tensor<32768x16384x!quant.uniform<i8:f32, 0.5>>
func.func @quantised(%real: tensor<32768x16384xf32>) -> !codes {
  // expected-remark @below {{'quant.qcast' op not raised: expected at most 2147483647 bytes of f32, but got 2147483648}}
  %codes = quant.qcast %real : tensor<32768x16384xf32> to !codes
  return %codes : !codes
}
