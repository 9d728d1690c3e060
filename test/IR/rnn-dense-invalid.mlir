// RUN: mli-opt %s --split-input-file --verify-diagnostics

func.func @no_input(%bias: memref<2x!mli.fx16<8>>,
                    %init: memref<2x!mli.fx16<8>>) {
  // W1
  // expected-error @below {{expected 'inputs' to be 1 to 4 tensors, but got 0}}
  "mli.rnn_dense"(%bias, %init)
    <{operandSegmentSizes = array<i32: 0, 0, 1, 1>}>
    : (memref<2x!mli.fx16<8>>, memref<2x!mli.fx16<8>>) -> ()
  return
}

// -----

func.func @five_inputs(%in0: tensor<4x!mli.fx16<8>>,
                       %in1: tensor<4x!mli.fx16<8>>,
                       %in2: tensor<4x!mli.fx16<8>>,
                       %in3: tensor<4x!mli.fx16<8>>,
                       %in4: tensor<4x!mli.fx16<8>>,
                       %w0: tensor<4x2x!mli.fx16<8>>,
                       %w1: tensor<4x2x!mli.fx16<8>>,
                       %w2: tensor<4x2x!mli.fx16<8>>,
                       %w3: tensor<4x2x!mli.fx16<8>>,
                       %w4: tensor<4x2x!mli.fx16<8>>,
                       %bias: tensor<2x!mli.fx16<8>>,
                       %init: tensor<2x!mli.fx16<8>>) {
  // W1
  // expected-error @below {{expected 'inputs' to be 1 to 4 tensors, but got 5}}
  %result = mli.rnn_dense
    ins(%in0, %in1, %in2, %in3, %in4 : tensor<4x!mli.fx16<8>>, tensor<4x!mli.fx16<8>>, tensor<4x!mli.fx16<8>>, tensor<4x!mli.fx16<8>>, tensor<4x!mli.fx16<8>>)
    weights(%w0, %w1, %w2, %w3, %w4 : tensor<4x2x!mli.fx16<8>>, tensor<4x2x!mli.fx16<8>>, tensor<4x2x!mli.fx16<8>>, tensor<4x2x!mli.fx16<8>>, tensor<4x2x!mli.fx16<8>>)
    bias(%bias : tensor<2x!mli.fx16<8>>) outs(%init : tensor<2x!mli.fx16<8>>) -> tensor<2x!mli.fx16<8>>
  return
}

// -----

func.func @weights_of_one_input(%in0: tensor<4x!mli.fx16<8>>,
                                %in1: tensor<4x!mli.fx16<8>>,
                                %w0: tensor<4x2x!mli.fx16<8>>,
                                %bias: tensor<2x!mli.fx16<8>>,
                                %init: tensor<2x!mli.fx16<8>>) {
  // W2
  // expected-error @below {{expected 'weights' to be 2 tensors, one for each input, but got 1}}
  %result = mli.rnn_dense
    ins(%in0, %in1 : tensor<4x!mli.fx16<8>>, tensor<4x!mli.fx16<8>>)
    weights(%w0 : tensor<4x2x!mli.fx16<8>>)
    bias(%bias : tensor<2x!mli.fx16<8>>) outs(%init : tensor<2x!mli.fx16<8>>) -> tensor<2x!mli.fx16<8>>
  return
}

// -----

func.func @kinds_of_a_product(%in0: tensor<4x!mli.fx16<8>>,
                              %w0: tensor<4x2x!mli.fx8<8>>,
                              %bias: tensor<2x!mli.fx16<8>>,
                              %init: tensor<2x!mli.fx16<8>>) {
  // C1
  // expected-error @below {{expected element kinds of input, weights, bias and result to be those of a kernel, but got '!mli.fx16<8>', '!mli.fx8<8>', '!mli.fx16<8>', '!mli.fx16<8>'}}
  %result = mli.rnn_dense
    ins(%in0 : tensor<4x!mli.fx16<8>>)
    weights(%w0 : tensor<4x2x!mli.fx8<8>>)
    bias(%bias : tensor<2x!mli.fx16<8>>) outs(%init : tensor<2x!mli.fx16<8>>) -> tensor<2x!mli.fx16<8>>
  return
}

// -----

func.func @rows_of_second_weights(%in0: tensor<4x!mli.fx16<8>>,
                                  %in1: tensor<2x3x!mli.fx16<8>>,
                                  %w0: tensor<4x2x!mli.fx16<8>>,
                                  %w1: tensor<4x2x!mli.fx16<8>>,
                                  %bias: tensor<2x!mli.fx16<8>>,
                                  %init: tensor<2x!mli.fx16<8>>) {
  // T20
  // expected-error @below {{expected dimension 0 of 'weights[1]' to be the elements of its input, 6, but got 4}}
  %result = mli.rnn_dense
    ins(%in0, %in1 : tensor<4x!mli.fx16<8>>, tensor<2x3x!mli.fx16<8>>)
    weights(%w0, %w1 : tensor<4x2x!mli.fx16<8>>, tensor<4x2x!mli.fx16<8>>)
    bias(%bias : tensor<2x!mli.fx16<8>>) outs(%init : tensor<2x!mli.fx16<8>>) -> tensor<2x!mli.fx16<8>>
  return
}

