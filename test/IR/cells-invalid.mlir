// RUN: mli-opt %s --split-input-file --verify-diagnostics

func.func @gates_of_gru(%input: tensor<6x4x!mli.fx16<8>>,
                        %previous: tensor<2x!mli.fx16<8>>,
                        %wi: tensor<4x4x2x!mli.fx16<8>>,
                        %wo: tensor<3x2x2x!mli.fx16<8>>,
                        %bias: tensor<3x2x!mli.fx16<8>>,
                        %init: tensor<1x2x!mli.fx16<8>>) {
  // T20
  // expected-error @below {{expected dimension 0 of 'weights_in' to be the number of gates, 3, but got 4}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<4x4x2x!mli.fx16<8>>,
          tensor<3x2x2x!mli.fx16<8>>,
          tensor<3x2x!mli.fx16<8>>)
    outs(%init : tensor<1x2x!mli.fx16<8>>)
    -> tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @gates_of_lstm(%input: tensor<6x4x!mli.fx16<8>>,
                         %previous: tensor<2x!mli.fx16<8>>,
                         %wi: tensor<4x4x2x!mli.fx16<8>>,
                         %wo: tensor<4x2x2x!mli.fx16<8>>,
                         %bias: tensor<3x2x!mli.fx16<8>>,
                         %cell: tensor<2x!mli.fx16<8>>,
                         %init: tensor<1x2x!mli.fx16<8>>) {
  // T20
  // expected-error @below {{expected dimension 0 of 'bias' to be the number of gates, 4, but got 3}}
  %new, %result = mli.lstm_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<4x4x2x!mli.fx16<8>>,
          tensor<4x2x2x!mli.fx16<8>>,
          tensor<3x2x!mli.fx16<8>>)
    outs(%cell, %init : tensor<2x!mli.fx16<8>>, tensor<1x2x!mli.fx16<8>>)
    -> tensor<2x!mli.fx16<8>>, tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @columns_of_input(%input: tensor<6x5x!mli.fx16<8>>,
                            %previous: tensor<2x!mli.fx16<8>>,
                            %wi: tensor<3x4x2x!mli.fx16<8>>,
                            %wo: tensor<3x2x2x!mli.fx16<8>>,
                            %bias: tensor<3x2x!mli.fx16<8>>,
                            %init: tensor<1x2x!mli.fx16<8>>) {
  // T13
  // expected-error @below {{expected dimension 1 of 'weights_in' to be dimension 1 of 'input', 5, but got 4}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x5x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<3x4x2x!mli.fx16<8>>,
          tensor<3x2x2x!mli.fx16<8>>,
          tensor<3x2x!mli.fx16<8>>)
    outs(%init : tensor<1x2x!mli.fx16<8>>)
    -> tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @square_weights(%input: tensor<6x4x!mli.fx16<8>>,
                          %previous: tensor<2x!mli.fx16<8>>,
                          %wi: tensor<3x4x2x!mli.fx16<8>>,
                          %wo: tensor<3x3x2x!mli.fx16<8>>,
                          %bias: tensor<3x2x!mli.fx16<8>>,
                          %init: tensor<1x2x!mli.fx16<8>>) {
  // T13
  // expected-error @below {{expected dimension 1 of 'weights_out' to be dimension 2 of 'weights_in', 2, but got 3}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<3x4x2x!mli.fx16<8>>,
          tensor<3x3x2x!mli.fx16<8>>,
          tensor<3x2x!mli.fx16<8>>)
    outs(%init : tensor<1x2x!mli.fx16<8>>)
    -> tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @size_of_previous(%input: tensor<6x4x!mli.fx16<8>>,
                            %previous: tensor<3x!mli.fx16<8>>,
                            %wi: tensor<3x4x2x!mli.fx16<8>>,
                            %wo: tensor<3x2x2x!mli.fx16<8>>,
                            %bias: tensor<3x2x!mli.fx16<8>>,
                            %init: tensor<1x2x!mli.fx16<8>>) {
  // T13
  // expected-error @below {{expected dimension 0 of 'previous' to be dimension 2 of 'weights_in', 2, but got 3}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<3x!mli.fx16<8>>,
          tensor<3x4x2x!mli.fx16<8>>,
          tensor<3x2x2x!mli.fx16<8>>,
          tensor<3x2x!mli.fx16<8>>)
    outs(%init : tensor<1x2x!mli.fx16<8>>)
    -> tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @size_of_cell(%input: tensor<6x4x!mli.fx16<8>>,
                        %previous: tensor<2x!mli.fx16<8>>,
                        %wi: tensor<4x4x2x!mli.fx16<8>>,
                        %wo: tensor<4x2x2x!mli.fx16<8>>,
                        %bias: tensor<4x2x!mli.fx16<8>>,
                        %cell: tensor<3x!mli.fx16<8>>,
                        %init: tensor<1x2x!mli.fx16<8>>) {
  // T13
  // expected-error @below {{expected dimension 0 of 'cell' to be dimension 2 of 'weights_in', 2, but got 3}}
  %new, %result = mli.lstm_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<4x4x2x!mli.fx16<8>>,
          tensor<4x2x2x!mli.fx16<8>>,
          tensor<4x2x!mli.fx16<8>>)
    outs(%cell, %init : tensor<3x!mli.fx16<8>>, tensor<1x2x!mli.fx16<8>>)
    -> tensor<3x!mli.fx16<8>>, tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @one_result(%input: tensor<6x4x!mli.fx16<8>>,
                      %previous: tensor<2x!mli.fx16<8>>,
                      %wi: tensor<3x4x2x!mli.fx16<8>>,
                      %wo: tensor<3x2x2x!mli.fx16<8>>,
                      %bias: tensor<3x2x!mli.fx16<8>>,
                      %init: tensor<6x2x!mli.fx16<8>>) {
  // T20
  // expected-error @below {{expected dimension 0 of 'init' to be one result, 1, but got 6}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<3x4x2x!mli.fx16<8>>,
          tensor<3x2x2x!mli.fx16<8>>,
          tensor<3x2x!mli.fx16<8>>)
    outs(%init : tensor<6x2x!mli.fx16<8>>)
    -> tensor<6x2x!mli.fx16<8>>
  return
}

