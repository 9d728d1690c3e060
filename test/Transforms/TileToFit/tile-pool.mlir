// Pooling in tiles of rows, columns and channels.
// RUN: mli-opt %s --transform-preload-library=transform-library-paths=%S/../Inputs/tile.mlir \
// RUN:   --transform-interpreter --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$MAP0:.+]] = affine_map<(d0) -> (-d0 + 5, 2)>
// CHECK-DAG: #[[$MAP1:.+]] = affine_map<(d0) -> (0, d0 * 2 - 1)>
// CHECK-DAG: #[[$MAP2:.+]] = affine_map<(d0, d1) -> (d0 * -2 + d1 + 1)>
// CHECK-DAG: #[[$MAP3:.+]] = affine_map<(d0, d1) -> (9, d0 * 2 + d1 * 2)>
// CHECK-DAG: #[[$MAP4:.+]] = affine_map<(d0, d1, d2) -> (d0 * 2 + d1 * 2 - d2)>
// CHECK-DAG: #[[$MAP5:.+]] = affine_map<(d0, d1) -> (-d0 + d1)>
// CHECK-DAG: #[[$MAP6:.+]] = affine_map<(d0) -> (-d0 + 9, 2)>
// CHECK-DAG: #[[$MAP7:.+]] = affine_map<(d0) -> (-d0 + 16, 7)>
// CHECK-DAG: #[[$MAP8:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 2)>
// CHECK-DAG: #[[$MAP9:.+]] = affine_map<(d0)[s0] -> (0, d0 - s0)>
// CHECK-DAG: #[[$MAP10:.+]] = affine_map<(d0, d1)[s0] -> (-d0 + d1 + s0)>
// CHECK-DAG: #[[$MAP11:.+]] = affine_map<(d0, d1)[s0, s1] -> (s0, d0 + d1 - s1 + 2)>

!in = tensor<9x16x4x!mli.sa8<3:6:-5>>
!out = tensor<5x16x4x!mli.sa8<3:6:-5>>

// N7
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c5 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = affine.min #[[$MAP0]](%[[V3]])
// CHECK: %[[V6:.+]] = affine.max #[[$MAP1]](%[[V3]])
// CHECK: %[[V7:.+]] = affine.apply #[[$MAP2]](%[[V3]], %[[V6]])
// CHECK: %[[V8:.+]] = affine.min #[[$MAP3]](%[[V3]], %[[V5]])
// CHECK: %[[V9:.+]] = affine.apply #[[$MAP4]](%[[V3]], %[[V5]], %[[V8]])
// CHECK: %[[V10:.+]] = affine.apply #[[$MAP5]](%[[V6]], %[[V8]])
// CHECK: %[[V11:.+]] = tensor.extract_slice %[[A0]][%[[V6]], 0, 0] [%[[V10]], 16, 4]
// CHECK: %[[V12:.+]] = tensor.extract_slice %[[V4]][%[[V3]], 0, 0] [%[[V5]], 16, 4]
// CHECK: %[[V13:.+]] = mli.avepool ins(%[[V11]] : tensor<?x16x4x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V12]] : tensor<?x16x4x!mli.sa8<3:6:-5>>)
// CHECK-SAME: kernel [3, 3] pad [%[[V7]], %[[V9]], 1, 1] {strides = array<i64: 2, 1>
// CHECK: %[[V14:.+]] = tensor.insert_slice %[[V13]] into %[[V4]][%[[V3]], 0, 0] [%[[V5]], 16, 4]
// CHECK: scf.yield %[[V14]] : tensor<5x16x4x!mli.sa8<3:6:-5>>
// CHECK: return %[[V2]] : tensor<5x16x4x!mli.sa8<3:6:-5>>
func.func @rows(%input: !in, %init: !out) -> !out {
  %result = mli.avepool ins(%input : !in) outs(%init : !out) kernel [3, 3]
    pad [1, 1, 1, 1] {strides = array<i64: 2, 1>, tile = 0} -> !out
  return %result : !out
}

!narrow = tensor<7x14x4x!mli.sa8<3:6:-5>>

