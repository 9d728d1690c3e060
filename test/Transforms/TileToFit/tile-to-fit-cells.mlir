// Recurrent cells that local memory does not hold become the kernels of their steps.
// Z21
// RUN: mli-opt %s --mli-tile-to-fit=decide-only --split-input-file | FileCheck %s

!in = tensor<6x16x!mli.fx16<12>>
!state = tensor<8x!mli.fx16<15>>
!cell = tensor<8x!mli.fx16<12>>
!weights = tensor<4x16x8x!mli.fx16<13>>
!recurrent = tensor<4x8x8x!mli.fx16<13>>
!bias = tensor<4x8x!mli.fx16<13>>
!out = tensor<1x8x!mli.fx16<15>>
!all = tensor<6x8x!mli.fx16<15>>
!one = tensor<1x16x!mli.fx16<12>>
!tanh = tensor<400x!mli.fx16<13>>
!sigm = tensor<320x!mli.fx16<15>>
!former = tensor<8x!mli.fx16<14>>
!gru_weights = tensor<3x16x8x!mli.fx8<5>>
!gru_recurrent = tensor<3x8x8x!mli.fx8<5>>
!gru_bias = tensor<3x8x!mli.fx8<7>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 2048>} {

// CHECK: #[[$REVERSE:.*]] = affine_map<(d0) -> (-d0 + 5)>

// CHECK-LABEL: func.func @last_result
// CHECK-SAME: %[[INPUT:[a-z0-9]+]]: tensor<6x16x
// CHECK-SAME: %[[STATE:[a-z0-9]+]]: tensor<8x!mli.fx16<15>>
// CHECK-SAME: %[[WEIGHTS:[a-z0-9]+]]: tensor<4x16x8x
// CHECK-SAME: %[[RECURRENT:[a-z0-9]+]]: tensor<4x8x8x
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<4x8x
// CHECK-SAME: %[[CELL:[a-z0-9]+]]: tensor<8x!mli.fx16<12>>
// CHECK: %[[W0:.*]] = mli.subtensor %[[WEIGHTS]][0, 0, 0] [1, 16, 8]
// CHECK: %[[R0:.*]] = mli.subtensor %[[RECURRENT]][0, 0, 0] [1, 8, 8]
// CHECK: %[[B0:.*]] = mli.subtensor %[[BIAS]][0, 0] [1, 8]
// CHECK: %[[W3:.*]] = mli.subtensor %[[WEIGHTS]][3, 0, 0] [1, 16, 8]
// The weights of three gates stay, those of the last one move in for each step.
// CHECK: %[[W0LOCAL:.*]] = mli.mov ins(%[[W0]] : {{.*}}) outs(%{{.*}} : tensor<16x8x!mli.fx16<13>, #mli.space<local>>)
// CHECK: %[[R0LOCAL:.*]] = mli.mov ins(%[[R0]] : {{.*}}) outs(%{{.*}} : tensor<8x8x!mli.fx16<13>, #mli.space<local>>)
// CHECK: %[[B0LOCAL:.*]] = mli.mov ins(%[[B0]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<13>, #mli.space<local>>)
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[STEP:.*]] = %c0 to %c6 step %c1 iter_args(%[[H:.*]] = %[[STATE]], %[[C:.*]] = %[[CELL]])
// CHECK: %[[FRAME:.*]] = tensor.extract_slice %[[INPUT]][%[[STEP]], 0] [1, 16] [1, 1]
// CHECK: mli.rnn_dense ins(%[[FRAME]], %[[H]] : {{.*}}) weights(%[[W0LOCAL]], %[[R0LOCAL]] : {{.*}}) bias(%[[B0LOCAL]] :
// CHECK-COUNT-2: mli.rnn_dense ins(%[[FRAME]], %[[H]] :
// CHECK: mli.rnn_dense ins(%[[FRAME]], %[[H]] : {{.*}}) weights(%[[W3]],
// CHECK: %[[NEXT:.*]] = mli.eltwise_add {{.*}} outs(%[[C]] :
// CHECK: %[[A:.*]] = mli.tanh ins(%[[NEXT]] :
// CHECK: %[[OUT:.*]] = mli.eltwise_mul ins(%[[A]], {{.*}} outs(%[[H]] :
// CHECK: scf.yield %[[OUT]], %[[NEXT]] :
// CHECK: %[[LAST:.*]] = mli.reshape %[[LOOP]]#0 : tensor<8x!mli.fx16<15>> to tensor<1x8x!mli.fx16<15>>
// CHECK: return %[[LOOP]]#1, %[[LAST]]
func.func @last_result(%input: !in, %state: !state, %weights: !weights,
                       %recurrent: !recurrent, %bias: !bias, %cell: !cell)
    -> (!cell, !out) {
  %init = tensor.empty() : !out
  %next, %result = mli.lstm_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%cell, %init : !cell, !out) {act = #mli.rnn_act<tanh>} -> !cell, !out
  return %next, %result : !cell, !out
}

