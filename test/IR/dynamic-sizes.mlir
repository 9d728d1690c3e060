// Sizes may be open in every operation, on tensors and buffers.
// RUN: mli-opt %s --verify-roundtrip | FileCheck %s
// RUN: mli-opt %s --mli-bufferize | FileCheck %s --check-prefix=BUFFERS

!map = tensor<?x?x?x!mli.fx16<10>>
!weights = tensor<?x?x?x?x!mli.fx16<14>>
!bias = tensor<?x!mli.fx16<10>>

// CHECK-LABEL: func.func @windows
// CHECK-COUNT-4: pad [%{{.*}}, 0, 1, %{{.*}}]
// CHECK-COUNT-2: kernel [2, 2] pad [%{{.*}}, 0, 1, %{{.*}}]
// BUFFERS-LABEL: func.func @windows
// BUFFERS: mli.conv2d {{.*}} outs(%{{.*}} : memref<?x?x?x!mli.fx16<10>
// BUFFERS: mli.depthwise_conv2d {{.*}} outs(%{{.*}} : memref<?x?x?x!mli.fx16<10>
// BUFFERS: mli.group_conv2d {{.*}} outs(%{{.*}} : memref<?x?x?x!mli.fx16<10>
// BUFFERS: mli.transpose_conv2d {{.*}} outs(%{{.*}} : memref<?x?x?x!mli.fx16<10>
// BUFFERS: mli.avepool {{.*}} outs(%{{.*}} : memref<?x?x?x!mli.fx16<10>
// BUFFERS: mli.maxpool {{.*}} outs(%{{.*}} : memref<?x?x?x!mli.fx16<10>
func.func @windows(%map: !map, %weights: !weights, %bias: !bias, %init: !map,
                   %top: index, %right: index) -> !map {
  %0 = mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [%top, 0, 1, %right] -> !map
  %1 = mli.depthwise_conv2d ins(%0, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [%top, 0, 1, %right] -> !map
  %2 = mli.group_conv2d ins(%1, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [%top, 0, 1, %right] -> !map
  %3 = mli.transpose_conv2d ins(%2, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [%top, 0, 1, %right] -> !map
  %4 = mli.avepool ins(%3 : !map) outs(%init : !map) kernel [2, 2]
    pad [%top, 0, 1, %right] -> !map
  %5 = mli.maxpool ins(%4 : !map) outs(%init : !map) kernel [2, 2]
    pad [%top, 0, 1, %right] -> !map
  return %5 : !map
}

!matrix = tensor<?x?x!mli.fx16<14>>

// CHECK-LABEL: func.func @products
// BUFFERS-LABEL: func.func @products
// BUFFERS: mli.fully_connected {{.*}} outs(%{{.*}} : memref<?x!mli.fx16<10>
// BUFFERS: mli.rnn_dense {{.*}} outs(%{{.*}} : memref<?x!mli.fx16<10>
func.func @products(%vector: !bias, %matrix: !matrix, %bias: !bias, %init: !bias)
    -> !bias {
  %0 = mli.fully_connected ins(%vector, %matrix, %bias : !bias, !matrix, !bias)
    outs(%init : !bias) -> !bias
  %1 = mli.rnn_dense ins(%0, %vector : !bias, !bias)
    weights(%matrix, %matrix : !matrix, !matrix) bias(%bias : !bias)
    outs(%init : !bias) -> !bias
  return %1 : !bias
}

!steps = tensor<?x?x!mli.fx16<12>>
!state = tensor<?x!mli.fx16<15>>
!cell = tensor<?x!mli.fx16<12>>
!gates = tensor<?x?x?x!mli.fx16<13>>
!biases = tensor<?x?x!mli.fx16<13>>
!out = tensor<?x?x!mli.fx16<15>>

// CHECK-LABEL: func.func @cells
// BUFFERS-LABEL: func.func @cells
// BUFFERS: mli.lstm_cell
// BUFFERS: mli.gru_cell
func.func @cells(%steps: !steps, %state: !state, %gates: !gates, %bias: !biases,
                 %cell: !cell, %init: !out) -> (!cell, !out, !out) {
  %next, %0 = mli.lstm_cell
    ins(%steps, %state, %gates, %gates, %bias
        : !steps, !state, !gates, !gates, !biases)
    outs(%cell, %init : !cell, !out) {all_results} -> !cell, !out
  %1 = mli.gru_cell
    ins(%steps, %state, %gates, %gates, %bias
        : !steps, !state, !gates, !gates, !biases)
    outs(%init : !out) {all_results} -> !out
  return %next, %0, %1 : !cell, !out, !out
}

!any = tensor<?x?x!mli.sa8<3:6:-5>>
!one = tensor<1x!mli.sa8<3:6:-5>>
!slopes = tensor<1x?x!mli.sa8<3:6:0>>
!unit = tensor<?x?x!mli.sa8<1:8:-128>>
!signed = tensor<?x?x!mli.sa8<1:7:0>>
!wide = tensor<?x?x!mli.fx16<12>>
!positions = tensor<?x?x!mli.sa32<1:0:0>>

// CHECK-LABEL: func.func @elements
// BUFFERS-LABEL: func.func @elements
// BUFFERS: mli.eltwise_add {{.*}} outs(%{{.*}} : memref<?x?x!mli.sa8<3:6:-5>
// BUFFERS: mli.eltwise_max {{.*}} outs(%{{.*}} : memref<?x?x!mli.sa8<3:6:-5>
// BUFFERS: mli.relu
// BUFFERS: mli.leaky_relu
// BUFFERS: mli.prelu
// BUFFERS: mli.sigm {{.*}} outs(%{{.*}} : memref<?x?x!mli.sa8<1:8:-128>
// BUFFERS: mli.tanh
// BUFFERS: mli.softmax
// BUFFERS: mli.l2_normalize
// BUFFERS: mli.convert {{.*}} outs(%{{.*}} : memref<?x?x!mli.fx16<12>
// BUFFERS: mli.argmax
func.func @elements(%map: !any, %one: !one, %slopes: !slopes, %init: !any,
                    %unit: !unit, %signed: !signed, %wide: !wide,
                    %positions: !positions)
    -> (!any, !unit, !signed, !unit, !signed, !wide, !positions) {
  %0 = mli.eltwise_add ins(%map, %one : !any, !one) outs(%init : !any) -> !any
  %1 = mli.eltwise_max ins(%map, %0 : !any, !any) outs(%init : !any) -> !any
  %2 = mli.relu ins(%1 : !any) outs(%init : !any) {relu = #mli.relu<gen>} -> !any
  %3 = mli.leaky_relu ins(%2, %one : !any, !one) outs(%init : !any) -> !any
  %4 = mli.prelu ins(%3, %slopes : !any, !slopes) outs(%init : !any)
    {axis = 1 : i32} -> !any
  %5 = mli.sigm ins(%4 : !any) outs(%unit : !unit) -> !unit
  %6 = mli.tanh ins(%4 : !any) outs(%signed : !signed) -> !signed
  %7 = mli.softmax ins(%4 : !any) outs(%unit : !unit) {axis = 1 : i32} -> !unit
  %8 = mli.l2_normalize ins(%4 : !any) outs(%signed : !signed) -> !signed
  %9 = mli.convert ins(%4 : !any) outs(%wide : !wide) -> !wide
  %10 = mli.argmax ins(%4 : !any) outs(%positions : !positions)
    {axis = 0 : i32} -> !positions
  return %4, %5, %6, %7, %8, %9, %10
    : !any, !unit, !signed, !unit, !signed, !wide, !positions
}

// CHECK-LABEL: func.func @moved
// BUFFERS-LABEL: func.func @moved
// BUFFERS: mli.permute {{.*}} outs(%{{.*}} : memref<?x?x!mli.sa8<3:6:-5>
// BUFFERS: mli.subtensor
// BUFFERS: mli.mov {{.*}} outs(%{{.*}} : memref<?x?x!mli.sa8<3:6:-5>
func.func @moved(%map: !any, %init: !any, %other: !any, %size: index) -> !any {
  %0 = mli.permute ins(%map : !any) outs(%init : !any) permutation [1, 0] -> !any
  %1 = mli.subtensor %0[0, %size] [%size, 3]
    : !any to tensor<?x3x!mli.sa8<3:6:-5>>
  %2 = mli.mov ins(%1 : tensor<?x3x!mli.sa8<3:6:-5>>) outs(%other : !any)
    {dst_offsets = array<i64: 0, 1>} -> !any
  return %2 : !any
}

!buffer = memref<?x?x?x!mli.fx16<10>>
!filters = memref<?x?x?x?x!mli.sa8<axis = 3, {5:10:0, 7:10:0}>>
!codes = memref<?x?x?x!mli.sa8<1:4:0>>
!sums = memref<?x!mli.sa32<axis = 0, {5:14:0, 7:14:0}>>

// CHECK-LABEL: func.func @buffers
func.func @buffers(%map: !buffer, %init: !buffer, %codes: !codes,
                   %filters: !filters, %sums: !sums, %out: !codes) {
  mli.conv2d ins(%codes, %filters, %sums : !codes, !filters, !sums)
    outs(%out : !codes) pad [1, 1, 1, 1]
  mli.maxpool ins(%map : !buffer) outs(%init : !buffer) kernel [2, 2]
    pad [0, 0, 0, 0]
  return
}