// N7
// CHECK-LABEL: func.func @columns
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c14 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = tensor.extract_slice %[[A0]][0, %[[V3]], 0] [9, 4, 4]
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[V4]][0, %[[V3]], 0] [7, 2, 4]
// CHECK: %[[V7:.+]] = mli.maxpool ins(%[[V5]] : tensor<9x4x4x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V6]] : tensor<7x2x4x!mli.sa8<3:6:-5>>) kernel [3, 3] pad [0, 0, 0, 0]
// CHECK: %[[V8:.+]] = tensor.insert_slice %[[V7]] into %[[V4]][0, %[[V3]], 0] [7, 2, 4]
// CHECK: scf.yield %[[V8]] : tensor<7x14x4x!mli.sa8<3:6:-5>>
// CHECK: return %[[V2]] : tensor<7x14x4x!mli.sa8<3:6:-5>>
func.func @columns(%input: !in, %init: !narrow) -> !narrow {
  %result = mli.maxpool ins(%input : !in) outs(%init : !narrow) kernel [3, 3]
    pad [0, 0, 0, 0] {tile = 1} -> !narrow
  return %result : !narrow
}

// CHECK-LABEL: func.func @channels
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c4 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = tensor.extract_slice %[[A0]][0, 0, %[[V3]]] [9, 16, 2]
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[V4]][0, 0, %[[V3]]] [5, 16, 2]
// CHECK: %[[V7:.+]] = mli.maxpool ins(%[[V5]] : tensor<9x16x2x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V6]] : tensor<5x16x2x!mli.sa8<3:6:-5>>)
// CHECK-SAME: kernel [3, 3] pad [1, 1, 1, 1] {strides = array<i64: 2, 1>
// CHECK: %[[V8:.+]] = tensor.insert_slice %[[V7]] into %[[V4]][0, 0, %[[V3]]] [5, 16, 2]
// CHECK: scf.yield %[[V8]] : tensor<5x16x4x!mli.sa8<3:6:-5>>
// CHECK: return %[[V2]] : tensor<5x16x4x!mli.sa8<3:6:-5>>
func.func @channels(%input: !in, %init: !out) -> !out {
  %result = mli.maxpool ins(%input : !in) outs(%init : !out) kernel [3, 3]
    pad [1, 1, 1, 1] {strides = array<i64: 2, 1>, tile = 2} -> !out
  return %result : !out
}

!chw = tensor<4x9x16x!mli.fx8<5>>
!rest = tensor<4x8x16x!mli.fx8<5>>

