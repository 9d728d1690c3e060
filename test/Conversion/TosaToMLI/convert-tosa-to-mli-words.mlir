// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Layers of i8 whose results have 16 bits are computed in fx16.

// CHECK-LABEL: func.func @rows(
// CHECK:         mli.convert ins({{.*}} : tensor<4x!mli.sa8<{{.*}}:8>>) outs({{.*}} : tensor<4x!mli.fx16<7>>)
// CHECK:         mli.fully_connected ins({{.*}} : tensor<4x!mli.fx16<7>>, tensor<4x5x!mli.fx16<{{.*}}>>, tensor<5x!mli.fx16<{{.*}}>>) outs({{.*}} : tensor<5x!mli.fx16<0>>)
func.func @rows(%arg0: tensor<1x3x4xi8>) -> tensor<1x3x5xi16> {
  %weights = "tosa.const"() <{values = dense<9> : tensor<1x4x5xi8>}> : () -> tensor<1x4x5xi8>
  %a_zp = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %sums = tosa.matmul %arg0, %weights, %a_zp, %b_zp : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %result = tosa.rescale %sums, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x3x5xi16>
  return %result : tensor<1x3x5xi16>
}

// -----

func.func @matrices(%arg0: tensor<1x3x4xi8>, %arg1: tensor<1x4x5xi8>) -> tensor<1x3x5xi16> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.matmul' op not raised: expected i8 output of two variables, but got i16}}
  %sums = tosa.matmul %arg0, %arg1, %zp, %zp : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.matmul', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x3x5xi16>
  return %result : tensor<1x3x5xi16>
}

// -----

func.func @great_factor(%arg0: tensor<1x3x4xi8>) -> tensor<1x3x5xi16> {
  %weights = "tosa.const"() <{values = dense<90> : tensor<1x4x5xi8>}> : () -> tensor<1x4x5xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark-re @below {{'tosa.matmul' op not raised: expected factors and biases in the range of 16 bits, but got some that take shifts of {{.*}}}}
  %sums = tosa.matmul %arg0, %weights, %zp, %zp : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.matmul', which is not raised}}
  %result = tosa.rescale %sums, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x3x5xi16>
  return %result : tensor<1x3x5xi16>
}
