// Moves: the source that a block of the result comes from, and the configuration
// that is left to it.
// RUN: mli-opt %s --transform-preload-library=transform-library-paths=%S/../Inputs/tile.mlir \
// RUN:   --transform-interpreter --cse | FileCheck %s

// CHECK-DAG: !sa8_axis0_1 = !mli.sa8<axis = 0, {3:1:0, 7:3:0}>
// CHECK-DAG: !sa8_axis0_2 = !mli.sa8<axis = 0, {3:1:0, 5:2:1, 7:3:0}>
// CHECK-DAG: #[[$MAP0:.+]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-DAG: #[[$MAP1:.+]] = affine_map<(d0) -> (-d0 + 3, 2)>
// CHECK-DAG: #[[$MAP2:.+]] = affine_map<(d0) -> (d0 * 3)>
// CHECK-DAG: #[[$MAP3:.+]] = affine_map<(d0, d1) -> (d1 * 3 - 2)>
// CHECK-DAG: #[[$MAP4:.+]] = affine_map<(d0) -> (-d0 + 9, 2)>
// CHECK-DAG: #[[$MAP5:.+]] = affine_map<(d0) -> (d0 + 5)>


!in = tensor<9x8x!mli.fx8<5>>
!part = tensor<4x6x!mli.fx8<5>>

// CHECK-LABEL: func.func @slice
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c6 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = affine.apply #[[$MAP0]](%[[V3]])
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[A0]][3, %[[V5]]] [4, 2]
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[V4]][0, %[[V3]]] [4, 2]
// CHECK: %[[V8:.+]] = mli.mov ins(%[[V6]] : tensor<4x2x!mli.fx8<5>>)
// CHECK-SAME: outs(%[[V7]] : tensor<4x2x!mli.fx8<5>>)
// CHECK: %[[V9:.+]] = tensor.insert_slice %[[V8]] into %[[V4]][0, %[[V3]]] [4, 2]
// CHECK: scf.yield %[[V9]] : tensor<4x6x!mli.fx8<5>>
// CHECK: return %[[V2]] : tensor<4x6x!mli.fx8<5>>
func.func @slice(%source: !in, %init: !part) -> !part {
  %result = mli.mov ins(%source : !in) outs(%init : !part)
    {offsets = array<i64: 3, 1>, sizes = array<i64: 4, 6>, tile = 1} -> !part
  return %result : !part
}

!some = tensor<3x8x!mli.fx8<5>>

// Two of every third row are made of four.
// CHECK-LABEL: func.func @subsample
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c3 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = affine.min #[[$MAP1]](%[[V3]])
// CHECK: %[[V6:.+]] = affine.apply #[[$MAP2]](%[[V3]])
// CHECK: %[[V7:.+]] = affine.apply #[[$MAP3]](%[[V3]], %[[V5]])
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[A0]][%[[V6]], 0] [%[[V7]], 8]
// CHECK: %[[V9:.+]] = tensor.extract_slice %[[V4]][%[[V3]], 0] [%[[V5]], 8]
// CHECK: %[[V10:.+]] = mli.mov ins(%[[V8]] : tensor<?x8x!mli.fx8<5>>)
// CHECK-SAME: outs(%[[V9]] : tensor<?x8x!mli.fx8<5>>) {steps = array<i64: 3, 1>
// CHECK: %[[V11:.+]] = tensor.insert_slice %[[V10]] into %[[V4]][%[[V3]], 0] [%[[V5]], 8]
// CHECK: scf.yield %[[V11]] : tensor<3x8x!mli.fx8<5>>
// CHECK: return %[[V2]] : tensor<3x8x!mli.fx8<5>>
func.func @subsample(%source: !in, %init: !some) -> !some {
  %result = mli.mov ins(%source : !in) outs(%init : !some)
    {steps = array<i64: 3, 1>, tile = 0} -> !some
  return %result : !some
}

!turned = tensor<8x9x!mli.fx8<5>>

// CHECK-LABEL: func.func @permute
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c8 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = tensor.extract_slice %[[A0]][0, %[[V3]]] [9, 2]
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[V4]][%[[V3]], 0] [2, 9]
// CHECK: %[[V7:.+]] = mli.mov ins(%[[V5]] : tensor<9x2x!mli.fx8<5>>)
// CHECK-SAME: outs(%[[V6]] : tensor<2x9x!mli.fx8<5>>) {permutation = array<i64: 1, 0>
// CHECK: %[[V8:.+]] = tensor.insert_slice %[[V7]] into %[[V4]][%[[V3]], 0] [2, 9]
// CHECK: scf.yield %[[V8]] : tensor<8x9x!mli.fx8<5>>
// CHECK: return %[[V2]] : tensor<8x9x!mli.fx8<5>>
func.func @permute(%source: !in, %init: !turned) -> !turned {
  %result = mli.mov ins(%source : !in) outs(%init : !turned)
    {permutation = array<i64: 1, 0>, tile = 0} -> !turned
  return %result : !turned
}