// N7
// CHECK-LABEL: func.func @rows_of_chw
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c8 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = tensor.extract_slice %[[A0]][0, %[[V3]], 0] [4, 3, 16]
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[V4]][0, %[[V3]], 0] [4, 2, 16]
// CHECK: %[[V7:.+]] = mli.maxpool ins(%[[V5]] : tensor<4x3x16x!mli.fx8<5>>)
// CHECK-SAME: outs(%[[V6]] : tensor<4x2x16x!mli.fx8<5>>)
// CHECK-SAME: kernel [2, 2] pad [0, 0, 1, 0] {layout = #mli.map_layout<chw>
// CHECK: %[[V8:.+]] = tensor.insert_slice %[[V7]] into %[[V4]][0, %[[V3]], 0] [4, 2, 16]
// CHECK: scf.yield %[[V8]] : tensor<4x8x16x!mli.fx8<5>>
// CHECK: return %[[V2]] : tensor<4x8x16x!mli.fx8<5>>
func.func @rows_of_chw(%input: !chw, %init: !rest) -> !rest {
  %result = mli.maxpool ins(%input : !chw) outs(%init : !rest) kernel [2, 2]
    pad [0, 0, 1, 0] {layout = #mli.map_layout<chw>, tile = 1} -> !rest
  return %result : !rest
}

// A window of one tap is no window.
// CHECK-LABEL: func.func @one_tap
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c9 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = scf.for %[[V6:.+]] = %c0 to %c16 step %c7 iter_args(%[[V7:.+]] = %[[V4]])
// CHECK: %[[V8:.+]] = affine.min #[[$MAP6]](%[[V3]])
// CHECK: %[[V9:.+]] = affine.min #[[$MAP7]](%[[V6]])
// CHECK: %[[V10:.+]] = tensor.extract_slice %[[A0]][%[[V3]], %[[V6]], 0] [%[[V8]], %[[V9]], 4]
// CHECK: %[[V11:.+]] = tensor.extract_slice %[[V7]][%[[V3]], %[[V6]], 0] [%[[V8]], %[[V9]], 4]
// CHECK: %[[V12:.+]] = mli.maxpool ins(%[[V10]] : tensor<?x?x4x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V11]] : tensor<?x?x4x!mli.sa8<3:6:-5>>) kernel [1, 1] pad [0, 0, 0, 0]
// CHECK: %[[V13:.+]] = tensor.insert_slice %[[V12]] into %[[V7]][%[[V3]], %[[V6]], 0] [%[[V8]], %[[V9]], 4]
// CHECK: scf.yield %[[V13]] : tensor<9x16x4x!mli.sa8<3:6:-5>>
// CHECK: scf.yield %[[V5]] : tensor<9x16x4x!mli.sa8<3:6:-5>>
// CHECK: return %[[V2]] : tensor<9x16x4x!mli.sa8<3:6:-5>>
func.func @one_tap(%input: !in, %init: !in) -> !in {
  %result = mli.maxpool ins(%input : !in) outs(%init : !in) kernel [1, 1]
    pad [0, 0, 0, 0] {tile = [2, 7]} -> !in
  return %result : !in
}

!open = tensor<?x?x?x!mli.fx8<5>>

// N7
// CHECK-LABEL: func.func @open_sizes
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = tensor.dim %[[A1]], %c0 : tensor<?x?x?x!mli.fx8<5>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %[[V3]] step %c2 iter_args(%[[V6:.+]] = %[[A1]])
// CHECK: %[[V7:.+]] = affine.min #[[$MAP8]](%[[V5]])[%[[V3]]]
// CHECK: %[[V8:.+]] = tensor.dim %[[A0]], %c0 : tensor<?x?x?x!mli.fx8<5>>
// CHECK: %[[V9:.+]] = affine.max #[[$MAP9]](%[[V5]])[%[[A2]]]
// CHECK: %[[V10:.+]] = affine.apply #[[$MAP10]](%[[V5]], %[[V9]])[%[[A2]]]
// CHECK: %[[V11:.+]] = affine.min #[[$MAP11]](%[[V5]], %[[V7]])[%[[V8]], %[[A2]]]
// CHECK: %[[V12:.+]] = affine.apply #[[$MAP5]](%[[V9]], %[[V11]])
// CHECK: %[[V13:.+]] = tensor.dim %[[A0]], %c1 : tensor<?x?x?x!mli.fx8<5>>
// CHECK: %[[V14:.+]] = tensor.dim %[[A0]], %c2 : tensor<?x?x?x!mli.fx8<5>>
// CHECK: %[[V15:.+]] = tensor.extract_slice %[[A0]][%[[V9]], 0, 0] [%[[V12]], %[[V13]], %[[V14]]]
// CHECK: %[[V16:.+]] = tensor.dim %[[A1]], %c1 : tensor<?x?x?x!mli.fx8<5>>
// CHECK: %[[V17:.+]] = tensor.dim %[[A1]], %c2 : tensor<?x?x?x!mli.fx8<5>>
// CHECK: %[[V18:.+]] = tensor.extract_slice %[[V6]][%[[V5]], 0, 0] [%[[V7]], %[[V16]], %[[V17]]]
// CHECK: %[[V19:.+]] = mli.maxpool ins(%[[V15]] : tensor<?x?x?x!mli.fx8<5>>)
// CHECK-SAME: outs(%[[V18]] : tensor<?x?x?x!mli.fx8<5>>) kernel [3, 1] pad [%[[V10]], 0, 0, 0]
// CHECK: %[[V22:.+]] = tensor.insert_slice %[[V19]] into %[[V6]][%[[V5]], 0, 0] [%[[V7]], %[[V16]], %[[V17]]]
// CHECK: scf.yield %[[V22]] : tensor<?x?x?x!mli.fx8<5>>
// CHECK: return %[[V4]] : tensor<?x?x?x!mli.fx8<5>>
func.func @open_sizes(%input: !open, %init: !open, %top: index) -> !open {
  %result = mli.maxpool ins(%input : !open) outs(%init : !open) kernel [3, 1]
    pad [%top, 0, 0, 0] {tile = 0} -> !open
  return %result : !open
}
