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

func.func @five_dimensions(%arg0: tensor<1x2x1x2x2xi8>) -> (tensor<1x2x2x1x2xi8>) {
  // expected-remark @below {{'tosa.transpose' op not raised: expected input to have a static shape of 1 to 4 dimensions, but got tensor<1x2x1x2x2xi8>}}
  %transpose = tosa.transpose %arg0 {perms = array<i32: 0, 3, 1, 2, 4>} : (tensor<1x2x1x2x2xi8>) -> tensor<1x2x2x1x2xi8>
  return %transpose : tensor<1x2x2x1x2xi8>
}

// -----

func.func @concat_of_words(%arg0: tensor<2x3xi16>, %arg1: tensor<2x2xi16>) -> (tensor<2x5xi16>) {
  // expected-remark @below {{'tosa.concat' op not raised: expected i8 inputs, but got i16}}
  %concat = tosa.concat %arg0, %arg1 {axis = 1 : i32} : (tensor<2x3xi16>, tensor<2x2xi16>) -> tensor<2x5xi16>
  return %concat : tensor<2x5xi16>
}