!all = tensor<20x8x!mli.fx8<5>>

// Around the block the result is its init.
// CHECK-LABEL: func.func @concatenate
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c9 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = affine.min #[[$MAP4]](%[[V3]])
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[A0]][%[[V3]], 0] [%[[V5]], 8]
// CHECK: %[[V7:.+]] = affine.apply #[[$MAP5]](%[[V3]])
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[V4]][%[[V7]], 0] [%[[V5]], 8]
// CHECK: %[[V9:.+]] = mli.mov ins(%[[V6]] : tensor<?x8x!mli.fx8<5>>)
// CHECK-SAME: outs(%[[V8]] : tensor<?x8x!mli.fx8<5>>)
// CHECK: %[[V10:.+]] = tensor.insert_slice %[[V9]] into %[[V4]][%[[V7]], 0] [%[[V5]], 8]
// CHECK: scf.yield %[[V10]] : tensor<20x8x!mli.fx8<5>>
// CHECK: return %[[V2]] : tensor<20x8x!mli.fx8<5>>
func.func @concatenate(%source: !in, %init: !all) -> !all {
  %result = mli.mov ins(%source : !in) outs(%init : !all)
    {dst_offsets = array<i64: 5, 0>, tile = 0} -> !all
  return %result : !all
}

!padded = tensor<11x8x!mli.fx8<5>>

// N4
// CHECK-LABEL: func.func @beside_padding
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c8 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = tensor.extract_slice %[[A0]][0, %[[V3]]] [9, 2]
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[V4]][0, %[[V3]]] [11, 2]
// CHECK: %[[V7:.+]] = mli.mov ins(%[[V5]] : tensor<9x2x!mli.fx8<5>>)
// CHECK-SAME: outs(%[[V6]] : tensor<11x2x!mli.fx8<5>>) {pad_high = array<i64: 1, 0>, pad_low = array<i64: 1, 0>
// CHECK: %[[V8:.+]] = tensor.insert_slice %[[V7]] into %[[V4]][0, %[[V3]]] [11, 2]
// CHECK: scf.yield %[[V8]] : tensor<11x8x!mli.fx8<5>>
// CHECK: return %[[V2]] : tensor<11x8x!mli.fx8<5>>
func.func @beside_padding(%source: !in, %init: !padded) -> !padded {
  %result = mli.mov ins(%source : !in) outs(%init : !padded)
    {pad_low = array<i64: 1, 0>, pad_high = array<i64: 1, 0>, tile = 1}
    -> !padded
  return %result : !padded
}

// What the steps leave over of a size is not read: the part ends before it.
// CHECK-LABEL: func.func @size_between_steps
// CHECK: tensor.extract_slice %{{.+}} : tensor<9x8x!mli.fx8<5>>
// CHECK: mli.mov
// CHECK-SAME: pad_high = array<i64: 0, 1>, sizes = array<i64: 1, 4>, steps = array<i64: 2, 1>
func.func @size_between_steps(%source: !in, %init: tensor<1x4x!mli.fx8<5>>)
    -> tensor<1x4x!mli.fx8<5>> {
  %result = mli.mov ins(%source : !in) outs(%init : tensor<1x4x!mli.fx8<5>>)
    {offsets = array<i64: 3, 5>, sizes = array<i64: 2, 4>,
     steps = array<i64: 2, 1>, pad_high = array<i64: 0, 1>, tile = 0}
    -> tensor<1x4x!mli.fx8<5>>
  return %result : tensor<1x4x!mli.fx8<5>>
}

!axis = tensor<4x6x!mli.sa8<axis = 0, {1:0:0, 3:1:0, 5:2:1, 7:3:0}>>
!rows = tensor<2x6x!mli.sa8<axis = 0, {3:1:0, 7:3:0}>>

// A tile has the parameters of the rows that it is moved from.
// CHECK-LABEL: func.func @slice_along_axis
// CHECK: scf.for
// CHECK: %[[PART:.+]] = mli.subtensor %{{.+}}[1, %{{.+}}] [3, 2]{{.*}} to tensor<3x2x!sa8_axis0_2>
// CHECK: mli.mov ins(%[[PART]] : {{.+}}) outs(%{{.+}} : tensor<2x2x!sa8_axis0_1>) {steps = array<i64: 2, 1>
func.func @slice_along_axis(%source: !axis, %init: !rows) -> !rows {
  %result = mli.mov ins(%source : !axis) outs(%init : !rows)
    {offsets = array<i64: 1, 0>, steps = array<i64: 2, 1>, tile = 1} -> !rows
  return %result : !rows
}
