// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Sums of i16 are products of pairs with their factors.

// CHECK-LABEL: func.func @add(
// CHECK:         mli.constant dense<16384> : tensor<1x1x2x1xi16> to tensor<1x1x2x1x!mli.fx16<15>>
// CHECK-COUNT-2: mli.mov {{.*}} outs({{.*}} : tensor<6x1x2x!mli.fx16<0>>)
// CHECK:         mli.conv2d
func.func @add(%arg0: tensor<2x3xi16>, %arg1: tensor<2x3xi16>) -> tensor<2x3xi16> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s16 = "tosa.const"() <{values = dense<16> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s45 = "tosa.const"() <{values = dense<45> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %wide = tosa.rescale %arg0, %half, %s16, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<2x3xi32>
  %wide2 = tosa.rescale %arg1, %half, %s16, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<2x3xi32>
  %sum = tosa.add %wide, %wide2 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %result = tosa.rescale %sum, %half, %s45, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<2x3xi16>
  return %result : tensor<2x3xi16>
}

// -----

// The kernel shifts the product, and another one multiplies by the rest.

// CHECK-LABEL: func.func @mul(
// CHECK:         mli.eltwise_mul {{.*}} outs({{.*}} : tensor<2x3x!mli.fx16<-15>>)
// CHECK:         mli.eltwise_mul {{.*}} outs({{.*}} : tensor<2x3x!mli.fx16<0>>)
// CHECK-NOT:     mli.eltwise_mul
// CHECK-LABEL: func.func @
func.func @mul(%arg0: tensor<2x3xi16>, %arg1: tensor<2x3xi16>) -> tensor<2x3xi16> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s16 = "tosa.const"() <{values = dense<16> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s45 = "tosa.const"() <{values = dense<45> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %mul = tosa.mul %arg0, %arg1, %shift : (tensor<2x3xi16>, tensor<2x3xi16>, tensor<1xi8>) -> tensor<2x3xi32>
  %result = tosa.rescale %mul, %half, %s45, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<2x3xi16>
  return %result : tensor<2x3xi16>
}

// -----

// Each element of a sum needs a pair.

func.func @one_element(%arg0: tensor<2x3xi16>, %arg1: tensor<1x1xi16>) -> tensor<2x3xi16> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s16 = "tosa.const"() <{values = dense<16> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s45 = "tosa.const"() <{values = dense<45> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide = tosa.rescale %arg0, %half, %s16, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<2x3xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide2 = tosa.rescale %arg1, %half, %s16, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1x1xi32>
  // expected-remark @below {{'tosa.add' op not raised: expected operands of i16 with dimensions, but got tensor<1x1xi16>}}
  %sum = tosa.add %wide, %wide2 : (tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.add', which is not raised}}
  %result = tosa.rescale %sum, %half, %s45, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<2x3xi16>
  return %result : tensor<2x3xi16>
}

// -----

// Numbers of 32 bits have no format.

func.func @number(%arg0: tensor<2xi16>) -> tensor<2xi16> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s16 = "tosa.const"() <{values = dense<16> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s45 = "tosa.const"() <{values = dense<45> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %number = "tosa.const"() <{values = dense<5> : tensor<2xi32>}> : () -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide = tosa.rescale %arg0, %half, %s16, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.sub' op not raised: expected two tensors of i16 that are not rescaled by 0, but got tensor<2xi32>}}
  %sum = tosa.sub %wide, %number : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.sub', which is not raised}}
  %result = tosa.rescale %sum, %half, %s45, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<2xi16>
  return %result : tensor<2xi16>
}

// -----

// A product that is rounded before its rescale.

func.func @shifted(%arg0: tensor<2xi16>) -> tensor<2xi16> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s16 = "tosa.const"() <{values = dense<16> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s45 = "tosa.const"() <{values = dense<45> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide = tosa.rescale %arg0, %half, %s16, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.mul' op not raised: expected 'shift' to be a constant 0, but got tensor<1xi8>}}
  %mul = tosa.mul %wide, %wide, %shift : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.mul', which is not raised}}
  %result = tosa.rescale %mul, %half, %s45, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<2xi16>
  return %result : tensor<2xi16>
}

// -----

// Sums of 8 and 16 bits.

func.func @mixed(%arg0: tensor<2xi16>, %arg1: tensor<2xi8>) -> tensor<2xi16> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s16 = "tosa.const"() <{values = dense<16> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s45 = "tosa.const"() <{values = dense<45> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %byte_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide = tosa.rescale %arg0, %half, %s16, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide2 = tosa.rescale %arg1, %half, %s16, %byte_zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.add' op not raised: expected operands that are rescaled i16, but got tensor<2xi8>}}
  %sum = tosa.add %wide, %wide2 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.add', which is not raised}}
  %result = tosa.rescale %sum, %half, %s45, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<2xi16>
  return %result : tensor<2xi16>
}
