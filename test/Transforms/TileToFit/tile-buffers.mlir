// Tiles of buffers are views, which any layout of local memory has.
// RUN: mli-opt %s --transform-preload-library=transform-library-paths=%S/../Inputs/tile.mlir \
// RUN:   --transform-interpreter --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$MAP0:.+]] = affine_map<(d0) -> (-d0 + 9, 2)>
// CHECK-DAG: #[[$MAP1:.+]] = affine_map<(d0) -> (0, d0 - 1)>
// CHECK-DAG: #[[$MAP2:.+]] = affine_map<(d0, d1) -> (-d0 + d1 + 1)>
// CHECK-DAG: #[[$MAP3:.+]] = affine_map<(d0, d1) -> (9, d0 + d1 + 1)>
// CHECK-DAG: #[[$MAP4:.+]] = affine_map<(d0, d1, d2) -> (d0 + d1 - d2 + 1)>
// CHECK-DAG: #[[$MAP5:.+]] = affine_map<(d0, d1) -> (-d0 + d1)>
// CHECK-DAG: #[[$MAP6:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 2)>

!in = memref<9x16x4x!mli.fx16<10>>
!weights = memref<3x3x4x8x!mli.fx16<14>>
!bias = memref<8x!mli.fx16<10>>
!out = memref<9x16x8x!mli.fx16<9>>

// N7
// CHECK-LABEL: func.func @conv
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}, %[[A3:.+]]: {{.+}})
// CHECK: scf.for %[[V4:.+]] = %c0 to %c9 step %c2 {
// CHECK: %[[V5:.+]] = affine.min #[[$MAP0]](%[[V4]])
// CHECK: %[[V6:.+]] = affine.max #[[$MAP1]](%[[V4]])
// CHECK: %[[V7:.+]] = affine.apply #[[$MAP2]](%[[V4]], %[[V6]])
// CHECK: %[[V8:.+]] = affine.min #[[$MAP3]](%[[V4]], %[[V5]])
// CHECK: %[[V9:.+]] = affine.apply #[[$MAP4]](%[[V4]], %[[V5]], %[[V8]])
// CHECK: %[[V10:.+]] = affine.apply #[[$MAP5]](%[[V6]], %[[V8]])
// CHECK: %[[V11:.+]] = mli.subtensor %[[A0]][%[[V6]], 0, 0] [%[[V10]], 16, 4] : memref<9x16x4x!mli.fx16<10>> to memref<?x16x4x!mli.fx16<10>, strided<[64, 4, 1], offset: ?>>
// CHECK: %[[V12:.+]] = mli.subtensor %[[A3]][%[[V4]], 0, 0] [%[[V5]], 16, 8] : memref<9x16x8x!mli.fx16<9>> to memref<?x16x8x!mli.fx16<9>, strided<[128, 8, 1], offset: ?>>
// CHECK: mli.conv2d ins(%[[V11]], %[[A1]], %[[A2]] : memref<?x16x4x!mli.fx16<10>, strided<[64, 4, 1], offset: ?>>, memref<3x3x4x8x!mli.fx16<14>>, memref<8x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V12]] : memref<?x16x8x!mli.fx16<9>, strided<[128, 8, 1], offset: ?>>)
// CHECK-SAME: pad [%[[V7]], %[[V9]], 1, 1]
func.func @conv(%input: !in, %weights: !weights, %bias: !bias, %init: !out) {
  mli.conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [1, 1, 1, 1] {tile = 0}
  return
}

// CHECK-LABEL: func.func @filters
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}, %[[A3:.+]]: {{.+}})
// CHECK: scf.for %[[V4:.+]] = %c0 to %c8 step %c2 {
// CHECK: %[[V5:.+]] = mli.subtensor %[[A1]][0, 0, 0, %[[V4]]] [3, 3, 4, 2] : memref<3x3x4x8x!mli.fx16<14>> to memref<3x3x4x2x!mli.fx16<14>, strided<[96, 32, 8, 1], offset: ?>>
// CHECK: %[[V6:.+]] = mli.subtensor %[[A2]][%[[V4]]] [2] : memref<8x!mli.fx16<10>> to memref<2x!mli.fx16<10>, strided<[1], offset: ?>>
// CHECK: %[[V7:.+]] = mli.subtensor %[[A3]][0, 0, %[[V4]]] [9, 16, 2] : memref<9x16x8x!mli.fx16<9>> to memref<9x16x2x!mli.fx16<9>, strided<[128, 8, 1], offset: ?>>
// CHECK: mli.conv2d ins(%[[A0]], %[[V5]], %[[V6]] : memref<9x16x4x!mli.fx16<10>>, memref<3x3x4x2x!mli.fx16<14>, strided<[96, 32, 8, 1], offset: ?>>, memref<2x!mli.fx16<10>, strided<[1], offset: ?>>)
// CHECK-SAME: outs(%[[V7]] : memref<9x16x2x!mli.fx16<9>, strided<[128, 8, 1], offset: ?>>)
// CHECK-SAME: pad [1, 1, 1, 1]
func.func @filters(%input: !in, %weights: !weights, %bias: !bias, %init: !out) {
  mli.conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [1, 1, 1, 1] {tile = 2}
  return
}

!open = memref<?x?x!mli.fx16<10>>

// CHECK-LABEL: func.func @open_sizes
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}})
// CHECK: %[[V2:.+]] = memref.dim %[[A1]], %c1 : memref<?x?x!mli.fx16<10>>
// CHECK: scf.for %[[V3:.+]] = %c0 to %[[V2]] step %c2 {
// CHECK: %[[V4:.+]] = affine.min #[[$MAP6]](%[[V3]])[%[[V2]]]
// CHECK: %[[V5:.+]] = memref.dim %[[A0]], %c0 : memref<?x?x!mli.fx16<10>>
// CHECK: %[[V6:.+]] = mli.subtensor %[[A0]][0, %[[V3]]] [%[[V5]], %[[V4]]] : memref<?x?x!mli.fx16<10>> to memref<?x?x!mli.fx16<10>, strided<[?, 1], offset: ?>>
// CHECK: %[[V7:.+]] = memref.dim %[[A1]], %c0 : memref<?x?x!mli.fx16<10>>
// CHECK: %[[V8:.+]] = mli.subtensor %[[A1]][0, %[[V3]]] [%[[V7]], %[[V4]]] : memref<?x?x!mli.fx16<10>> to memref<?x?x!mli.fx16<10>, strided<[?, 1], offset: ?>>
// CHECK: mli.relu ins(%[[V6]] : memref<?x?x!mli.fx16<10>, strided<[?, 1], offset: ?>>)
// CHECK-SAME: outs(%[[V8]] : memref<?x?x!mli.fx16<10>, strided<[?, 1], offset: ?>>) {relu = #mli.relu<gen>
func.func @open_sizes(%input: !open, %init: !open) {
  mli.relu ins(%input : !open) outs(%init : !open)
    {relu = #mli.relu<gen>, tile = 1}
  return
}
