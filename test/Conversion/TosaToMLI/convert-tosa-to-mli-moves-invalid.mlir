// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s -o /dev/null

func.func @amounts(%arg0: tensor<2x3xi8>, %code: tensor<1xi8>) -> (tensor<3x6xi8>) {
  %shape = tosa.const_shape {values = dense<[1, 0, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %const = "tosa.const"() <{values = dense<-77> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.pad' op not raised: expected 'pad_const' to be a constant integer, but got tensor<1xi8>}}
  %pad = tosa.pad %arg0, %shape, %code : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<3x6xi8>
  return %pad : tensor<3x6xi8>
}

// -----

// An amount of -1 is not known yet.

func.func @less(%arg0: tensor<2x3xi8>) -> (tensor<3x4xi8>) {
  %shape = tosa.const_shape {values = dense<[1, 0, 2, -1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %const = "tosa.const"() <{values = dense<-77> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.pad' op not raised: expected padding of at least 0, but got -1}}
  %pad = tosa.pad %arg0, %shape, %const : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<3x4xi8>
  return %pad : tensor<3x4xi8>
}

// -----

func.func @dynamic(%arg0: tensor<2x?x4xi8>) -> (tensor<?x2x4xi8>) {
  // expected-remark @below {{'tosa.transpose' op not raised: expected input to have a static shape with elements, but got tensor<2x?x4xi8>}}
  %transpose = tosa.transpose %arg0 {perms = array<i32: 1, 0, 2>} : (tensor<2x?x4xi8>) -> tensor<?x2x4xi8>
  return %transpose : tensor<?x2x4xi8>
}

// -----

func.func @concat_of_flags(%arg0: tensor<2x3xi1>, %arg1: tensor<2x2xi1>) -> (tensor<2x5xi1>) {
  // expected-remark @below {{'tosa.concat' op not raised: expected i8, i16 or i32 inputs, but got i1}}
  %concat = tosa.concat %arg0, %arg1 {axis = 1 : i32} : (tensor<2x3xi1>, tensor<2x2xi1>) -> tensor<2x5xi1>
  return %concat : tensor<2x5xi1>
}

// -----

// TOSA's verifier does not look at the elements of an identity.

func.func @wider(%arg0: tensor<4xi8>) -> (tensor<4xi16>) {
  // expected-remark @below {{'tosa.identity' op not raised: expected output of 8 bits, as the input has, but got i16}}
  %identity = tosa.identity %arg0 : (tensor<4xi8>) -> tensor<4xi16>
  return %identity : tensor<4xi16>
}

// -----

// Fixed point has scales that are powers of two, and no zero points.

func.func @third(%arg0: tensor<2x3x!quant.uniform<i16:f32, 0.3>>) -> (tensor<3x2x!quant.uniform<i16:f32, 0.3>>) {
  // expected-remark @below {{'tosa.transpose' op not raised: expected a power of two as scale of 16 bits, and zero point 0, but got 3.000000e-01 and 0}}
  %transpose = tosa.transpose %arg0 {perms = array<i32: 1, 0>} : (tensor<2x3x!quant.uniform<i16:f32, 0.3>>) -> tensor<3x2x!quant.uniform<i16:f32, 0.3>>
  return %transpose : tensor<3x2x!quant.uniform<i16:f32, 0.3>>
}

// -----

func.func @zero_point(%arg0: tensor<2x3x!quant.uniform<i16:f32, 0.5:7>>) -> (tensor<3x2x!quant.uniform<i16:f32, 0.5:7>>) {
  // expected-remark @below {{'tosa.transpose' op not raised: expected a power of two as scale of 16 bits, and zero point 0, but got 5.000000e-01 and 7}}
  %transpose = tosa.transpose %arg0 {perms = array<i32: 1, 0>} : (tensor<2x3x!quant.uniform<i16:f32, 0.5:7>>) -> tensor<3x2x!quant.uniform<i16:f32, 0.5:7>>
  return %transpose : tensor<3x2x!quant.uniform<i16:f32, 0.5:7>>
}

// -----

// A slice with steps is no move of a block.

func.func @steps(%arg0: tensor<4x4xi8>) -> (tensor<2x4xi8>) {
  %identity = tosa.identity %arg0 : (tensor<4x4xi8>) -> tensor<4x4xi8>
  %slice = tensor.extract_slice %identity[0, 0] [2, 4] [2, 1] : tensor<4x4xi8> to tensor<2x4xi8>
  return %slice : tensor<2x4xi8>
}
