// Kernels on elements, slices and rows of weights.
// RUN: mli-opt %s --transform-preload-library=transform-library-paths=%S/../Inputs/tile.mlir \
// RUN:   --transform-interpreter --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$MAP0:.+]] = affine_map<(d0) -> (-d0 + 3, 2)>
// CHECK-DAG: #[[$MAP1:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 2)>
// CHECK-DAG: #[[$MAP2:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 7)>
// CHECK-DAG: #[[$MAP3:.+]] = affine_map<(d0) -> (d0 * 2)>

!map = tensor<4x6x8x!mli.sa8<3:6:-5>>
!openCodes = tensor<?x?x!mli.sa8<axis = 1, {5:10:0, 7:10:0}>>

// A quantised axis that is whole needs no size.
// CHECK-LABEL: func.func @open_axis
// CHECK: tensor.extract_slice %{{.+}}[%{{.+}}, 0] [%{{.+}}, %{{.+}}]
// CHECK: mli.convert
func.func @open_axis(%input: !openCodes, %init: tensor<?x?x!mli.fx16<12>>)
    -> tensor<?x?x!mli.fx16<12>> {
  %result = mli.convert ins(%input : !openCodes)
    outs(%init : tensor<?x?x!mli.fx16<12>>) {tile = 0} -> tensor<?x?x!mli.fx16<12>>
  return %result : tensor<?x?x!mli.fx16<12>>
}

// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = scf.for %[[V4:.+]] = %c0 to %c6 step %c2 iter_args(%[[V5:.+]] = %[[A2]])
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[A0]][0, %[[V4]], 0] [4, 2, 8]
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[A1]][0, %[[V4]], 0] [4, 2, 8]
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[V5]][0, %[[V4]], 0] [4, 2, 8]
// CHECK: %[[V9:.+]] = mli.eltwise_add ins(%[[V6]], %[[V7]] : tensor<4x2x8x!mli.sa8<3:6:-5>>, tensor<4x2x8x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V8]] : tensor<4x2x8x!mli.sa8<3:6:-5>>)
// CHECK: %[[V10:.+]] = tensor.insert_slice %[[V9]] into %[[V5]][0, %[[V4]], 0] [4, 2, 8]
// CHECK: scf.yield %[[V10]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
// CHECK: return %[[V3]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
func.func @sum(%lhs: !map, %rhs: !map, %init: !map) -> !map {
  %result = mli.eltwise_add ins(%lhs, %rhs : !map, !map) outs(%init : !map)
    {tile = 1} -> !map
  return %result : !map
}

!scalar = tensor<1x!mli.sa8<3:6:-5>>

// A scalar is whole.
// CHECK-LABEL: func.func @scaled
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = scf.for %[[V4:.+]] = %c0 to %c8 step %c2 iter_args(%[[V5:.+]] = %[[A2]])
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[A0]][0, 0, %[[V4]]] [4, 6, 2]
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[V5]][0, 0, %[[V4]]] [4, 6, 2]
// CHECK: %[[V8:.+]] = mli.eltwise_mul ins(%[[V6]], %[[A1]] : tensor<4x6x2x!mli.sa8<3:6:-5>>, tensor<1x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V7]] : tensor<4x6x2x!mli.sa8<3:6:-5>>)
// CHECK: %[[V9:.+]] = tensor.insert_slice %[[V8]] into %[[V5]][0, 0, %[[V4]]] [4, 6, 2]
// CHECK: scf.yield %[[V9]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
// CHECK: return %[[V3]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
func.func @scaled(%lhs: !map, %rhs: !scalar, %init: !map) -> !map {
  %result = mli.eltwise_mul ins(%lhs, %rhs : !map, !scalar) outs(%init : !map)
    {tile = 2} -> !map
  return %result : !map
}

!pair = tensor<3x!mli.sa8<3:6:-5>>
!single = tensor<1x1x!mli.sa8<3:6:-5>>

