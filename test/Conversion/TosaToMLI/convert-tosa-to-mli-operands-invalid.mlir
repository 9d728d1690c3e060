// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s -o /dev/null

// Constants of 32 bits are one number.

func.func @numbers(%arg0: tensor<2xi8>) -> tensor<2xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %numbers = "tosa.const"() <{values = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.add' op not raised: expected one number in constants of 32 bits, or constants that are rescaled i8, but got tensor<2xi32>}}
  %sum = tosa.add %wide, %numbers : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.add', which is not raised}}
  %result = tosa.rescale %sum, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2xi8>
  return %result : tensor<2xi8>
}

// -----

// Nothing is left to compute.

func.func @no_tensor() -> tensor<2xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %number = "tosa.const"() <{values = dense<5> : tensor<2xi32>}> : () -> tensor<2xi32>
  // expected-remark @below {{'tosa.sub' op not raised: expected an operand that is no constant, but got two}}
  %sum = tosa.sub %number, %number : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.sub', which is not raised}}
  %result = tosa.rescale %sum, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2xi8>
  return %result : tensor<2xi8>
}

// -----

// A tensor that is broadcast by a number.

func.func @spread(%arg0: tensor<1xi8>) -> tensor<2xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %number = "tosa.const"() <{values = dense<5> : tensor<2xi32>}> : () -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1xi32>
  // expected-remark @below {{'tosa.add' op not raised: expected a tensor of tensor<2xi8> and a number, but got tensor<1xi8>}}
  %sum = tosa.add %wide, %number : (tensor<1xi32>, tensor<2xi32>) -> tensor<2xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.add', which is not raised}}
  %result = tosa.rescale %sum, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2xi8>
  return %result : tensor<2xi8>
}

// -----

// The verifier takes any shape of a product.

func.func @product(%arg0: tensor<4x3xi8>, %arg1: tensor<1x3xi8>) -> tensor<2x3xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x3xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide2 = tosa.rescale %arg1, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x3xi32>
  // expected-remark @below {{'tosa.mul' op not raised: expected a result of the shape to which tensor<4x3xi32> and tensor<1x3xi32> are broadcast, but got tensor<2x3xi32>}}
  %mul = tosa.mul %wide, %wide2, %shift : (tensor<4x3xi32>, tensor<1x3xi32>, tensor<1xi8>) -> tensor<2x3xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.mul', which is not raised}}
  %result = tosa.rescale %mul, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %result : tensor<2x3xi8>
}

// -----

// Sums of 32 bits alone are in no quantised network.

func.func @plain(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
  // expected-remark @below {{'tosa.add' op not raised: expected operands that are rescaled from i8 or i16, and a rescale of the result to that, but got tensor<2xi32> and tensor<2xi32>; quantise the network as a whole, or compute this outside of it}}
  %sum = tosa.add %arg0, %arg1 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %sum : tensor<2xi32>
}

// -----

// A product that is not rescaled.

func.func @plain_product(%arg0: tensor<2xi16>, %arg1: tensor<2xi16>) -> tensor<2xi32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.mul' op not raised: expected operands that are rescaled from i8 or i16, and a rescale of the result to that, but got tensor<2xi16> and tensor<2xi32>; quantise the network as a whole, or compute this outside of it}}
  %mul = tosa.mul %arg0, %arg1, %shift : (tensor<2xi16>, tensor<2xi16>, tensor<1xi8>) -> tensor<2xi32>
  return %mul : tensor<2xi32>
}

// -----

// A dimension that is not known.

func.func @open(%arg0: tensor<2x3xi8>, %arg1: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %other_zp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shape = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide = tosa.rescale %arg0, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: no kernel computes it, alone or with its neighbours}}
  %wide2 = tosa.rescale %arg1, %half, %s30, %zp, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  // expected-remark @below {{'tosa.reshape' op not raised:}}
  %open = tosa.reshape %wide2, %shape : (tensor<2x3xi32>, !tosa.shape<2>) -> tensor<2x?xi32>
  // expected-remark @below {{'tosa.add' op not raised: expected operands of static shape, but got tensor<2x?xi32>}}
  %sum = tosa.add %wide, %open : (tensor<2x3xi32>, tensor<2x?xi32>) -> tensor<2x3xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: it belongs to 'tosa.add', which is not raised}}
  %result = tosa.rescale %sum, %half, %s31, %zero, %zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %result : tensor<2x3xi8>
}
