// RUN: mli-opt %s --split-input-file --verify-diagnostics \
// RUN:   --mli-pack-weights="explain=true" | FileCheck %s --check-prefixes=CHECK,PAIRS
// RUN: mli-opt %s --split-input-file --mli-pack-weights=order=quads \
// RUN:   | FileCheck %s --check-prefixes=CHECK,QUADS
// RUN: mli-opt %s --split-input-file --mli-pack-weights=order=none \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: mli-opt %s --split-input-file --mli-pack-weights=threads=2 \
// RUN:   | FileCheck %s --check-prefix=THREADS

// The bytes are the same wherever they are made.
// RUN: mli-opt %s --split-input-file --mli-pack-weights > %t.fast
// RUN: env MLI_SIMD=scalar mli-opt %s --split-input-file --mli-pack-weights \
// RUN:   | diff - %t.fast
// RUN: mli-opt %s --split-input-file --mli-pack-weights=order=quads > %t.fast
// RUN: env MLI_SIMD=scalar mli-opt %s --split-input-file \
// RUN:   --mli-pack-weights=order=quads | diff - %t.fast

// What is packed stays packed.
// RUN: mli-opt %s --split-input-file --mli-pack-weights --mli-pack-weights \
// RUN:   > %t.twice
// RUN: mli-opt %s --split-input-file --mli-pack-weights | diff - %t.twice

// NONE-NOT: mli.packed
// THREADS: mli.packed
// THREADS-SAME: mli.threads = 2 : i32

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

// A header, the parameters of 16 channels and their weights.
// CHECK-LABEL: func.func @product
// CHECK: mli.fully_connected
// CHECK-SAME: {mli.packed = dense_resource<mli_packed> : tensor<448xi8>}
func.func @product(%in: !in, %out: !out) {
  %weights = mli.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [-1, -2, -3]]>
    : tensor<4x3xi8> to !weights
  %bias = mli.constant dense<[10, 20, 30]> : tensor<3xi32> to !bias
  // expected-remark @below {{packed in 448 bytes}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out)
  return
}

// -----

!map = memref<4x4x5x!mli.sa8<16384:15:3>>
!weights = memref<3x3x5x20x!mli.sa8<16384:15:0>>
!bias = memref<20x!mli.sa32<16384:16:0>>
!out = memref<2x2x20x!mli.sa8<16384:9:-5>>

// CHECK-LABEL: func.func @convolution
// 256, and two panels of 256 and 3 * (15 or 16) * 16 weights.
// PAIRS: mli.packed = dense_resource<mli_packed> : tensor<2048xi8>
// QUADS: mli.packed = dense_resource<mli_packed> : tensor<2048xi8>
func.func @convolution(%in: !map, %out: !out) {
  %weights = mli.constant dense<3> : tensor<3x3x5x20xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<20xi32> to !bias
  // expected-remark @below {{packed in 2048 bytes}}
  mli.conv2d ins(%in, %weights, %bias : !map, !weights, !bias)
    outs(%out : !out) pad [0, 1, 1, 0]
    {strides = array<i64: 2, 2>, relu = #mli.relu<gen>}
  return
}

// -----

!map = memref<4x4x4x!mli.fx16<10>>
!weights = memref<1x1x4x2x!mli.fx8<5>>
!bias = memref<2x!mli.fx8<5>>
!out = memref<4x4x2x!mli.fx16<8>>

// Of fixed point there are pairs only.
// CHECK-LABEL: func.func @fixed_point
// CHECK: mli.packed = dense_resource<mli_packed> : tensor<{{[0-9]+}}xi8>
func.func @fixed_point(%in: !map, %out: !out) {
  %weights = mli.constant dense<3> : tensor<1x1x4x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi8> to !bias
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %weights, %bias : !map, !weights, !bias)
    outs(%out : !out) pad [0, 0, 0, 0]
  return
}

// -----

!map = memref<4x4x2x!mli.sa8<16384:15:3>>
!weights = memref<3x3x1x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<4x4x2x!mli.sa8<16384:12:0>>