// The last tile is one element, which the kernel takes for a scalar: it gives
// the result the shape of the second operand.
// CHECK-LABEL: func.func @two_scalars
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = scf.for %[[V4:.+]] = %c0 to %c3 step %c2 iter_args(%[[V5:.+]] = %[[A2]])
// CHECK: %[[V6:.+]] = affine.min #[[$MAP0]](%[[V4]])
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[A0]][%[[V4]]] [%[[V6]]]
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[V5]][%[[V4]]] [%[[V6]]]
// CHECK: %[[V9:.+]] = mli.reshape %[[A1]] : tensor<1x1x!mli.sa8<3:6:-5>> to tensor<1x!mli.sa8<3:6:-5>>
// CHECK: %[[V10:.+]] = mli.eltwise_sub ins(%[[V7]], %[[V9]] : tensor<?x!mli.sa8<3:6:-5>>, tensor<1x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V8]] : tensor<?x!mli.sa8<3:6:-5>>)
// CHECK: %[[V11:.+]] = tensor.insert_slice %[[V10]] into %[[V5]][%[[V4]]] [%[[V6]]]
// CHECK: scf.yield %[[V11]] : tensor<3x!mli.sa8<3:6:-5>>
// CHECK: return %[[V3]] : tensor<3x!mli.sa8<3:6:-5>>
func.func @two_scalars(%lhs: !pair, %rhs: !single, %init: !pair) -> !pair {
  %result = mli.eltwise_sub ins(%lhs, %rhs : !pair, !single) outs(%init : !pair)
    {tile = 0} -> !pair
  return %result : !pair
}

!out = tensor<4x6x8x!mli.fx16<12>>

// CHECK-LABEL: func.func @converted
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c8 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = tensor.extract_slice %[[A0]][0, 0, %[[V3]]] [4, 6, 2]
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[V4]][0, 0, %[[V3]]] [4, 6, 2]
// CHECK: %[[V7:.+]] = mli.convert ins(%[[V5]] : tensor<4x6x2x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V6]] : tensor<4x6x2x!mli.fx16<12>>)
// CHECK: %[[V8:.+]] = tensor.insert_slice %[[V7]] into %[[V4]][0, 0, %[[V3]]] [4, 6, 2]
// CHECK: scf.yield %[[V8]] : tensor<4x6x8x!mli.fx16<12>>
// CHECK: return %[[V2]] : tensor<4x6x8x!mli.fx16<12>>
func.func @converted(%input: !map, %init: !out) -> !out {
  %result = mli.convert ins(%input : !map) outs(%init : !out) {tile = 2} -> !out
  return %result : !out
}

!real = tensor<4x2xf32>
!codes = tensor<4x2x!mli.sa8<axis = 1, {5:10:0, 7:10:0}>>

// Other dimensions than the quantised axis are free, and that is one tile.
// CHECK-LABEL: func.func @converted_to_many_scales
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c4 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = tensor.extract_slice %[[A0]][%[[V3]], 0] [2, 2]
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[V4]][%[[V3]], 0] [2, 2]
// CHECK: %[[V7:.+]] = mli.convert ins(%[[V5]] : tensor<2x2xf32>)
// CHECK-SAME: outs(%[[V6]] : tensor<2x2x!sa8_axis1>)
// CHECK: %[[V8:.+]] = tensor.insert_slice %[[V7]] into %[[V4]][%[[V3]], 0] [2, 2]
func.func @converted_to_many_scales(%input: !real, %init: !codes) -> !codes {
  %result = mli.convert ins(%input : !real) outs(%init : !codes) {tile = [2, 7]}
    -> !codes
  return %result : !codes
}

