// Averages: products with ones where the average pool has over 1 % off.

// RUN: mli-opt --convert-tosa-to-mli=full %s 2>&1 | FileCheck %s
// RUN: mli-opt --convert-tosa-to-mli="full average=kernel" %s 2>&1 | FileCheck %s --check-prefix=KERNEL --implicit-check-not=depthwise --implicit-check-not=remark:
// RUN: mli-opt --convert-tosa-to-mli="full average=exact" %s 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: not mli-opt --convert-tosa-to-mli=average=most %s 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: for the --average option: Cannot find option named 'most'!

// CHECK: remark: computed by products with ones, since of all sums the average pool would have 13.0 % off
// EXACT: remark: computed by the average pool, since products with ones would take 49 kernels

// CHECK-LABEL: func.func @halves(
// CHECK:         %[[ONES:.*]] = mli.constant dense<{{[0-9]+}}> : tensor<2x2x1x3xi8>
// CHECK:         mli.depthwise_conv2d ins(%{{.*}}, %[[ONES]], %{{.*}} : tensor<6x8x3x{{.*}}) outs(%{{.*}} : tensor<3x4x3x{{.*}}) pad [0, 0, 0, 0] {strides = array<i64: 2, 2>}
// KERNEL:        mli.avepool
// EXACT-NOT:     mli.avepool
// EXACT:         mli.depthwise_conv2d
func.func @halves(%input: tensor<1x6x8x3xi8>) -> tensor<1x3x4x3xi8> {
  %zp = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %input, %zp, %zp {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x6x8x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x4x3xi8>
  return %0 : tensor<1x3x4x3xi8>
}

// Windows at the border have fewer elements.

// CHECK-LABEL: func.func @border(
// CHECK:         scf.for
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0] [2, 6, 3] [1, 1, 1]
// CHECK:         mli.constant dense<{{[0-9]+}}> : tensor<2x3x1x3xi8>
// CHECK:         tensor.insert_slice %{{.*}}[0, 0, 0] [1, 4, 3] [1, 1, 1]
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0] [6, 6, 3] [1, 1, 1]
// CHECK:         mli.constant dense<{{[0-9]+}}> : tensor<3x3x1x3xi8>
// CHECK:         tensor.insert_slice %{{.*}}[1, 0, 0] [4, 4, 3] [1, 1, 1]
// KERNEL:        mli.avepool
// EXACT-NOT:     mli.avepool
// EXACT:         mli.depthwise_conv2d
func.func @border(%input: tensor<2x6x6x3xi8>) -> tensor<2x5x4x3xi8> {
  %zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %input, %zp, %zp {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<2x6x6x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x5x4x3xi8>
  return %0 : tensor<2x5x4x3xi8>
}

// Of 64 codes few sums are halves.

// CHECK-LABEL: func.func @large(
// CHECK:         mli.avepool
// KERNEL:        mli.avepool
// EXACT-NOT:     mli.avepool
// EXACT:         mli.depthwise_conv2d
func.func @large(%input: tensor<1x8x8x3xi8>) -> tensor<1x1x1x3xi8> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %input, %zp, %zp {acc_type = i32, kernel = array<i64: 8, 8>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x3xi8>
  return %0 : tensor<1x1x1x3xi8>
}

// CHECK-LABEL: func.func @many(
// CHECK:         mli.avepool
// KERNEL:        mli.avepool
// EXACT:         mli.avepool
func.func @many(%input: tensor<1x9x9x3xi8>) -> tensor<1x9x9x3xi8> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %input, %zp, %zp {acc_type = i32, kernel = array<i64: 7, 7>, pad = array<i64: 3, 3, 3, 3>, stride = array<i64: 1, 1>} : (tensor<1x9x9x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x3xi8>
  return %0 : tensor<1x9x9x3xi8>
}

// In one window over the whole map all channels share the weights.

// CHECK-LABEL: func.func @whole(
// CHECK:         mli.constant dense<{{[0-9]+}}> : tensor<9x1x1x1xi8>
// CHECK:         mli.depthwise_conv2d ins({{.*}} : tensor<9x4x1x{{.*}}) outs(%{{.*}} : tensor<1x4x1x
// KERNEL:        mli.avepool
// EXACT:         mli.depthwise_conv2d
func.func @whole(%input: tensor<1x3x3x4xi8>) -> tensor<1x1x1x4xi8> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %input, %zp, %zp {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x4xi8>
  return %0 : tensor<1x1x1x4xi8>
}
