// Convolutions in tiles of rows, columns or filters: slices with halos, and
// padding that is left at the edges only.
// RUN: mli-opt %s --transform-preload-library=transform-library-paths=%S/../Inputs/tile.mlir \
// RUN:   --transform-interpreter --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$MAP0:.+]] = affine_map<(d0) -> (-d0 + 9, 2)>
// CHECK-DAG: #[[$MAP1:.+]] = affine_map<(d0) -> (0, d0 - 1)>
// CHECK-DAG: #[[$MAP2:.+]] = affine_map<(d0, d1) -> (-d0 + d1 + 1)>
// CHECK-DAG: #[[$MAP3:.+]] = affine_map<(d0, d1) -> (9, d0 + d1 + 1)>
// CHECK-DAG: #[[$MAP4:.+]] = affine_map<(d0, d1, d2) -> (d0 + d1 - d2 + 1)>
// CHECK-DAG: #[[$MAP5:.+]] = affine_map<(d0, d1) -> (-d0 + d1)>
// CHECK-DAG: #[[$MAP6:.+]] = affine_map<(d0) -> (-d0 + 3, 2)>
// CHECK-DAG: #[[$MAP7:.+]] = affine_map<(d0) -> (0, d0 * 3 - 2)>
// CHECK-DAG: #[[$MAP8:.+]] = affine_map<(d0, d1) -> (d0 * -3 + d1 + 2)>
// CHECK-DAG: #[[$MAP9:.+]] = affine_map<(d0, d1, d2) -> (d0 * 3 + d1 * 3 - d2)>
// CHECK-DAG: #[[$MAP10:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 2)>
// CHECK-DAG: #[[$MAP11:.+]] = affine_map<(d0)[s0] -> (0, d0 - s0)>
// CHECK-DAG: #[[$MAP12:.+]] = affine_map<(d0, d1)[s0] -> (-d0 + d1 + s0)>
// CHECK-DAG: #[[$MAP13:.+]] = affine_map<(d0, d1)[s0, s1, s2] -> (s0, d0 + d1 - s1 + s2 - 1)>
// CHECK-DAG: #[[$MAP14:.+]] = affine_map<(d0, d1, d2)[s0, s1] -> (1, d0 + d1 - d2 - s0 + s1 - 1)>
// CHECK-DAG: #[[$MAP15:.+]] = affine_map<(d0) -> ((d0 floordiv 2) * 2)>
// CHECK-DAG: #[[$MAP16:.+]] = affine_map<(d0) -> ((d0 floordiv 4) * 4)>
// CHECK-DAG: #[[$MAP17:.+]] = affine_map<(d0) -> (-d0 + 17, 2)>
// CHECK-DAG: #[[$MAP18:.+]] = affine_map<(d0) -> (0, (d0 - 1) ceildiv 2)>
// CHECK-DAG: #[[$MAP19:.+]] = affine_map<(d0, d1) -> (9, (d0 + d1) floordiv 2 + 1)>
// CHECK-DAG: #[[$MAP20:.+]] = affine_map<(d0, d1) -> (d0 - d1 * 2 + 1)>
// CHECK-DAG: #[[$MAP21:.+]] = affine_map<(d0, d1, d2) -> (-d0 - d1 + d2 * 2)>
!in = tensor<9x16x4x!mli.fx16<10>>
!weights = tensor<3x3x4x8x!mli.fx16<14>>
!bias = tensor<8x!mli.fx16<10>>
!out = tensor<6x14x8x!mli.fx16<9>>

