// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// A table has an entry for each quantised value of 8 bits, whatever its scale.

// CHECK-LABEL: func.func @abs(
// CHECK:         %[[TABLE:.*]] = mli.constant dense<{{.*}}> : tensor<257xi16> to tensor<257x!mli.fx16<7>>
// CHECK:         mli.tanh ins({{.*}} : tensor<6x4x1x5x!mli.sa8<1:0:0>>) lut(%[[TABLE]] : tensor<257x!mli.fx16<7>>)
func.func @abs(%arg0: tensor<2x3x4x1x5xi8>) -> tensor<2x3x4x1x5xi8> {
  %abs = tosa.abs %arg0 : (tensor<2x3x4x1x5xi8>) -> tensor<2x3x4x1x5xi8>
  return %abs : tensor<2x3x4x1x5xi8>
}

// -----

// CHECK-LABEL: func.func @wide_abs(
// CHECK:         %[[ZERO:.*]] = mli.constant dense<0> : tensor<1xi16>
// CHECK:         %[[REST:.*]] = mli.eltwise_sub ins(%[[ZERO]], %[[INPUT:.*]] : tensor<1x!mli.fx16<0>>, tensor<4x8x!mli.fx16<0>>)
// CHECK:         mli.eltwise_max ins(%[[INPUT]], %[[REST]] : tensor<4x8x!mli.fx16<0>>, tensor<4x8x!mli.fx16<0>>)
func.func @wide_abs(%arg0: tensor<4x8xi16>) -> tensor<4x8xi16> {
  %abs = tosa.abs %arg0 : (tensor<4x8xi16>) -> tensor<4x8xi16>
  return %abs : tensor<4x8xi16>
}

// -----