// CHECK-LABEL: func.func @clipped
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c4 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = tensor.extract_slice %[[A0]][%[[V3]], 0, 0] [2, 6, 8]
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[V4]][%[[V3]], 0, 0] [2, 6, 8]
// CHECK: %[[V7:.+]] = mli.relu ins(%[[V5]] : tensor<2x6x8x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V6]] : tensor<2x6x8x!mli.sa8<3:6:-5>>) {relu = #mli.relu<relu6>
// CHECK: %[[V8:.+]] = tensor.insert_slice %[[V7]] into %[[V4]][%[[V3]], 0, 0] [2, 6, 8]
// CHECK: scf.yield %[[V8]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
// CHECK: return %[[V2]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
func.func @clipped(%input: !map, %init: !map) -> !map {
  %result = mli.relu ins(%input : !map) outs(%init : !map)
    {relu = #mli.relu<relu6>, tile = 0} -> !map
  return %result : !map
}

!slope = tensor<1x!mli.sa8<1:7:0>>

// CHECK-LABEL: func.func @leaky
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = scf.for %[[V4:.+]] = %c0 to %c4 step %c2 iter_args(%[[V5:.+]] = %[[A2]])
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[A0]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[V5]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: %[[V8:.+]] = mli.leaky_relu ins(%[[V6]], %[[A1]] : tensor<2x6x8x!mli.sa8<3:6:-5>>, tensor<1x!mli.sa8<1:7:0>>)
// CHECK-SAME: outs(%[[V7]] : tensor<2x6x8x!mli.sa8<3:6:-5>>)
// CHECK: %[[V9:.+]] = tensor.insert_slice %[[V8]] into %[[V5]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: scf.yield %[[V9]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
// CHECK: return %[[V3]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
func.func @leaky(%input: !map, %slope: !slope, %init: !map) -> !map {
  %result = mli.leaky_relu ins(%input, %slope : !map, !slope) outs(%init : !map)
    {tile = 0} -> !map
  return %result : !map
}

!slopes = tensor<1x1x8x!mli.sa8<1:7:0>>

// Slopes go with their axis, and are whole without it.
// CHECK-LABEL: func.func @slopes
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = scf.for %[[V4:.+]] = %c0 to %c8 step %c2 iter_args(%[[V5:.+]] = %[[A2]])
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[A0]][0, 0, %[[V4]]] [4, 6, 2]
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[A1]][0, 0, %[[V4]]] [1, 1, 2]
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[V5]][0, 0, %[[V4]]] [4, 6, 2]
// CHECK: %[[V9:.+]] = mli.prelu ins(%[[V6]], %[[V7]] : tensor<4x6x2x!mli.sa8<3:6:-5>>, tensor<1x1x2x!mli.sa8<1:7:0>>)
// CHECK-SAME: outs(%[[V8]] : tensor<4x6x2x!mli.sa8<3:6:-5>>) {axis = 2 : i32
// CHECK: %[[V10:.+]] = tensor.insert_slice %[[V9]] into %[[V5]][0, 0, %[[V4]]] [4, 6, 2]
// CHECK: scf.yield %[[V10]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
// CHECK: %[[V11:.+]] = scf.for %[[V4]] = %c0 to %c4 step %c2 iter_args(%[[V5]] = %[[A2]])
// CHECK: %[[V6]] = tensor.extract_slice %[[A0]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: %[[V7]] = tensor.extract_slice %[[V5]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: %[[V9]] = mli.prelu ins(%[[V6]], %[[A1]] : tensor<2x6x8x!mli.sa8<3:6:-5>>, tensor<1x1x8x!mli.sa8<1:7:0>>)
// CHECK-SAME: outs(%[[V7]] : tensor<2x6x8x!mli.sa8<3:6:-5>>) {axis = 2 : i32
// CHECK: %[[V10]] = tensor.insert_slice %[[V9]] into %[[V5]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: scf.yield %[[V10]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
// CHECK: return %[[V3]], %[[V11]] : tensor<4x6x8x!mli.sa8<3:6:-5>>, tensor<4x6x8x!mli.sa8<3:6:-5>>
func.func @slopes(%input: !map, %slopes: !slopes, %init: !map) -> (!map, !map) {
  %first = mli.prelu ins(%input, %slopes : !map, !slopes) outs(%init : !map)
    {axis = 2 : i32, tile = 2} -> !map
  %second = mli.prelu ins(%input, %slopes : !map, !slopes) outs(%init : !map)
    {axis = 2 : i32, tile = 0} -> !map
  return %first, %second : !map, !map
}

!unit = tensor<4x6x8x!mli.sa8<1:8:-128>>
!signed = tensor<4x6x8x!mli.sa8<1:7:0>>

