// A kernel gives the same codes by a table of its own, by one that is shared and
// by one that is a constant or an argument, in any memory.

// RUN: mli-run %s | FileCheck %s
// RUN: mli-run %s --placement local --target vpx | FileCheck %s
// RUN: mli-run %s --placement local --target custom,npus=4,npu-bytes=16384 | FileCheck %s

// CHECK:      output 0:
// CHECK-NEXT:   codes: [[SIGM:.*]]
// CHECK:      output 1:
// CHECK-NEXT:   codes: [[SIGM]]{{$}}
// CHECK:      output 2:
// CHECK-NEXT:   codes: [[TANH:.*]]
// CHECK:      output 3:
// CHECK-NEXT:   codes: [[TANH]]{{$}}
// CHECK:      output 4:
// CHECK-NEXT:   codes: [[SOFTMAX:.*]]
// CHECK:      output 5:
// CHECK-NEXT:   codes: [[SOFTMAX]]{{$}}
// CHECK:      output 6:
// CHECK-NEXT:   codes: [[NORM:.*]]
// CHECK:      output 7:
// CHECK-NEXT:   codes: [[NORM]]{{$}}
// CHECK:      output 8:
// CHECK-NEXT:   codes: [[CELL:.*]]
// CHECK:      output 9:
// CHECK-NEXT:   codes: [[CELL]]{{$}}
// CHECK:      output 10:
// CHECK-NEXT:   codes: [[CELL]]{{$}}
// A table of zeros: the kernel reads what it is given.
// CHECK:      output 11:
// CHECK-NEXT:   codes: 0 0 0 0 0 0

!in = tensor<2x3x!mli.fx16<11>>
!unit = tensor<2x3x!mli.fx16<15>>
!in8 = tensor<2x3x!mli.sa8<20000:19:-10>>
!positive8 = tensor<2x3x!mli.sa8<1:8:-128>>
!sigm = tensor<320x!mli.fx16<15>>
!tanh = tensor<344x!mli.fx16<15>>
!softmax = tensor<358x!mli.fx16<15>>
!norm = tensor<97x!mli.fx16<17>>
!row = tensor<2x3x!mli.fx16<11>>
!state = tensor<2x!mli.fx16<15>>
!weights = tensor<3x3x2x!mli.fx16<12>>
!recurrent = tensor<3x2x2x!mli.fx16<12>>
!bias = tensor<3x2x!mli.fx16<13>>
!out = tensor<2x2x!mli.fx16<15>>

func.func @main()
    -> (!positive8, !positive8, !unit, !unit, !unit, !unit, !unit, !unit, !out,
        !out, !out, !unit) {
  %in = mli.constant dense<[[1000, -3000, 12], [0, 7123, -257]]>
    : tensor<2x3xi16> to !in
  %in8 = mli.constant dense<[[100, -128, 127], [-10, 3, -40]]>
    : tensor<2x3xi8> to !in8
  %unit = tensor.empty() : !unit
  %positive8 = tensor.empty() : !positive8

  %sigm_empty = tensor.empty() : !sigm
  %sigm = mli.lut outs(%sigm_empty : !sigm) {function = #mli.lut_function<sigm>}
    -> !sigm
  %0 = mli.sigm ins(%in8 : !in8) outs(%positive8 : !positive8) -> !positive8
  %1 = mli.sigm ins(%in8 : !in8) lut(%sigm : !sigm)
    outs(%positive8 : !positive8) -> !positive8

  %tanh_empty = tensor.empty() : !tanh
  %tanh = mli.lut outs(%tanh_empty : !tanh) {function = #mli.lut_function<tanh>}
    -> !tanh
  %2 = mli.tanh ins(%in : !in) outs(%unit : !unit) -> !unit
  %3 = mli.tanh ins(%in : !in) lut(%tanh : !tanh) outs(%unit : !unit) -> !unit

  %softmax_empty = tensor.empty() : !softmax
  %softmax = mli.lut outs(%softmax_empty : !softmax)
    {function = #mli.lut_function<softmax>} -> !softmax
  %4 = mli.softmax ins(%in : !in) outs(%unit : !unit) {axis = 1 : i32} -> !unit
  %5 = mli.softmax ins(%in : !in) lut(%softmax : !softmax) outs(%unit : !unit)
    {axis = 1 : i32} -> !unit

  %norm_empty = tensor.empty() : !norm
  %norm = mli.lut outs(%norm_empty : !norm)
    {function = #mli.lut_function<l2_normalize>} -> !norm
  %6 = mli.l2_normalize ins(%in : !in) outs(%unit : !unit) {axis = 1 : i32}
    -> !unit
  %7 = mli.l2_normalize ins(%in : !in) lut(%norm : !norm) outs(%unit : !unit)
    {axis = 1 : i32} -> !unit

  %row = mli.constant dense<[[420, 4944, 11397], [-12578, 5781, -11083]]>
    : tensor<2x3xi16> to !row
  %state = mli.constant dense<[-9465, 19769]> : tensor<2xi16> to !state
  %weights = mli.constant dense<[[[3000, -200], [1, 800], [-5000, 40]],
    [[-7, 900], [4000, -2500], [60, 70]], [[500, 5], [-600, 6000], [8, -80]]]>
    : tensor<3x3x2xi16> to !weights
  %recurrent = mli.constant dense<[[[900, -100], [70, 2000]],
    [[-3000, 8], [500, 600]], [[12, 4000], [-40, 90]]]>
    : tensor<3x2x2xi16> to !recurrent
  %bias = mli.constant dense<[[5, -1000], [30, 2000], [-700, 0]]>
    : tensor<3x2xi16> to !bias
  %out = tensor.empty() : !out
  %8 = mli.gru_cell
    ins(%row, %state, %weights, %recurrent, %bias
        : !row, !state, !weights, !recurrent, !bias)
    outs(%out : !out) {all_results} -> !out
  %9 = mli.gru_cell
    ins(%row, %state, %weights, %recurrent, %bias
        : !row, !state, !weights, !recurrent, !bias)
    tanh_lut(%tanh : !tanh) sigm_lut(%sigm : !sigm)
    outs(%out : !out) {all_results} -> !out
  %10 = mli.gru_cell
    ins(%row, %state, %weights, %recurrent, %bias
        : !row, !state, !weights, !recurrent, !bias)
    sigm_lut(%sigm : !sigm) outs(%out : !out) {all_results} -> !out

  %zeros = mli.constant dense<0> : tensor<344xi16> to !tanh
  %11 = mli.tanh ins(%in : !in) lut(%zeros : !tanh) outs(%unit : !unit) -> !unit
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
    : !positive8, !positive8, !unit, !unit, !unit, !unit, !unit, !unit, !out,
      !out, !out, !unit
}