// Without padding tiles have static sizes: 2 rows are made of 2 + 3 - 1.
// CHECK-LABEL: func.func @no_padding
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<6x14x8x!mli.fx16<9>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c6 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = scf.for %[[V8:.+]] = %c0 to %c14 step %c7 iter_args(%[[V9:.+]] = %[[V6]])
// CHECK: %[[V10:.+]] = tensor.extract_slice %[[A0]][%[[V5]], %[[V8]], 0] [4, 9, 4]
// CHECK: %[[V11:.+]] = tensor.extract_slice %[[V9]][%[[V5]], %[[V8]], 0] [2, 7, 8]
// CHECK: %[[V12:.+]] = mli.conv2d ins(%[[V10]], %[[A1]], %[[A2]] : tensor<4x9x4x!mli.fx16<10>>, tensor<3x3x4x8x!mli.fx16<14>>, tensor<8x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V11]] : tensor<2x7x8x!mli.fx16<9>>) pad [0, 0, 0, 0]
// CHECK: %[[V13:.+]] = tensor.insert_slice %[[V12]] into %[[V9]][%[[V5]], %[[V8]], 0] [2, 7, 8]
// CHECK: scf.yield %[[V13]] : tensor<6x14x8x!mli.fx16<9>>
// CHECK: scf.yield %[[V7]] : tensor<6x14x8x!mli.fx16<9>>
// CHECK: return %[[V4]] : tensor<6x14x8x!mli.fx16<9>>
func.func @no_padding(%input: !in, %weights: !weights, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  %result = mli.conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {tile = [2, 7]} -> !out
  return %result : !out
}

!padded = tensor<9x16x8x!mli.fx16<9>>

// The first tile has the padding above, the last what its window needs below, and
// those between none.
// N7
// CHECK-LABEL: func.func @padding
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<9x16x8x!mli.fx16<9>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c9 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = affine.min #[[$MAP0]](%[[V5]])
// CHECK: %[[V8:.+]] = affine.max #[[$MAP1]](%[[V5]])
// CHECK: %[[V9:.+]] = affine.apply #[[$MAP2]](%[[V5]], %[[V8]])
// CHECK: %[[V10:.+]] = affine.min #[[$MAP3]](%[[V5]], %[[V7]])
// CHECK: %[[V11:.+]] = affine.apply #[[$MAP4]](%[[V5]], %[[V7]], %[[V10]])
// CHECK: %[[V12:.+]] = affine.apply #[[$MAP5]](%[[V8]], %[[V10]])
// CHECK: %[[V13:.+]] = tensor.extract_slice %[[A0]][%[[V8]], 0, 0] [%[[V12]], 16, 4]
// CHECK: %[[V14:.+]] = tensor.extract_slice %[[V6]][%[[V5]], 0, 0] [%[[V7]], 16, 8]
// CHECK: %[[V15:.+]] = mli.conv2d ins(%[[V13]], %[[A1]], %[[A2]] : tensor<?x16x4x!mli.fx16<10>>, tensor<3x3x4x8x!mli.fx16<14>>, tensor<8x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V14]] : tensor<?x16x8x!mli.fx16<9>>) pad [%[[V9]], %[[V11]], 1, 1]
// CHECK: %[[V16:.+]] = tensor.insert_slice %[[V15]] into %[[V6]][%[[V5]], 0, 0] [%[[V7]], 16, 8]
// CHECK: scf.yield %[[V16]] : tensor<9x16x8x!mli.fx16<9>>
// CHECK: return %[[V4]] : tensor<9x16x8x!mli.fx16<9>>
func.func @padding(%input: !in, %weights: !weights, %bias: !bias) -> !padded {
  %init = tensor.empty() : !padded
  %result = mli.conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !padded) pad [1, 1, 1, 1] {tile = 0} -> !padded
  return %result : !padded
}

!strided = tensor<3x5x8x!mli.fx16<9>>

