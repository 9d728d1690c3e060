// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Layers of i16 with weights of i8, whose sums have 48 bits.

// Weights and biases by 2^-8, as the nearest numbers of 16 bits.

// CHECK-LABEL: func.func @conv2d(
// CHECK-DAG:     mli.constant dense<{{\[}}[{{\[}}[768, 1792], [-1280, 32512]]]]> : tensor<1x1x2x2xi16> to tensor<1x1x2x2x!mli.fx16<16>>
// CHECK-DAG:     mli.constant dense<[-2, 16384]> : tensor<2xi16> to tensor<2x!mli.fx16<0>>
// CHECK:         mli.conv2d
func.func @conv2d(%input: tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16> {
  %weights = "tosa.const"() <{values = dense<[[[[3, -5]]], [[[7, 127]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<[-600, 4194304]> : tensor<2xi48>}> : () -> tensor<2xi48>
  %multiplier = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %weight_zp {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<2x1x1x2xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<1x4x4x2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
  return %result : tensor<1x4x4x2xi16>
}

// -----

// Multipliers of 32 bits, and one bias for all channels.

// CHECK-LABEL: func.func @depthwise(
// CHECK:         mli.depthwise_conv2d
func.func @depthwise(%input: tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16> {
  %weights = "tosa.const"() <{values = dense<[[[[3], [-5]]]]> : tensor<1x1x2x1xi8>}> : () -> tensor<1x1x2x1xi8>
  %bias = "tosa.const"() <{values = dense<7> : tensor<1xi48>}> : () -> tensor<1xi48>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %sums = tosa.depthwise_conv2d %input, %weights, %bias, %zp, %weight_zp {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<1x1x2x1xi8>, tensor<1xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi48>, tensor<1xi32>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
  return %result : tensor<1x4x4x2xi16>
}

// -----

// CHECK-LABEL: func.func @rows(
// CHECK:         mli.fully_connected {{.*}}tensor<4x2x!mli.fx16<{{[0-9]+}}>>
func.func @rows(%input: tensor<3x4xi16>) -> tensor<3x2xi16> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x4xi8>}> : () -> tensor<2x1x1x4xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<2xi48>}> : () -> tensor<2xi48>
  %multiplier = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %rows = tosa.const_shape {values = dense<[3, 1, 1, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %back = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %x = tosa.reshape %input, %rows : (tensor<3x4xi16>, !tosa.shape<4>) -> tensor<3x1x1x4xi16>
  %sums = tosa.conv2d %x, %weights, %bias, %zp, %weight_zp {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<3x1x1x4xi16>, tensor<2x1x1x4xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<3x1x1x2xi48>
  %y = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<3x1x1x2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<3x1x1x2xi16>
  %result = tosa.reshape %y, %back : (tensor<3x1x1x2xi16>, !tosa.shape<2>) -> tensor<3x2xi16>
  return %result : tensor<3x2xi16>
}

// -----

// A matrix of 16 bits: -2^15 by 2^-8.

// CHECK-LABEL: func.func @matrix(
// CHECK:         mli.constant dense<-16384> : tensor<4x5xi16> to tensor<4x5x!mli.fx16<7>>
// CHECK:         mli.fully_connected
func.func @matrix(%a: tensor<1x3x4xi16>) -> tensor<1x3x5xi16> {
  %b = "tosa.const"() <{values = dense<-32768> : tensor<1x4x5xi16>}> : () -> tensor<1x4x5xi16>
  %multiplier = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %sums = tosa.matmul %a, %b, %zp, %zp : (tensor<1x3x4xi16>, tensor<1x4x5xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x3x5xi48>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<1x3x5xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x3x5xi16>
  return %result : tensor<1x3x5xi16>
}

// -----

// Two variables: 1.5 by 2^-8.

// CHECK-LABEL: func.func @variables(
// CHECK:         mli.conv2d {{.*}} outs({{.*}} : tensor<3x1x5x!mli.fx16<-8>>)
// CHECK:         mli.constant dense<24576> : tensor<1xi16> to tensor<1x!mli.fx16<22>>
// CHECK:         mli.eltwise_mul {{.*}} -> tensor<1x3x5x!mli.fx16<0>>
func.func @variables(%a: tensor<1x3x4xi16>, %b: tensor<1x4x5xi16>) -> tensor<1x3x5xi16> {
  %multiplier = "tosa.const"() <{values = dense<24576> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %sums = tosa.matmul %a, %b, %zp, %zp : (tensor<1x3x4xi16>, tensor<1x4x5xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x3x5xi48>
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<1x3x5xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x3x5xi16>
  return %result : tensor<1x3x5xi16>
}

// -----

// CHECK-LABEL: func.func @mean(
// CHECK:         mli.avepool {{.*}} -> tensor<2x2x2x!mli.fx16<0>>
func.func @mean(%input: tensor<1x4x4x2xi16>) -> tensor<1x2x2x2xi16> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %result = tosa.avg_pool2d %input, %zero, %zero {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x2x2x2xi16>
  return %result : tensor<1x2x2x2xi16>
}

// -----

// Reasons not to.

func.func @bytes(%input: tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi8> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<0> : tensor<2xi48>}> : () -> tensor<2xi48>
  %multiplier = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  // expected-remark @below {{'tosa.conv2d' op not raised: no kernel computes it, alone or with its neighbours}}
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %weight_zp {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<2x1x1x2xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  // expected-remark @below {{'tosa.rescale' op not raised: expected i16 output of a product of i16, but got i8}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %weight_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<1x4x4x2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %result : tensor<1x4x4x2xi8>
}

// -----

func.func @bias(%input: tensor<1x4x4x2xi16>, %bias: tensor<2xi48>) -> tensor<1x4x4x2xi16> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %multiplier = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  // expected-remark @below {{'tosa.conv2d' op not raised: expected 'bias' to be a constant of 2 i48, but got tensor<2xi48>}}
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %weight_zp {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<2x1x1x2xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.conv2d', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<1x4x4x2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
  return %result : tensor<1x4x4x2xi16>
}

// -----

func.func @weights(%input: tensor<1x4x4x2xi16>, %weights: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi16> {
  %bias = "tosa.const"() <{values = dense<0> : tensor<2xi48>}> : () -> tensor<2xi48>
  %multiplier = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<22> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  // expected-remark @below {{'tosa.conv2d' op not raised: expected 'weight' to be constant, but got tensor<2x1x1x2xi8>}}
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %weight_zp {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<2x1x1x2xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.conv2d', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<1x4x4x2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
  return %result : tensor<1x4x4x2xi16>
}

// -----

func.func @great_bias(%input: tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16> {
  %weights = "tosa.const"() <{values = dense<1> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<[1, 140737488355327]> : tensor<2xi48>}> : () -> tensor<2xi48>
  %multiplier = "tosa.const"() <{values = dense<32767> : tensor<1xi16>}> : () -> tensor<1xi16>
  %shift = "tosa.const"() <{values = dense<15> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  // expected-remark @below {{'tosa.conv2d' op not raised: expected factors and biases in the range of 16 bits, but got some that take shifts of -16 and -32}}
  %sums = tosa.conv2d %input, %weights, %bias, %zp, %weight_zp {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi16>, tensor<2x1x1x2xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.conv2d', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<1x4x4x2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
  return %result : tensor<1x4x4x2xi16>
}

// -----

func.func @factor(%a: tensor<1x3x4xi16>, %b: tensor<1x4x5xi16>) -> tensor<1x3x5xi16> {
  %multiplier = "tosa.const"() <{values = dense<2147483647> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  // expected-remark @below {{'tosa.matmul' op not raised: expected a factor in the range of 16 bits, but got 5.368709e+08}}
  %sums = tosa.matmul %a, %b, %zp, %zp : (tensor<1x3x4xi16>, tensor<1x4x5xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x3x5xi48>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.matmul', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x5xi48>, tensor<1xi32>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x3x5xi16>
  return %result : tensor<1x3x5xi16>
}

// -----

func.func @channels(%a: tensor<1x3x4xi16>, %b: tensor<1x4x5xi16>) -> tensor<1x3x5xi16> {
  %multiplier = "tosa.const"() <{values = dense<[1, 2, 3, 4, 5]> : tensor<5xi16>}> : () -> tensor<5xi16>
  %shift = "tosa.const"() <{values = dense<22> : tensor<5xi8>}> : () -> tensor<5xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %weight_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  // expected-remark @below {{'tosa.matmul' op not raised: no kernel computes it, alone or with its neighbours}}
  %sums = tosa.matmul %a, %b, %zp, %zp : (tensor<1x3x4xi16>, tensor<1x4x5xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x3x5xi48>
  // expected-remark @below {{'tosa.rescale' op not raised: expected one factor for all channels, but got 5}}
  %result = tosa.rescale %sums, %multiplier, %shift, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<1x3x5xi48>, tensor<5xi16>, tensor<5xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x3x5xi16>
  return %result : tensor<1x3x5xi16>
}

// -----

func.func @mixed(%a: tensor<1x3x4xi8>, %b: tensor<1x4x5xi4>) -> tensor<1x3x5xi32> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp4 = "tosa.const"() <{values = dense<0> : tensor<1xi4>}> : () -> tensor<1xi4>
  // expected-remark @below {{'tosa.matmul' op not raised: expected two matrices of i8 or of i16, but got i8 and i4}}
  %result = tosa.matmul %a, %b, %zp, %zp4 : (tensor<1x3x4xi8>, tensor<1x4x5xi4>, tensor<1xi8>, tensor<1xi4>) -> tensor<1x3x5xi32>
  return %result : tensor<1x3x5xi32>
}