// A header, the bias, the weights and the block of 16 channels.
// CHECK-LABEL: func.func @depthwise
// CHECK: mli.depthwise_conv2d
// CHECK-SAME: mli.packed = dense_resource<mli_packed> : tensor<512xi8>
func.func @depthwise(%in: !map, %out: !out) {
  %weights = mli.constant dense<3> : tensor<3x3x1x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi32> to !bias
  // expected-remark @below {{packed in 512 bytes}}
  mli.depthwise_conv2d ins(%in, %weights, %bias : !map, !weights, !bias)
    outs(%out : !out) pad [1, 1, 1, 1]
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

// CHECK-LABEL: func.func @given_weights
// CHECK-NOT: mli.packed
func.func @given_weights(%in: !in, %weights: !weights, %out: !out) {
  %bias = mli.constant dense<[10, 20, 30]> : tensor<3xi32> to !bias
  // expected-remark @below {{not packed: 'weights' is no constant}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out)
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

// CHECK-LABEL: func.func @given_bias
// CHECK-NOT: mli.packed
func.func @given_bias(%in: !in, %bias: !bias, %out: !out) {
  %weights = mli.constant dense<1> : tensor<4x3xi8> to !weights
  // expected-remark @below {{not packed: 'bias' is no constant}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out)
  return
}

// -----

!in = memref<?x4x5x!mli.sa8<16384:15:3>>
!weights = memref<1x1x5x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<4x4x2x!mli.sa8<16384:9:-5>>

// CHECK-LABEL: func.func @unknown_height
// CHECK-NOT: mli.packed
func.func @unknown_height(%in: !in, %out: !out) {
  %weights = mli.constant dense<3> : tensor<1x1x5x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi32> to !bias
  // expected-remark @below {{not packed: 'input' has no static shape}}
  mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) pad [0, 0, 0, 0]
  return
}

// -----

!in = memref<4x4x5x!mli.sa8<16384:15:3>>
!weights = memref<1x1x5x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<4x?x2x!mli.sa8<16384:9:-5>>

// CHECK-LABEL: func.func @unknown_width
// CHECK-NOT: mli.packed
func.func @unknown_width(%in: !in, %out: !out) {
  %weights = mli.constant dense<3> : tensor<1x1x5x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi32> to !bias
  // expected-remark @below {{not packed: 'init' has no static shape}}
  mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) pad [0, 0, 0, 0]
  return
}

// -----

!map = memref<4x4x5x!mli.sa8<16384:15:3>>
!weights = memref<3x3x5x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<3x4x2x!mli.sa8<16384:9:-5>>

// CHECK-LABEL: func.func @padding_of_a_tile
// CHECK-NOT: mli.packed
func.func @padding_of_a_tile(%in: !map, %top: index, %out: !out) {
  %weights = mli.constant dense<3> : tensor<3x3x5x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi32> to !bias
  // expected-remark @below {{not packed: its padding is not known}}
  mli.conv2d ins(%in, %weights, %bias : !map, !weights, !bias)
    outs(%out : !out) pad [%top, 1, 1, 1]
  return
}

// -----

!map = memref<5x4x4x!mli.sa8<16384:15:3>>
!weights = memref<1x1x5x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<2x4x4x!mli.sa8<16384:9:-5>>

// CHECK-LABEL: func.func @channels_first
// CHECK-NOT: mli.packed
func.func @channels_first(%in: !map, %out: !out) {
  %weights = mli.constant dense<3> : tensor<1x1x5x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi32> to !bias
  // expected-remark @below {{not packed: its maps have the channels first}}
  mli.conv2d ins(%in, %weights, %bias : !map, !weights, !bias)
    outs(%out : !out) pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>}
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:28:0>>

// The second shift would be too small for the fast kernels.
// CHECK-LABEL: func.func @fine_result
// CHECK-NOT: mli.packed
func.func @fine_result(%in: !in, %out: !out) {
  %weights = mli.constant dense<1> : tensor<4x3xi8> to !weights
  %bias = mli.constant dense<1> : tensor<3xi32> to !bias
  // expected-remark @below {{not packed: no packed layer computes the same bit by bit}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out)
  return
}

// -----

!map = memref<4x4x2x!mli.sa8<16384:15:3>>
!weights = memref<1x1x1x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<4x4x2x!mli.sa8<16384:12:0>>

// CHECK-LABEL: func.func @without_packed_form
// CHECK-NOT: mli.packed
func.func @without_packed_form(%in: !map, %out: !out) {
  %weights = mli.constant dense<3> : tensor<1x1x1x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi32> to !bias
  // expected-remark @below {{not packed: mli.group_conv2d has no packed form}}
  mli.group_conv2d ins(%in, %weights, %bias : !map, !weights, !bias)
    outs(%out : !out) pad [0, 0, 0, 0]
  return
}

// -----

!in = tensor<4x!mli.sa8<16384:15:0>>
!weights = tensor<4x3x!mli.sa8<16384:15:0>>
!bias = tensor<3x!mli.sa32<16384:16:0>>
!out = tensor<3x!mli.sa8<16384:12:0>>