// The last row of the input is first, as the first result.
// CHECK-LABEL: func.func @all_results_backward
// CHECK-SAME: %[[INPUT:[a-z0-9]+]]: tensor<6x16x
// CHECK: %[[ALL:.*]] = tensor.empty() : tensor<6x8x!mli.fx16<15>>
// CHECK: %[[LOOP:.*]]:3 = scf.for %[[STEP:.*]] = %c0 to %c6 step %c1 iter_args(%[[H:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}, %[[RESULTS:.*]] = %[[ALL]])
// CHECK: %[[ROW:.*]] = affine.apply #[[$REVERSE]](%[[STEP]])
// CHECK: tensor.extract_slice %[[INPUT]][%[[ROW]], 0] [1, 16] [1, 1]
// CHECK: %[[NEXT:.*]] = mli.eltwise_add
// The cell is the state, without a function.
// CHECK: %[[OUT:.*]] = mli.eltwise_mul ins(%[[NEXT]], %{{.*}} : {{.*}}) outs(%[[H]] :
// CHECK: %[[INSERTED:.*]] = tensor.insert_slice %[[OUT]] into %[[RESULTS]][%[[STEP]], 0] [1, 8] [1, 1]
// CHECK: scf.yield %[[OUT]], %[[NEXT]], %[[INSERTED]] :
// CHECK: return %[[LOOP]]#1, %[[LOOP]]#2
func.func @all_results_backward(%input: !in, %state: !state, %weights: !weights,
                                %recurrent: !recurrent, %bias: !bias,
                                %cell: !cell) -> (!cell, !all) {
  %init = tensor.empty() : !all
  %next, %result = mli.lstm_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%cell, %init : !cell, !all) {all_results, backward} -> !cell, !all
  return %next, %result : !cell, !all
}