// CHECK-LABEL: func.func @negate(
// CHECK:         mli.tanh
func.func @negate(%arg0: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %zero = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %negate = tosa.negate %arg0, %zero, %zero : (tensor<4x8xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x8xi8>
  return %negate : tensor<4x8xi8>
}

// -----

// CHECK-LABEL: func.func @wide_not(
// CHECK:         %[[ONES:.*]] = mli.constant dense<-1> : tensor<1xi16>
// CHECK:         mli.eltwise_sub ins(%[[ONES]], %{{.*}} : tensor<1x!mli.fx16<0>>, tensor<4x8x!mli.fx16<0>>)
// CHECK-NOT:     mli.eltwise_max
func.func @wide_not(%arg0: tensor<4x8xi16>) -> tensor<4x8xi16> {
  %not = tosa.bitwise_not %arg0 : (tensor<4x8xi16>) -> tensor<4x8xi16>
  return %not : tensor<4x8xi16>
}

// -----

// Either operand may be the constant.

// CHECK-LABEL: func.func @masks(
// CHECK-COUNT-3: mli.tanh
func.func @masks(%arg0: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %mask = "tosa.const"() <{values = dense<7> : tensor<1x8xi8>}> : () -> tensor<1x8xi8>
  %and = tosa.bitwise_and %arg0, %mask : (tensor<4x8xi8>, tensor<1x8xi8>) -> tensor<4x8xi8>
  %or = tosa.bitwise_or %mask, %and : (tensor<1x8xi8>, tensor<4x8xi8>) -> tensor<4x8xi8>
  %xor = tosa.bitwise_xor %or, %mask : (tensor<4x8xi8>, tensor<1x8xi8>) -> tensor<4x8xi8>
  return %xor : tensor<4x8xi8>
}

// -----

// CHECK-LABEL: func.func @shifts(
// CHECK-COUNT-3: mli.tanh
func.func @shifts(%arg0: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %by = "tosa.const"() <{values = dense<2> : tensor<1x1xi8>}> : () -> tensor<1x1xi8>
  %left = tosa.logical_left_shift %arg0, %by : (tensor<4x8xi8>, tensor<1x1xi8>) -> tensor<4x8xi8>
  %right = tosa.logical_right_shift %left, %by : (tensor<4x8xi8>, tensor<1x1xi8>) -> tensor<4x8xi8>
  %arithmetic = tosa.arithmetic_right_shift %right, %by {round = true} : (tensor<4x8xi8>, tensor<1x1xi8>) -> tensor<4x8xi8>
  return %arithmetic : tensor<4x8xi8>
}

// -----

// A maximum or minimum with a constant is a clamp.

// CHECK-LABEL: func.func @limits(
// CHECK:         mli.eltwise_max ins({{.*}} : tensor<4x8x!mli.fx16<0>>, tensor<1x!mli.fx16<0>>)
// CHECK:         mli.eltwise_min ins({{.*}} : tensor<4x8x!mli.fx16<0>>, tensor<1x!mli.fx16<0>>)
func.func @limits(%arg0: tensor<4x8xi16>) -> tensor<4x8xi16> {
  %low = "tosa.const"() <{values = dense<-500> : tensor<1x1xi16>}> : () -> tensor<1x1xi16>
  %high = "tosa.const"() <{values = dense<700> : tensor<1x8xi16>}> : () -> tensor<1x8xi16>
  %max = tosa.maximum %arg0, %low : (tensor<4x8xi16>, tensor<1x1xi16>) -> tensor<4x8xi16>
  %min = tosa.minimum %high, %max : (tensor<1x8xi16>, tensor<4x8xi16>) -> tensor<4x8xi16>
  return %min : tensor<4x8xi16>
}

// -----

func.func @int32(%arg0: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.abs' op not raised: expected i8 or i16 input, but got i32; rescale it to i8 before}}
  %abs = tosa.abs %arg0 : (tensor<4x8xi32>) -> tensor<4x8xi32>
  // expected-remark @below {{'tosa.bitwise_not' op not raised: expected i8 or i16 input, but got i32; rescale it to i8 before}}
  %not = tosa.bitwise_not %abs : (tensor<4x8xi32>) -> tensor<4x8xi32>
  // expected-remark @below {{'tosa.negate' op not raised: expected i8 or i16 input, but got i32; rescale it to i8 before}}
  %negate = tosa.negate %not, %zero, %zero : (tensor<4x8xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4x8xi32>
  return %negate : tensor<4x8xi32>
}

// -----

func.func @operands(%arg0: tensor<4x8xi8>, %arg1: tensor<4x8xi8>, %arg2: tensor<1x8xi8>, %arg3: tensor<4x8xi16>) -> (tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi16>) {
  // expected-remark @below {{'tosa.bitwise_and' op not raised: expected a constant of equal elements as one operand, but got tensor<4x8xi8> and tensor<4x8xi8>; compute it outside of the network}}
  %and = tosa.bitwise_and %arg0, %arg1 : (tensor<4x8xi8>, tensor<4x8xi8>) -> tensor<4x8xi8>
  %mask = "tosa.const"() <{values = dense<3> : tensor<4x8xi8>}> : () -> tensor<4x8xi8>
  // expected-remark @below {{'tosa.bitwise_or' op not raised: expected an operand in the shape of the result, tensor<4x8xi8>, but got tensor<1x8xi8>}}
  %or = tosa.bitwise_or %arg2, %mask : (tensor<1x8xi8>, tensor<4x8xi8>) -> tensor<4x8xi8>
  %wide = "tosa.const"() <{values = dense<3> : tensor<4x8xi16>}> : () -> tensor<4x8xi16>
  // expected-remark @below {{'tosa.bitwise_xor' op not raised: expected i8 operands, but got i16; compute it outside of the network}}
  %xor = tosa.bitwise_xor %arg3, %wide : (tensor<4x8xi16>, tensor<4x8xi16>) -> tensor<4x8xi16>
  return %and, %or, %xor : tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi16>
}

// -----

func.func @far(%arg0: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %by = "tosa.const"() <{values = dense<8> : tensor<1x1xi8>}> : () -> tensor<1x1xi8>
  // expected-remark @below {{'tosa.arithmetic_right_shift' op not raised: expected 'input2' to be a constant of equal elements in [0, 7], but got tensor<1x1xi8>}}
  %shift = tosa.arithmetic_right_shift %arg0, %by {round = false} : (tensor<4x8xi8>, tensor<1x1xi8>) -> tensor<4x8xi8>
  return %shift : tensor<4x8xi8>
}