// CHECK-LABEL: func.func @on_tensors
// CHECK-NOT: mli.packed
func.func @on_tensors(%in: !in, %out: !out) -> !out {
  %weights = mli.constant dense<1> : tensor<4x3xi8> to !weights
  %bias = mli.constant dense<1> : tensor<3xi32> to !bias
  // expected-remark @below {{not packed: its operands are tensors}}
  %result = mli.fully_connected ins(%in, %weights, %bias
                                    : !in, !weights, !bias)
              outs(%out : !out) -> !out
  return %result : !out
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>, #mli.space<local>>
!weights = memref<4x3x!mli.sa8<16384:15:0>, #mli.space<local>>
!bias = memref<3x!mli.sa32<16384:16:0>, #mli.space<local>>
!out = memref<3x!mli.sa8<16384:12:0>, #mli.space<local>>

// CHECK-LABEL: func.func @in_local_memory
// CHECK-NOT: mli.packed
func.func @in_local_memory(%in: !in, %weights: !weights, %bias: !bias,
                           %out: !out) {
  // expected-remark @below {{not packed: kernels in local memory read weights that were moved there}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out)
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

// CHECK-LABEL: func.func @extended_bias
// CHECK-NOT: mli.packed
func.func @extended_bias(%in: !in, %out: !out) {
  %weights = mli.constant dense<3> : tensor<4x3xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<3xi32> to !bias
  // expected-remark @below {{not packed: its bias is extended}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) {extended_bias}
  return
}

// -----

!four = memref<4x4x5x!mli.sa8<16384:15:3>>
!three = memref<3x4x5x!mli.sa8<16384:15:3>>
!weights = memref<3x3x5x20x!mli.sa8<16384:15:0>>
!bias = memref<20x!mli.sa32<16384:16:0>>
!out = memref<4x4x20x!mli.sa8<16384:9:-5>>
!row = memref<1x4x20x!mli.sa8<16384:9:-5>>
!slice = memref<3x4x5x!mli.sa8<16384:15:3>, strided<[20, 5, 1], offset: ?>>

// Rows, padding above and below, and what lies around the rows may differ.
// CHECK-LABEL: func.func @rows_of_a_layer
// CHECK: mli.packed = dense_resource<[[LAYER:[a-z0-9_]+]]> : tensor<2048xi8>
// CHECK-COUNT-3: mli.packed = dense_resource<[[LAYER]]>
// CHECK: return
func.func @rows_of_a_layer(%four: !four, %three: !three, %slice: !slice,
                           %out: !out, %row: !row) {
  %weights = mli.constant dense<2> : tensor<3x3x5x20xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<20xi32> to !bias
  // expected-remark @below {{packed in 2048 bytes}}
  mli.conv2d ins(%four, %weights, %bias : !four, !weights, !bias)
    outs(%out : !out) pad [1, 1, 1, 1]
  // expected-remark @below {{shares a layer of 2048 bytes}}
  mli.conv2d ins(%three, %weights, %bias : !three, !weights, !bias)
    outs(%row : !row) pad [0, 0, 1, 1]
  %copy = mli.constant dense<2> : tensor<3x3x5x20xi8> to !weights
  // expected-remark @below {{shares a layer of 2048 bytes}}
  mli.conv2d ins(%slice, %copy, %bias : !slice, !weights, !bias)
    outs(%row : !row) pad [0, 0, 1, 1]
  // expected-remark @below {{shares a layer of 2048 bytes}}
  mli.conv2d ins(%three, %weights, %bias : !three, !weights, !bias)
    outs(%out : !out) pad [1, 2, 1, 1] {mli.scratch = 0 : i64}
  return
}

// -----

!four = memref<4x4x2x!mli.sa8<16384:15:3>>
!three = memref<3x4x2x!mli.sa8<16384:15:3>>
!weights = memref<3x3x1x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<4x4x2x!mli.sa8<16384:12:0>>
!row = memref<1x4x2x!mli.sa8<16384:12:0>>

// CHECK-LABEL: func.func @rows_of_a_depthwise_layer
// CHECK: mli.packed = dense_resource<[[DEPTHWISE:[a-z0-9_]+]]> : tensor<512xi8>
// CHECK-COUNT-1: mli.packed = dense_resource<[[DEPTHWISE]]>
func.func @rows_of_a_depthwise_layer(%four: !four, %three: !three, %out: !out,
                                     %row: !row) {
  %weights = mli.constant dense<4> : tensor<3x3x1x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi32> to !bias
  // expected-remark @below {{packed in 512 bytes}}
  mli.depthwise_conv2d ins(%four, %weights, %bias : !four, !weights, !bias)
    outs(%out : !out) pad [1, 1, 1, 1]
  // expected-remark @below {{shares a layer of 512 bytes}}
  mli.depthwise_conv2d ins(%three, %weights, %bias : !three, !weights, !bias)
    outs(%row : !row) pad [0, 0, 1, 1]
  return
}

// -----

!in = memref<4x4x5x!mli.sa8<16384:15:3>>
!wide = memref<4x5x5x!mli.sa8<16384:15:3>>
!other_in = memref<4x4x5x!mli.sa8<16384:15:4>>
!weights = memref<3x3x5x2x!mli.sa8<16384:15:0>>
!bias = memref<2x!mli.sa32<16384:16:0>>
!out = memref<4x4x2x!mli.sa8<16384:9:-5>>
!small = memref<2x2x2x!mli.sa8<16384:9:-5>>
!narrow = memref<4x3x2x!mli.sa8<16384:9:-5>>
!other_out = memref<4x4x2x!mli.sa8<16384:9:-6>>

// Each differs from the first in one thing that its layer depends on.
// CHECK-LABEL: func.func @other_layers
// CHECK-COUNT-11: mli.packed
// CHECK-NOT: mli.packed
func.func @other_layers(%in: !in, %wide: !wide, %other_in: !other_in,
                        %out: !out, %small: !small, %narrow: !narrow,
                        %other_out: !other_out) {
  %weights = mli.constant dense<3> : tensor<3x3x5x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi32> to !bias
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) pad [1, 1, 1, 1]
  %other_weights = mli.constant dense<2> : tensor<3x3x5x2xi8> to !weights
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %other_weights, %bias : !in, !weights, !bias)
    outs(%out : !out) pad [1, 1, 1, 1]
  %other_bias = mli.constant dense<-8> : tensor<2xi32> to !bias
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %weights, %other_bias : !in, !weights, !bias)
    outs(%out : !out) pad [1, 1, 1, 1]
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%other_in, %weights, %bias : !other_in, !weights, !bias)
    outs(%out : !out) pad [1, 1, 1, 1]
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%other_out : !other_out) pad [1, 1, 1, 1]
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%wide, %weights, %bias : !wide, !weights, !bias)
    outs(%out : !out) pad [1, 1, 1, 1]
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%narrow : !narrow) pad [1, 1, 1, 1]
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) pad [1, 1, 2, 1]
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) pad [1, 1, 1, 1] {relu = #mli.relu<gen>}
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%small : !small) pad [1, 1, 1, 1] {strides = array<i64: 2, 2>}
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%small : !small) pad [1, 1, 1, 1] {dilations = array<i64: 2, 2>}
  return
}