// -----

func.func @columns_of_weights(%in0: tensor<4x!mli.fx16<8>>,
                              %w0: tensor<4x3x!mli.fx16<8>>,
                              %bias: tensor<2x!mli.fx16<8>>,
                              %init: tensor<2x!mli.fx16<8>>) {
  // T13
  // expected-error @below {{expected dimension 0 of 'bias' to be dimension 1 of 'weights[0]', 3, but got 2}}
  %result = mli.rnn_dense
    ins(%in0 : tensor<4x!mli.fx16<8>>)
    weights(%w0 : tensor<4x3x!mli.fx16<8>>)
    bias(%bias : tensor<2x!mli.fx16<8>>) outs(%init : tensor<2x!mli.fx16<8>>) -> tensor<2x!mli.fx16<8>>
  return
}

// -----

func.func @weights_along_axis(%in0: tensor<4x!mli.sa8<1:4:0>>,
                              %w0: tensor<4x2x!mli.sa8<axis = 1, {1:4:0, 1:4:0}>>,
                              %bias: tensor<2x!mli.sa32<1:8:0>>,
                              %init: tensor<2x!mli.sa8<1:4:0>>) {
  // T9
  // expected-error @below {{expected 'weights[0]' to be quantised per tensor, but got axis 1}}
  %result = mli.rnn_dense
    ins(%in0 : tensor<4x!mli.sa8<1:4:0>>)
    weights(%w0 : tensor<4x2x!mli.sa8<axis = 1, {1:4:0, 1:4:0}>>)
    bias(%bias : tensor<2x!mli.sa32<1:8:0>>) outs(%init : tensor<2x!mli.sa8<1:4:0>>) -> tensor<2x!mli.sa8<1:4:0>>
  return
}

// -----

func.func @bias_along_axis(%in0: tensor<4x!mli.sa8<1:4:0>>,
                           %w0: tensor<4x2x!mli.sa8<1:4:0>>,
                           %bias: tensor<2x!mli.sa32<axis = 0, {1:8:0, 1:8:0}>>,
                           %init: tensor<2x!mli.sa8<1:4:0>>) {
  // T9
  // expected-error @below {{expected 'bias' to be quantised per tensor, but got axis 0}}
  %result = mli.rnn_dense
    ins(%in0 : tensor<4x!mli.sa8<1:4:0>>)
    weights(%w0 : tensor<4x2x!mli.sa8<1:4:0>>)
    bias(%bias : tensor<2x!mli.sa32<axis = 0, {1:8:0, 1:8:0}>>) outs(%init : tensor<2x!mli.sa8<1:4:0>>) -> tensor<2x!mli.sa8<1:4:0>>
  return
}

// -----

func.func @bias_in_scale_of_second_product(%in0: tensor<4x!mli.sa8<1:4:0>>,
                                           %in1: tensor<4x!mli.sa8<1:5:0>>,
                                           %w0: tensor<4x2x!mli.sa8<1:4:0>>,
                                           %w1: tensor<4x2x!mli.sa8<1:4:0>>,
                                           %bias: tensor<2x!mli.sa32<100:16:0>>,
                                           %init: tensor<2x!mli.sa8<1:4:0>>) {
  // C6
  // expected-error @below {{expected scale 0 of 'bias' to be input scale times weights scale, 3.90625000e-03, but got 1.52587891e-03}}
  %result = mli.rnn_dense
    ins(%in0, %in1 : tensor<4x!mli.sa8<1:4:0>>, tensor<4x!mli.sa8<1:5:0>>)
    weights(%w0, %w1 : tensor<4x2x!mli.sa8<1:4:0>>, tensor<4x2x!mli.sa8<1:4:0>>)
    bias(%bias : tensor<2x!mli.sa32<100:16:0>>) outs(%init : tensor<2x!mli.sa8<1:4:0>>) -> tensor<2x!mli.sa8<1:4:0>>
  return
}

// -----

func.func @zero_point_of_second_weights(%in0: tensor<4x!mli.sa8<1:4:0>>,
                                        %in1: tensor<4x!mli.sa8<1:4:0>>,
                                        %w0: tensor<4x2x!mli.sa8<1:4:0>>,
                                        %w1: tensor<4x2x!mli.sa8<1:4:1>>,
                                        %bias: tensor<2x!mli.sa32<1:8:0>>,
                                        %init: tensor<2x!mli.sa8<1:4:0>>) {
  // C3
  // expected-error @below {{expected zero point 0 of 'weights[1]' to be 0, but got 1}}
  %result = mli.rnn_dense
    ins(%in0, %in1 : tensor<4x!mli.sa8<1:4:0>>, tensor<4x!mli.sa8<1:4:0>>)
    weights(%w0, %w1 : tensor<4x2x!mli.sa8<1:4:0>>, tensor<4x2x!mli.sa8<1:4:1>>)
    bias(%bias : tensor<2x!mli.sa32<1:8:0>>) outs(%init : tensor<2x!mli.sa8<1:4:0>>) -> tensor<2x!mli.sa8<1:4:0>>
  return
}