// Columns are one tile, which keeps its padding.
// N7
// CHECK-LABEL: func.func @strides_and_dilations
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<3x5x8x!mli.fx16<9>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c3 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = affine.min #[[$MAP6]](%[[V5]])
// CHECK: %[[V8:.+]] = affine.max #[[$MAP7]](%[[V5]])
// CHECK: %[[V9:.+]] = affine.apply #[[$MAP8]](%[[V5]], %[[V8]])
// CHECK: %[[V10:.+]] = affine.apply #[[$MAP9]](%[[V5]], %[[V7]], %[[V8]])
// CHECK: %[[V11:.+]] = tensor.extract_slice %[[A0]][%[[V8]], 0, 0] [%[[V10]], 16, 4]
// CHECK: %[[V12:.+]] = tensor.extract_slice %[[V6]][%[[V5]], 0, 0] [%[[V7]], 5, 8]
// CHECK: %[[V13:.+]] = mli.conv2d ins(%[[V11]], %[[A1]], %[[A2]] : tensor<?x16x4x!mli.fx16<10>>, tensor<3x3x4x8x!mli.fx16<14>>, tensor<8x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V12]] : tensor<?x5x8x!mli.fx16<9>>) pad [%[[V9]], 0, 1, 2]
// CHECK: %[[V14:.+]] = tensor.insert_slice %[[V13]] into %[[V6]][%[[V5]], 0, 0] [%[[V7]], 5, 8]
// CHECK: scf.yield %[[V14]] : tensor<3x5x8x!mli.fx16<9>>
// CHECK: return %[[V4]] : tensor<3x5x8x!mli.fx16<9>>
func.func @strides_and_dilations(%input: !in, %weights: !weights, %bias: !bias) -> !strided {
  %init = tensor.empty() : !strided
  %result = mli.conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !strided) pad [2, 0, 1, 2] {strides = array<i64: 3, 3>, dilations = array<i64: 2, 2>, tile = [2, 7]} -> !strided
  return %result : !strided
}

// CHECK-LABEL: func.func @filters
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<6x14x8x!mli.fx16<9>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c8 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[A1]][0, 0, 0, %[[V5]]] [3, 3, 4, 2]
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[A2]][%[[V5]]] [2]
// CHECK: %[[V9:.+]] = tensor.extract_slice %[[V6]][0, 0, %[[V5]]] [6, 14, 2]
// CHECK: %[[V10:.+]] = mli.conv2d ins(%[[A0]], %[[V7]], %[[V8]] : tensor<9x16x4x!mli.fx16<10>>, tensor<3x3x4x2x!mli.fx16<14>>, tensor<2x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V9]] : tensor<6x14x2x!mli.fx16<9>>) pad [0, 0, 0, 0]
// CHECK: %[[V11:.+]] = tensor.insert_slice %[[V10]] into %[[V6]][0, 0, %[[V5]]] [6, 14, 2]
// CHECK: scf.yield %[[V11]] : tensor<6x14x8x!mli.fx16<9>>
// CHECK: return %[[V4]] : tensor<6x14x8x!mli.fx16<9>>
func.func @filters(%input: !in, %weights: !weights, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  %result = mli.conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {tile = 2} -> !out
  return %result : !out
}

!dyn = tensor<?x?x?x!mli.fx16<10>>
!dynout = tensor<?x?x?x!mli.fx16<9>>
!dynw = tensor<?x?x?x?x!mli.fx16<14>>
!dynb = tensor<?x!mli.fx16<10>>

