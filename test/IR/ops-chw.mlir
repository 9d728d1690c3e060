// Feature maps with channels first: convolutions and pooling, on tensors and
// memrefs; the other order is the default and not written.
// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!chw = tensor<3x8x9x!mli.fx16<10>>
!weights = tensor<3x5x3x2x!mli.fx16<14>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<2x6x5x!mli.fx16<9>>

// CHECK-LABEL: @conv2d
// CHECK: mli.conv2d
// CHECK-SAME: pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>}
func.func @conv2d(%input: !chw, %weights: !weights, %bias: !bias, %init: !out)
    -> !out {
  %result = mli.conv2d ins(%input, %weights, %bias : !chw, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !out
  return %result : !out
}

!deep = memref<2x8x9x!mli.fx16<10>>
!filters = memref<3x3x1x2x!mli.fx16<14>>
!biases = memref<2x!mli.fx16<10>>

// CHECK-LABEL: @depthwise_conv2d
// CHECK: mli.depthwise_conv2d
// CHECK-SAME: pad [1, 1, 1, 1] {layout = #mli.map_layout<chw>}
func.func @depthwise_conv2d(%input: !deep, %weights: !filters, %bias: !biases,
                            %init: !deep) {
  mli.depthwise_conv2d ins(%input, %weights, %bias : !deep, !filters, !biases)
    outs(%init : !deep) pad [1, 1, 1, 1] {layout = #mli.map_layout<chw>}
  return
}

!four = tensor<4x8x9x!mli.fx16<10>>
!grouped = tensor<3x3x2x6x!mli.fx16<14>>
!six = tensor<6x!mli.fx16<10>>
!wide = tensor<6x6x7x!mli.fx16<9>>

// CHECK-LABEL: @group_conv2d
// CHECK: mli.group_conv2d
// CHECK-SAME: {layout = #mli.map_layout<chw>}
func.func @group_conv2d(%input: !four, %weights: !grouped, %bias: !six,
                        %init: !wide) -> !wide {
  %result = mli.group_conv2d ins(%input, %weights, %bias : !four, !grouped, !six)
    outs(%init : !wide) pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !wide
  return %result : !wide
}

!large = tensor<2x17x19x!mli.fx16<9>>
!square = tensor<3x3x3x2x!mli.fx16<14>>

// CHECK-LABEL: @transpose_conv2d
// CHECK: mli.transpose_conv2d
// CHECK-SAME: {layout = #mli.map_layout<chw>, strides = array<i64: 2, 2>}
func.func @transpose_conv2d(%input: !chw, %weights: !square, %bias: !bias,
                            %init: !large) -> !large {
  %result = mli.transpose_conv2d
    ins(%input, %weights, %bias : !chw, !square, !bias) outs(%init : !large)
    pad [0, 0, 0, 0]
    {layout = #mli.map_layout<chw>, strides = array<i64: 2, 2>} -> !large
  return %result : !large
}

!halved = tensor<3x4x3x!mli.fx16<10>>

// CHECK-LABEL: @pools
// CHECK: mli.avepool
// CHECK-SAME: kernel [2, 3] pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>, strides = array<i64: 2, 3>}
// CHECK: mli.maxpool
// CHECK-SAME: kernel [2, 3] pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>, strides = array<i64: 2, 3>}
func.func @pools(%input: !chw, %init: !halved) -> (!halved, !halved) {
  %mean = mli.avepool ins(%input : !chw) outs(%init : !halved) kernel [2, 3]
    pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>, strides = array<i64: 2, 3>}
    -> !halved
  %greatest = mli.maxpool ins(%input : !chw) outs(%init : !halved) kernel [2, 3]
    pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>, strides = array<i64: 2, 3>}
    -> !halved
  return %mean, %greatest : !halved, !halved
}

!hwc = tensor<8x9x3x!mli.fx16<10>>
!same = tensor<7x7x3x!mli.fx16<10>>

// CHECK-LABEL: @channels_last
// CHECK: pad [0, 0, 0, 0] -> tensor
func.func @channels_last(%input: !hwc, %init: !same) -> !same {
  %result = mli.maxpool ins(%input : !hwc) outs(%init : !same) kernel [2, 3]
    pad [0, 0, 0, 0] {layout = #mli.map_layout<hwc>} -> !same
  return %result : !same
}