// -----

func.func @second_product_is_too_coarse(%in0: tensor<4x!mli.fx16<8>>,
                                        %in1: tensor<4x!mli.fx16<-1>>,
                                        %w0: tensor<4x2x!mli.fx16<8>>,
                                        %w1: tensor<4x2x!mli.fx16<8>>,
                                        %bias: tensor<2x!mli.fx16<8>>,
                                        %init: tensor<2x!mli.fx16<8>>) {
  // C2
  // expected-error @below {{expected 'fracBits' of 'init' to be at most the products' 7, but got 8}}
  %result = mli.rnn_dense
    ins(%in0, %in1 : tensor<4x!mli.fx16<8>>, tensor<4x!mli.fx16<-1>>)
    weights(%w0, %w1 : tensor<4x2x!mli.fx16<8>>, tensor<4x2x!mli.fx16<8>>)
    bias(%bias : tensor<2x!mli.fx16<8>>) outs(%init : tensor<2x!mli.fx16<8>>) -> tensor<2x!mli.fx16<8>>
  return
}

// -----

func.func @bias_is_too_fine(%in0: tensor<4x!mli.fx16<8>>,
                            %w0: tensor<4x2x!mli.fx16<8>>,
                            %bias: tensor<2x!mli.fx16<17>>,
                            %init: tensor<2x!mli.fx16<8>>) {
  // C2
  // expected-error @below {{expected 'fracBits' of 'bias' to be at most the products' 16, but got 17}}
  %result = mli.rnn_dense
    ins(%in0 : tensor<4x!mli.fx16<8>>)
    weights(%w0 : tensor<4x2x!mli.fx16<8>>)
    bias(%bias : tensor<2x!mli.fx16<17>>) outs(%init : tensor<2x!mli.fx16<8>>) -> tensor<2x!mli.fx16<8>>
  return
}

// -----

func.func @dense_in_place(%in0: memref<2x!mli.fx16<8>>,
                          %w0: memref<2x2x!mli.fx16<8>>,
                          %bias: memref<2x!mli.fx16<8>>) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'inputs[0]', but got the same}}
  mli.rnn_dense
    ins(%in0 : memref<2x!mli.fx16<8>>)
    weights(%w0 : memref<2x2x!mli.fx16<8>>)
    bias(%bias : memref<2x!mli.fx16<8>>) outs(%in0 : memref<2x!mli.fx16<8>>)
  return
}

// -----

func.func @rows_with_gaps(%in0: memref<2x2x!mli.fx16<8>, strided<[4, 1]>>,
                          %w0: memref<4x2x!mli.fx16<8>>,
                          %bias: memref<2x!mli.fx16<8>>,
                          %init: memref<2x!mli.fx16<8>>) {
  // T19
  // expected-error @below {{expected 'inputs[0]' to be contiguous, but got 'memref<2x2x!mli.fx16<8>, strided<[4, 1]>>'}}
  mli.rnn_dense
    ins(%in0 : memref<2x2x!mli.fx16<8>, strided<[4, 1]>>)
    weights(%w0 : memref<4x2x!mli.fx16<8>>)
    bias(%bias : memref<2x!mli.fx16<8>>) outs(%init : memref<2x!mli.fx16<8>>)
  return
}

// -----

func.func @dense_over_the_second(%in0: memref<2x!mli.fx16<8>>,
                                 %in1: memref<2x!mli.fx16<8>>,
                                 %w0: memref<2x2x!mli.fx16<8>>,
                                 %bias: memref<2x!mli.fx16<8>>) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'inputs[1]', but got the same}}
  mli.rnn_dense
    ins(%in0, %in1 : memref<2x!mli.fx16<8>>, memref<2x!mli.fx16<8>>)
    weights(%w0, %w0 : memref<2x2x!mli.fx16<8>>, memref<2x2x!mli.fx16<8>>)
    bias(%bias : memref<2x!mli.fx16<8>>) outs(%in1 : memref<2x!mli.fx16<8>>)
  return
}

// -----

func.func @dense_over_the_bias(%in0: memref<2x!mli.fx16<8>>,
                               %w0: memref<2x2x!mli.fx16<8>>,
                               %bias: memref<2x!mli.fx16<8>>) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'bias', but got the same}}
  mli.rnn_dense
    ins(%in0 : memref<2x!mli.fx16<8>>)
    weights(%w0 : memref<2x2x!mli.fx16<8>>)
    bias(%bias : memref<2x!mli.fx16<8>>) outs(%bias : memref<2x!mli.fx16<8>>)
  return
}