// Where sizes are not known, padding is not more than it was: a kernel that is
// refused stays so.
// N7
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}, %[[A3:.+]]: {{.+}}, %[[A4:.+]]: {{.+}}) ->
// CHECK: %[[V5:.+]] = tensor.dim %[[A3]], %c0 : tensor<?x?x?x!mli.fx16<9>>
// CHECK: %[[V6:.+]] = scf.for %[[V7:.+]] = %c0 to %[[V5]] step %c2 iter_args(%[[V8:.+]] = %[[A3]])
// CHECK: %[[V9:.+]] = affine.min #[[$MAP10]](%[[V7]])[%[[V5]]]
// CHECK: %[[V10:.+]] = tensor.dim %[[A0]], %c0 : tensor<?x?x?x!mli.fx16<10>>
// CHECK: %[[V11:.+]] = tensor.dim %[[A1]], %c0 : tensor<?x?x?x?x!mli.fx16<14>>
// CHECK: %[[V12:.+]] = affine.max #[[$MAP11]](%[[V7]])[%[[A4]]]
// CHECK: %[[V13:.+]] = affine.apply #[[$MAP12]](%[[V7]], %[[V12]])[%[[A4]]]
// CHECK: %[[V14:.+]] = affine.min #[[$MAP13]](%[[V7]], %[[V9]])[%[[V10]], %[[A4]], %[[V11]]]
// CHECK: %[[V15:.+]] = affine.min #[[$MAP14]](%[[V7]], %[[V9]], %[[V14]])[%[[A4]], %[[V11]]]
// CHECK: %[[V16:.+]] = affine.apply #[[$MAP5]](%[[V12]], %[[V14]])
// CHECK: %[[V17:.+]] = tensor.dim %[[A0]], %c1 : tensor<?x?x?x!mli.fx16<10>>
// CHECK: %[[V18:.+]] = tensor.dim %[[A0]], %c2 : tensor<?x?x?x!mli.fx16<10>>
// CHECK: %[[V19:.+]] = tensor.extract_slice %[[A0]][%[[V12]], 0, 0] [%[[V16]], %[[V17]], %[[V18]]]
// CHECK: %[[V20:.+]] = tensor.dim %[[A3]], %c1 : tensor<?x?x?x!mli.fx16<9>>
// CHECK: %[[V21:.+]] = tensor.dim %[[A3]], %c2 : tensor<?x?x?x!mli.fx16<9>>
// CHECK: %[[V22:.+]] = tensor.extract_slice %[[V8]][%[[V7]], 0, 0] [%[[V9]], %[[V20]], %[[V21]]]
// CHECK: %[[V23:.+]] = mli.conv2d ins(%[[V19]], %[[A1]], %[[A2]] : tensor<?x?x?x!mli.fx16<10>>, tensor<?x?x?x?x!mli.fx16<14>>, tensor<?x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V22]] : tensor<?x?x?x!mli.fx16<9>>) pad [%[[V13]], %[[V15]], 0, 0]
// CHECK: %[[V26:.+]] = tensor.insert_slice %[[V23]] into %[[V8]][%[[V7]], 0, 0] [%[[V9]], %[[V20]], %[[V21]]]
// CHECK: scf.yield %[[V26]] : tensor<?x?x?x!mli.fx16<9>>
// CHECK: return %[[V6]] : tensor<?x?x?x!mli.fx16<9>>
func.func @dynamic(%input: !dyn, %weights: !dynw, %bias: !dynb, %init: !dynout, %top: index) -> !dynout {
  %result = mli.conv2d ins(%input, %weights, %bias : !dyn, !dynw, !dynb)
    outs(%init : !dynout) pad [%top, 1, 0, 0] {tile = 0} -> !dynout
  return %result : !dynout
}

!dmap = tensor<9x16x8x!mli.fx16<10>>
!dw = tensor<3x3x1x8x!mli.fx16<14>>

