// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s -o /dev/null

func.func @i32_map(%input: tensor<1x4x4x2xi32>) -> tensor<1x2x2x2xi32> {
  // expected-remark @below {{'tosa.max_pool2d' op not raised: expected i8 or i16 input, but got i32}}
  %result = tosa.max_pool2d %input {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi32>) -> tensor<1x2x2x2xi32>
  return %result : tensor<1x2x2x2xi32>
}

// -----

func.func @unranked(%input: tensor<*xi8>) -> tensor<4xi8> {
  // expected-remark @below {{'tosa.clamp' op not raised: expected input to have a static shape with elements, but got tensor<*xi8>}}
  %result = tosa.clamp %input {min_val = 0 : i8, max_val = 127 : i8} : (tensor<*xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

func.func @dynamic_pool(%input: tensor<1x?x4x2xi8>) -> tensor<1x?x2x2xi8> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.avg_pool2d' op not raised: expected input to have a static shape with elements, but got tensor<1x?x4x2xi8>}}
  %result = tosa.avg_pool2d %input, %zero, %zero {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x?x4x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x?x2x2xi8>
  return %result : tensor<1x?x2x2xi8>
}

// -----

func.func @wide_clamp(%input: tensor<4xi32>) -> tensor<4xi32> {
  // expected-remark @below {{'tosa.clamp' op not raised: expected i8 or i16 input, but got i32}}
  %result = tosa.clamp %input {min_val = 0 : i32, max_val = 127 : i32} : (tensor<4xi32>) -> tensor<4xi32>
  return %result : tensor<4xi32>
}

// -----

func.func @kernel(%input: tensor<1x256x4x2xi8>) -> tensor<1x1x4x2xi8> {
  // expected-remark @below {{'tosa.max_pool2d' op not raised: expected 'kernel' to be at most 255, but got 256}}
  %result = tosa.max_pool2d %input {kernel = array<i64: 256, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x256x4x2xi8>) -> tensor<1x1x4x2xi8>
  return %result : tensor<1x1x4x2xi8>
}

// -----

// TOSA's verifier does not look at channels.

func.func @pool_channels(%input: tensor<1x4x4x2xi8>) -> tensor<1x4x4x3xi8> {
  // expected-remark @below {{'tosa.max_pool2d' op not raised: expected output of 2 channels, but got 3}}
  %result = tosa.max_pool2d %input {kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x3xi8>
  return %result : tensor<1x4x4x3xi8>
}

// -----

func.func @average_zero_point(%input: tensor<1x4x4x2xi8>, %output_zp: tensor<1xi8>) -> tensor<1x4x4x2xi8> {
  %zp = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.avg_pool2d' op not raised: expected 'output_zp' to be a constant integer, but got tensor<1xi8>}}
  %result = tosa.avg_pool2d %input, %zp, %output_zp {acc_type = i32, kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %result : tensor<1x4x4x2xi8>
}

// -----

func.func @slice_end(%input: tensor<4xi8>) -> tensor<3xi8> {
  %start = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %size = tosa.const_shape {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-remark @below {{'tosa.slice' op not raised: expected a slice of at most 4 elements, but got 3 from 2}}
  %result = tosa.slice %input, %start, %size : (tensor<4xi8>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<3xi8>
  return %result : tensor<3xi8>
}

// -----

func.func @slice_start(%input: tensor<4xi8>) -> tensor<3xi8> {
  %one = tosa.const_shape {values = dense<[1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-remark @below {{'tosa.add_shape' op not raised: no kernel computes it, alone or with its neighbours; make shapes constant, by --tosa-infer-shapes and --canonicalize}}
  %start = tosa.add_shape %one, %one : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  // expected-remark @below {{'tosa.slice' op not raised: expected 'start' to be constant, but got !tosa.shape<1>}}
  %result = tosa.slice %input, %start, %one : (tensor<4xi8>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<3xi8>
  return %result : tensor<3xi8>
}

// -----

func.func @no_kernel(%input: tensor<4xi8>) -> tensor<4xi8> {
  // expected-remark @below {{'tosa.tanh' op not raised: no kernel computes it, alone or with its neighbours; quantise the network, where it is a table}}
  %result = tosa.tanh %input : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

func.func @convert_channels(%input: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %two = "tosa.const"() <{values = dense<1073741824> : tensor<2xi32>}> : () -> tensor<2xi32>
  %shifts = "tosa.const"() <{values = dense<31> : tensor<2xi8>}> : () -> tensor<2xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: expected one factor for all channels, but got 2}}
  %result = tosa.rescale %input, %two, %shifts, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x2xi8>
  return %result : tensor<2x2xi8>
}

// -----

func.func @unsigned(%input: tensor<4xi32>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: expected signed input and output, but got unsigned}}
  %result = tosa.rescale %input, %half, %shift, %zero, %zp {input_unsigned = true, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// TOSA's verifier does not look at the shape.

func.func @rescale_shape(%input: tensor<4xi8>) -> tensor<5xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: expected input and output of one static shape, but got tensor<4xi8> and tensor<5xi8>}}
  %result = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<5xi8>
  return %result : tensor<5xi8>
}

// -----

func.func @other_producer(%input: tensor<4xi32>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.abs' op not raised: expected i8 or i16 input, but got i32; rescale it to i8 before}}
  %abs = tosa.abs %input : (tensor<4xi32>) -> tensor<4xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: expected 'input' to be the result of a convolution, a product of matrices, a sum along a dimension, arithmetic of two operands or a softmax, but got tensor<4xi32>}}
  %result = tosa.rescale %abs, %half, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// 255 * 2^24 is beyond 32 bits.

func.func @factor(%input: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<6> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: expected a factor of at most 8388608, but got 16777216}}
  %result = tosa.rescale %input, %multiplier, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x2xi8>
  return %result : tensor<2x2xi8>
}

// -----

func.func @dynamic_softmax(%input: tensor<?x8xi32>) -> tensor<?x8xi8> {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %by = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %output_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.arithmetic_right_shift' op not raised: no kernel computes it, alone or with its neighbours}}
  %shifted = tosa.arithmetic_right_shift %input, %by {round = true} : (tensor<?x8xi32>, tensor<1x1xi32>) -> tensor<?x8xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: expected output to have a static shape of 1 to 4 dimensions, but got tensor<?x8xi8>}}
  %result = tosa.rescale %shifted, %multiplier, %shift, %zero, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<?x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<?x8xi8>
  return %result : tensor<?x8xi8>
}