// -----

!map = memref<4x1x16x!mli.fx16<10>>
!pixel = memref<1x1x16x!mli.fx16<10>>
!weights = memref<1x1x16x2x!mli.fx8<5>>
!bias = memref<2x!mli.fx8<5>>
!out = memref<4x1x2x!mli.fx16<8>>
!out_pixel = memref<1x1x2x!mli.fx16<8>>

// Weights of one pixel stay 8 bits wide.
// CHECK-LABEL: func.func @pixel_and_column
// CHECK: mli.packed = dense_resource<[[COLUMN:.*]]> : tensor<896xi8>
// CHECK: mli.packed = dense_resource<[[PIXEL:.*]]> : tensor<640xi8>
func.func @pixel_and_column(%map: !map, %pixel: !pixel, %out: !out,
                            %out_pixel: !out_pixel) {
  %weights = mli.constant dense<3> : tensor<1x1x16x2xi8> to !weights
  %bias = mli.constant dense<-7> : tensor<2xi8> to !bias
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
    outs(%out : !out) pad [0, 0, 0, 0]
  // expected-remark @below {{packed in}}
  mli.conv2d ins(%pixel, %weights, %bias : !pixel, !weights, !bias)
    outs(%out_pixel : !out_pixel) pad [0, 0, 0, 0]
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

// CHECK-LABEL: func.func @product_twice
// CHECK: mli.packed = dense_resource<[[PRODUCT:[a-z0-9_]+]]> : tensor<448xi8>
// CHECK-COUNT-1: mli.packed = dense_resource<[[PRODUCT]]>
func.func @product_twice(%in: !in, %out: !out) {
  %weights = mli.constant dense<5> : tensor<4x3xi8> to !weights
  %bias = mli.constant dense<[10, 20, 31]> : tensor<3xi32> to !bias
  // expected-remark @below {{packed in 448 bytes}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out)
  // expected-remark @below {{shares a layer of 448 bytes}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out)
  return
}