// -----

func.func @result_of_each_step(%input: tensor<6x4x!mli.fx16<8>>,
                               %previous: tensor<2x!mli.fx16<8>>,
                               %wi: tensor<3x4x2x!mli.fx16<8>>,
                               %wo: tensor<3x2x2x!mli.fx16<8>>,
                               %bias: tensor<3x2x!mli.fx16<8>>,
                               %init: tensor<1x2x!mli.fx16<8>>) {
  // T20
  // expected-error @below {{expected dimension 0 of 'init' to be the number of steps, 6, but got 1}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<3x4x2x!mli.fx16<8>>,
          tensor<3x2x2x!mli.fx16<8>>,
          tensor<3x2x!mli.fx16<8>>)
    outs(%init : tensor<1x2x!mli.fx16<8>>) {all_results}
    -> tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @kind_of_second_weights(%input: tensor<6x4x!mli.fx16<8>>,
                                  %previous: tensor<2x!mli.fx16<8>>,
                                  %wi: tensor<3x4x2x!mli.fx16<8>>,
                                  %wo: tensor<3x2x2x!mli.fx8<8>>,
                                  %bias: tensor<3x2x!mli.fx16<8>>,
                                  %init: tensor<1x2x!mli.fx16<8>>) {
  // E1
  // expected-error @below {{expected 'weights_out' to have elements of the kind of 'weights_in' '!mli.fx16<8>', but got '!mli.fx8<8>'}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<3x4x2x!mli.fx16<8>>,
          tensor<3x2x2x!mli.fx8<8>>,
          tensor<3x2x!mli.fx16<8>>)
    outs(%init : tensor<1x2x!mli.fx16<8>>)
    -> tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @kind_of_cell(%input: tensor<6x4x!mli.fx16<8>>,
                        %previous: tensor<2x!mli.fx16<8>>,
                        %wi: tensor<4x4x2x!mli.fx16<8>>,
                        %wo: tensor<4x2x2x!mli.fx16<8>>,
                        %bias: tensor<4x2x!mli.fx16<8>>,
                        %cell: tensor<2x!mli.sa8<1:4:0>>,
                        %init: tensor<1x2x!mli.fx16<8>>) {
  // E1
  // expected-error @below {{expected 'cell' to have elements of the kind of 'input' '!mli.fx16<8>', but got '!mli.sa8<1:4:0>'}}
  %new, %result = mli.lstm_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<4x4x2x!mli.fx16<8>>,
          tensor<4x2x2x!mli.fx16<8>>,
          tensor<4x2x!mli.fx16<8>>)
    outs(%cell, %init : tensor<2x!mli.sa8<1:4:0>>, tensor<1x2x!mli.fx16<8>>)
    -> tensor<2x!mli.sa8<1:4:0>>, tensor<1x2x!mli.fx16<8>>
  return
}

// -----

func.func @kinds_of_a_cell(%input: tensor<6x4x!mli.fx16<8>>,
                           %previous: tensor<2x!mli.fx16<8>>,
                           %wi: tensor<3x4x2x!mli.sa8<1:4:0>>,
                           %wo: tensor<3x2x2x!mli.fx16<8>>,
                           %bias: tensor<3x2x!mli.fx16<8>>,
                           %init: tensor<1x2x!mli.fx16<8>>) {
  // C1
  // expected-error @below {{expected element kinds of input, weights, bias and result to be those of a kernel, but got '!mli.fx16<8>', '!mli.sa8<1:4:0>', '!mli.fx16<8>', '!mli.fx16<8>'}}
  %result = mli.gru_cell
    ins(%input, %previous, %wi, %wo, %bias
        : tensor<6x4x!mli.fx16<8>>,
          tensor<2x!mli.fx16<8>>,
          tensor<3x4x2x!mli.sa8<1:4:0>>,
          tensor<3x2x2x!mli.fx16<8>>,
          tensor<3x2x!mli.fx16<8>>)
    outs(%init : tensor<1x2x!mli.fx16<8>>)
    -> tensor<1x2x!mli.fx16<8>>
  return
}