// One step is no loop.
// CHECK-LABEL: func.func @one_step
// CHECK-SAME: %[[INPUT:[a-z0-9]+]]: tensor<1x16x
// CHECK-SAME: %[[STATE:[a-z0-9]+]]: tensor<8x!mli.fx16<15>>
// CHECK-SAME: %[[CELL:[a-z0-9]+]]: tensor<8x!mli.fx16<12>>
// CHECK-NOT: scf.for
// CHECK: %[[W3:.*]] = mli.subtensor %{{.*}}[3, 0, 0] [1, 16, 8]
// CHECK: %[[FRAME:.*]] = tensor.extract_slice %[[INPUT]][0, 0] [1, 16] [1, 1]
// CHECK: %[[D0:.*]] = mli.rnn_dense ins(%[[FRAME]], %[[STATE]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<10>
// CHECK: %[[I:.*]] = mli.sigm ins(%[[D0]] :
// CHECK: %[[D1:.*]] = mli.rnn_dense ins(%[[FRAME]], %[[STATE]] :
// CHECK: %[[G:.*]] = mli.tanh ins(%[[D1]] :
// CHECK: %[[D2:.*]] = mli.rnn_dense ins(%[[FRAME]], %[[STATE]] :
// CHECK: %[[F:.*]] = mli.sigm ins(%[[D2]] :
// CHECK: %[[D3:.*]] = mli.rnn_dense ins(%[[FRAME]], %[[STATE]] : {{.*}}) weights(%[[W3]],
// CHECK: %[[O:.*]] = mli.sigm ins(%[[D3]] :
// CHECK: %[[SELECTED:.*]] = mli.eltwise_mul ins(%[[G]], %[[I]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<15>
// CHECK: %[[KEPT:.*]] = mli.eltwise_mul ins(%[[CELL]], %[[F]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<12>
// CHECK: %[[NEXT:.*]] = mli.eltwise_add ins(%[[KEPT]], %[[SELECTED]] : {{.*}}) outs(%[[CELL]] :
// CHECK: %[[A:.*]] = mli.sigm ins(%[[NEXT]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<15>
// CHECK: %[[OUT:.*]] = mli.eltwise_mul ins(%[[A]], %[[O]] :
// CHECK: %[[LAST:.*]] = mli.reshape %[[OUT]]
// CHECK: return %[[NEXT]], %[[LAST]]
func.func @one_step(%input: !one, %state: !state, %weights: !weights,
                    %recurrent: !recurrent, %bias: !bias, %cell: !cell)
    -> (!cell, !out) {
  %init = tensor.empty() : !out
  %next, %result = mli.lstm_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !one, !state, !weights, !recurrent, !bias)
    outs(%cell, %init : !cell, !out) {act = #mli.rnn_act<sigm>} -> !cell, !out
  return %next, %result : !cell, !out
}

// Each function has the table of the cell.
// CHECK-LABEL: func.func @given_tables
// CHECK-SAME: %[[TANH:[a-z0-9]+]]: tensor<400x
// CHECK-SAME: %[[SIGM:[a-z0-9]+]]: tensor<320x
// CHECK: mli.sigm {{.*}} lut(%[[SIGM]] :
// CHECK: mli.tanh {{.*}} lut(%[[TANH]] : {{.*}} {lut_format = #mli.lut_format<in_frac_bits = 4, input_offset = 200>}
// CHECK: mli.sigm {{.*}} lut(%[[SIGM]] :
// CHECK: mli.sigm {{.*}} lut(%[[SIGM]] :
// CHECK-NOT: mli.tanh
func.func @given_tables(%input: !one, %state: !state, %weights: !weights,
                        %recurrent: !recurrent, %bias: !bias, %cell: !cell,
                        %tanh: !tanh, %sigm: !sigm) -> (!cell, !out) {
  %init = tensor.empty() : !out
  %next, %result = mli.lstm_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !one, !state, !weights, !recurrent, !bias)
    tanh_lut(%tanh : !tanh) sigm_lut(%sigm : !sigm)
    outs(%cell, %init : !cell, !out)
    {tanh_lut_format = #mli.lut_format<in_frac_bits = 4, input_offset = 200>}
    -> !cell, !out
  return %next, %result : !cell, !out
}

