// Cases of the kernels' golden numbers, through the whole pipeline.

// RUN: mli-run %s | FileCheck %s

// A long short-term memory, backward: the new cell, then the output of each
// step. A gated unit with parameters for each gate. The sum of two products. A
// transposed convolution.
// CHECK:      output 0:
// CHECK-NEXT:   codes: 8018 -1271 -20178
// CHECK:      output 1:
// CHECK-NEXT:   codes: -108 -6180 384 7179 -1101 -13827
// CHECK:      output 2:
// CHECK-NEXT:   codes: 100 12
// CHECK:      output 3:
// CHECK-NEXT:   codes: -35 0 0 -8 -7 30 -22 -15
// CHECK:      output 4:
// CHECK-NEXT:   codes: -32768 3408 3408 3408 3408 -32352 3408 3408 -32768 32767 3408 3408

!lstm_in = tensor<2x3x!mli.fx16<7>>
!lstm_previous = tensor<3x!mli.fx16<15>>
!lstm_weights = tensor<4x3x3x!mli.fx16<21>>
!lstm_recurrent = tensor<4x3x3x!mli.fx16<12>>
!lstm_bias = tensor<4x3x!mli.fx16<13>>
!lstm_cell = tensor<3x!mli.fx16<15>>
!lstm_init = tensor<2x3x!mli.fx16<15>>
!gru_in = tensor<2x6x!mli.sa8<64:14:33>>
!gru_previous = tensor<2x!mli.sa8<26083:21:-70>>
!gru_weights = tensor<3x6x2x!mli.sa8<axis = 0, {30289:15:0, 22878:16:0, 27962:16:0}>>
!gru_recurrent = tensor<3x2x2x!mli.sa8<axis = 0, {31479:21:0, 23483:20:0, 26685:21:0}>>
!gru_bias = tensor<3x2x!mli.sa32<axis = 0, {30289:23:0, 22878:24:0, 27962:24:0}>>
!gru_init = tensor<1x2x!mli.sa8<22762:22:-71>>
!dense_in0 = tensor<1x1x!mli.sa8<24767:24:127>>
!dense_in1 = tensor<2x!mli.sa8<23943:11:59>>
!dense_weights0 = tensor<1x8x!mli.sa8<22820:30:0>>
!dense_weights1 = tensor<2x8x!mli.sa8<13004:36:0>>
!dense_bias = tensor<8x!mli.sa32<17248:39:0>>
!dense_init = tensor<8x!mli.sa8<1:13:-3>>
!spread_in = tensor<2x1x3x!mli.fx16<4>>
!spread_weights = tensor<4x4x3x1x!mli.fx16<2>>
!spread_bias = tensor<1x!mli.fx16<-10>>
!spread_init = tensor<3x4x1x!mli.fx16<-6>>

