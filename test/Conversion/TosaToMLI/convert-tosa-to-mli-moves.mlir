// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: func.func @transpose(
// CHECK:         mli.permute ins({{.*}} : tensor<6x4x!mli.sa8<1:0:0>>) outs({{.*}} : tensor<4x6x!mli.sa8<1:0:0>>) permutation [1, 0]
// CHECK:         mli.reshape {{.*}} to tensor<1x4x2x3x!mli.sa8<1:0:0>>
func.func @transpose(%arg0: tensor<1x2x3x4xi8>) -> (tensor<1x4x2x3xi8>) {
  %transpose = tosa.transpose %arg0 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x2x3x4xi8>) -> tensor<1x4x2x3xi8>
  return %transpose : tensor<1x4x2x3xi8>
}

// -----

// A constant with the input in it.

// CHECK-LABEL: func.func @pad(
// CHECK:         %[[BORDER:.*]] = mli.constant dense<-77> : tensor<3x6xi8>
// CHECK:         mli.mov ins({{.*}} : tensor<2x3x!mli.sa8<1:0:0>>) outs(%[[BORDER]] : {{.*}}) {dst_offsets = array<i64: 1, 2>}
func.func @pad(%arg0: tensor<2x3xi8>) -> (tensor<3x6xi8>) {
  %shape = tosa.const_shape {values = dense<[1, 0, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %const = "tosa.const"() <{values = dense<-77> : tensor<1xi8>}> : () -> tensor<1xi8>
  %pad = tosa.pad %arg0, %shape, %const : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<3x6xi8>
  return %pad : tensor<3x6xi8>
}

// -----

// All parts have one scale.

// CHECK-LABEL: func.func @concat(
// CHECK-SAME:      %{{.*}}: tensor<2x3x!mli.sa8<1:0:3>>, %{{.*}}: tensor<2x2x!mli.sa8<1:1:1>>)
// CHECK:         mli.mov {{.*}} {dst_offsets = array<i64: 0, 0, 0>}
// CHECK:         mli.mov {{.*}} {dst_offsets = array<i64: 0, 3, 0>}
// CHECK:         mli.mov {{.*}} {dst_offsets = array<i64: 0, 5, 0>}
func.func @concat(%arg0: tensor<2x3xi8>, %arg1: tensor<2x2xi8>) -> (tensor<2x6xi8>) {
  %const = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const2 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const3 = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %arg1, %const, %const2, %const3, %const4 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x2xi8>
  %const5 = "tosa.const"() <{values = dense<"0x0506"> : tensor<2x1xi8>}> : () -> tensor<2x1xi8>
  %concat = tosa.concat %arg0, %rescale, %const5 {axis = 1 : i32} : (tensor<2x3xi8>, tensor<2x2xi8>, tensor<2x1xi8>) -> tensor<2x6xi8>
  return %concat : tensor<2x6xi8>
}

// -----

// Nothing is left of a pad with the zero point.

// CHECK-LABEL: func.func @pad_of_a_convolution(
// CHECK-NOT:     mli.mov
// CHECK:         mli.conv2d {{.*}} pad [1, 1, 1, 1]
func.func @pad_of_a_convolution(%arg0: tensor<1x4x4x2xi8>) -> (tensor<1x4x4x3xi8>) {
  %shape = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %const = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %pad = tosa.pad %arg0, %shape, %const : (tensor<1x4x4x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x6x6x2xi8>
  %const2 = "tosa.const"() <{values = dense<1> : tensor<3x3x3x2xi8>}> : () -> tensor<3x3x3x2xi8>
  %const3 = "tosa.const"() <{values = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %const4 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %conv2d = tosa.conv2d %pad, %const2, %const3, %const4, %const5 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x2xi8>, tensor<3x3x3x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
  %const6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const9 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %conv2d, %const6, %const7, %const8, %const9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x3xi8>
  return %rescale : tensor<1x4x4x3xi8>
}

// -----

// Unless it has other users.

// CHECK-LABEL: func.func @pad_for_others(
// CHECK:         %[[PADDED:.*]] = mli.mov
// CHECK:         mli.conv2d {{.*}} pad [1, 1, 1, 1]
// CHECK:         mli.maxpool ins(
func.func @pad_for_others(%arg0: tensor<1x4x4x2xi8>) -> (tensor<1x4x4x3xi8>, tensor<1x5x5x2xi8>) {
  %shape = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %const = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %pad = tosa.pad %arg0, %shape, %const : (tensor<1x4x4x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x6x6x2xi8>
  %const2 = "tosa.const"() <{values = dense<1> : tensor<3x3x3x2xi8>}> : () -> tensor<3x3x3x2xi8>
  %const3 = "tosa.const"() <{values = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %const4 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %conv2d = tosa.conv2d %pad, %const2, %const3, %const4, %const5 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x2xi8>, tensor<3x3x3x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
  %const6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const9 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %conv2d, %const6, %const7, %const8, %const9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x3xi8>
  %max_pool2d = tosa.max_pool2d %pad {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x2xi8>) -> tensor<1x5x5x2xi8>
  return %rescale, %max_pool2d : tensor<1x4x4x3xi8>, tensor<1x5x5x2xi8>
}

// -----

// CHECK-LABEL: func.func @pad_of_other_codes(
// CHECK:         %[[PADDED:.*]] = mli.mov
// CHECK:         mli.conv2d {{.*}} pad [0, 0, 0, 0]
func.func @pad_of_other_codes(%arg0: tensor<1x4x4x2xi8>) -> (tensor<1x4x4x3xi8>) {
  %shape = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %const = "tosa.const"() <{values = dense<6> : tensor<1xi8>}> : () -> tensor<1xi8>
  %pad = tosa.pad %arg0, %shape, %const : (tensor<1x4x4x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x6x6x2xi8>
  %const2 = "tosa.const"() <{values = dense<1> : tensor<3x3x3x2xi8>}> : () -> tensor<3x3x3x2xi8>
  %const3 = "tosa.const"() <{values = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %const4 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %conv2d = tosa.conv2d %pad, %const2, %const3, %const4, %const5 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x2xi8>, tensor<3x3x3x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
  %const6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const7 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const9 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %conv2d, %const6, %const7, %const8, %const9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x3xi8>
  return %rescale : tensor<1x4x4x3xi8>
}