// The first step keeps the state in the format that it has before it.
// CHECK-LABEL: func.func @other_format_at_first
// CHECK-SAME: %[[INPUT:[a-z0-9]+]]: tensor<6x16x
// CHECK-SAME: %[[STATE:[a-z0-9]+]]: tensor<8x!mli.fx16<14>>
// CHECK: %[[ONE:.*]] = mli.constant dense<32767> : tensor<1xi16> to tensor<1x!mli.fx16<15>>
// CHECK: %[[FRAME:.*]] = tensor.extract_slice %[[INPUT]][0, 0] [1, 16] [1, 1]
// CHECK: %[[D0:.*]] = mli.rnn_dense ins(%[[FRAME]], %[[STATE]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<11>
// CHECK: %[[Z:.*]] = mli.sigm ins(%[[D0]] :
// CHECK: %[[D1:.*]] = mli.rnn_dense ins(%[[FRAME]], %[[STATE]] :
// CHECK: %[[R:.*]] = mli.sigm ins(%[[D1]] :
// CHECK: %[[SEEN:.*]] = mli.eltwise_mul ins(%[[R]], %[[STATE]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<14>
// CHECK: %[[D2:.*]] = mli.rnn_dense ins(%[[FRAME]], %[[SEEN]] :
// CHECK: %[[N:.*]] = mli.tanh ins(%[[D2]] :
// CHECK: %[[KEPT:.*]] = mli.eltwise_mul ins(%[[STATE]], %[[Z]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<14>
// CHECK: %[[REST:.*]] = mli.eltwise_sub ins(%[[ONE]], %[[Z]] :
// CHECK: %[[ADDED:.*]] = mli.eltwise_mul ins(%[[N]], %[[REST]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<15>
// CHECK: %[[OUT:.*]] = mli.eltwise_add ins(%[[ADDED]], %[[KEPT]] :
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[OUT]] into %{{.*}}[0, 0] [1, 8] [1, 1]
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[STEP:.*]] = %c1{{[_0-9]*}} to %c6 step %{{.*}} iter_args(%[[H:.*]] = %[[OUT]], %[[RESULTS:.*]] = %[[FIRST]])
// CHECK: mli.eltwise_mul ins(%{{.*}}, %[[H]] : {{.*}}) outs(%{{.*}} : tensor<8x!mli.fx16<15>
// CHECK: %[[NEXT:.*]] = mli.eltwise_add {{.*}} outs(%[[H]] :
// CHECK: tensor.insert_slice %[[NEXT]] into %[[RESULTS]][%[[STEP]], 0] [1, 8] [1, 1]
// CHECK: return %[[LOOP]]#1
func.func @other_format_at_first(%input: !in, %state: !former,
                                 %weights: !gru_weights,
                                 %recurrent: !gru_recurrent, %bias: !gru_bias)
    -> !all {
  %init = tensor.empty() : !all
  %result = mli.gru_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !former, !gru_weights, !gru_recurrent, !gru_bias)
    outs(%init : !all) {all_results} -> !all
  return %result : !all
}

}

// -----

!in = tensor<1x32x!mli.sa8<16384:20:-3>>
!state = tensor<16x!mli.sa8<16384:21:0>>
!out = tensor<1x16x!mli.sa8<16384:21:0>>
!weights = tensor<3x32x16x!mli.sa8<axis = 0, {16384:21:0, 20000:21:0, 30000:21:0}>>
!recurrent = tensor<3x16x16x!mli.sa8<axis = 0, {12000:21:0, 20000:21:0, 30000:21:0}>>
!bias = tensor<3x16x!mli.sa32<axis = 0, {16384:27:0, 20000:27:0, 30000:27:0}>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 2048>} {

// Each gate has the parameters of its own.
// CHECK-LABEL: func.func @per_gate
// CHECK: %[[W0:.*]] = mli.reshape {{.*}} to tensor<32x16x!mli.sa8<16384:21:0>>
// CHECK: %[[R0:.*]] = mli.reshape {{.*}} to tensor<16x16x!mli.sa8<12000:21:0>>
// CHECK: %[[B0:.*]] = mli.reshape {{.*}} to tensor<16x!mli.sa32<16384:27:0>>
// CHECK: %[[W2:.*]] = mli.reshape {{.*}} to tensor<32x16x!mli.sa8<30000:21:0>>
// CHECK: %[[R2:.*]] = mli.reshape {{.*}} to tensor<16x16x!mli.sa8<30000:21:0>>
// CHECK: %[[B2:.*]] = mli.reshape {{.*}} to tensor<16x!mli.sa32<30000:27:0>>
// CHECK: mli.constant dense<127> : tensor<1xi8> to tensor<1x!mli.sa8<1:8:-128>>
// CHECK: mli.rnn_dense {{.*}} weights(%[[W0]], %[[R0]] : {{.*}} bias(%[[B0]] : {{.*}} outs(%{{.*}} : tensor<16x!mli.sa8<21:9:0>
// CHECK: mli.rnn_dense
// CHECK: mli.rnn_dense {{.*}} weights(%[[W2]], %[[R2]] : {{.*}} bias(%[[B2]] :
func.func @per_gate(%input: !in, %state: !state, %weights: !weights,
                    %recurrent: !recurrent, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  %result = mli.gru_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%init : !out) -> !out
  return %result : !out
}

}