func.func @main() -> (!lstm_cell, !lstm_init, !gru_init, !dense_init, !spread_init) {
  %lstm_in = mli.constant dense<[[420, 4944, 11397], [-12578, 5781, -11083]]>
    : tensor<2x3xi16> to !lstm_in
  %lstm_previous = mli.constant dense<[-9465, -19769, -26757]>
    : tensor<3xi16> to !lstm_previous
  %lstm_weights = mli.constant dense<[[[32767, -32768, -32768], [32767, -32768, -32768], [-32768, -32768, 32767]], [[32767, 32767, -32768], [32767, 32767, -32768], [32767, 32767, -32768]], [[-32768, 32767, -32768], [-32768, 32767, 32767], [-32768, -32768, 32767]], [[32767, -32768, 32767], [32767, 32767, -32768], [32767, 32767, 32767]]]>
    : tensor<4x3x3xi16> to !lstm_weights
  %lstm_recurrent = mli.constant dense<[[[-17206, -4676, -4864], [1289, -3072, -4142], [-187, 15290, 11400]], [[-11057, 10388, -5485], [-10820, -6260, -4980], [1345, 4189, -540]], [[15812, 2193, -3486], [1597, -820, -8382], [112, -984, 8426]], [[5925, 10708, 4880], [-5786, 1432, -8410], [16870, 1708, -4909]]]>
    : tensor<4x3x3xi16> to !lstm_recurrent
  %lstm_bias = mli.constant dense<[[-1, 2, 6], [8, -7, 3], [1, 6, 4], [0, -1, 2]]>
    : tensor<4x3xi16> to !lstm_bias
  %lstm_cell = mli.constant dense<[-26249, -2023, -2910]>
    : tensor<3xi16> to !lstm_cell
  %lstm_init = tensor.empty() : !lstm_init
  %lstm_next, %lstm = mli.lstm_cell
    ins(%lstm_in, %lstm_previous, %lstm_weights, %lstm_recurrent, %lstm_bias
        : !lstm_in, !lstm_previous, !lstm_weights, !lstm_recurrent, !lstm_bias)
    outs(%lstm_cell, %lstm_init : !lstm_cell, !lstm_init)
    {backward, all_results, act = #mli.rnn_act<tanh>} -> !lstm_cell, !lstm_init
  %gru_in = mli.constant dense<[[28, 35, 32, 37, 29, 33], [29, 26, 39, 30, 31, 25]]>
    : tensor<2x6xi8> to !gru_in
  %gru_previous = mli.constant dense<[127, 127]>
    : tensor<2xi8> to !gru_previous
  %gru_weights = mli.constant dense<[[[-17, 27], [-105, 26], [3, -46], [120, 97], [-89, 12], [14, -81]], [[12, 101], [-40, -27], [-93, 74], [42, 13], [62, -108], [-68, 62]], [[-38, -48], [-16, 0], [66, -125], [-35, -32], [44, -12], [-23, 104]]]>
    : tensor<3x6x2xi8> to !gru_weights
  %gru_recurrent = mli.constant dense<[[[-45, -16], [7, -16]], [[4, 48], [26, -49]], [[4, -1], [-67, 25]]]>
    : tensor<3x2x2xi8> to !gru_recurrent
  %gru_bias = mli.constant dense<[[-48, 598], [480, 244], [-281, 254]]>
    : tensor<3x2xi32> to !gru_bias
  %gru_init = tensor.empty() : !gru_init
  %gru = mli.gru_cell
    ins(%gru_in, %gru_previous, %gru_weights, %gru_recurrent, %gru_bias
        : !gru_in, !gru_previous, !gru_weights, !gru_recurrent, !gru_bias)
    outs(%gru_init : !gru_init)
    {} -> !gru_init
  %dense_in0 = mli.constant dense<[[108]]>
    : tensor<1x1xi8> to !dense_in0
  %dense_in1 = mli.constant dense<[87, 64]>
    : tensor<2xi8> to !dense_in1
  %dense_weights0 = mli.constant dense<[[113, 64, 0, 0, 0, -69, 0, 0]]>
    : tensor<1x8xi8> to !dense_weights0
  %dense_weights1 = mli.constant dense<[[-56, 5, 15, -2, -18, 71, -44, -27], [-42, 1, -46, -47, 55, -35, 41, 24]]>
    : tensor<2x8xi8> to !dense_weights1
  %dense_bias = mli.constant dense<[289, -499, 187, -572, 241, 36, -158, -409]>
    : tensor<8xi32> to !dense_bias
  %dense_init = tensor.empty() : !dense_init
  %dense = mli.rnn_dense
    ins(%dense_in0, %dense_in1 : !dense_in0, !dense_in1)
    weights(%dense_weights0, %dense_weights1
            : !dense_weights0, !dense_weights1)
    bias(%dense_bias : !dense_bias) outs(%dense_init : !dense_init) -> !dense_init
  %spread_in = mli.constant dense<[[[-8404, 2354, 7171]], [[3720, -6958, -1383]]]>
    : tensor<2x1x3xi16> to !spread_in
  %spread_weights = mli.constant dense<[[[[0], [-10538], [-18634]], [[0], [0], [0]], [[0], [0], [0]], [[0], [0], [0]]], [[[0], [0], [0]], [[0], [0], [-20426]], [[0], [0], [0]], [[0], [0], [0]]], [[[31981], [-22980], [9347]], [[0], [0], [31443]], [[0], [0], [0]], [[0], [0], [0]]], [[[12749], [27575], [0]], [[0], [15919], [0]], [[0], [0], [0]], [[-13311], [0], [0]]]]>
    : tensor<4x4x3x1xi16> to !spread_weights
  %spread_bias = mli.constant dense<[213]>
    : tensor<1xi16> to !spread_bias
  %spread_init = tensor.empty() : !spread_init
  %spread = mli.transpose_conv2d
    ins(%spread_in, %spread_weights, %spread_bias
        : !spread_in, !spread_weights, !spread_bias)
    outs(%spread_init : !spread_init)
    pad [0, 3, 0, 0] {strides = array<i64: 2, 2>} -> !spread_init
  return %lstm_next, %lstm, %gru, %dense, %spread
    : !lstm_cell, !lstm_init, !gru_init, !dense_init, !spread_init
}
