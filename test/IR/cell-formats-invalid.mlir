// RUN: mli-opt %s --split-input-file --verify-diagnostics

func.func @bias_of_gates_is_too_fine(%input: tensor<6x4x!mli.fx16<8>>,
                                     %previous: tensor<2x!mli.fx16<8>>,
                                     %wi: tensor<3x4x2x!mli.fx16<8>>,
                                     %wo: tensor<3x2x2x!mli.fx16<8>>,
                                     %bias: tensor<3x2x!mli.fx16<17>>,
                                     %init: tensor<1x2x!mli.fx16<8>>) {
  // C2
  // expected-error @below {{expected 'fracBits' of 'bias' to be at most the products' 16, but got 17}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<3x4x2x!mli.fx16<8>>,
          tensor<3x2x2x!mli.fx16<8>>,
          tensor<3x2x!mli.fx16<17>>)
    outs(%init : tensor<1x2x!mli.fx16<8>>)
    -> tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @axes_of_weights(%input: tensor<6x4x!mli.sa8<1:4:0>>,
                           %previous: tensor<2x!mli.sa8<1:7:0>>,
                           %wi: tensor<3x4x2x!mli.sa8<axis = 0, {1:4:0, 1:4:0, 1:4:0}>>,
                           %wo: tensor<3x2x2x!mli.sa8<1:3:0>>,
                           %bias: tensor<3x2x!mli.sa32<1:8:0>>,
                           %init: tensor<1x2x!mli.sa8<1:7:0>>) {
  // W3
  // expected-error @below {{expected quantised axis of 'weights_out' to be 0, that of the gates, but got -1}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.sa8<1:4:0>>,
          tensor<2x!mli.sa8<1:7:0>>,
          tensor<3x4x2x!mli.sa8<axis = 0, {1:4:0, 1:4:0, 1:4:0}>>,
          tensor<3x2x2x!mli.sa8<1:3:0>>,
          tensor<3x2x!mli.sa32<1:8:0>>)
    outs(%init : tensor<1x2x!mli.sa8<1:7:0>>)
    -> tensor<1x2x!mli.sa8<1:7:0>>
  return
}

// -----

func.func @axis_of_outputs(%input: tensor<6x4x!mli.sa8<1:4:0>>,
                           %previous: tensor<2x!mli.sa8<1:7:0>>,
                           %wi: tensor<3x4x2x!mli.sa8<axis = 2, {1:4:0, 1:4:0}>>,
                           %wo: tensor<3x2x2x!mli.sa8<1:3:0>>,
                           %bias: tensor<3x2x!mli.sa32<1:8:0>>,
                           %init: tensor<1x2x!mli.sa8<1:7:0>>) {
  // W3
  // expected-error @below {{expected quantised axis of 'weights_in' to be 0, that of the gates, but got 2}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.sa8<1:4:0>>,
          tensor<2x!mli.sa8<1:7:0>>,
          tensor<3x4x2x!mli.sa8<axis = 2, {1:4:0, 1:4:0}>>,
          tensor<3x2x2x!mli.sa8<1:3:0>>,
          tensor<3x2x!mli.sa32<1:8:0>>)
    outs(%init : tensor<1x2x!mli.sa8<1:7:0>>)
    -> tensor<1x2x!mli.sa8<1:7:0>>
  return
}

// -----

func.func @axis_of_gate_bias(%input: tensor<6x4x!mli.sa8<1:4:0>>,
                             %previous: tensor<2x!mli.sa8<1:7:0>>,
                             %wi: tensor<3x4x2x!mli.sa8<1:4:0>>,
                             %wo: tensor<3x2x2x!mli.sa8<1:3:0>>,
                             %bias: tensor<3x2x!mli.sa32<axis = 0, {1:8:0, 1:8:0, 1:8:0}>>,
                             %init: tensor<1x2x!mli.sa8<1:7:0>>) {
  // W3
  // expected-error @below {{expected quantised axis of 'bias' to be -1, as of 'weights_in', but got 0}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.sa8<1:4:0>>,
          tensor<2x!mli.sa8<1:7:0>>,
          tensor<3x4x2x!mli.sa8<1:4:0>>,
          tensor<3x2x2x!mli.sa8<1:3:0>>,
          tensor<3x2x!mli.sa32<axis = 0, {1:8:0, 1:8:0, 1:8:0}>>)
    outs(%init : tensor<1x2x!mli.sa8<1:7:0>>)
    -> tensor<1x2x!mli.sa8<1:7:0>>
  return
}

