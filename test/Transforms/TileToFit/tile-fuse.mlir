// Producers are computed in the tiles of their consumers, with the halo that these
// need.
// RUN: mli-opt %s --transform-preload-library=transform-library-paths=%S/../Inputs/tile.mlir \
// RUN:   --transform-interpreter --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$MAP0:.+]] = affine_map<(d0) -> (-d0 + 16, 7)>
// CHECK-DAG: #[[$MAP1:.+]] = affine_map<(d0) -> (0, d0 - 1)>
// CHECK-DAG: #[[$MAP2:.+]] = affine_map<(d0, d1) -> (-d0 + d1 + 1)>
// CHECK-DAG: #[[$MAP3:.+]] = affine_map<(d0) -> (16, d0 + 3)>
// CHECK-DAG: #[[$MAP4:.+]] = affine_map<(d0, d1) -> (d0 - d1 + 3)>
// CHECK-DAG: #[[$MAP5:.+]] = affine_map<(d0, d1) -> (-d0 + d1)>
// CHECK-DAG: #[[$MAP6:.+]] = affine_map<(d0, d1) -> (16, d0 + d1 + 1)>
// CHECK-DAG: #[[$MAP7:.+]] = affine_map<(d0, d1, d2) -> (d0 + d1 - d2 + 1)>
// CHECK-DAG: #[[$MAP8:.+]] = affine_map<(d0) -> (16, d0 + 1)>

!in = tensor<17x17x3x!mli.sa8<1:4:-128>>
!weights = tensor<3x3x3x4x!mli.sa8<axis = 3, {5:10:0, 7:10:0, 9:10:0, 3:10:0}>>
!bias = tensor<4x!mli.sa32<axis = 0, {5:14:0, 7:14:0, 9:14:0, 3:14:0}>>
!map = tensor<15x15x4x!mli.sa8<1:4:-128>>
!out = tensor<14x14x4x!mli.sa8<1:4:-128>>

// Two rows of the result are made of three of the map and five of the input.
// CHECK-LABEL: func.func @conv_relu_pool
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<15x15x4x!mli.sa8<1:4:-128>>
// CHECK: %[[V4:.+]] = tensor.empty() : tensor<14x14x4x!mli.sa8<1:4:-128>>
// CHECK: %[[V5:.+]] = scf.for %[[V6:.+]] = %c0 to %c14 step %c2 iter_args(%[[V7:.+]] = %[[V4]])
// CHECK: %[[V8:.+]] = scf.for %[[V9:.+]] = %c0 to %c14 step %c7 iter_args(%[[V10:.+]] = %[[V7]])
// CHECK: %[[V11:.+]] = tensor.extract_slice %[[A0]][%[[V6]], %[[V9]], 0] [5, 10, 3]
// CHECK: %[[V12:.+]] = tensor.extract_slice %[[V3]][%[[V6]], %[[V9]], 0] [3, 8, 4]
// CHECK: %[[V13:.+]] = mli.conv2d ins(%[[V11]], %[[A1]], %[[A2]] : tensor<5x10x3x!mli.sa8<1:4:-128>>, tensor<3x3x3x4x!sa8_axis3>, tensor<4x!sa32_axis0>)
// CHECK-SAME: outs(%[[V12]] : tensor<3x8x4x!mli.sa8<1:4:-128>>) pad [0, 0, 0, 0]
// CHECK: %[[V14:.+]] = mli.relu ins(%[[V13]] : tensor<3x8x4x!mli.sa8<1:4:-128>>)
// CHECK-SAME: outs(%[[V12]] : tensor<3x8x4x!mli.sa8<1:4:-128>>) {relu = #mli.relu<relu6>}
// CHECK: %[[V15:.+]] = tensor.extract_slice %[[V10]][%[[V6]], %[[V9]], 0] [2, 7, 4]
// CHECK: %[[V16:.+]] = mli.maxpool ins(%[[V14]] : tensor<3x8x4x!mli.sa8<1:4:-128>>)
// CHECK-SAME: outs(%[[V15]] : tensor<2x7x4x!mli.sa8<1:4:-128>>) kernel [2, 2] pad [0, 0, 0, 0]
// CHECK: %[[V17:.+]] = tensor.insert_slice %[[V16]] into %[[V10]][%[[V6]], %[[V9]], 0] [2, 7, 4]
// CHECK: scf.yield %[[V17]] : tensor<14x14x4x!mli.sa8<1:4:-128>>
// CHECK: scf.yield %[[V8]] : tensor<14x14x4x!mli.sa8<1:4:-128>>
// CHECK: return %[[V5]] : tensor<14x14x4x!mli.sa8<1:4:-128>>
func.func @conv_relu_pool(%input: !in, %weights: !weights, %bias: !bias) -> !out {
  %empty = tensor.empty() : !map
  %conv = mli.conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%empty : !map) pad [0, 0, 0, 0] -> !map
  %relu = mli.relu ins(%conv : !map) outs(%empty : !map)
    {relu = #mli.relu<relu6>} -> !map
  %init = tensor.empty() : !out
  %pool = mli.maxpool ins(%relu : !map) outs(%init : !out) kernel [2, 2]
    pad [0, 0, 0, 0] {fuse = [2, 7]} -> !out
  return %pool : !out
}

