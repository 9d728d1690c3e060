// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = tensor<8x8x4x!mli.fx8<5>>
!fx16 = tensor<8x8x4x!mli.fx16<5>>
!weights = tensor<1x1x4x4x!mli.sa8<5:10:0>>
!bias = tensor<4x!mli.sa32<5:15:0>>
func.func @kinds_of_no_kernel(%input: !fx16, %weights: !weights, %bias: !bias,
                              %init: !fx16) {
  // C1
  // expected-error @below {{expected element kinds of input, weights, bias and result to be those of a kernel, but got '!mli.fx16<5>', '!mli.sa8<5:10:0>', '!mli.sa32<5:15:0>', '!mli.fx16<5>'}}
  %result = mli.conv2d ins(%input, %weights, %bias : !fx16, !weights, !bias)
    outs(%init : !fx16) pad [0, 0, 0, 0] -> !fx16
  return
}

// -----

!input = tensor<4x!mli.fx16<5>>
!weights = tensor<4x2x!mli.fx8<7>>
!bias = tensor<2x!mli.fx16<5>>
!out = tensor<2x!mli.fx16<5>>
func.func @wide_bias_of_narrow_weights(%input: !input, %weights: !weights,
                                       %bias: !bias, %init: !out) {
  // C1
  // expected-error @below {{expected element kinds of input, weights, bias and result to be those of a kernel, but got '!mli.fx16<5>', '!mli.fx8<7>', '!mli.fx16<5>', '!mli.fx16<5>'}}
  %result = mli.fully_connected
    ins(%input, %weights, %bias : !input, !weights, !bias) outs(%init : !out)
    -> !out
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<5>>
!weights = tensor<1x1x4x4x!mli.fx8<7>>
!bias = tensor<4x!mli.fx8<13>>
func.func @bias_finer_than_products(%input: !map, %weights: !weights,
                                    %bias: !bias, %init: !map) {
  // C2
  // expected-error @below {{expected 'fracBits' of 'bias' to be at most the products' 12, but got 13}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [0, 0, 0, 0] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<5>>
!weights = tensor<1x1x4x4x!mli.fx8<7>>
!bias = tensor<4x!mli.fx8<12>>
!out = tensor<8x8x4x!mli.fx16<13>>
func.func @result_finer_than_products(%input: !map, %weights: !weights,
                                      %bias: !bias, %init: !out) {
  // C2
  // expected-error @below {{expected 'fracBits' of 'init' to be at most the products' 12, but got 13}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] -> !out
  return
}

// -----

!map = tensor<8x8x4x!mli.sa8<1:4:3>>
!weights = tensor<1x1x4x2x!mli.sa8<axis = 3, {5:10:0, 5:10:1}>>
!bias = tensor<2x!mli.sa32<axis = 0, {5:14:0, 5:14:0}>>
!out = tensor<8x8x2x!mli.sa8<1:4:3>>
func.func @zero_point_of_weights(%input: !map, %weights: !weights, %bias: !bias,
                                 %init: !out) {
  // C3
  // expected-error @below {{expected zero point 1 of 'weights' to be 0, but got 1}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] -> !out
  return
}

// -----

!map = tensor<8x8x4x!mli.sa8<1:4:3>>
!weights = tensor<1x1x4x2x!mli.sa8<5:10:0>>
!bias = tensor<2x!mli.sa32<5:14:-7>>
!out = tensor<8x8x2x!mli.sa8<1:4:3>>
func.func @zero_point_of_bias(%input: !map, %weights: !weights, %bias: !bias,
                              %init: !out) {
  // C3
  // expected-error @below {{expected zero point 0 of 'bias' to be 0, but got -7}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] -> !out
  return
}

// -----

!map = tensor<8x8x2x!mli.sa8<1:4:3>>
!weights = tensor<1x1x2x2x!mli.sa8<axis = 2, {5:10:0, 5:10:0}>>
!bias = tensor<2x!mli.sa32<axis = 0, {5:14:0, 5:14:0}>>
func.func @scale_per_input_channel(%input: !map, %weights: !weights,
                                   %bias: !bias, %init: !map) {
  // C4
  // expected-error @below {{expected quantised axis of 'weights' to be 3, but got 2}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [0, 0, 0, 0] -> !map
  return
}

// -----

!vector = tensor<2x!mli.sa8<1:4:3>>
!weights = tensor<2x2x!mli.sa8<axis = 0, {5:10:0, 5:10:0}>>
!bias = tensor<2x!mli.sa32<axis = 0, {5:14:0, 5:14:0}>>
func.func @scale_per_input(%input: !vector, %weights: !weights, %bias: !bias,
                           %init: !vector) {
  // C4
  // expected-error @below {{expected quantised axis of 'weights' to be 1, but got 0}}
  %result = mli.fully_connected
    ins(%input, %weights, %bias : !vector, !weights, !bias)
    outs(%init : !vector) -> !vector
  return
}

// -----

!map = tensor<8x8x2x!mli.sa8<1:4:3>>
!weights = tensor<1x1x2x2x!mli.sa8<axis = 3, {5:10:0, 5:10:0}>>
!bias = tensor<2x!mli.sa32<5:14:0>>
func.func @one_bias_scale_for_many(%input: !map, %weights: !weights,
                                   %bias: !bias, %init: !map) {
  // C5
  // expected-error @below {{expected quantised axis of 'bias' to be 0, as weights have axis 3, but got -1}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [0, 0, 0, 0] -> !map
  return
}

// -----

!map = tensor<8x8x2x!mli.sa8<1:4:3>>
!weights = tensor<1x1x2x2x!mli.sa8<5:10:0>>
!bias = tensor<2x!mli.sa32<axis = 0, {5:14:0, 5:14:0}>>
func.func @many_bias_scales_for_one(%input: !map, %weights: !weights,
                                    %bias: !bias, %init: !map) {
  // C5
  // expected-error @below {{expected quantised axis of 'bias' to be -1, as weights have axis -1, but got 0}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [0, 0, 0, 0] -> !map
  return
}

// -----

!map = tensor<8x8x2x!mli.sa8<1:4:3>>
!weights = tensor<1x1x2x2x!mli.sa8<axis = 3, {5:10:0, 7:10:0}>>
!bias = tensor<2x!mli.sa32<axis = 0, {5:14:0, 9:14:0}>>
func.func @bias_in_another_scale(%input: !map, %weights: !weights, %bias: !bias,
                                 %init: !map) {
  // C6
  // expected-error @below {{expected scale 1 of 'bias' to be input scale times weights scale, 4.27246094e-04, but got 5.49316406e-04}}
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [0, 0, 0, 0] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x2x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
func.func @two_filters_a_channel(%input: !map, %weights: !weights, %bias: !bias,
                                 %init: !map) {
  // C7
  // expected-error @below {{expected dimension 2 of 'weights' to be 1, but got 2}}
  %result = mli.depthwise_conv2d
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !map)
    pad [1, 1, 1, 1] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x3x4x!mli.fx16<14>>
!bias = tensor<4x!mli.fx16<10>>
func.func @groups_of_unequal_size(%input: !map, %weights: !weights, %bias: !bias,
                                  %init: !map) {
  // C8
  // expected-error @below {{expected dimension 2 of 'weights' to divide the 4 input channels, but got 3}}
  %result = mli.group_conv2d
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !map)
    pad [1, 1, 1, 1] -> !map
  return
}

// -----

!map = tensor<8x8x4x!mli.fx16<10>>
!weights = tensor<3x3x2x3x!mli.fx16<14>>
!bias = tensor<3x!mli.fx16<10>>
!out = tensor<8x8x3x!mli.fx16<10>>
func.func @filters_of_unequal_groups(%input: !map, %weights: !weights,
                                     %bias: !bias, %init: !out) {
  // C9
  // expected-error @below {{expected number of filters to be a multiple of the 2 groups, but got 3}}
  %result = mli.group_conv2d
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !out)
    pad [1, 1, 1, 1] -> !out
  return
}

// -----

!map = tensor<8x!mli.fx16<10>>
!weights = tensor<8x10x!mli.fx16<14>>
!bias = tensor<10x!mli.fx16<10>>
func.func @extended_bias_of_fixed_point(%input: !map, %weights: !weights,
                                        %bias: !bias, %init: !bias) {
  // C14
  // expected-error @below {{expected 'input' to be sa8 with 'extended_bias', but got '!mli.fx16<10>'}}
  %result = mli.fully_connected
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !bias)
    {extended_bias} -> !bias
  return
}

// -----

!map = tensor<4x4x8x!mli.fx16<10>>
!weights = tensor<100x10x!mli.fx16<14>>
!bias = tensor<10x!mli.fx16<10>>
func.func @rows_for_fewer_inputs(%input: !map, %weights: !weights, %bias: !bias,
                                 %init: !bias) {
  // C10
  // expected-error @below {{expected dimension 0 of 'weights' to be the 128 elements of 'input', but got 100}}
  %result = mli.fully_connected
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !bias)
    -> !bias
  return
}

// -----

!map = memref<4x8x!mli.fx16<10>, strided<[16, 1]>>
!weights = memref<32x10x!mli.fx16<14>>
!bias = memref<10x!mli.fx16<10>>
func.func @vector_with_gaps(%input: !map, %weights: !weights, %bias: !bias,
                            %init: !bias) {
  // T19
  // expected-error @below {{expected 'input' to be contiguous, but got 'memref<4x8x!mli.fx16<10>, strided<[16, 1]>>'}}
  mli.fully_connected
    ins(%input, %weights, %bias : !map, !weights, !bias) outs(%init : !bias)
  return
}
