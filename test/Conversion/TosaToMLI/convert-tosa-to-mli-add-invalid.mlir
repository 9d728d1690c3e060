// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s -o /dev/null

func.func @operand(%lhs: tensor<4x2xi8>, %rhs: tensor<4x2xi32>) -> tensor<4x2xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s10 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %out_shift = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %lhs_wide = tosa.rescale %lhs, %half, %s10, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x2xi32>
  // expected-remark @below {{'tosa.add' op not raised: expected operands that are rescaled i8, but got tensor<4x2xi32>}}
  %sum = tosa.add %lhs_wide, %rhs : (tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.add', which is not raised}}
  %result = tosa.rescale %sum, %half, %out_shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x2xi8>
  return %result : tensor<4x2xi8>
}

// -----

func.func @operand_channels(%lhs: tensor<4x2xi8>, %rhs: tensor<4x2xi8>) -> tensor<4x2xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %halves = "tosa.const"() <{values = dense<1073741824> : tensor<2xi32>}> : () -> tensor<2xi32>
  %shifts = "tosa.const"() <{values = dense<10> : tensor<2xi8>}> : () -> tensor<2xi8>
  %s10 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %out_shift = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: expected one factor for all channels, but got 2}}
  %lhs_wide = tosa.rescale %lhs, %halves, %shifts, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %rhs_wide = tosa.rescale %rhs, %half, %s10, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x2xi32>
  // expected-remark @below {{'tosa.add' op not raised: no kernel computes it, alone or with its neighbours}}
  %sum = tosa.add %lhs_wide, %rhs_wide : (tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.add', which is not raised}}
  %result = tosa.rescale %sum, %half, %out_shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x2xi8>
  return %result : tensor<4x2xi8>
}

// -----

func.func @result_channels(%lhs: tensor<4x2xi8>, %rhs: tensor<4x2xi8>) -> tensor<4x2xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %halves = "tosa.const"() <{values = dense<1073741824> : tensor<2xi32>}> : () -> tensor<2xi32>
  %shifts = "tosa.const"() <{values = dense<10> : tensor<2xi8>}> : () -> tensor<2xi8>
  %s10 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %out_shift = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %lhs_wide = tosa.rescale %lhs, %half, %s10, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %rhs_wide = tosa.rescale %rhs, %half, %s10, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x2xi32>
  // expected-remark @below {{'tosa.add' op not raised: no kernel computes it, alone or with its neighbours}}
  %sum = tosa.add %lhs_wide, %rhs_wide : (tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: expected one factor for all channels, but got 2}}
  %result = tosa.rescale %sum, %halves, %shifts, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x2xi8>
  return %result : tensor<4x2xi8>
}

// -----

func.func @dynamic_sum(%input: tensor<4xi8>, %other: tensor<?xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s10 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s50 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide = tosa.rescale %input, %half, %s10, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide_other = tosa.rescale %other, %half, %s10, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<?xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<?xi32>
  // expected-remark @below {{'tosa.add' op not raised: no kernel computes it, alone or with its neighbours}}
  %sum = tosa.add %wide, %wide_other : (tensor<4xi32>, tensor<?xi32>) -> tensor<?xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: expected input and output of one static shape, but got tensor<?xi32> and tensor<4xi8>}}
  %result = tosa.rescale %sum, %half, %s50, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<?xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}