// CHECK-LABEL: func.func @tables
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = scf.for %[[V4:.+]] = %c0 to %c4 step %c2 iter_args(%[[V5:.+]] = %[[A1]])
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[A0]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[V5]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: %[[V8:.+]] = mli.sigm ins(%[[V6]] : tensor<2x6x8x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V7]] : tensor<2x6x8x!mli.sa8<1:8:-128>>)
// CHECK: %[[V9:.+]] = tensor.insert_slice %[[V8]] into %[[V5]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: scf.yield %[[V9]] : tensor<4x6x8x!mli.sa8<1:8:-128>>
// CHECK: %[[V10:.+]] = scf.for %[[V4]] = %c0 to %c6 step %c2 iter_args(%[[V5]] = %[[A2]])
// CHECK: %[[V6]] = tensor.extract_slice %[[A0]][0, %[[V4]], 0] [4, 2, 8]
// CHECK: %[[V7]] = tensor.extract_slice %[[V5]][0, %[[V4]], 0] [4, 2, 8]
// CHECK: %[[V8]] = mli.tanh ins(%[[V6]] : tensor<4x2x8x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V7]] : tensor<4x2x8x!mli.sa8<1:7:0>>)
// CHECK: %[[V9]] = tensor.insert_slice %[[V8]] into %[[V5]][0, %[[V4]], 0] [4, 2, 8]
// CHECK: scf.yield %[[V9]] : tensor<4x6x8x!mli.sa8<1:7:0>>
// CHECK: return %[[V3]], %[[V10]] : tensor<4x6x8x!mli.sa8<1:8:-128>>, tensor<4x6x8x!mli.sa8<1:7:0>>
func.func @tables(%input: !map, %init: !unit, %other: !signed)
    -> (!unit, !signed) {
  %first = mli.sigm ins(%input : !map) outs(%init : !unit) {tile = 0} -> !unit
  %second = mli.tanh ins(%input : !map) outs(%other : !signed) {tile = 1}
    -> !signed
  return %first, %second : !unit, !signed
}

// The dimensions beside the one that is summed.
// CHECK-LABEL: func.func @slices
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}) ->
// CHECK: %[[V3:.+]] = scf.for %[[V4:.+]] = %c0 to %c4 step %c2 iter_args(%[[V5:.+]] = %[[A1]])
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[A0]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[V5]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: %[[V8:.+]] = mli.softmax ins(%[[V6]] : tensor<2x6x8x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V7]] : tensor<2x6x8x!mli.sa8<1:8:-128>>) {axis = 2 : i32
// CHECK: %[[V9:.+]] = tensor.insert_slice %[[V8]] into %[[V5]][%[[V4]], 0, 0] [2, 6, 8]
// CHECK: scf.yield %[[V9]] : tensor<4x6x8x!mli.sa8<1:8:-128>>
// CHECK: %[[V10:.+]] = scf.for %[[V4]] = %c0 to %c8 step %c2 iter_args(%[[V5]] = %[[A2]])
// CHECK: %[[V6]] = tensor.extract_slice %[[A0]][0, 0, %[[V4]]] [4, 6, 2]
// CHECK: %[[V7]] = tensor.extract_slice %[[V5]][0, 0, %[[V4]]] [4, 6, 2]
// CHECK: %[[V8]] = mli.l2_normalize ins(%[[V6]] : tensor<4x6x2x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V7]] : tensor<4x6x2x!mli.sa8<1:7:0>>) {axis = 0 : i32
// CHECK: %[[V9]] = tensor.insert_slice %[[V8]] into %[[V5]][0, 0, %[[V4]]] [4, 6, 2]
// CHECK: scf.yield %[[V9]] : tensor<4x6x8x!mli.sa8<1:7:0>>
// CHECK: return %[[V3]], %[[V10]] : tensor<4x6x8x!mli.sa8<1:8:-128>>, tensor<4x6x8x!mli.sa8<1:7:0>>
func.func @slices(%input: !map, %init: !unit, %other: !signed)
    -> (!unit, !signed) {
  %first = mli.softmax ins(%input : !map) outs(%init : !unit)
    {axis = 2 : i32, tile = [2, 7]} -> !unit
  %second = mli.l2_normalize ins(%input : !map) outs(%other : !signed)
    {axis = 0 : i32, tile = 2} -> !signed
  return %first, %second : !unit, !signed
}

!turned = tensor<8x4x6x!mli.sa8<3:6:-5>>

// CHECK-LABEL: func.func @permuted
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.for %[[V3:.+]] = %c0 to %c8 step %c2 iter_args(%[[V4:.+]] = %[[A1]])
// CHECK: %[[V5:.+]] = tensor.extract_slice %[[A0]][0, 0, %[[V3]]] [4, 6, 2]
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[V4]][%[[V3]], 0, 0] [2, 4, 6]
// CHECK: %[[V7:.+]] = mli.permute ins(%[[V5]] : tensor<4x6x2x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V6]] : tensor<2x4x6x!mli.sa8<3:6:-5>>) permutation [2, 0, 1]
// CHECK: %[[V8:.+]] = tensor.insert_slice %[[V7]] into %[[V4]][%[[V3]], 0, 0] [2, 4, 6]
// CHECK: scf.yield %[[V8]] : tensor<8x4x6x!mli.sa8<3:6:-5>>
// CHECK: return %[[V2]] : tensor<8x4x6x!mli.sa8<3:6:-5>>
func.func @permuted(%input: !map, %init: !turned) -> !turned {
  %result = mli.permute ins(%input : !map) outs(%init : !turned)
    permutation [2, 0, 1] {tile = 0} -> !turned
  return %result : !turned
}