// Channels of the input go with the filters.
// CHECK-LABEL: func.func @depthwise
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<6x14x8x!mli.fx16<9>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c8 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[A0]][0, 0, %[[V5]]] [9, 16, 2]
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[A1]][0, 0, 0, %[[V5]]] [3, 3, 1, 2]
// CHECK: %[[V9:.+]] = tensor.extract_slice %[[A2]][%[[V5]]] [2]
// CHECK: %[[V10:.+]] = tensor.extract_slice %[[V6]][0, 0, %[[V5]]] [6, 14, 2]
// CHECK: %[[V11:.+]] = mli.depthwise_conv2d ins(%[[V7]], %[[V8]], %[[V9]] : tensor<9x16x2x!mli.fx16<10>>, tensor<3x3x1x2x!mli.fx16<14>>, tensor<2x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V10]] : tensor<6x14x2x!mli.fx16<9>>) pad [0, 0, 0, 0]
// CHECK: %[[V12:.+]] = tensor.insert_slice %[[V11]] into %[[V6]][0, 0, %[[V5]]] [6, 14, 2]
// CHECK: scf.yield %[[V12]] : tensor<6x14x8x!mli.fx16<9>>
// CHECK: return %[[V4]] : tensor<6x14x8x!mli.fx16<9>>
func.func @depthwise(%input: !dmap, %weights: !dw, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  %result = mli.depthwise_conv2d ins(%input, %weights, %bias : !dmap, !dw, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {tile = 2} -> !out
  return %result : !out
}

!gw = tensor<3x3x2x8x!mli.fx16<14>>

// Groups of two filters: a tile is one of them.
// N3
// CHECK-LABEL: func.func @groups_whole
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<6x14x8x!mli.fx16<9>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c8 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = affine.apply #[[$MAP15]](%[[V5]])
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[A0]][0, 0, %[[V7]]] [9, 16, 2]
// CHECK: %[[V9:.+]] = tensor.extract_slice %[[A1]][0, 0, 0, %[[V5]]] [3, 3, 2, 2]
// CHECK: %[[V10:.+]] = tensor.extract_slice %[[A2]][%[[V5]]] [2]
// CHECK: %[[V11:.+]] = tensor.extract_slice %[[V6]][0, 0, %[[V5]]] [6, 14, 2]
// CHECK: %[[V12:.+]] = mli.group_conv2d ins(%[[V8]], %[[V9]], %[[V10]] : tensor<9x16x2x!mli.fx16<10>>, tensor<3x3x2x2x!mli.fx16<14>>, tensor<2x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V11]] : tensor<6x14x2x!mli.fx16<9>>) pad [0, 0, 0, 0]
// CHECK: %[[V13:.+]] = tensor.insert_slice %[[V12]] into %[[V6]][0, 0, %[[V5]]] [6, 14, 2]
// CHECK: scf.yield %[[V13]] : tensor<6x14x8x!mli.fx16<9>>
// CHECK: return %[[V4]] : tensor<6x14x8x!mli.fx16<9>>
func.func @groups_whole(%input: !dmap, %weights: !gw, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  %result = mli.group_conv2d ins(%input, %weights, %bias : !dmap, !gw, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {tile = 2} -> !out
  return %result : !out
}

!gwp = tensor<3x3x4x8x!mli.fx16<14>>

// Groups of four filters: a tile is in one of them.
// N3
// CHECK-LABEL: func.func @groups_part
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<6x14x8x!mli.fx16<9>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c8 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = affine.apply #[[$MAP16]](%[[V5]])
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[A0]][0, 0, %[[V7]]] [9, 16, 4]
// CHECK: %[[V9:.+]] = tensor.extract_slice %[[A1]][0, 0, 0, %[[V5]]] [3, 3, 4, 2]
// CHECK: %[[V10:.+]] = tensor.extract_slice %[[A2]][%[[V5]]] [2]
// CHECK: %[[V11:.+]] = tensor.extract_slice %[[V6]][0, 0, %[[V5]]] [6, 14, 2]
// CHECK: %[[V12:.+]] = mli.group_conv2d ins(%[[V8]], %[[V9]], %[[V10]] : tensor<9x16x4x!mli.fx16<10>>, tensor<3x3x4x2x!mli.fx16<14>>, tensor<2x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V11]] : tensor<6x14x2x!mli.fx16<9>>) pad [0, 0, 0, 0]
// CHECK: %[[V13:.+]] = tensor.insert_slice %[[V12]] into %[[V6]][0, 0, %[[V5]]] [6, 14, 2]
// CHECK: scf.yield %[[V13]] : tensor<6x14x8x!mli.fx16<9>>
// CHECK: return %[[V4]] : tensor<6x14x8x!mli.fx16<9>>
func.func @groups_part(%input: !dmap, %weights: !gwp, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  %result = mli.group_conv2d ins(%input, %weights, %bias : !dmap, !gwp, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {tile = 2} -> !out
  return %result : !out
}

!tout = tensor<17x31x8x!mli.fx16<9>>

// Inputs whose windows reach the tile; what else they reach is cut off.
// N7
// CHECK-LABEL: func.func @transpose
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<17x31x8x!mli.fx16<9>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c17 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = affine.min #[[$MAP17]](%[[V5]])
// CHECK: %[[V8:.+]] = affine.max #[[$MAP18]](%[[V5]])
// CHECK: %[[V9:.+]] = affine.min #[[$MAP19]](%[[V5]], %[[V7]])
// CHECK: %[[V10:.+]] = affine.apply #[[$MAP5]](%[[V8]], %[[V9]])
// CHECK: %[[V11:.+]] = affine.apply #[[$MAP20]](%[[V5]], %[[V8]])
// CHECK: %[[V12:.+]] = affine.apply #[[$MAP21]](%[[V5]], %[[V7]], %[[V9]])
// CHECK: %[[V13:.+]] = tensor.extract_slice %[[A0]][%[[V8]], 0, 0] [%[[V10]], 16, 4]
// CHECK: %[[V14:.+]] = tensor.extract_slice %[[V6]][%[[V5]], 0, 0] [%[[V7]], 31, 8]
// CHECK: %[[V15:.+]] = mli.transpose_conv2d ins(%[[V13]], %[[A1]], %[[A2]] : tensor<?x16x4x!mli.fx16<10>>, tensor<3x3x4x8x!mli.fx16<14>>, tensor<8x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V14]] : tensor<?x31x8x!mli.fx16<9>>) pad [%[[V11]], %[[V12]], 1, 1]
// CHECK: %[[V16:.+]] = tensor.insert_slice %[[V15]] into %[[V6]][%[[V5]], 0, 0] [%[[V7]], 31, 8]
// CHECK: scf.yield %[[V16]] : tensor<17x31x8x!mli.fx16<9>>
// CHECK: return %[[V4]] : tensor<17x31x8x!mli.fx16<9>>
func.func @transpose(%input: !in, %weights: !weights, %bias: !bias) -> !tout {
  %init = tensor.empty() : !tout
  %result = mli.transpose_conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !tout) pad [1, 1, 1, 1] {strides = array<i64: 2, 2>, tile = 0} -> !tout
  return %result : !tout
}

