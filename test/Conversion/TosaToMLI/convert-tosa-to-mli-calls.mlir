// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// A function and its callers change together.

// CHECK-LABEL: func.func private @halve(
// CHECK-SAME:      %[[INPUT:.*]]: tensor<4x!mli.sa8<1:1:3>>) -> tensor<4x!mli.sa8<1:0:3>>
// CHECK:         %[[RESULT:.*]] = mli.convert ins(%[[INPUT]] :
// CHECK:         return %[[RESULT]]
func.func private @halve(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %result = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// CHECK-LABEL: func.func @caller(
// CHECK-SAME:      %[[INPUT:.*]]: tensor<4x!mli.sa8<1:1:3>>) -> tensor<4x!mli.sa8<1:0:3>>
// CHECK-NEXT:    %[[RESULT:.*]] = call @halve(%[[INPUT]])
// CHECK-NEXT:    return %[[RESULT]]
func.func @caller(%input: tensor<4xi8>) -> tensor<4xi8> {
  %result = call @halve(%input) : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// The values of a caller have the scale that the callee takes.

// CHECK-LABEL: func.func @outer(
// CHECK-SAME:      %[[INPUT:.*]]: tensor<4x!mli.sa8<1:3:3>>) -> tensor<4x!mli.sa8<1:0:3>>
// CHECK:         %[[FIRST:.*]] = mli.convert ins(%[[INPUT]] : {{.*}}) outs({{.*}} : tensor<4x!mli.sa8<1:2:3>>)
// CHECK:         %[[SECOND:.*]] = call @halve(%[[FIRST]])
// CHECK:         mli.convert ins(%[[SECOND]] : tensor<4x!mli.sa8<1:1:3>>)
func.func @outer(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %first = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  %second = call @halve(%first) : (tensor<4xi8>) -> tensor<4xi8>
  %third = tosa.rescale %second, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %third : tensor<4xi8>
}

// CHECK-LABEL: func.func private @halve(
// CHECK-SAME:      tensor<4x!mli.sa8<1:2:3>>) -> tensor<4x!mli.sa8<1:1:3>>
func.func private @halve(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %result = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// A zero point that the callee does not take: a cast stays between the two.

// CHECK-LABEL: func.func @other_zero(
// CHECK:         %[[CODES:.*]] = builtin.unrealized_conversion_cast %{{.*}} : tensor<4x!mli.sa8<1:0:4>> to tensor<4xi8>
// CHECK:         %[[TAKEN:.*]] = builtin.unrealized_conversion_cast %[[CODES]] : tensor<4xi8> to tensor<4x!mli.sa8<1:1:3>>
// CHECK:         call @halve(%[[TAKEN]])
func.func @other_zero(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %first = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  %second = call @halve(%first) : (tensor<4xi8>) -> tensor<4xi8>
  return %second : tensor<4xi8>
}

func.func private @halve(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %result = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// A function that calls itself keeps its signature.

// CHECK-LABEL: func.func @endless(
// CHECK-SAME:      %{{.*}}: tensor<4xi8>) -> tensor<4xi8>
func.func @endless(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %half_of_it = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  %result = call @endless(%half_of_it) : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// As does one whose callers are not known.

// CHECK-LABEL: func.func private @halve(
// CHECK-SAME:      %{{.*}}: tensor<4xi8>) -> tensor<4xi8>
func.func private @halve(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %result = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

func.func @pointer() -> ((tensor<4xi8>) -> tensor<4xi8>) {
  %pointer = constant @halve : (tensor<4xi8>) -> tensor<4xi8>
  return %pointer : (tensor<4xi8>) -> tensor<4xi8>
}
