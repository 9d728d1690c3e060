// RUN: mli-opt %s --split-input-file --verify-diagnostics

!map = tensor<2x2x2x2x2x!mli.sa8<1:4:0>>
func.func @five_dimensions(%map: !map) -> !map {
  // T1
  // expected-error @below {{expected 'input' to have at most 4 dimensions, but got 5}}
  %result = mli.relu ins(%map : !map) outs(%map : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result : !map
}

// -----

!map = tensor<4x0x!mli.sa8<1:4:0>>
func.func @empty(%map: !map) -> !map {
  // T2
  // expected-error @below {{expected dimension 1 of 'input' to be in [1, 2147483647], but got 0}}
  %result = mli.relu ins(%map : !map) outs(%map : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result : !map
}

// -----

!map = tensor<2147483648x!mli.sa8<1:4:0>>
func.func @dimension_beyond_int32(%map: !map) -> !map {
  // T2
  // expected-error @below {{expected dimension 0 of 'input' to be in [1, 2147483647], but got 2147483648}}
  %result = mli.relu ins(%map : !map) outs(%map : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result : !map
}

// -----

!map = tensor<65536x32768x!mli.fx8<7>>
func.func @two_gibibytes(%map: !map) -> !map {
  // T3
  // expected-error @below {{expected 'input' to have at most 2147483647 bytes, but got 2147483648}}
  %result = mli.relu ins(%map : !map) outs(%map : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result : !map
}

// -----

!wide = tensor<536870912x!mli.sa32<1:4:0>>
func.func @bytes_of_wide_elements(%source: !wide) -> !wide {
  // T3
  // expected-error @below {{expected 'input' to have at most 2147483647 bytes, but got 2147483648}}
  %result = mli.mov ins(%source : !wide) outs(%source : !wide) -> !wide
  return %result : !wide
}

// -----

func.func @axis_beyond_rank() {
  // T4
  // expected-error @below {{expected quantised axis of 'result' to be less than its rank 1, but got 1}}
  %value = mli.constant dense<0> : tensor<2xi8>
    to tensor<2x!mli.sa8<axis = 1, {5:3:0, 7:3:0}>>
  return
}

// -----

func.func @parameters_for_other_size() {
  // T5
  // expected-error @below {{expected 'result' to have 3 sets of parameters, one for each index of dimension 0, but got 2}}
  %value = mli.constant dense<0> : tensor<3xi8>
    to tensor<3x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
  return
}

// -----

!tiled = memref<4x4x!mli.sa8<1:4:0>, affine_map<(i, j) -> (j floordiv 2, i, j mod 2)>>
func.func @layout_without_strides(%map: !tiled) {
  // T6
  // expected-error @below {{expected 'input' to have a strided layout, but got 'memref<4x4x!mli.sa8<1:4:0>, affine_map<(d0, d1) -> (d1 floordiv 2, d0, d1 mod 2)>>'}}
  mli.relu ins(%map : !tiled) outs(%map : !tiled) {relu = #mli.relu<gen>}
  return
}

// -----

!columns = memref<4x8x!mli.sa8<1:4:0>, strided<[1, 4]>>
func.func @outer_stride_below_inner(%map: !columns) {
  // T7
  // expected-error @below {{expected stride 0 of 'input' to be at least 29, but got 1}}
  mli.mov ins(%map : !columns) outs(%map : !columns)
  return
}

// -----

!repeated = memref<4x8x!mli.sa8<1:4:0>, strided<[8, 0]>>
func.func @stride_of_zero(%map: !repeated) {
  // T7
  // expected-error @below {{expected stride 1 of 'input' to be at least 1, but got 0}}
  mli.mov ins(%map : !repeated) outs(%map : !repeated)
  return
}

// -----

!backwards = memref<4x!mli.sa8<1:4:0>, strided<[-1], offset: 3>>
func.func @negative_stride(%map: !backwards) {
  // T7
  // expected-error @below {{expected stride 0 of 'input' to be at least 1, but got -1}}
  mli.mov ins(%map : !backwards) outs(%map : !backwards)
  return
}

// -----

!overlapping = memref<4x?x8x!mli.sa8<1:4:0>, strided<[4, 8, 1]>>
func.func @stride_below_one_of_unknown_size(%map: !overlapping) {
  // T7
  // expected-error @below {{expected stride 0 of 'input' to be at least 8, but got 4}}
  mli.mov ins(%map : !overlapping) outs(%map : !overlapping)
  return
}

// -----

!even = memref<4x4x!mli.sa8<1:4:0>, strided<[8, 2]>>
func.func @inner_stride_of_input(%map: !even, %init: memref<4x4x!mli.sa8<1:4:0>>) {
  // T8
  // expected-error @below {{expected innermost stride of 'input' to be 1, but got 2}}
  mli.relu ins(%map : !even) outs(%init : memref<4x4x!mli.sa8<1:4:0>>)
    {relu = #mli.relu<gen>}
  return
}

// -----

!even = memref<4x4x!mli.sa8<1:4:0>, strided<[8, 2]>>
func.func @inner_stride_of_result(%map: memref<4x4x!mli.sa8<1:4:0>>, %init: !even) {
  // T8
  // expected-error @below {{expected innermost stride of 'init' to be 1, but got 2}}
  mli.convert ins(%map : memref<4x4x!mli.sa8<1:4:0>>) outs(%init : !even)
  return
}

// -----

!axis = tensor<2x!mli.sa8<axis = 0, {5:3:0, 7:3:0}>>
func.func @activation_along_axis(%map: !axis) -> !axis {
  // T9
  // expected-error @below {{expected 'input' to be quantised per tensor, but got axis 0}}
  %result = mli.relu ins(%map : !axis) outs(%map : !axis)
    {relu = #mli.relu<gen>} -> !axis
  return %result : !axis
}

// -----

!map = tensor<2x!mli.sa8<5:3:128>>
func.func @zero_point_beyond_int8(%map: !map) -> !map {
  // T10
  // expected-error @below {{expected zero point of 'input' to be in [-128, 127], but got 128}}
  %result = mli.relu ins(%map : !map) outs(%map : !map)
    {relu = #mli.relu<gen>} -> !map
  return %result : !map
}

// -----

func.func @other_parameters(%map: tensor<2x!mli.sa8<5:3:0>>,
                            %init: tensor<2x!mli.sa8<5:4:0>>) {
  // T11
  // expected-error @below {{expected 'init' to have the element type of 'input' '!mli.sa8<5:3:0>', but got '!mli.sa8<5:4:0>'}}
  %result = mli.relu ins(%map : tensor<2x!mli.sa8<5:3:0>>)
    outs(%init : tensor<2x!mli.sa8<5:4:0>>) {relu = #mli.relu<gen>}
    -> tensor<2x!mli.sa8<5:4:0>>
  return
}

// -----

func.func @other_shape(%map: tensor<?x4x!mli.fx8<5>>,
                       %init: tensor<8x5x!mli.fx8<5>>) {
  // T12
  // expected-error @below {{expected 'init' to have the shape of 'input' [?, 4], but got [8, 5]}}
  %result = mli.relu ins(%map : tensor<?x4x!mli.fx8<5>>)
    outs(%init : tensor<8x5x!mli.fx8<5>>) {relu = #mli.relu<gen>}
    -> tensor<8x5x!mli.fx8<5>>
  return
}

// -----

func.func @other_rank(%map: tensor<4x!mli.fx8<5>>,
                      %init: tensor<1x4x!mli.fx8<5>>) {
  // T12
  // expected-error @below {{expected 'init' to have the shape of 'input' [4], but got [1, 4]}}
  %result = mli.relu ins(%map : tensor<4x!mli.fx8<5>>)
    outs(%init : tensor<1x4x!mli.fx8<5>>) {relu = #mli.relu<gen>}
    -> tensor<1x4x!mli.fx8<5>>
  return
}

// -----

func.func @other_channels(%map: tensor<8x8x4x!mli.fx8<5>>,
                          %init: tensor<4x4x5x!mli.fx8<5>>) {
  // T13
  // expected-error @below {{expected dimension 2 of 'init' to be dimension 2 of 'input', 4, but got 5}}
  %result = mli.maxpool ins(%map : tensor<8x8x4x!mli.fx8<5>>)
    outs(%init : tensor<4x4x5x!mli.fx8<5>>) kernel [2, 2] pad [0, 0, 0, 0]
    -> tensor<4x4x5x!mli.fx8<5>>
  return
}

// -----

// On tensors this is what slices have until they are legal.
func.func @scale_of_another_index(
    %half: memref<2x!mli.sa8<axis = 0, {5:3:0, 7:3:0, 9:3:0}>>, %at: index) {
  // T5
  // expected-error @below {{expected 'source' to have 2 sets of parameters, one for each index of dimension 0, but got 3}}
  %0 = mli.scale %half[%at] : memref<2x!mli.sa8<axis = 0, {5:3:0, 7:3:0, 9:3:0}>>
  return
}