// -----

!in = tensor<1x32x!mli.sa8<16384:20:-3>>
!state = tensor<16x!mli.sa8<16384:21:0>>
!out = tensor<1x16x!mli.sa8<16384:21:0>>
!weights = tensor<3x32x16x!mli.sa8<16384:21:0>>
!recurrent = tensor<3x16x16x!mli.sa8<12000:21:0>>
!bias = tensor<3x16x!mli.sa32<16384:27:0>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 2048>} {

// The kernel has other parameters for the new gate.
// CHECK-LABEL: func.func @new_gate
// CHECK: %[[W:.*]] = mli.constant dense<1> : tensor<32x16xi8> to tensor<32x16x!mli.sa8<16388:23:0>>
// CHECK: %[[R:.*]] = mli.constant dense<2> : tensor<16x16xi8> to tensor<16x16x!mli.sa8<12004:23:0>>
// CHECK: %[[B:.*]] = mli.constant dense<3> : tensor<16xi32> to tensor<16x!mli.sa32<16388:29:0>>
// CHECK-COUNT-2: mli.rnn_dense
// CHECK: mli.rnn_dense {{.*}} weights(%[[W]], %[[R]] : {{.*}} bias(%[[B]] :
func.func @new_gate(%input: !in, %state: !state) -> !out {
  %weights = mli.constant dense<1> : tensor<3x32x16xi8> to !weights
  %recurrent = mli.constant dense<2> : tensor<3x16x16xi8> to !recurrent
  %bias = mli.constant dense<3> : tensor<3x16xi32> to !bias
  %init = tensor.empty() : !out
  %result = mli.gru_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%init : !out) -> !out
  return %result : !out
}

}

// -----

!in = tensor<1x32x!mli.sa8<16384:20:-3>>
!state = tensor<16x!mli.sa8<16384:21:0>>
!out = tensor<1x16x!mli.sa8<16384:21:0>>
!weights = tensor<3x32x16x!mli.sa8<16384:21:0>>
!recurrent = tensor<3x16x16x!mli.sa8<12000:21:0>>
!bias = tensor<3x16x!mli.sa32<16384:27:0>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 8192>} {

// CHECK-LABEL: func.func @fits
// CHECK: mli.gru_cell
// CHECK-NOT: mli.rnn_dense
func.func @fits(%input: !in, %state: !state, %weights: !weights,
                %recurrent: !recurrent, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  %result = mli.gru_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%init : !out) -> !out
  return %result : !out
}

}

// -----

!in = tensor<6x16x!mli.fx16<12>>
!state = tensor<8x!mli.fx16<15>>
!weights = tensor<3x16x8x!mli.fx16<13>>
!recurrent = tensor<3x8x8x!mli.fx16<13>>
!bias = tensor<3x8x!mli.fx16<13>>
!out = tensor<1x8x!mli.fx16<15>>

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 1024>} {

// With the weights of a gate, the table of tanh would not fit.
// CHECK-LABEL: func.func @no_weights_stay
// CHECK-NOT: mli.mov {{.*}} outs(%{{.*}} : tensor<16x8x!mli.fx16<13>, #mli.space<local>>)
// CHECK: scf.for
// CHECK: mli.tanh
func.func @no_weights_stay(%input: !in, %state: !state, %weights: !weights,
                           %recurrent: !recurrent, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  %result = mli.gru_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%init : !out) -> !out
  return %result : !out
}

}