!same = tensor<16x16x4x!mli.fx16<10>>
!square = tensor<3x3x4x4x!mli.fx16<14>>
!four = tensor<4x!mli.fx16<10>>

// N7
// CHECK-LABEL: func.func @padded_conv_conv
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<16x16x4x!mli.fx16<10>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c16 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = scf.for %[[V8:.+]] = %c0 to %c16 step %c7 iter_args(%[[V9:.+]] = %[[V6]])
// CHECK: %[[V10:.+]] = affine.min #[[$MAP0]](%[[V8]])
// CHECK: %[[V11:.+]] = affine.max #[[$MAP1]](%[[V5]])
// CHECK: %[[V12:.+]] = affine.apply #[[$MAP2]](%[[V5]], %[[V11]])
// CHECK: %[[V13:.+]] = affine.min #[[$MAP3]](%[[V5]])
// CHECK: %[[V14:.+]] = affine.apply #[[$MAP4]](%[[V5]], %[[V13]])
// CHECK: %[[V15:.+]] = affine.apply #[[$MAP5]](%[[V11]], %[[V13]])
// CHECK: %[[V16:.+]] = affine.max #[[$MAP1]](%[[V8]])
// CHECK: %[[V17:.+]] = affine.apply #[[$MAP2]](%[[V8]], %[[V16]])
// CHECK: %[[V18:.+]] = affine.min #[[$MAP6]](%[[V8]], %[[V10]])
// CHECK: %[[V19:.+]] = affine.apply #[[$MAP7]](%[[V8]], %[[V10]], %[[V18]])
// CHECK: %[[V20:.+]] = affine.apply #[[$MAP5]](%[[V16]], %[[V18]])
// CHECK: %[[V21:.+]] = affine.max #[[$MAP1]](%[[V11]])
// CHECK: %[[V22:.+]] = affine.apply #[[$MAP2]](%[[V11]], %[[V21]])
// CHECK: %[[V23:.+]] = affine.min #[[$MAP8]](%[[V13]])
// CHECK: %[[V24:.+]] = affine.apply #[[$MAP2]](%[[V23]], %[[V13]])
// CHECK: %[[V25:.+]] = affine.apply #[[$MAP5]](%[[V21]], %[[V23]])
// CHECK: %[[V26:.+]] = affine.max #[[$MAP1]](%[[V16]])
// CHECK: %[[V27:.+]] = affine.apply #[[$MAP2]](%[[V16]], %[[V26]])
// CHECK: %[[V28:.+]] = affine.min #[[$MAP8]](%[[V18]])
// CHECK: %[[V29:.+]] = affine.apply #[[$MAP2]](%[[V28]], %[[V18]])
// CHECK: %[[V30:.+]] = affine.apply #[[$MAP5]](%[[V26]], %[[V28]])
// CHECK: %[[V31:.+]] = tensor.extract_slice %[[A0]][%[[V21]], %[[V26]], 0] [%[[V25]], %[[V30]], 4]
// CHECK: %[[V32:.+]] = tensor.extract_slice %[[V3]][%[[V11]], %[[V16]], 0] [%[[V15]], %[[V20]], 4]
// CHECK: %[[V33:.+]] = mli.conv2d ins(%[[V31]], %[[A1]], %[[A2]] : tensor<?x?x4x!mli.fx16<10>>, tensor<3x3x4x4x!mli.fx16<14>>, tensor<4x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V32]] : tensor<?x?x4x!mli.fx16<10>>)
// CHECK-SAME: pad [%[[V22]], %[[V24]], %[[V27]], %[[V29]]]
// CHECK: %[[V34:.+]] = tensor.extract_slice %[[V9]][%[[V5]], %[[V8]], 0] [2, %[[V10]], 4]
// CHECK: %[[V35:.+]] = mli.conv2d ins(%[[V33]], %[[A1]], %[[A2]] : tensor<?x?x4x!mli.fx16<10>>, tensor<3x3x4x4x!mli.fx16<14>>, tensor<4x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V34]] : tensor<2x?x4x!mli.fx16<10>>)
// CHECK-SAME: pad [%[[V12]], %[[V14]], %[[V17]], %[[V19]]]
// CHECK: %[[V36:.+]] = tensor.insert_slice %[[V35]] into %[[V9]][%[[V5]], %[[V8]], 0] [2, %[[V10]], 4]
// CHECK: scf.yield %[[V36]] : tensor<16x16x4x!mli.fx16<10>>
// CHECK: scf.yield %[[V7]] : tensor<16x16x4x!mli.fx16<10>>
// CHECK: return %[[V4]] : tensor<16x16x4x!mli.fx16<10>>
func.func @padded_conv_conv(%input: !same, %weights: !square, %bias: !four) -> !same {
  %empty = tensor.empty() : !same
  %first = mli.conv2d ins(%input, %weights, %bias : !same, !square, !four)
    outs(%empty : !same) pad [1, 1, 1, 1] -> !same
  %second = mli.conv2d ins(%first, %weights, %bias : !same, !square, !four)
    outs(%empty : !same) pad [1, 1, 1, 1] {fuse = [2, 7]} -> !same
  return %second : !same
}

