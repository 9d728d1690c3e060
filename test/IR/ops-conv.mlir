// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!map = tensor<8x8x4x!mli.sa8<1:4:-128>>
!weights = tensor<3x3x4x2x!mli.sa8<5:10:0>>
!bias = tensor<2x!mli.sa32<5:14:0>>
!out = tensor<8x8x2x!mli.sa8<1:3:0>>

// CHECK-LABEL: func.func @conv2d_tensor
// CHECK-SAME: %[[INPUT:.*]]: tensor<8x8x4x!mli.sa8<1:4:-128>>, %[[WEIGHTS:.*]]: tensor<3x3x4x2x!mli.sa8<5:10:0>>, %[[BIAS:.*]]: tensor<2x!mli.sa32<5:14:0>>, %[[INIT:.*]]: tensor<8x8x2x!mli.sa8<1:3:0>>)
func.func @conv2d_tensor(%input: !map, %weights: !weights, %bias: !bias,
                         %init: !out) -> !out {
  // CHECK: %[[RESULT:.*]] = mli.conv2d ins(%[[INPUT]], %[[WEIGHTS]], %[[BIAS]] : tensor<8x8x4x!mli.sa8<1:4:-128>>, tensor<3x3x4x2x!mli.sa8<5:10:0>>, tensor<2x!mli.sa32<5:14:0>>) outs(%[[INIT]] : tensor<8x8x2x!mli.sa8<1:3:0>>) pad [1, 1, 1, 1] -> tensor<8x8x2x!mli.sa8<1:3:0>>
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [1, 1, 1, 1] -> !out
  return %result : !out
}

