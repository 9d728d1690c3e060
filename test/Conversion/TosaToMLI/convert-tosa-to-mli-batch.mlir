// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Images are computed one by one; the clamp is after the loop.

// CHECK-LABEL: func.func @conv(
// CHECK:         %[[COUNT:.*]] = arith.constant 2 : index
// CHECK:         %[[MAPS:.*]] = scf.for %[[MAP:.*]] = %{{.*}} to %[[COUNT]]
// CHECK:         tensor.extract_slice %{{.*}}[%[[MAP]], 0, 0, 0] [1, 4, 4, 2] [1, 1, 1, 1]
// CHECK:         mli.conv2d {{.*}} pad [0, 0, 0, 1]
// CHECK:         tensor.insert_slice
// CHECK:         mli.relu ins(%[[MAPS]] : tensor<2x4x4x3x!mli.sa8<1:0:7>>)
func.func @conv(%arg0: tensor<2x4x4x2xi8>) -> (tensor<2x4x4x3xi8>) {
  %const = "tosa.const"() <{values = dense<1> : tensor<3x1x2x2xi8>}> : () -> tensor<3x1x2x2xi8>
  %const2 = "tosa.const"() <{values = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %const3 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %conv2d = tosa.conv2d %arg0, %const, %const2, %const3, %const4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<2x4x4x2xi8>, tensor<3x1x2x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x4x3xi32>
  %const5 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %conv2d, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<2x4x4x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4x4x3xi8>
  %clamp = tosa.clamp %rescale {max_val = 127 : i8, min_val = 7 : i8} : (tensor<2x4x4x3xi8>) -> tensor<2x4x4x3xi8>
  return %clamp : tensor<2x4x4x3xi8>
}

// -----

// CHECK-LABEL: func.func @pool(
// CHECK:         scf.for
// CHECK:         mli.maxpool
func.func @pool(%arg0: tensor<3x2x2x2xi8>) -> (tensor<3x1x1x2xi8>) {
  %max_pool2d = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<3x2x2x2xi8>) -> tensor<3x1x1x2xi8>
  return %max_pool2d : tensor<3x1x1x2xi8>
}

// -----

// Row by row.

// CHECK-LABEL: func.func @fully_connected(
// CHECK:         scf.for
// CHECK:         mli.fully_connected ins({{.*}} : tensor<4x!mli.sa8<1:0:3>>
func.func @fully_connected(%arg0: tensor<3x4xi8>) -> (tensor<3x5xi8>) {
  %shape = tosa.const_shape {values = dense<[3, 1, 1, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %reshape = tosa.reshape %arg0, %shape : (tensor<3x4xi8>, !tosa.shape<4>) -> tensor<3x1x1x4xi8>
  %const = "tosa.const"() <{values = dense<1> : tensor<5x1x1x4xi8>}> : () -> tensor<5x1x1x4xi8>
  %const2 = "tosa.const"() <{values = dense<0> : tensor<5xi32>}> : () -> tensor<5xi32>
  %const3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %conv2d = tosa.conv2d %reshape, %const, %const2, %const3, %const4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<3x1x1x4xi8>, tensor<5x1x1x4xi8>, tensor<5xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x1x1x5xi32>
  %const5 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const6 = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %const7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %const8 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rescale = tosa.rescale %conv2d, %const5, %const6, %const7, %const8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<3x1x1x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<3x1x1x5xi8>
  %shape2 = tosa.const_shape {values = dense<[3, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %reshape2 = tosa.reshape %rescale, %shape2 : (tensor<3x1x1x5xi8>, !tosa.shape<2>) -> tensor<3x5xi8>
  return %reshape2 : tensor<3x5xi8>
}