// -----

func.func @zero_point_of_recurrent_weights(%input: tensor<6x4x!mli.sa8<1:4:0>>,
                                           %previous: tensor<2x!mli.sa8<1:7:0>>,
                                           %wi: tensor<3x4x2x!mli.sa8<1:4:0>>,
                                           %wo: tensor<3x2x2x!mli.sa8<1:3:-3>>,
                                           %bias: tensor<3x2x!mli.sa32<1:8:0>>,
                                           %init: tensor<1x2x!mli.sa8<1:7:0>>) {
  // C3
  // expected-error @below {{expected zero point 0 of 'weights_out' to be 0, but got -3}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.sa8<1:4:0>>,
          tensor<2x!mli.sa8<1:7:0>>,
          tensor<3x4x2x!mli.sa8<1:4:0>>,
          tensor<3x2x2x!mli.sa8<1:3:-3>>,
          tensor<3x2x!mli.sa32<1:8:0>>)
    outs(%init : tensor<1x2x!mli.sa8<1:7:0>>)
    -> tensor<1x2x!mli.sa8<1:7:0>>
  return
}

// -----

func.func @scale_of_gate_bias(%input: tensor<6x4x!mli.sa8<1:4:0>>,
                              %previous: tensor<2x!mli.sa8<1:7:0>>,
                              %wi: tensor<3x4x2x!mli.sa8<1:4:0>>,
                              %wo: tensor<3x2x2x!mli.sa8<1:3:0>>,
                              %bias: tensor<3x2x!mli.sa32<100:16:0>>,
                              %init: tensor<1x2x!mli.sa8<1:7:0>>) {
  // C6
  // expected-error @below {{expected scale 0 of 'bias' to be input scale times weights scale, 3.90625000e-03, but got 1.52587891e-03}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.sa8<1:4:0>>,
          tensor<2x!mli.sa8<1:7:0>>,
          tensor<3x4x2x!mli.sa8<1:4:0>>,
          tensor<3x2x2x!mli.sa8<1:3:0>>,
          tensor<3x2x!mli.sa32<100:16:0>>)
    outs(%init : tensor<1x2x!mli.sa8<1:7:0>>)
    -> tensor<1x2x!mli.sa8<1:7:0>>
  return
}

// -----

func.func @cell_along_axis(%input: tensor<6x4x!mli.sa8<1:4:0>>,
                           %previous: tensor<2x!mli.sa8<axis = 0, {1:7:0, 1:7:0}>>,
                           %wi: tensor<3x4x2x!mli.sa8<1:4:0>>,
                           %wo: tensor<3x2x2x!mli.sa8<1:3:0>>,
                           %bias: tensor<3x2x!mli.sa32<1:8:0>>,
                           %init: tensor<1x2x!mli.sa8<1:7:0>>) {
  // T9
  // expected-error @below {{expected 'previous' to be quantised per tensor, but got axis 0}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.sa8<1:4:0>>,
          tensor<2x!mli.sa8<axis = 0, {1:7:0, 1:7:0}>>,
          tensor<3x4x2x!mli.sa8<1:4:0>>,
          tensor<3x2x2x!mli.sa8<1:3:0>>,
          tensor<3x2x!mli.sa32<1:8:0>>)
    outs(%init : tensor<1x2x!mli.sa8<1:7:0>>)
    -> tensor<1x2x!mli.sa8<1:7:0>>
  return
}

// -----

func.func @frames_with_gaps(%input: memref<6x4x!mli.fx16<8>, strided<[8, 1]>>,
                            %previous: memref<2x!mli.fx16<8>>,
                            %wi: memref<3x4x2x!mli.fx16<8>>,
                            %wo: memref<3x2x2x!mli.fx16<8>>,
                            %bias: memref<3x2x!mli.fx16<8>>,
                            %init: memref<1x2x!mli.fx16<8>>) {
  // T19
  // expected-error @below {{expected 'input' to be contiguous, but got 'memref<6x4x!mli.fx16<8>, strided<[8, 1]>>'}}
  mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : memref<6x4x!mli.fx16<8>, strided<[8, 1]>>,
          memref<2x!mli.fx16<8>>,
          memref<3x4x2x!mli.fx16<8>>,
          memref<3x2x2x!mli.fx16<8>>,
          memref<3x2x!mli.fx16<8>>)
    outs(%init : memref<1x2x!mli.fx16<8>>)
  return
}