// CHECK-LABEL: func.func @defaults_elided
// CHECK: mli.conv2d {{.*}} pad [1, 1, 1, 1] -> tensor
func.func @defaults_elided(%input: !map, %weights: !weights, %bias: !bias,
                           %init: !out) -> !out {
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [1, 1, 1, 1]
    {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
     relu = #mli.relu<none>} -> !out
  return %result : !out
}

// CHECK-LABEL: func.func @attributes
// CHECK: mli.conv2d {{.*}} pad [0, 1, 2, 1] {dilations = array<i64: 2, 1>, relu = #mli.relu<relu6>, strides = array<i64: 1, 255>} -> tensor
func.func @attributes(%input: !map, %weights: !weights, %bias: !bias,
                      %init: tensor<5x1x2x!mli.sa8<1:3:0>>)
    -> tensor<5x1x2x!mli.sa8<1:3:0>> {
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : tensor<5x1x2x!mli.sa8<1:3:0>>) pad [0, 1, 2, 1]
    {strides = array<i64: 1, 255>, dilations = array<i64: 2, 1>,
     relu = #mli.relu<relu6>} -> tensor<5x1x2x!mli.sa8<1:3:0>>
  return %result : tensor<5x1x2x!mli.sa8<1:3:0>>
}

// A tile's padding depends on the loop; it may be mixed with known sides.
// CHECK-LABEL: func.func @padding_of_a_tile
// CHECK-SAME: %[[TOP:[a-z0-9]*]]: index, %[[BOTTOM:[a-z0-9]*]]: index)
// CHECK: mli.conv2d {{.*}} pad [%[[TOP]], %[[BOTTOM]], 1, 1] ->
func.func @padding_of_a_tile(%input: !map, %weights: !weights, %bias: !bias,
                             %init: !out, %top: index, %bottom: index)
    -> !out {
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [%top, %bottom, 1, 1] -> !out
  return %result : !out
}

!per_axis = tensor<3x3x4x2x!mli.sa8<axis = 3, {5:10:0, 7:10:0}>>
!bias_per_axis = tensor<2x!mli.sa32<axis = 0, {5:14:0, 7:14:0}>>

// CHECK-LABEL: func.func @scale_per_output_channel
// CHECK: mli.conv2d {{.*}} : tensor<8x8x4x!mli.sa8<1:4:-128>>, tensor<3x3x4x2x!sa8_axis3>, tensor<2x!sa32_axis0>)
func.func @scale_per_output_channel(%input: !map, %weights: !per_axis,
                                    %bias: !bias_per_axis, %init: !out)
    -> !out {
  %result = mli.conv2d
    ins(%input, %weights, %bias : !map, !per_axis, !bias_per_axis)
    outs(%init : !out) pad [1, 1, 1, 1] -> !out
  return %result : !out
}

!dynamic = tensor<?x?x?x!mli.sa8<1:4:-128>>
!dynamic_weights = tensor<?x?x?x?x!mli.sa8<5:10:0>>
!dynamic_bias = tensor<?x!mli.sa32<5:14:0>>

// CHECK-LABEL: func.func @dynamic_sizes
// CHECK: mli.conv2d {{.*}} -> tensor<?x?x?x!mli.sa8<1:4:-128>>
func.func @dynamic_sizes(%input: !dynamic, %weights: !dynamic_weights,
                         %bias: !dynamic_bias, %init: !dynamic) -> !dynamic {
  %result = mli.conv2d
    ins(%input, %weights, %bias : !dynamic, !dynamic_weights, !dynamic_bias)
    outs(%init : !dynamic) pad [1, 1, 1, 1] -> !dynamic
  return %result : !dynamic
}

!buffer = memref<8x8x4x!mli.fx16<10>, strided<[64, 8, 1], offset: ?>>
!filter = memref<3x3x1x4x!mli.fx8<7>>
!fx8_bias = memref<4x!mli.fx8<5>>

// CHECK-LABEL: func.func @depthwise_memref
// CHECK: mli.depthwise_conv2d ins({{.*}} : memref<8x8x4x!mli.fx16<10>, strided<[64, 8, 1], offset: ?>>, memref<3x3x1x4x!mli.fx8<7>>, memref<4x!mli.fx8<5>>) outs({{.*}} : memref<8x8x4x!mli.fx16<10>, strided<[64, 8, 1], offset: ?>>) pad [1, 1, 1, 1]{{$}}
func.func @depthwise_memref(%input: !buffer, %filter: !filter,
                            %bias: !fx8_bias, %init: !buffer) {
  mli.depthwise_conv2d ins(%input, %filter, %bias : !buffer, !filter, !fx8_bias)
    outs(%init : !buffer) pad [1, 1, 1, 1]
  return
}

!fx16 = tensor<8x8x4x!mli.fx16<10>>
!fx16_weights = tensor<3x3x2x6x!mli.fx16<14>>
!fx16_bias = tensor<6x!mli.fx16<10>>
!fx16_out = tensor<6x6x6x!mli.fx16<24>>

// CHECK-LABEL: func.func @group_conv2d_tensor
// CHECK: mli.group_conv2d ins({{.*}}) outs({{.*}}) pad [0, 0, 0, 0] -> tensor<6x6x6x!mli.fx16<24>>
func.func @group_conv2d_tensor(%input: !fx16, %weights: !fx16_weights,
                               %bias: !fx16_bias, %init: !fx16_out)
    -> !fx16_out {
  %result = mli.group_conv2d
    ins(%input, %weights, %bias : !fx16, !fx16_weights, !fx16_bias)
    outs(%init : !fx16_out) pad [0, 0, 0, 0] -> !fx16_out
  return %result : !fx16_out
}

// CHECK-LABEL: func.func @conv2d_memref
// CHECK: mli.conv2d ins({{.*}}) outs({{.*}}) pad [0, 0, 0, 0] {relu = #mli.relu<relu1>}{{$}}
func.func @conv2d_memref(%input: memref<8x8x4x!mli.fx16<10>>,
                         %weights: memref<3x3x4x6x!mli.fx16<14>>,
                         %bias: memref<6x!mli.fx16<10>>,
                         %init: memref<6x6x6x!mli.fx16<9>>) {
  mli.conv2d ins(%input, %weights, %bias
                 : memref<8x8x4x!mli.fx16<10>>, memref<3x3x4x6x!mli.fx16<14>>,
                   memref<6x!mli.fx16<10>>)
    outs(%init : memref<6x6x6x!mli.fx16<9>>) pad [0, 0, 0, 0]
    {relu = #mli.relu<relu1>}
  return
}

!matrix = tensor<128x10x!mli.sa8<axis = 1, {1:7:0, 2:7:0, 3:7:0, 4:7:0, 5:7:0, 6:7:0, 7:7:0, 8:7:0, 9:7:0, 10:7:0}>>
!vector = tensor<10x!mli.sa32<axis = 0, {1:11:0, 2:11:0, 3:11:0, 4:11:0, 5:11:0, 6:11:0, 7:11:0, 8:11:0, 9:11:0, 10:11:0}>>

// CHECK-LABEL: func.func @fully_connected_of_a_map
// CHECK: mli.fully_connected ins({{.*}} : tensor<4x4x8x!mli.sa8<1:4:-128>>, tensor<128x10x!sa8_axis1>, tensor<10x!sa32_axis0{{.*}}>) outs({{.*}}) {relu = #mli.relu<gen>} -> tensor<10x!mli.sa8<1:3:4>>
func.func @fully_connected_of_a_map(%input: tensor<4x4x8x!mli.sa8<1:4:-128>>,
                                    %weights: !matrix, %bias: !vector,
                                    %init: tensor<10x!mli.sa8<1:3:4>>)
    -> tensor<10x!mli.sa8<1:3:4>> {
  %result = mli.fully_connected
    ins(%input, %weights, %bias
        : tensor<4x4x8x!mli.sa8<1:4:-128>>, !matrix, !vector)
    outs(%init : tensor<10x!mli.sa8<1:3:4>>) {relu = #mli.relu<gen>}
    -> tensor<10x!mli.sa8<1:3:4>>
  return %result : tensor<10x!mli.sa8<1:3:4>>
}

// Rows of the weights may have gaps; the input starts anywhere.
// CHECK-LABEL: func.func @fully_connected_memref
// CHECK: mli.fully_connected ins({{.*}}, strided<[1], offset: 5>>, memref<4x2x!mli.fx8<6>, strided<[8, 1]>>, memref<2x!mli.fx8<5>>) outs({{.*}} : memref<2x!mli.fx8<4>>){{$}}
func.func @fully_connected_memref(
    %input: memref<4x!mli.fx8<7>, strided<[1], offset: 5>>,
    %weights: memref<4x2x!mli.fx8<6>, strided<[8, 1]>>,
    %bias: memref<2x!mli.fx8<5>>, %init: memref<2x!mli.fx8<4>>) {
  mli.fully_connected
    ins(%input, %weights, %bias
        : memref<4x!mli.fx8<7>, strided<[1], offset: 5>>,
          memref<4x2x!mli.fx8<6>, strided<[8, 1]>>, memref<2x!mli.fx8<5>>)
    outs(%init : memref<2x!mli.fx8<4>>)
  return
}

// C14
// CHECK-LABEL: func.func @fully_connected_extended_bias
// CHECK: mli.fully_connected {{.*}} {extended_bias} -> tensor<2x!mli.sa8<1:3:4>>
func.func @fully_connected_extended_bias(
    %input: tensor<4x!mli.sa8<1:4:-128>>, %weights: tensor<4x2x!mli.sa8<1:7:0>>,
    %bias: tensor<2x!mli.sa32<1:11:0>>, %init: tensor<2x!mli.sa8<1:3:4>>)
    -> tensor<2x!mli.sa8<1:3:4>> {
  %result = mli.fully_connected
    ins(%input, %weights, %bias
        : tensor<4x!mli.sa8<1:4:-128>>, tensor<4x2x!mli.sa8<1:7:0>>,
          tensor<2x!mli.sa32<1:11:0>>)
    outs(%init : tensor<2x!mli.sa8<1:3:4>>) {extended_bias}
    -> tensor<2x!mli.sa8<1:3:4>>
  return %result : tensor<2x!mli.sa8<1:3:4>>
}

// Sizes that are known where it runs are checked there.
// CHECK-LABEL: func.func @fully_connected_dynamic
// CHECK: mli.fully_connected {{.*}} -> tensor<?x!mli.fx16<9>>
func.func @fully_connected_dynamic(%input: tensor<?x?x!mli.fx16<10>>,
                                   %weights: tensor<?x?x!mli.fx8<7>>,
                                   %bias: tensor<?x!mli.fx8<5>>,
                                   %init: tensor<?x!mli.fx16<9>>)
    -> tensor<?x!mli.fx16<9>> {
  %result = mli.fully_connected
    ins(%input, %weights, %bias
        : tensor<?x?x!mli.fx16<10>>, tensor<?x?x!mli.fx8<7>>,
          tensor<?x!mli.fx8<5>>)
    outs(%init : tensor<?x!mli.fx16<9>>) -> tensor<?x!mli.fx16<9>>
  return %result : tensor<?x!mli.fx16<9>>
}