!chw = tensor<4x9x16x!mli.fx16<10>>
!chwout = tensor<8x6x14x!mli.fx16<9>>

// CHECK-LABEL: func.func @channels_first
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.empty() : tensor<8x6x14x!mli.fx16<9>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c8 step %c2 iter_args(%[[V6:.+]] = %[[V3]])
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[A1]][0, 0, 0, %[[V5]]] [3, 3, 4, 2]
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[A2]][%[[V5]]] [2]
// CHECK: %[[V9:.+]] = tensor.extract_slice %[[V6]][%[[V5]], 0, 0] [2, 6, 14]
// CHECK: %[[V10:.+]] = mli.conv2d ins(%[[A0]], %[[V7]], %[[V8]] : tensor<4x9x16x!mli.fx16<10>>, tensor<3x3x4x2x!mli.fx16<14>>, tensor<2x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V9]] : tensor<2x6x14x!mli.fx16<9>>) pad [0, 0, 0, 0]
// CHECK: %[[V11:.+]] = tensor.insert_slice %[[V10]] into %[[V6]][%[[V5]], 0, 0] [2, 6, 14]
// CHECK: scf.yield %[[V11]] : tensor<8x6x14x!mli.fx16<9>>
// CHECK: return %[[V4]] : tensor<8x6x14x!mli.fx16<9>>
func.func @channels_first(%input: !chw, %weights: !weights, %bias: !bias) -> !chwout {
  %init = tensor.empty() : !chwout
  %result = mli.conv2d ins(%input, %weights, %bias : !chw, !weights, !bias)
    outs(%init : !chwout) pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>, tile = [2, 7]} -> !chwout
  return %result : !chwout
}
