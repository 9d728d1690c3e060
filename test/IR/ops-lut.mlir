// RUN: mli-opt %s --verify-roundtrip | FileCheck %s --check-prefixes=CHECK,OLD

!in = tensor<4x8x!mli.sa8<3:6:-5>>
!positive = tensor<4x8x!mli.sa8<1:8:-128>>
!signed = tensor<4x8x!mli.sa8<1:7:0>>
!sigm = tensor<320x!mli.fx16<15>>
!tanh = tensor<344x!mli.fx16<15>>
!softmax = tensor<358x!mli.fx16<15>>
!norm = tensor<97x!mli.fx16<17>>

// E11
// OLD-LABEL: func.func @made
// OLD: mli.lut outs(%{{.*}} : tensor<320x!mli.fx16<15>>) {function = #mli.lut_function<sigm>} -> tensor<320x!mli.fx16<15>>
// OLD: mli.lut outs(%{{.*}} : tensor<344x!mli.fx16<15>>) {function = #mli.lut_function<tanh>} -> tensor<344x!mli.fx16<15>>
// OLD: mli.lut outs(%{{.*}} : tensor<358x!mli.fx16<15>>) {function = #mli.lut_function<softmax>} -> tensor<358x!mli.fx16<15>>
// OLD: mli.lut outs(%{{.*}} : tensor<97x!mli.fx16<17>>) {function = #mli.lut_function<l2_normalize>} -> tensor<97x!mli.fx16<17>>
func.func @made(%0: !sigm, %1: !tanh, %2: !softmax, %3: !norm)
    -> (!sigm, !tanh, !softmax, !norm) {
  %sigm = mli.lut outs(%0 : !sigm) {function = #mli.lut_function<sigm>} -> !sigm
  %tanh = mli.lut outs(%1 : !tanh) {function = #mli.lut_function<tanh>} -> !tanh
  %softmax = mli.lut outs(%2 : !softmax) {function = #mli.lut_function<softmax>}
    -> !softmax
  %norm = mli.lut outs(%3 : !norm) {function = #mli.lut_function<l2_normalize>}
    -> !norm
  return %sigm, %tanh, %softmax, %norm : !sigm, !tanh, !softmax, !norm
}

// OLD-LABEL: func.func @taken
// OLD: mli.sigm ins(%{{.*}} : tensor<4x8x!mli.sa8<3:6:-5>>) lut(%{{.*}} : tensor<320x!mli.fx16<15>>) outs(%{{.*}} : {{.*}}) -> tensor<4x8x!mli.sa8<1:8:-128>>
// OLD: mli.tanh ins(%{{.*}}) lut(%{{.*}} : tensor<344x!mli.fx16<15>>) outs(
// OLD: mli.softmax ins(%{{.*}}) lut(%{{.*}} : tensor<358x!mli.fx16<15>>) outs(%{{.*}}) {axis = 1 : i32} ->
// OLD: mli.l2_normalize ins(%{{.*}}) lut(%{{.*}} : tensor<97x!mli.fx16<17>>) outs(%{{.*}}) {axis = 0 : i32} ->
func.func @taken(%in: !in, %positive: !positive, %signed: !signed, %0: !sigm,
                 %1: !tanh, %2: !softmax, %3: !norm)
    -> (!positive, !signed, !positive, !signed) {
  %sigm = mli.sigm ins(%in : !in) lut(%0 : !sigm) outs(%positive : !positive)
    -> !positive
  %tanh = mli.tanh ins(%in : !in) lut(%1 : !tanh) outs(%signed : !signed)
    -> !signed
  %softmax = mli.softmax ins(%in : !in) lut(%2 : !softmax)
    outs(%positive : !positive) {axis = 1 : i32} -> !positive
  %norm = mli.l2_normalize ins(%in : !in) lut(%3 : !norm)
    outs(%signed : !signed) {axis = 0 : i32} -> !signed
  return %sigm, %tanh, %softmax, %norm
    : !positive, !signed, !positive, !signed
}

!row = tensor<6x16x!mli.fx16<12>>
!state = tensor<8x!mli.fx16<15>>
!lstm_in = tensor<4x16x8x!mli.fx16<13>>
!lstm_out = tensor<4x8x8x!mli.fx16<13>>
!lstm_bias = tensor<4x8x!mli.fx16<13>>
!gru_in = tensor<3x16x8x!mli.fx16<13>>
!gru_out = tensor<3x8x8x!mli.fx16<13>>
!gru_bias = tensor<3x8x!mli.fx16<13>>
!last = tensor<1x8x!mli.fx16<15>>

// Each of the two or both.
// OLD-LABEL: func.func @cells
// OLD: mli.lstm_cell ins({{.*}}) tanh_lut(%[[TANH:.*]] : tensor<344x!mli.fx16<15>>) sigm_lut(%[[SIGM:.*]] : tensor<320x!mli.fx16<15>>) outs(
// OLD: mli.gru_cell ins({{.*}}) sigm_lut(%[[SIGM]] : tensor<320x!mli.fx16<15>>) outs(
// OLD: mli.gru_cell ins({{.*}}) tanh_lut(%[[TANH]] : tensor<344x!mli.fx16<15>>) outs(
func.func @cells(%row: !row, %state: !state, %wi: !lstm_in, %wo: !lstm_out,
                 %bias: !lstm_bias, %gi: !gru_in, %go: !gru_out, %gb: !gru_bias,
                 %tanh: !tanh, %sigm: !sigm, %last: !last)
    -> (!last, !last, !last) {
  %cell, %lstm = mli.lstm_cell
    ins(%row, %state, %wi, %wo, %bias
        : !row, !state, !lstm_in, !lstm_out, !lstm_bias)
    tanh_lut(%tanh : !tanh) sigm_lut(%sigm : !sigm)
    outs(%state, %last : !state, !last) -> !state, !last
  %0 = mli.gru_cell
    ins(%row, %state, %gi, %go, %gb : !row, !state, !gru_in, !gru_out, !gru_bias)
    sigm_lut(%sigm : !sigm) outs(%last : !last) -> !last
  %1 = mli.gru_cell
    ins(%row, %state, %gi, %go, %gb : !row, !state, !gru_in, !gru_out, !gru_bias)
    tanh_lut(%tanh : !tanh) outs(%last : !last) -> !last
  return %lstm, %0, %1 : !last, !last, !last
}

// OLD-LABEL: func.func @buffers
// OLD: mli.lut outs(%[[TABLE:.*]] : memref<344x!mli.fx16<15>>) {function = #mli.lut_function<tanh>}
// OLD: mli.tanh ins(%{{.*}} : memref<?x!mli.fx8<4>>) lut(%[[TABLE]] : memref<344x!mli.fx16<15>>) outs(%{{.*}} : memref<?x!mli.fx8<7>>)
// OLD: mli.tanh ins(%{{.*}}) lut(%{{.*}} : memref<344x!mli.fx16<15>, strided<[1], offset: ?>>)
func.func @buffers(%in: memref<?x!mli.fx8<4>>, %out: memref<?x!mli.fx8<7>>,
                   %table: memref<344x!mli.fx16<15>>,
                   %part: memref<344x!mli.fx16<15>, strided<[1], offset: ?>>) {
  mli.lut outs(%table : memref<344x!mli.fx16<15>>)
    {function = #mli.lut_function<tanh>}
  mli.tanh ins(%in : memref<?x!mli.fx8<4>>)
    lut(%table : memref<344x!mli.fx16<15>>) outs(%out : memref<?x!mli.fx8<7>>)
  mli.tanh ins(%in : memref<?x!mli.fx8<4>>)
    lut(%part : memref<344x!mli.fx16<15>, strided<[1], offset: ?>>)
    outs(%out : memref<?x!mli.fx8<7>>)
  return
}

!short = tensor<3x!mli.fx16<12>>

// E12
// CHECK-LABEL: func.func @formats
// CHECK: mli.sigm ins(%{{.*}}) lut(%{{.*}} : tensor<3x!mli.fx16<12>>) outs(%{{.*}}) {lut_format = #mli.lut_format<in_frac_bits = -2, input_offset = 1>} ->
// CHECK: mli.softmax ins(%{{.*}}) lut(%{{.*}} : tensor<3x!mli.fx16<12>>) outs(%{{.*}}) {axis = 1 : i32, lut_format = #mli.lut_format<in_frac_bits = 0, input_offset = -2147483648>} ->
func.func @formats(%in: !in, %table: !short, %init: !positive)
    -> (!positive, !positive) {
  %sigm = mli.sigm ins(%in : !in) lut(%table : !short) outs(%init : !positive)
    {lut_format = #mli.lut_format<in_frac_bits = -2, input_offset = 1>}
    -> !positive
  %softmax = mli.softmax ins(%in : !in) lut(%table : !short)
    outs(%init : !positive) {axis = 1 : i32,
      lut_format = #mli.lut_format<in_frac_bits = 0, input_offset = -2147483648>}
    -> !positive
  return %sigm, %softmax : !positive, !positive
}

!codes = tensor<257x!mli.fx16<7>>
!square = tensor<4x!mli.sa8<3:6:-5>>
!other = tensor<4x!mli.sa8<7:3:100>>

// With a table of the program its result has any format of the input's kind.
// E2
// CHECK-LABEL: func.func @any_format
// CHECK: mli.tanh {{.*}} -> tensor<4x!mli.sa8<7:3:100>>
func.func @any_format(%in: !square, %table: !codes, %init: !other) -> !other {
  %result = mli.tanh ins(%in : !square) lut(%table : !codes) outs(%init : !other)
    {lut_format = #mli.lut_format<in_frac_bits = 5, input_offset = 128>}
    -> !other
  return %result : !other
}

!long = tensor<400x!mli.fx16<14>>

// CHECK-LABEL: func.func @formats_of_cells
// CHECK: mli.gru_cell ins({{.*}}) tanh_lut(%{{.*}} : tensor<400x!mli.fx16<14>>) sigm_lut(%{{.*}} : tensor<320x!mli.fx16<15>>) outs(%{{.*}}) {tanh_lut_format = #mli.lut_format<in_frac_bits = 5, input_offset = 200>} ->
func.func @formats_of_cells(%row: !row, %state: !state, %gi: !gru_in,
                            %go: !gru_out, %gb: !gru_bias, %tanh: !long,
                            %sigm: !sigm, %last: !last) -> !last {
  %0 = mli.gru_cell
    ins(%row, %state, %gi, %go, %gb : !row, !state, !gru_in, !gru_out, !gru_bias)
    tanh_lut(%tanh : !long) sigm_lut(%sigm : !sigm) outs(%last : !last)
    {tanh_lut_format = #mli.lut_format<in_frac_bits = 5, input_offset = 200>}
    -> !last
  return %0 : !last
}
