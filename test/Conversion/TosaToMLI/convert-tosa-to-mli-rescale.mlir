// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Of what depends on 16 bits the scale is such that theirs is 1.

// CHECK-LABEL: func.func @widen(
// CHECK:         mli.convert ins({{.*}} : tensor<2x4x!mli.sa8<24576:14:-128>>) outs({{.*}} : tensor<2x4x!mli.fx16<0>>)
func.func @widen(%arg0: tensor<2x4xi8>) -> tensor<2x4xi16> {
  %multiplier = "tosa.const"() <{values = dense<1610612736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %rescale = tosa.rescale %arg0, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi16>) -> tensor<2x4xi16>
  return %rescale : tensor<2x4xi16>
}

// -----

// Two values of 16 bits have scales of their own, and a product any factor.

// CHECK-LABEL: func.func @wide_factor(
// CHECK:         %[[FACTOR:.*]] = mli.constant dense<24576> : tensor<1xi16> to tensor<1x!mli.fx16<14>>
// CHECK:         mli.eltwise_mul ins({{.*}}, %[[FACTOR]] : tensor<2x4x!mli.fx16<0>>, tensor<1x!mli.fx16<14>>) outs({{.*}} : tensor<2x4x!mli.fx16<0>>)
func.func @wide_factor(%arg0: tensor<2x4xi16>) -> tensor<2x4xi16> {
  %multiplier = "tosa.const"() <{values = dense<1610612736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %rescale = tosa.rescale %arg0, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi16>) -> tensor<2x4xi16>
  return %rescale : tensor<2x4xi16>
}

// -----

// A rescale to 32 bits is one alone where the function returns it, moved or not.

// CHECK-LABEL: func.func @returned(
// CHECK:         mli.convert ins({{.*}} : tensor<2x4x!mli.sa8<1:0:11>>) outs({{.*}} : tensor<2x4x!mli.sa32<1:0:0>>)
func.func @returned(%arg0: tensor<2x4xi8>) -> tensor<8xi32> {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %rescale = tosa.rescale %arg0, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x4xi32>
  %shape = tosa.const_shape {values = dense<[8]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %reshape = tosa.reshape %rescale, %shape : (tensor<2x4xi32>, !tosa.shape<1>) -> tensor<8xi32>
  return %reshape : tensor<8xi32>
}

// -----

// What comes from elsewhere is no sum, moved or not.

// CHECK-LABEL: func.func @given(
// CHECK:         mli.convert ins({{.*}} : tensor<2x4x!mli.sa32<{{.*}}:0>>) outs({{.*}} : tensor<2x4x!mli.sa8<{{.*}}:-118>>)
func.func @given(%arg0: tensor<8xi32>) -> tensor<2x4xi8> {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<34> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %output_zp = "tosa.const"() <{values = dense<-118> : tensor<1xi8>}> : () -> tensor<1xi8>
  %shape = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %reshape = tosa.reshape %arg0, %shape : (tensor<8xi32>, !tosa.shape<2>) -> tensor<2x4xi32>
  %rescale = tosa.rescale %reshape, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4xi8>
  return %rescale : tensor<2x4xi8>
}

// -----

func.func @sums(%arg0: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %multiplier = "tosa.const"() <{values = dense<1758038019> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<28> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: expected a rescale from or to i8 or i16, but got i32 to i32; compute it outside of the network}}
  %rescale = tosa.rescale %arg0, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x4xi32>
  return %rescale : tensor<2x4xi32>
}

// -----

func.func @many_bits(%arg0: tensor<2x4xi16>) -> tensor<2x4xi32> {
  %multiplier = "tosa.const"() <{values = dense<1758038019> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<28> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark-re @below {{'tosa.rescale' op not raised: expected a factor that 15 bits hold, but got {{.*}}, by which results are up to {{.*}} off; return i8 or i16}}
  %rescale = tosa.rescale %arg0, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<2x4xi32>
  return %rescale : tensor<2x4xi32>
}

// -----

func.func @great_factor(%arg0: tensor<2x4xi16>) -> tensor<2x4xi16> {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<15> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  // expected-remark-re @below {{'tosa.rescale' op not raised: expected a factor that 16 bits hold, but got {{.*}}}}
  %rescale = tosa.rescale %arg0, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi16>) -> tensor<2x4xi16>
  return %rescale : tensor<2x4xi16>
}

// -----

func.func @sum(%arg0: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %input_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %output_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-remark @below {{'tosa.abs' op not raised: expected i8 or i16 input, but got i32; rescale it to i8 before}}
  %abs = tosa.abs %arg0 : (tensor<2x4xi32>) -> tensor<2x4xi32>
  // expected-remark @below {{'tosa.rescale' op not raised: expected a rescale of sums to i8, but got tensor<2x4xi32>}}
  %rescale = tosa.rescale %abs, %multiplier, %shift, %input_zp, %output_zp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x4xi32>
  return %rescale : tensor<2x4xi32>
}
