// Along a quantised axis tiles have constant offsets: of one tile, or where the
// loop of the consumer is unrolled before its producer is computed in it.
// RUN: mli-opt %s --transform-interpreter --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$MAP0:.+]] = affine_map<(d0) -> (d0 * 3)>

!in = tensor<8x8x3x!mli.sa8<1:4:-128>>
!weights = tensor<3x3x3x4x!mli.sa8<axis = 3, {5:10:0, 7:10:0, 9:10:0, 3:10:0}>>
!bias = tensor<4x!mli.sa32<axis = 0, {5:14:0, 7:14:0, 9:14:0, 3:14:0}>>
!out = tensor<6x6x4x!mli.sa8<1:4:-128>>

// CHECK-LABEL: func.func @one_tile
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}, %[[A3:.+]]: {{.+}}) ->
// CHECK: %[[V4:.+]] = scf.for %[[V5:.+]] = %c0 to %c6 step %c3 iter_args(%[[V6:.+]] = %[[A3]])
// CHECK: %[[V7:.+]] = tensor.extract_slice %[[A0]][%[[V5]], 0, 0] [5, 8, 3]
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[V6]][%[[V5]], 0, 0] [3, 6, 4]
// CHECK: %[[V9:.+]] = mli.conv2d ins(%[[V7]], %[[A1]], %[[A2]] : tensor<5x8x3x!mli.sa8<1:4:-128>>, tensor<3x3x3x4x!sa8_axis3>, tensor<4x!sa32_axis0>)
// CHECK-SAME: outs(%[[V8]] : tensor<3x6x4x!mli.sa8<1:4:-128>>) pad [0, 0, 0, 0]
// CHECK: %[[V10:.+]] = tensor.insert_slice %[[V9]] into %[[V6]][%[[V5]], 0, 0] [3, 6, 4]
// CHECK: scf.yield %[[V10]] : tensor<6x6x4x!mli.sa8<1:4:-128>>
// CHECK: return %[[V4]] : tensor<6x6x4x!mli.sa8<1:4:-128>>
func.func @one_tile(%input: !in, %weights: !weights, %bias: !bias, %init: !out)
    -> !out {
  %result = mli.conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {whole} -> !out
  return %result : !out
}

// CHECK-LABEL: func.func @unrolled
// CHECK-SAME: (%[[A0:.+]]: {{.+}}, %[[A1:.+]]: {{.+}}, %[[A2:.+]]: {{.+}}, %[[A3:.+]]: {{.+}}) ->
// CHECK: %[[V4:.+]] = scf.forall (%[[V5:.+]]) in (2) shared_
// CHECK-SAME: outs(%[[V6:.+]] = %[[A3]]) -> (tensor<6x6x4x!mli.sa8<1:4:-128>>) {
// CHECK: %[[V7:.+]] = affine.apply #[[$MAP0]](%[[V5]])
// CHECK: %[[V8:.+]] = tensor.extract_slice %[[V6]][%[[V7]], 0, 0] [3, 6, 4]
// CHECK: %[[V9:.+]] = tensor.extract_slice %[[A0]][%[[V7]], 0, 0] [5, 8, 3]
// CHECK: %[[V10:.+]] = mli.subtensor %[[A1]][0, 0, 0, 0] [3, 3, 3, 2] : tensor<3x3x3x4x!sa8_axis3> to tensor<3x3x3x2x!sa8_axis3_1>
// CHECK: %[[V11:.+]] = mli.subtensor %[[A2]][0] [2] : tensor<4x!sa32_axis0> to tensor<2x!sa32_axis0_1>
// CHECK: %[[V12:.+]] = tensor.extract_slice %[[V6]][%[[V7]], 0, 0] [3, 6, 2]
// CHECK: %[[V13:.+]] = mli.conv2d ins(%[[V9]], %[[V10]], %[[V11]] : tensor<5x8x3x!mli.sa8<1:4:-128>>, tensor<3x3x3x2x!sa8_axis3_1>, tensor<2x!sa32_axis0_1>)
// CHECK-SAME: outs(%[[V12]] : tensor<3x6x2x!mli.sa8<1:4:-128>>) pad [0, 0, 0, 0]
// CHECK: %[[V14:.+]] = mli.relu ins(%[[V13]] : tensor<3x6x2x!mli.sa8<1:4:-128>>)
// CHECK-SAME: outs(%[[V12]] : tensor<3x6x2x!mli.sa8<1:4:-128>>)
// CHECK: %[[V15:.+]] = tensor.insert_slice %[[V14]] into %[[V8]][0, 0, 0] [3, 6, 2]
// CHECK: %[[V16:.+]] = mli.subtensor %[[A1]][0, 0, 0, 2] [3, 3, 3, 2] : tensor<3x3x3x4x!sa8_axis3> to tensor<3x3x3x2x!sa8_axis3_2>
// CHECK: %[[V17:.+]] = mli.subtensor %[[A2]][2] [2] : tensor<4x!sa32_axis0> to tensor<2x!sa32_axis0_2>
// CHECK: %[[V18:.+]] = tensor.extract_slice %[[V6]][%[[V7]], 0, 2] [3, 6, 2]
// CHECK: %[[V19:.+]] = mli.conv2d ins(%[[V9]], %[[V16]], %[[V17]] : tensor<5x8x3x!mli.sa8<1:4:-128>>, tensor<3x3x3x2x!sa8_axis3_2>, tensor<2x!sa32_axis0_2>)
// CHECK-SAME: outs(%[[V18]] : tensor<3x6x2x!mli.sa8<1:4:-128>>) pad [0, 0, 0, 0]
// CHECK: %[[V20:.+]] = tensor.extract_slice %[[V15]][0, 0, 2] [3, 6, 2]
// CHECK: %[[V21:.+]] = mli.relu ins(%[[V19]] : tensor<3x6x2x!mli.sa8<1:4:-128>>)
// CHECK-SAME: outs(%[[V20]] : tensor<3x6x2x!mli.sa8<1:4:-128>>)
// CHECK: %[[V22:.+]] = tensor.insert_slice %[[V21]] into %[[V15]][0, 0, 2] [3, 6, 2]
// CHECK: scf.forall.in_parallel {
// CHECK: tensor.parallel_insert_slice %[[V22]] into %[[V6]][%[[V7]], 0, 0] [3, 6, 4]
// CHECK: return %[[V4]] : tensor<6x6x4x!mli.sa8<1:4:-128>>
func.func @unrolled(%input: !in, %weights: !weights, %bias: !bias, %init: !out)
    -> !out {
  %conv = mli.conv2d ins(%input, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {producer} -> !out
  %relu = mli.relu ins(%conv : !out) outs(%init : !out)
    {relu = #mli.relu<gen>, consumer} -> !out
  return %relu : !out
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %whole = transform.structured.match attributes {whole} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %whole tile_sizes [3, 6, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op,
                                !transform.any_op, !transform.any_op)

    %consumer = transform.structured.match attributes {consumer} in %root
      : (!transform.any_op) -> !transform.any_op
    %rows, %outer = transform.structured.tile_using_forall %consumer
      tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %loop = transform.structured.tile_using_for %rows tile_sizes [0, 0, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    %function = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %function {
      transform.apply_patterns.canonicalization
      transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
    } : !transform.any_op
    %producer = transform.structured.match attributes {producer} in %root
      : (!transform.any_op) -> !transform.any_op
    %forall = transform.structured.match ops{["scf.forall"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %first, %again = transform.structured.fuse_into_containing_op %producer
      into %forall : (!transform.any_op, !transform.any_op)
                     -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