!vector = tensor<12x!mli.fx16<10>>
!matrix = tensor<12x10x!mli.fx16<14>>
!bias = tensor<10x!mli.fx16<10>>

// CHECK-LABEL: func.func @products
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}, %[[A3:.+]]: {{.+}}) ->
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c10 step %c2 iter_args(%[[V6:.+]] = %[[A3]])
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[A1]][0, %[[V5]]] [12, 2]
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[A2]][%[[V5]]] [2]
// CHECK: %[[V9:.+]] = tensor.extract_slice %[[V6]][%[[V5]]] [2]
// CHECK: %[[V10:.+]] = mli.fully_connected ins(%[[A0]], %[[V7]], %[[V8]] : tensor<12x!mli.fx16<10>>, tensor<12x2x!mli.fx16<14>>, tensor<2x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V9]] : tensor<2x!mli.fx16<10>>)
// CHECK: %[[V11:.+]] = tensor.insert_slice %[[V10]] into %[[V6]][%[[V5]]] [2]
// CHECK: scf.yield %[[V11]] : tensor<10x!mli.fx16<10>>
// CHECK: %[[V12:.+]] = scf.for %[[V5]] = %c0 to %c10 step %c2 iter_args(%[[V6]] = %[[A3]])
// CHECK: %[[V7]] = tensor.extract_slice %[[A1]][0, %[[V5]]] [12, 2]
// CHECK: %[[V8]] = tensor.extract_slice %[[A2]][%[[V5]]] [2]
// CHECK: %[[V9]] = tensor.extract_slice %[[V6]][%[[V5]]] [2]
// CHECK: %[[V10]] = mli.rnn_dense ins(%[[A0]], %[[A0]] : tensor<12x!mli.fx16<10>>, tensor<12x!mli.fx16<10>>) weights(%[[V7]], %[[V7]] : tensor<12x2x!mli.fx16<14>>, tensor<12x2x!mli.fx16<14>>) bias(%[[V8]] : tensor<2x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V9]] : tensor<2x!mli.fx16<10>>)
// CHECK: %[[V11]] = tensor.insert_slice %[[V10]] into %[[V6]][%[[V5]]] [2]
// CHECK: scf.yield %[[V11]] : tensor<10x!mli.fx16<10>>
// CHECK: return %[[V4]], %[[V12]] : tensor<10x!mli.fx16<10>>, tensor<10x!mli.fx16<10>>
func.func @products(%input: !vector, %weights: !matrix, %bias: !bias,
                    %init: !bias) -> (!bias, !bias) {
  %first = mli.fully_connected ins(%input, %weights, %bias : !vector, !matrix,
    !bias) outs(%init : !bias) {tile = 0} -> !bias
  %second = mli.rnn_dense ins(%input, %input : !vector, !vector)
    weights(%weights, %weights : !matrix, !matrix) bias(%bias : !bias)
    outs(%init : !bias) {tile = 0} -> !bias
  return %first, %second : !bias, !bias
}