!logits = tensor<4x14x!mli.sa8<5:6:4>>
!prob = tensor<4x14x!mli.sa8<1:8:-128>>

// What needs all of a dimension stays outside of the loop over it.
// CHECK-LABEL: func.func @whole_producer
// CHECK-SAME: (%[[A0:.+]]: {{.+}}) ->
// CHECK: %[[V1:.+]] = tensor.empty() : tensor<4x14x!mli.sa8<1:8:-128>>
// CHECK: %[[V2:.+]] = mli.softmax ins(%[[A0]] : tensor<4x14x!mli.sa8<5:6:4>>)
// CHECK-SAME: outs(%[[V1]] : tensor<4x14x!mli.sa8<1:8:-128>>) {axis = 1 : i32}
// CHECK: %[[V3:.+]] = scf.for %[[V4:.+]] = %c0 to %c4 step %c2 iter_args(%[[V5:.+]] = %[[V1]])
// CHECK: %[[V6:.+]] = scf.for %[[V7:.+]] = %c0 to %c14 step %c7 iter_args(%[[V8:.+]] = %[[V5]])
// CHECK: %[[V9:.+]] = tensor.extract_slice %[[V2]][%[[V4]], %[[V7]]] [2, 7]
// CHECK: %[[V10:.+]] = tensor.extract_slice %[[V8]][%[[V4]], %[[V7]]] [2, 7]
// CHECK: %[[V11:.+]] = mli.relu ins(%[[V9]] : tensor<2x7x!mli.sa8<1:8:-128>>)
// CHECK-SAME: outs(%[[V10]] : tensor<2x7x!mli.sa8<1:8:-128>>)
// CHECK: %[[V12:.+]] = tensor.insert_slice %[[V11]] into %[[V8]][%[[V4]], %[[V7]]] [2, 7]
// CHECK: scf.yield %[[V12]] : tensor<4x14x!mli.sa8<1:8:-128>>
// CHECK: scf.yield %[[V6]] : tensor<4x14x!mli.sa8<1:8:-128>>
// CHECK: return %[[V3]] : tensor<4x14x!mli.sa8<1:8:-128>>
func.func @whole_producer(%input: !logits) -> !prob {
  %empty = tensor.empty() : !prob
  %softmax = mli.softmax ins(%input : !logits) outs(%empty : !prob)
    {axis = 1 : i32} -> !prob
  %relu = mli.relu ins(%softmax : !prob) outs(%empty : !prob)
    {relu = #mli.relu<gen>, fuse = [2, 7]} -> !prob
  return %relu : !prob
}

// What a block is written into keeps the rest, so its producer stays whole.
// CHECK-LABEL: func.func @block_of_a_result
// CHECK: %[[WHOLE:.+]] = mli.relu ins(%{{.+}} : tensor<4x9x!mli.fx8<7>>) outs(%{{.+}} : tensor<4x9x!mli.fx8<7>>)
// CHECK: scf.for {{.+}} iter_args(%[[INIT:.+]] = %[[WHOLE]])
// CHECK: insert_slice
func.func @block_of_a_result(%input: tensor<4x9x!mli.fx8<7>>,
                             %block: tensor<4x4x!mli.fx8<7>>)
    -> tensor<4x9x!mli.fx8<7>> {
  %init = tensor.empty() : tensor<4x9x!mli.fx8<7>>
  %relu = mli.relu ins(%input : tensor<4x9x!mli.fx8<7>>)
    outs(%init : tensor<4x9x!mli.fx8<7>>) {relu = #mli.relu<gen>} -> tensor<4x9x!mli.fx8<7>>
  %result = mli.mov ins(%block : tensor<4x4x!mli.fx8<7>>)
    outs(%relu : tensor<4x9x!mli.fx8<7>>)
    {dst_offsets = array<i64: 0, 3>, offsets = array<i64: 0, 0>, sizes = array<i64: 4, 4>, fuse = [2, 7]}
    -> tensor<4x9x!mli.fx8<7>>
  return %result : tensor<4x9x!mli.fx8<7>>
}
