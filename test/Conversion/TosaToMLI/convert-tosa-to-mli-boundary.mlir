// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Operations that are left take i8, before and after those that are raised.

// CHECK-LABEL: func.func @partial(
// CHECK-SAME:      %[[INPUT:.*]]: tensor<4xi8>) -> (tensor<4xi8>, tensor<4x!mli.sa8<1:0:3>>)
// CHECK:         %[[SOURCE:.*]] = builtin.unrealized_conversion_cast %[[INPUT]]
// CHECK:         %[[FIRST:.*]] = mli.convert ins(%[[SOURCE]] :
// CHECK:         %[[CODES:.*]] = builtin.unrealized_conversion_cast %[[FIRST]]
// CHECK:         %[[LEFT:.*]] = tosa.tanh %[[CODES]]
// CHECK:         %[[AGAIN:.*]] = builtin.unrealized_conversion_cast %[[LEFT]]
// CHECK:         mli.convert ins(%[[AGAIN]] :
// CHECK:         return %[[INPUT]], %{{.*}} : tensor<4xi8>, tensor<4x!mli.sa8<1:0:3>>
func.func @partial(%input: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %first = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  // expected-remark @below {{'tosa.tanh' op not raised: no kernel computes it, alone or with its neighbours; quantise the network, where it is a table}}
  %tanh = tosa.tanh %first : (tensor<4xi8>) -> tensor<4xi8>
  %result = tosa.rescale %tanh, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %input, %result : tensor<4xi8>, tensor<4xi8>
}

// -----

// Inside regions, and from outside into them.

// CHECK-LABEL: func.func @region(
// CHECK:         %[[OUTER:.*]] = mli.convert
// CHECK:         scf.if
// CHECK:           mli.convert ins(%[[OUTER]] :
// CHECK:           builtin.unrealized_conversion_cast
// CHECK:           scf.yield
// CHECK:         builtin.unrealized_conversion_cast
// CHECK:         mli.convert
func.func @region(%input: tensor<4xi8>, %flag: i1) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %outer = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  %chosen = scf.if %flag -> tensor<4xi8> {
    %inner = tosa.rescale %outer, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
    scf.yield %inner : tensor<4xi8>
  } else {
    scf.yield %outer : tensor<4xi8>
  }
  %result = tosa.rescale %chosen, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// Blocks in another order than they run in.

// CHECK-LABEL: func.func @blocks(
// CHECK-COUNT-2: mli.convert
// CHECK-NOT:     tosa.rescale
func.func @blocks(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  cf.br ^first
^second:
  %result = tosa.rescale %between, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
^first:
  %between = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  cf.br ^second
}

// -----

// Two ends of one function disagree about the result, which stays i8.

// CHECK-LABEL: func.func @two_returns(
// CHECK-SAME:      -> tensor<4xi8>
// CHECK-COUNT-2: return %{{.*}} : tensor<4xi8>
func.func @two_returns(%input: tensor<4xi8>, %flag: i1) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %first = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  %second = tosa.rescale %first, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  cf.cond_br %flag, ^first, ^second
^first:
  return %first : tensor<4xi8>
^second:
  return %second : tensor<4xi8>
}

// -----

// A function without a body, and one without anything to raise.

// CHECK-LABEL: func.func private @external(tensor<4xi8>) -> tensor<4xi8>
// CHECK:       func.func @identity(%{{.*}}: tensor<4xi8>) -> tensor<4xi8>
func.func private @external(tensor<4xi8>) -> tensor<4xi8>
func.func @identity(%input: tensor<4xi8>) -> tensor<4xi8> {
  return %input : tensor<4xi8>
}

// -----

// Two roundings happen where the shift is over 31.

// CHECK-LABEL: func.func @rounding(
// expected-remark @below {{DOUBLE_ROUND is computed as a single rounding in 1 rescales}}
func.func @rounding(%input: tensor<4xi8>) -> tensor<4xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %more = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %once = tosa.rescale %input, %half, %shift, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  %result = tosa.rescale %once, %half, %more, %zp, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}