!open = tensor<?x?x!mli.fx16<10>>

// CHECK-LABEL: func.func @open_sizes
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = tensor.dim %[[A1]], %c0 : tensor<?x?x!mli.fx16<10>>
// CHECK: %[[V3:.+]] = tensor.dim %[[A1]], %c1 : tensor<?x?x!mli.fx16<10>>
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %[[V2]] step %c2 iter_args(%[[V6:.+]] = %[[A1]])
// CHECK: %[[V7:.+]] = scf.for %[[V8:.+]] = %c0 to %[[V3]] step %c7 iter_args(%[[V9:.+]] = %[[V6]])
// CHECK: %[[V10:.+]] = affine.min #[[$MAP1]](%[[V5]])[%[[V2]]]
// CHECK: %[[V11:.+]] = affine.min #[[$MAP2]](%[[V8]])[%[[V3]]]
// CHECK: %[[V12:.+]] = tensor.extract_slice %[[A0]][%[[V5]], %[[V8]]] [%[[V10]], %[[V11]]]
// CHECK: %[[V13:.+]] = tensor.extract_slice %[[V9]][%[[V5]], %[[V8]]] [%[[V10]], %[[V11]]]
// CHECK: %[[V14:.+]] = mli.relu ins(%[[V12]] : tensor<?x?x!mli.fx16<10>>)
// CHECK-SAME: outs(%[[V13]] : tensor<?x?x!mli.fx16<10>>) {relu = #mli.relu<gen>
// CHECK: %[[V15:.+]] = tensor.insert_slice %[[V14]] into %[[V9]][%[[V5]], %[[V8]]] [%[[V10]], %[[V11]]]
// CHECK: scf.yield %[[V15]] : tensor<?x?x!mli.fx16<10>>
// CHECK: scf.yield %[[V7]] : tensor<?x?x!mli.fx16<10>>
// CHECK: return %[[V4]] : tensor<?x?x!mli.fx16<10>>
func.func @open_sizes(%input: !open, %init: !open) -> !open {
  %result = mli.relu ins(%input : !open) outs(%init : !open)
    {relu = #mli.relu<gen>, tile = [2, 7]} -> !open
  return %result : !open
}

// CHECK-LABEL: func.func @in_parallel
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}) ->
// CHECK: %[[V2:.+]] = scf.forall (%[[V3:.+]]) in (2) shared_
// CHECK-SAME: outs(%[[V4:.+]] = %[[A1]]) -> (tensor<4x6x8x!mli.sa8<3:6:-5>>) {
// CHECK: %[[V5:.+]] = affine.apply #[[$MAP3]](%[[V3]])
// CHECK: %[[V6:.+]] = tensor.extract_slice %[[A0]][%[[V5]], 0, 0] [2, 6, 8]
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[V4]][%[[V5]], 0, 0] [2, 6, 8]
// CHECK: %[[V8:.+]] = mli.relu ins(%[[V6]] : tensor<2x6x8x!mli.sa8<3:6:-5>>)
// CHECK-SAME: outs(%[[V7]] : tensor<2x6x8x!mli.sa8<3:6:-5>>)
// CHECK: scf.forall.in_parallel {
// CHECK: tensor.parallel_insert_slice %[[V8]] into %[[V4]][%[[V5]], 0, 0] [2, 6, 8]
// CHECK: return %[[V2]] : tensor<4x6x8x!mli.sa8<3:6:-5>>
func.func @in_parallel(%input: !map, %init: !map) -> !map {
  %result = mli.relu ins(%input : !map) outs(%init : !map)
    {relu = #mli.relu<gen>, forall = 0} -> !map
  return %result : !map
}
