// RUN: mli-opt %s --split-input-file --verify-diagnostics

func.func @made_of_another(%init: tensor<320x!mli.fx16<15>>) {
  // E11
  // expected-error @below {{expected 'init' to be a table of tanh, 344 elements of '!mli.fx16<15>', but got 'tensor<320x!mli.fx16<15>>'}}
  %table = mli.lut outs(%init : tensor<320x!mli.fx16<15>>)
    {function = #mli.lut_function<tanh>} -> tensor<320x!mli.fx16<15>>
  return
}

// -----

func.func @format(%init: tensor<97x!mli.fx16<15>>) {
  // E11
  // expected-error @below {{expected 'init' to be a table of l2_normalize, 97 elements of '!mli.fx16<17>', but got 'tensor<97x!mli.fx16<15>>'}}
  %table = mli.lut outs(%init : tensor<97x!mli.fx16<15>>)
    {function = #mli.lut_function<l2_normalize>} -> tensor<97x!mli.fx16<15>>
  return
}

// -----

func.func @open_size(%init: memref<?x!mli.fx16<15>>) {
  // E11
  // expected-error @below {{expected 'init' to be a table of sigm, 320 elements of '!mli.fx16<15>', but got 'memref<?x!mli.fx16<15>>'}}
  mli.lut outs(%init : memref<?x!mli.fx16<15>>)
    {function = #mli.lut_function<sigm>}
  return
}

// -----

func.func @two_dimensions(%init: tensor<32x10x!mli.fx16<15>>) {
  // expected-error @below {{'mli.lut' op operand #0 must be 1D ranked tensor or memref of 16-bit fixed-point number values, but got 'tensor<32x10x!mli.fx16<15>>'}}
  %table = mli.lut outs(%init : tensor<32x10x!mli.fx16<15>>)
    {function = #mli.lut_function<sigm>} -> tensor<32x10x!mli.fx16<15>>
  return
}

// -----

!map = memref<4x!mli.fx16<15>>
func.func @table_of_tanh_for_sigm(%map: !map,
                                  %table: memref<344x!mli.fx16<15>>) {
  // E11
  // expected-error @below {{expected 'lut' to be a table of sigm, 320 elements of '!mli.fx16<15>', but got 'memref<344x!mli.fx16<15>>'}}
  mli.sigm ins(%map : !map) lut(%table : memref<344x!mli.fx16<15>>)
    outs(%map : !map)
  return
}

// -----

!map = tensor<4x!mli.fx16<15>>
func.func @table_of_sigm_for_softmax(%map: !map,
                                     %table: tensor<320x!mli.fx16<15>>) {
  // E11
  // expected-error @below {{expected 'lut' to be a table of softmax, 358 elements of '!mli.fx16<15>', but got 'tensor<320x!mli.fx16<15>>'}}
  %result = mli.softmax ins(%map : !map) lut(%table : tensor<320x!mli.fx16<15>>)
    outs(%map : !map) -> !map
  return
}

// -----

!table = memref<344x!mli.fx16<15>, strided<[2]>>
func.func @gaps(%map: memref<4x!mli.fx16<15>>, %table: !table) {
  // T19
  // expected-error @below {{expected 'lut' to be contiguous, but got 'memref<344x!mli.fx16<15>, strided<[2]>>'}}
  mli.tanh ins(%map : memref<4x!mli.fx16<15>>) lut(%table : !table)
    outs(%map : memref<4x!mli.fx16<15>>)
  return
}

// -----

!table = memref<344x!mli.fx16<15>>
func.func @table_as_result(%map: !table, %table: !table) {
  // T18
  // expected-error @below {{expected 'init' to be another buffer than 'lut', but got the same}}
  mli.tanh ins(%map : !table) lut(%table : !table) outs(%table : !table)
  return
}

// -----

// What a kernel only reads may be its table as well.
!table = memref<344x!mli.fx16<15>>
func.func @table_as_input(%table: !table, %out: !table) {
  mli.tanh ins(%table : !table) lut(%table : !table) outs(%out : !table)
  return
}

// -----

!row = tensor<6x4x!mli.fx16<8>>
!state = tensor<2x!mli.fx16<8>>
!wi = tensor<3x4x2x!mli.fx16<8>>
!wo = tensor<3x2x2x!mli.fx16<8>>
!bias = tensor<3x2x!mli.fx16<8>>
!last = tensor<1x2x!mli.fx16<8>>
!table = tensor<320x!mli.fx16<15>>
func.func @tables_of_a_cell(%row: !row, %state: !state, %wi: !wi, %wo: !wo,
                            %bias: !bias, %last: !last, %table: !table) {
  // E11
  // expected-error @below {{expected 'tanh_lut' to be a table of tanh, 344 elements of '!mli.fx16<15>', but got 'tensor<320x!mli.fx16<15>>'}}
  %result = mli.gru_cell
    ins(%row, %state, %wi, %wo, %bias : !row, !state, !wi, !wo, !bias)
    tanh_lut(%table : !table) outs(%last : !last) -> !last
  return
}

// -----

!row = tensor<6x4x!mli.fx16<8>>
!state = tensor<2x!mli.fx16<8>>
!wi = tensor<4x4x2x!mli.fx16<8>>
!wo = tensor<4x2x2x!mli.fx16<8>>
!bias = tensor<4x2x!mli.fx16<8>>
!last = tensor<1x2x!mli.fx16<8>>
!table = tensor<344x!mli.fx16<15>>
func.func @tables_of_a_cell_with_state(%row: !row, %state: !state, %wi: !wi,
                                       %wo: !wo, %bias: !bias, %last: !last,
                                       %table: !table) {
  // E11
  // expected-error @below {{expected 'sigm_lut' to be a table of sigm, 320 elements of '!mli.fx16<15>', but got 'tensor<344x!mli.fx16<15>>'}}
  %cell, %result = mli.lstm_cell
    ins(%row, %state, %wi, %wo, %bias : !row, !state, !wi, !wo, !bias)
    sigm_lut(%table : !table) outs(%state, %last : !state, !last)
    -> !state, !last
  return
}

// -----

!map = tensor<4x!mli.fx16<15>>
func.func @format_of_no_table(%map: !map) {
  // E12
  // expected-error @below {{expected a table of sigm, which has the format #mli.lut_format<in_frac_bits = 4, input_offset = 160>, but got none}}
  %result = mli.sigm ins(%map : !map) outs(%map : !map)
    {lut_format = #mli.lut_format<in_frac_bits = 4, input_offset = 160>} -> !map
  return
}

// -----

!map = tensor<4x!mli.fx16<15>>
!table = tensor<1x!mli.fx16<15>>
func.func @one_entry(%map: !map, %table: !table) {
  // K59
  // expected-error @below {{expected 'lut' to be a table of at least 2 elements, but got 'tensor<1x!mli.fx16<15>>'}}
  %result = mli.tanh ins(%map : !map) lut(%table : !table) outs(%map : !map)
    {lut_format = #mli.lut_format<in_frac_bits = 4, input_offset = 0>} -> !map
  return
}

// -----

!map = memref<4x!mli.fx16<15>>
!table = memref<?x!mli.fx16<15>>
func.func @open_length(%map: !map, %table: !table) {
  // E12
  // expected-error @below {{expected 'lut' to be a table of at least 2 elements, but got 'memref<?x!mli.fx16<15>>'}}
  mli.tanh ins(%map : !map) lut(%table : !table) outs(%map : !map)
    {lut_format = #mli.lut_format<in_frac_bits = 4, input_offset = 0>}
  return
}

// -----

!row = tensor<6x4x!mli.fx16<8>>
!state = tensor<2x!mli.fx16<8>>
!wi = tensor<3x4x2x!mli.fx16<8>>
!wo = tensor<3x2x2x!mli.fx16<8>>
!bias = tensor<3x2x!mli.fx16<8>>
!last = tensor<1x2x!mli.fx16<8>>
!table = tensor<343x!mli.fx16<15>>
func.func @short_table_of_a_cell(%row: !row, %state: !state, %wi: !wi,
                                 %wo: !wo, %bias: !bias, %last: !last,
                                 %table: !table) {
  // K48
  // expected-error @below {{expected 'tanh_lut' to be a table of at least 344 elements, but got 'tensor<343x!mli.fx16<15>>'}}
  %result = mli.gru_cell
    ins(%row, %state, %wi, %wo, %bias : !row, !state, !wi, !wo, !bias)
    tanh_lut(%table : !table) outs(%last : !last)
    {tanh_lut_format = #mli.lut_format<in_frac_bits = 5, input_offset = 172>}
    -> !last
  return
}

// -----

!in = tensor<4x!mli.sa8<3:6:-5>>
!out = tensor<4x!mli.fx16<15>>
!table = tensor<9x!mli.fx16<7>>
func.func @result_of_another_kind(%in: !in, %out: !out, %table: !table) {
  // E2
  // expected-error @below {{expected 'init' to have elements of the kind of 'input' '!mli.sa8<3:6:-5>', but got '!mli.fx16<15>'}}
  %result = mli.tanh ins(%in : !in) lut(%table : !table) outs(%out : !out)
    {lut_format = #mli.lut_format<in_frac_bits = 4, input_offset = 0>} -> !out
  return
}

// -----

!in = tensor<4x!mli.sa8<3:6:-5>>
!out = tensor<4x!mli.sa8<3:6:200>>
!table = tensor<9x!mli.fx16<7>>
func.func @zero_point_of_any_format(%in: !in, %out: !out, %table: !table) {
  // E2
  // expected-error @below {{expected zero point of 'init' to be in [-128, 127], but got 200}}
  %result = mli.tanh ins(%in : !in) lut(%table : !table) outs(%out : !out)
    {lut_format = #mli.lut_format<in_frac_bits = 4, input_offset = 0>} -> !out
  return
}
