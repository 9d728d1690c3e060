// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!in = tensor<16x!mli.sa8<1:4:-128>>
!state = tensor<8x!mli.sa8<1:7:0>>
!weights = tensor<16x8x!mli.sa8<5:10:0>>
!recurrent = tensor<8x8x!mli.sa8<3:9:0>>
!bias = tensor<8x!mli.sa32<5:14:0>>

// CHECK-LABEL: func.func @dense
// CHECK-SAME: %[[IN:.*]]: tensor<16x!mli.sa8<1:4:-128>>, %[[STATE:.*]]: tensor<8x!mli.sa8<1:7:0>>, %[[W:.*]]: tensor<16x8x!mli.sa8<5:10:0>>, %[[R:.*]]: tensor<8x8x!mli.sa8<3:9:0>>, %[[BIAS:.*]]: tensor<8x!mli.sa32<5:14:0>>)
// CHECK: mli.rnn_dense ins(%[[IN]], %[[STATE]] : tensor<16x!mli.sa8<1:4:-128>>, tensor<8x!mli.sa8<1:7:0>>) weights(%[[W]], %[[R]] : tensor<16x8x!mli.sa8<5:10:0>>, tensor<8x8x!mli.sa8<3:9:0>>) bias(%[[BIAS]] : tensor<8x!mli.sa32<5:14:0>>) outs(%[[STATE]] : tensor<8x!mli.sa8<1:7:0>>) -> tensor<8x!mli.sa8<1:7:0>>
func.func @dense(%in: !in, %state: !state, %weights: !weights,
                 %recurrent: !recurrent, %bias: !bias) -> !state {
  %result = mli.rnn_dense ins(%in, %state : !in, !state)
    weights(%weights, %recurrent : !weights, !recurrent) bias(%bias : !bias)
    outs(%state : !state) -> !state
  return %result : !state
}

// CHECK-LABEL: func.func @dense_of_buffers
// CHECK: mli.rnn_dense ins(%{{[^)]*}}) weights(%{{[^)]*}}) bias(%{{[^)]*}}) outs(%{{[^)]*}})
// CHECK-NEXT: mli.rnn_dense ins(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} : {{.*}}) weights(
func.func @dense_of_buffers(%in: memref<2x4x!mli.fx16<12>>,
                            %weights: memref<8x?x!mli.fx8<7>>,
                            %bias: memref<?x!mli.fx8<7>>,
                            %init: memref<?x!mli.fx16<12>>) {
  mli.rnn_dense ins(%in : memref<2x4x!mli.fx16<12>>)
    weights(%weights : memref<8x?x!mli.fx8<7>>)
    bias(%bias : memref<?x!mli.fx8<7>>) outs(%init : memref<?x!mli.fx16<12>>)
  mli.rnn_dense
    ins(%in, %in, %in, %in
        : memref<2x4x!mli.fx16<12>>, memref<2x4x!mli.fx16<12>>,
          memref<2x4x!mli.fx16<12>>, memref<2x4x!mli.fx16<12>>)
    weights(%weights, %weights, %weights, %weights
            : memref<8x?x!mli.fx8<7>>, memref<8x?x!mli.fx8<7>>,
              memref<8x?x!mli.fx8<7>>, memref<8x?x!mli.fx8<7>>)
    bias(%bias : memref<?x!mli.fx8<7>>) outs(%init : memref<?x!mli.fx16<12>>)
  return
}

!frames = tensor<6x16x!mli.fx16<12>>
!hidden = tensor<8x!mli.fx16<15>>
!cell = tensor<8x!mli.fx16<11>>
!last = tensor<1x8x!mli.fx16<14>>
!all = tensor<6x8x!mli.fx16<14>>

