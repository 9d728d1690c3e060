// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// What has more bits than its operands, though nothing is rescaled, keeps all
// quantised values.

// CHECK-LABEL: func.func @cast(
// CHECK:         mli.convert ins(%{{.*}} : tensor<4x6x!mli.sa8<1:0:0>>) outs(%{{.*}} : tensor<4x6x!mli.fx16<0>>)
func.func @cast(%arg0: tensor<4x6xi8>) -> tensor<4x6xi16> {
  %cast = tosa.cast %arg0 : (tensor<4x6xi8>) -> tensor<4x6xi16>
  return %cast : tensor<4x6xi16>
}

// -----

// CHECK-LABEL: func.func @cast_to_result(
// CHECK:         mli.convert ins(%{{.*}} : tensor<4x6x!mli.fx16<0>>) outs(%{{.*}} : tensor<4x6x!mli.sa32<1:0:0>>)
func.func @cast_to_result(%arg0: tensor<4x6xi16>) -> tensor<4x6xi32> {
  %cast = tosa.cast %arg0 : (tensor<4x6xi16>) -> tensor<4x6xi32>
  return %cast : tensor<4x6xi32>
}

// -----

// 16 bits hold products of two i8.

// CHECK-LABEL: func.func @product(
// CHECK-COUNT-2: mli.convert ins(%{{.*}} : tensor<4x6x!mli.sa8<1:0:0>>) outs(%{{.*}} : tensor<4x6x!mli.fx16<0>>)
// CHECK:         mli.eltwise_mul ins(%{{.*}}, %{{.*}} : tensor<4x6x!mli.fx16<0>>, tensor<4x6x!mli.fx16<0>>) outs(%{{.*}} : tensor<4x6x!mli.fx16<0>>)
// CHECK:         mli.convert ins(%{{.*}} : tensor<4x6x!mli.fx16<0>>) outs(%{{.*}} : tensor<4x6x!mli.sa32<1:0:0>>)
func.func @product(%arg0: tensor<4x6xi8>, %arg1: tensor<4x6xi8>) -> tensor<4x6xi32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %mul = tosa.mul %arg0, %arg1, %shift : (tensor<4x6xi8>, tensor<4x6xi8>, tensor<1xi8>) -> tensor<4x6xi32>
  return %mul : tensor<4x6xi32>
}

// -----

// What is too large for fewer bits would wrap around.

func.func @cast_to_byte(%arg0: tensor<4x6xi16>) -> tensor<4x6xi8> {
  // expected-remark @below {{'tosa.cast' op not raised: expected i8 to i16, or either to i32 that the function returns, but got i16 to i8; quantise the network as a whole, so that types do not change inside}}
  %cast = tosa.cast %arg0 : (tensor<4x6xi16>) -> tensor<4x6xi8>
  return %cast : tensor<4x6xi8>
}

// -----

func.func @cast_inside(%arg0: tensor<4x6xi8>) -> tensor<4x6xi32> {
  // expected-remark @below {{'tosa.cast' op not raised: expected i8 to i16, or either to i32 that the function returns, but got i8 to i32}}
  %cast = tosa.cast %arg0 : (tensor<4x6xi8>) -> tensor<4x6xi32>
  // expected-remark @below {{'tosa.abs' op not raised: expected i8 or i16 input, but got i32}}
  %abs = tosa.abs %cast : (tensor<4x6xi32>) -> tensor<4x6xi32>
  return %abs : tensor<4x6xi32>
}

// -----

func.func @cast_float(%arg0: tensor<4x6xf32>) -> tensor<4x6xi16> {
  // expected-remark @below {{'tosa.cast' op not raised: expected i8 to i16, or either to i32 that the function returns, but got f32 to i16}}
  %cast = tosa.cast %arg0 : (tensor<4x6xf32>) -> tensor<4x6xi16>
  return %cast : tensor<4x6xi16>
}

// -----

func.func @product_shift(%arg0: tensor<4x6xi8>, %shift: tensor<1xi8>) -> tensor<4x6xi32> {
  // expected-remark @below {{'tosa.mul' op not raised: expected 'shift' to be a constant 0, but got tensor<1xi8>}}
  %mul = tosa.mul %arg0, %arg0, %shift : (tensor<4x6xi8>, tensor<4x6xi8>, tensor<1xi8>) -> tensor<4x6xi32>
  return %mul : tensor<4x6xi32>
}

// -----

func.func @product_unranked(%arg0: tensor<*xi8>, %arg1: tensor<4x6xi8>) -> tensor<4x6xi32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.mul' op not raised: expected operands to have a static shape with elements, but got tensor<*xi8>}}
  %mul = tosa.mul %arg0, %arg1, %shift : (tensor<*xi8>, tensor<4x6xi8>, tensor<1xi8>) -> tensor<4x6xi32>
  return %mul : tensor<4x6xi32>
}

// -----

// In as many bits, products wrap around, which no kernel does.

func.func @product_to_bytes(%arg0: tensor<4x6xi8>, %arg1: tensor<4x6xi8>) -> tensor<4x6xi8> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.mul' op not raised: expected operands that are rescaled from i8 or i16, and a rescale of the result to that, but got tensor<4x6xi8> and tensor<4x6xi8>}}
  %mul = tosa.mul %arg0, %arg1, %shift : (tensor<4x6xi8>, tensor<4x6xi8>, tensor<1xi8>) -> tensor<4x6xi8>
  return %mul : tensor<4x6xi8>
}

// -----

// The zero point of the operand is that of the rescale.

func.func @product_zero_point(%arg0: tensor<4x6xi8>) -> tensor<4x6xi32> {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %by = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %arg0, %multiplier, %by, %zero, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x6xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x6xi8>
  // expected-remark @below {{'tosa.mul' op not raised: expected zero point -128, which the tensor has elsewhere, but got 0}}
  %mul = tosa.mul %rescale, %rescale, %shift : (tensor<4x6xi8>, tensor<4x6xi8>, tensor<1xi8>) -> tensor<4x6xi32>
  return %mul : tensor<4x6xi32>
}
