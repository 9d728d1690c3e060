// RUN: mli-opt --convert-tosa-to-mli=sums=kernel --split-input-file --verify-diagnostics %s | FileCheck %s

// Reshapes of 32 bits are looked through.

// CHECK-LABEL: func.func @reshaped(
// CHECK:         %[[SLICE:.*]] = scf.for
// CHECK:         mli.eltwise_add ins({{.*}} : tensor<3x!mli.sa8<1:1:3>>, tensor<3x!mli.sa8<1:1:-5>>)
func.func @reshaped(%arg0: tensor<2x3xi8>, %arg1: tensor<3xi8>) -> tensor<2x3xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shape = tosa.const_shape {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  %wide2 = tosa.rescale %arg1, %half, %s30, %other_zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<3xi32>
  %row = tosa.reshape %wide2, %shape : (tensor<3xi32>, !tosa.shape<2>) -> tensor<1x3xi32>
  %sum = tosa.add %wide, %row : (tensor<2x3xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %result = tosa.rescale %sum, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %result : tensor<2x3xi8>
}

// -----

// Moves repeat a column.

// CHECK-LABEL: func.func @column(
// CHECK-COUNT-3: mli.mov
// CHECK-NOT:     mli.mov
// CHECK:         mli.eltwise_max
func.func @column(%arg0: tensor<2x3xi8>, %arg1: tensor<2x1xi8>) -> tensor<2x3xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  %wide2 = tosa.rescale %arg1, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x1xi32>
  %max = tosa.maximum %wide, %wide2 : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  %result = tosa.rescale %max, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %result : tensor<2x3xi8>
}

// -----

// A number of 32 bits makes a function of 8 bits.

// CHECK-LABEL: func.func @number(
// CHECK-NOT:     mli.eltwise
// CHECK:         mli.tanh
func.func @number(%arg0: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %number = "tosa.const"() <{values = dense<90> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  %sum = tosa.sub %number, %wide : (tensor<1x1xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %result = tosa.rescale %sum, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %result : tensor<2x3xi8>
}

// -----

// So does a tensor that has two zero points.

// CHECK-LABEL: func.func @twice(
// CHECK-NOT:     mli.eltwise
// CHECK:         mli.tanh
func.func @twice(%arg0: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  %wide2 = tosa.rescale %arg0, %half, %s30, %other_zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  %sum = tosa.add %wide, %wide2 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %result = tosa.rescale %sum, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %result : tensor<2x3xi8>
}

// -----

// One that has one is added as any other.

// CHECK-LABEL: func.func @doubled(
// CHECK-NOT:     mli.tanh
// CHECK:         mli.eltwise_add
func.func @doubled(%arg0: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  %sum = tosa.add %wide, %wide : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %result = tosa.rescale %sum, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %result : tensor<2x3xi8>
}

// -----

// Kernels see more than four dimensions merged.

// CHECK-LABEL: func.func @dimensions(
// CHECK:         mli.eltwise_min ins({{.*}} : tensor<4x1x3x2x!mli.sa8<1:0:3>>
func.func @dimensions(%arg0: tensor<2x2x1x1x3x2xi8>, %arg1: tensor<2x2x1x1x3x2xi8>) -> tensor<2x2x1x1x3x2xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x2x1x1x3x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x2x1x1x3x2xi32>
  %wide2 = tosa.rescale %arg1, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x2x1x1x3x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x2x1x1x3x2xi32>
  %min = tosa.minimum %wide, %wide2 : (tensor<2x2x1x1x3x2xi32>, tensor<2x2x1x1x3x2xi32>) -> tensor<2x2x1x1x3x2xi32>
  %result = tosa.rescale %min, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x2x1x1x3x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x2x1x1x3x2xi8>
  return %result : tensor<2x2x1x1x3x2xi8>
}