// CHECK-LABEL: func.func @lstm
// CHECK: %[[FIRST:.*]]:2 = mli.lstm_cell ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<6x16x!mli.fx16<12>>, tensor<8x!mli.fx16<15>>, tensor<4x16x8x!mli.fx16<13>>, tensor<4x8x8x!mli.fx16<13>>, tensor<4x8x!mli.fx16<13>>) outs(%{{.*}}, %{{.*}} : tensor<8x!mli.fx16<11>>, tensor<1x8x!mli.fx16<14>>) -> tensor<8x!mli.fx16<11>>, tensor<1x8x!mli.fx16<14>>
// CHECK: mli.lstm_cell {{.*}} outs(%[[FIRST]]#0, %{{.*}} : {{.*}}) {act = #mli.rnn_act<sigm>, all_results, backward} -> tensor<8x!mli.fx16<11>>, tensor<6x8x!mli.fx16<14>>
func.func @lstm(%in: !frames, %hidden: !hidden,
                %weights: tensor<4x16x8x!mli.fx16<13>>,
                %recurrent: tensor<4x8x8x!mli.fx16<13>>,
                %bias: tensor<4x8x!mli.fx16<13>>, %cell: !cell, %last: !last,
                %all: !all) -> (!cell, !last, !all) {
  %0, %1 = mli.lstm_cell
    ins(%in, %hidden, %weights, %recurrent, %bias
        : !frames, !hidden, tensor<4x16x8x!mli.fx16<13>>,
          tensor<4x8x8x!mli.fx16<13>>, tensor<4x8x!mli.fx16<13>>)
    outs(%cell, %last : !cell, !last) {act = #mli.rnn_act<none>}
    -> !cell, !last
  %2, %3 = mli.lstm_cell
    ins(%in, %hidden, %weights, %recurrent, %bias
        : !frames, !hidden, tensor<4x16x8x!mli.fx16<13>>,
          tensor<4x8x8x!mli.fx16<13>>, tensor<4x8x!mli.fx16<13>>)
    outs(%0, %all : !cell, !all)
    {backward, all_results, act = #mli.rnn_act<sigm>} -> !cell, !all
  return %2, %1, %3 : !cell, !last, !all
}

// Quantised along the gates; sizes that are not known; the output in place of
// the previous one.
// CHECK-LABEL: func.func @gru
// CHECK: mli.gru_cell ins(%{{[^)]*}}) outs(%{{[^)]*}})
// CHECK-NEXT: mli.gru_cell ins(%{{[^)]*}}) outs(%{{[^)]*}}) {all_results}
func.func @gru(
    %in: memref<?x4x!mli.sa8<1:4:-128>>, %hidden: memref<?x!mli.sa8<1:7:0>>,
    %weights: memref<3x4x?x!mli.sa8<axis = 0, {1:4:0, 1:5:0, 1:6:0}>>,
    %recurrent: memref<3x?x?x!mli.sa8<axis = 0, {1:3:0, 1:3:0, 1:3:0}>>,
    %bias: memref<3x?x!mli.sa32<axis = 0, {1:8:0, 1:9:0, 1:10:0}>>,
    %last: memref<1x?x!mli.sa8<1:7:0>>, %all: memref<?x?x!mli.sa8<1:7:0>>) {
  mli.gru_cell
    ins(%in, %hidden, %weights, %recurrent, %bias
        : memref<?x4x!mli.sa8<1:4:-128>>, memref<?x!mli.sa8<1:7:0>>,
          memref<3x4x?x!mli.sa8<axis = 0, {1:4:0, 1:5:0, 1:6:0}>>,
          memref<3x?x?x!mli.sa8<axis = 0, {1:3:0, 1:3:0, 1:3:0}>>,
          memref<3x?x!mli.sa32<axis = 0, {1:8:0, 1:9:0, 1:10:0}>>)
    outs(%last : memref<1x?x!mli.sa8<1:7:0>>)
  mli.gru_cell
    ins(%in, %hidden, %weights, %recurrent, %bias
        : memref<?x4x!mli.sa8<1:4:-128>>, memref<?x!mli.sa8<1:7:0>>,
          memref<3x4x?x!mli.sa8<axis = 0, {1:4:0, 1:5:0, 1:6:0}>>,
          memref<3x?x?x!mli.sa8<axis = 0, {1:3:0, 1:3:0, 1:3:0}>>,
          memref<3x?x!mli.sa32<axis = 0, {1:8:0, 1:9:0, 1:10:0}>>)
    outs(%all : memref<?x?x!mli.sa8<1:7:0>>) {all_results}
  return
}