// -----

func.func @results_with_gaps(%input: memref<6x4x!mli.fx16<8>>,
                             %previous: memref<2x!mli.fx16<8>>,
                             %wi: memref<3x4x2x!mli.fx16<8>>,
                             %wo: memref<3x2x2x!mli.fx16<8>>,
                             %bias: memref<3x2x!mli.fx16<8>>,
                             %init: memref<6x2x!mli.fx16<8>, strided<[8, 1]>>) {
  // T19
  // expected-error @below {{expected 'init' to be contiguous, but got 'memref<6x2x!mli.fx16<8>, strided<[8, 1]>>'}}
  mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : memref<6x4x!mli.fx16<8>>,
          memref<2x!mli.fx16<8>>,
          memref<3x4x2x!mli.fx16<8>>,
          memref<3x2x2x!mli.fx16<8>>,
          memref<3x2x!mli.fx16<8>>)
    outs(%init : memref<6x2x!mli.fx16<8>, strided<[8, 1]>>) {all_results}
  return
}

// -----

func.func @cell_in_place(%input: memref<6x2x!mli.fx16<8>>,
                         %previous: memref<2x!mli.fx16<8>>,
                         %wi: memref<3x2x2x!mli.fx16<8>>,
                         %wo: memref<3x2x2x!mli.fx16<8>>,
                         %bias: memref<3x2x!mli.fx16<8>>) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'input', but got the same}}
  mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : memref<6x2x!mli.fx16<8>>,
          memref<2x!mli.fx16<8>>,
          memref<3x2x2x!mli.fx16<8>>,
          memref<3x2x2x!mli.fx16<8>>,
          memref<3x2x!mli.fx16<8>>)
    outs(%input : memref<6x2x!mli.fx16<8>>) {all_results}
  return
}

// -----

func.func @lstm_in_place(%input: memref<6x2x!mli.fx16<8>>,
                         %previous: memref<2x!mli.fx16<8>>,
                         %wi: memref<4x2x2x!mli.fx16<8>>,
                         %wo: memref<4x2x2x!mli.fx16<8>>,
                         %bias: memref<4x2x!mli.fx16<8>>,
                         %cell: memref<2x!mli.fx16<8>>) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'input', but got the same}}
  mli.lstm_cell
    ins(%input, %previous, %wi, %wo, %bias
        : memref<6x2x!mli.fx16<8>>,
          memref<2x!mli.fx16<8>>,
          memref<4x2x2x!mli.fx16<8>>,
          memref<4x2x2x!mli.fx16<8>>,
          memref<4x2x!mli.fx16<8>>)
    outs(%cell, %input : memref<2x!mli.fx16<8>>, memref<6x2x!mli.fx16<8>>) {all_results}
  return
}

// -----

func.func @state_over_the_last_output(%input: memref<6x2x!mli.fx16<8>>,
                                      %state: memref<2x!mli.fx16<8>>,
                                      %wi: memref<4x2x2x!mli.fx16<8>>,
                                      %wo: memref<4x2x2x!mli.fx16<8>>,
                                      %bias: memref<4x2x!mli.fx16<8>>,
                                      %init: memref<1x2x!mli.fx16<8>>) {
  // T18
  // expected-error @below {{expected 'cell' to be another buffer than 'previous', but got the same}}
  mli.lstm_cell
    ins(%input, %state, %wi, %wo, %bias
        : memref<6x2x!mli.fx16<8>>,
          memref<2x!mli.fx16<8>>,
          memref<4x2x2x!mli.fx16<8>>,
          memref<4x2x2x!mli.fx16<8>>,
          memref<4x2x!mli.fx16<8>>)
    outs(%state, %init : memref<2x!mli.fx16<8>>, memref<1x2x!mli.fx16<8>>)
  return
}
