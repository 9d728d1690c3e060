// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Dimensions that stay together are one: nothing has six.

// CHECK-LABEL: func.func @depth_to_space(
// CHECK-SAME:    %[[ARG:[^:]*]]: tensor<1x8x8x12x!mli.sa8<1:0:0>>) -> tensor<1x16x16x3x!mli.sa8<1:0:0>>
// CHECK-NEXT:  %[[SEEN:.*]] = mli.reshape %[[ARG]] : {{.*}} to tensor<8x8x2x6x!mli.sa8<1:0:0>>
// CHECK-NEXT:  %[[INIT:.*]] = tensor.empty()
// CHECK-NEXT:  %[[MOVED:.*]] = mli.permute ins(%[[SEEN]] : {{.*}}) outs(%[[INIT]] : {{.*}}) permutation [0, 2, 1, 3]
// CHECK-NEXT:  %[[RESULT:.*]] = mli.reshape %[[MOVED]] : {{.*}} to tensor<1x16x16x3x!mli.sa8<1:0:0>>
// CHECK-NEXT:  return %[[RESULT]]
func.func @depth_to_space(%arg0: tensor<1x8x8x12xi8>) -> (tensor<1x16x16x3xi8>) {
  %blocks = tosa.const_shape {values = dense<[1, 8, 8, 2, 2, 3]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %pixels = tosa.const_shape {values = dense<[1, 16, 16, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %split = tosa.reshape %arg0, %blocks : (tensor<1x8x8x12xi8>, !tosa.shape<6>) -> tensor<1x8x8x2x2x3xi8>
  %moved = tosa.transpose %split {perms = array<i32: 0, 1, 3, 2, 4, 5>} : (tensor<1x8x8x2x2x3xi8>) -> tensor<1x8x2x8x2x3xi8>
  %result = tosa.reshape %moved, %pixels : (tensor<1x8x2x8x2x3xi8>, !tosa.shape<4>) -> tensor<1x16x16x3xi8>
  return %result : tensor<1x16x16x3xi8>
}

// -----

// Five groups that all move apart take two kernels. The boundary keeps its shape.

// CHECK-LABEL: func.func @transpose(
// CHECK-SAME:    %[[ARG:[^:]*]]: tensor<2x3x4x5x6x!mli.fx16<0>>) -> tensor<6x5x4x3x2x!mli.fx16<0>>
// CHECK:       %[[SEEN:.*]] = tensor.collapse_shape %[[ARG]] {{\[\[}}0, 1], [2], [3], [4]] : {{.*}} into tensor<6x4x5x6x!mli.fx16<0>>
// CHECK-COUNT-2: mli.permute
// CHECK-NOT:   mli.permute
// CHECK:       %[[RESULT:.*]] = tensor.expand_shape {{.*}} output_shape [6, 5, 4, 3, 2]
// CHECK-NEXT:  return %[[RESULT]]
func.func @transpose(%arg0: tensor<2x3x4x5x6xi16>) -> (tensor<6x5x4x3x2xi16>) {
  %transpose = tosa.transpose %arg0 {perms = array<i32: 4, 3, 2, 1, 0>} : (tensor<2x3x4x5x6xi16>) -> tensor<6x5x4x3x2xi16>
  return %transpose : tensor<6x5x4x3x2xi16>
}

// -----

// CHECK-LABEL: func.func @identity(
// CHECK-SAME:    %[[ARG:[^:]*]]: tensor<2x5x2x16x8x2x!mli.sa32<1:0:0>>
// CHECK-NEXT:  return %[[ARG]]
func.func @identity(%arg0: tensor<2x5x2x16x8x2xi32>) -> (tensor<2x5x2x16x8x2xi32>) {
  %identity = tosa.identity %arg0 : (tensor<2x5x2x16x8x2xi32>) -> tensor<2x5x2x16x8x2xi32>
  return %identity : tensor<2x5x2x16x8x2xi32>
}

// -----

// A slice of two of five dimensions is one of two.

// CHECK-LABEL: func.func @slice(
// CHECK:       tensor.extract_slice {{.*}}[0, 6] [6, 12] [1, 1] : tensor<6x24x!mli.sa32<1:0:0>> to tensor<6x12x!mli.sa32<1:0:0>>
// CHECK-NOT:   tensor.extract_slice
func.func @slice(%arg0: tensor<2x3x4x2x3xi32>) -> (tensor<2x3x2x2x3xi32>) {
  %start = tosa.const_shape {values = dense<[0, 0, 1, 0, 0]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %size = tosa.const_shape {values = dense<[2, 3, 2, 2, 3]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %slice = tosa.slice %arg0, %start, %size : (tensor<2x3x4x2x3xi32>, !tosa.shape<5>, !tosa.shape<5>) -> tensor<2x3x2x2x3xi32>
  return %slice : tensor<2x3x2x2x3xi32>
}

// -----

// Five that are cut take two slices.

// CHECK-LABEL: func.func @slices(
// CHECK:       tensor.extract_slice {{.*}}[1, 1, 1, 4] [2, 2, 2, 8] [1, 1, 1, 1]
// CHECK:       tensor.extract_slice {{.*}}[0, 1] [16, 2] [1, 1]
// CHECK-NOT:   tensor.extract_slice
func.func @slices(%arg0: tensor<4x4x4x4x4xi8>) -> (tensor<2x2x2x2x2xi8>) {
  %start = tosa.const_shape {values = dense<1> : tensor<5xindex>} : () -> !tosa.shape<5>
  %size = tosa.const_shape {values = dense<2> : tensor<5xindex>} : () -> !tosa.shape<5>
  %slice = tosa.slice %arg0, %start, %size : (tensor<4x4x4x4x4xi8>, !tosa.shape<5>, !tosa.shape<5>) -> tensor<2x2x2x2x2xi8>
  return %slice : tensor<2x2x2x2x2xi8>
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK:       mli.constant dense<-7> : tensor<4x4x3x3xi16>
// CHECK:       mli.mov {{.*}} {dst_offsets = array<i64: 0, 1, 1, 0>}
// CHECK:       mli.constant dense<-7> : tensor<3x108xi16>
// CHECK:       mli.mov {{.*}} {dst_offsets = array<i64: 0, 36>}
// CHECK-NOT:   mli.mov
func.func @pad(%arg0: tensor<2x2x2x2x2xi16>) -> (tensor<3x3x4x3x3xi16>) {
  %amounts = tosa.const_shape {values = dense<[0, 1, 1, 0, 1, 1, 1, 0, 0, 1]> : tensor<10xindex>} : () -> !tosa.shape<10>
  %value = "tosa.const"() <{values = dense<-7> : tensor<1xi16>}> : () -> tensor<1xi16>
  %pad = tosa.pad %arg0, %amounts, %value : (tensor<2x2x2x2x2xi16>, !tosa.shape<10>, tensor<1xi16>) -> tensor<3x3x4x3x3xi16>
  return %pad : tensor<3x3x4x3x3xi16>
}

// -----

// CHECK-LABEL: func.func @scalar(
// CHECK-SAME:    %[[ARG:[^:]*]]: tensor<!mli.fx16<0>>)
// CHECK-NEXT:  %[[SEEN:.*]] = mli.reshape %[[ARG]] : tensor<!mli.fx16<0>> to tensor<1x!mli.fx16<0>>
// CHECK:       mli.eltwise_max
// CHECK:       mli.eltwise_min
// CHECK:       mli.reshape {{.*}} to tensor<!mli.fx16<0>>
func.func @scalar(%arg0: tensor<i16>) -> (tensor<i16>) {
  %clamp = tosa.clamp %arg0 {min_val = -5 : i16, max_val = 127 : i16} : (tensor<i16>) -> tensor<i16>
  return %clamp : tensor<i16>
}

// -----

// Each element by itself: the shape is of no matter.

// CHECK-LABEL: func.func @table(
// CHECK-SAME:    tensor<2x3x1x4x5x!mli.sa8<{{.*}}>>) -> tensor<2x3x1x4x5x!mli.sa8<{{.*}}>>
// CHECK:       mli.tanh ins(%{{.*}} : tensor<6x1x4x5x
// CHECK:       tensor.expand_shape
func.func @table(%arg0: tensor<2x3x1x4x5xi8>) -> (tensor<2x3x1x4x5xi8>) {
  %entries = "tosa.const"() <{values = dense<1> : tensor<256xi8>}> : () -> tensor<256xi8>
  %table = tosa.table %arg0, %entries : (tensor<2x3x1x4x5xi8>, tensor<256xi8>) -> tensor<2x3x1x4x5xi8>
  return %table : tensor<2x3x1x4x5xi8>
}
