// Kernels take tables of any length and format: the codes are those of the
// functions that the program says, in any memory.

// RUN: mli-run %s | FileCheck %s
// RUN: mli-run %s --placement local --target vpx | FileCheck %s
// RUN: mli-run %s --placement local --target custom,npus=4,npu-bytes=16384 | FileCheck %s

// The table of one function makes a kernel of another compute that.
// CHECK:      output 0:
// CHECK-NEXT:   codes: [[SIGM:.*]]
// CHECK:      output 1:
// CHECK-NEXT:   codes: [[SIGM]]{{$}}
// The format of the function's own table changes nothing.
// CHECK:      output 2:
// CHECK-NEXT:   codes: [[NORM:.*]]
// CHECK:      output 3:
// CHECK-NEXT:   codes: [[NORM]]{{$}}
// CHECK:      output 4:
// CHECK-NEXT:   codes: [[CELL:.*]]
// CHECK:      output 5:
// CHECK-NEXT:   codes: [[CELL]]{{$}}
// Two entries are a line: 1000 / 2^11 of 16384; an index behind it is clamped and
// keeps its fraction, 0. With an entry for each 4, from
// -4 on, it is (4 + x) / 4 of 16384.
// CHECK:      output 6:
// CHECK-NEXT:   codes: 8000 0 0 4096
// CHECK:      output 7:
// CHECK-NEXT:   codes: 18384 16384 20480 17408

!in = tensor<4x!mli.fx16<11>>
!unit = tensor<4x!mli.fx16<15>>
!sigm = tensor<320x!mli.fx16<15>>
!tanh = tensor<344x!mli.fx16<15>>
!norm = tensor<97x!mli.fx16<17>>
!line = tensor<2x!mli.fx16<15>>
!row = tensor<2x3x!mli.fx16<11>>
!state = tensor<2x!mli.fx16<15>>
!weights = tensor<3x3x2x!mli.fx16<12>>
!recurrent = tensor<3x2x2x!mli.fx16<12>>
!bias = tensor<3x2x!mli.fx16<13>>
!out = tensor<2x2x!mli.fx16<15>>

#sigm = #mli.lut_format<in_frac_bits = 4, input_offset = 160>
#tanh = #mli.lut_format<in_frac_bits = 5, input_offset = 172>
#norm = #mli.lut_format<in_frac_bits = 0, input_offset = -32>

func.func @main()
    -> (!unit, !unit, !unit, !unit, !out, !out, !unit, !unit) {
  %in = mli.constant dense<[1000, -3000, 7123, -257]> : tensor<4xi16> to !in
  %unit = tensor.empty() : !unit
  %sigm_empty = tensor.empty() : !sigm
  %sigm = mli.lut outs(%sigm_empty : !sigm) {function = #mli.lut_function<sigm>}
    -> !sigm
  %tanh_empty = tensor.empty() : !tanh
  %tanh = mli.lut outs(%tanh_empty : !tanh) {function = #mli.lut_function<tanh>}
    -> !tanh
  %norm_empty = tensor.empty() : !norm
  %norm = mli.lut outs(%norm_empty : !norm)
    {function = #mli.lut_function<l2_normalize>} -> !norm

  %0 = mli.sigm ins(%in : !in) outs(%unit : !unit) -> !unit
  %1 = mli.tanh ins(%in : !in) lut(%sigm : !sigm) outs(%unit : !unit)
    {lut_format = #sigm} -> !unit
  %2 = mli.l2_normalize ins(%in : !in) outs(%unit : !unit) -> !unit
  %3 = mli.l2_normalize ins(%in : !in) lut(%norm : !norm) outs(%unit : !unit)
    {lut_format = #norm} -> !unit

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
  %4 = mli.gru_cell
    ins(%row, %state, %weights, %recurrent, %bias
        : !row, !state, !weights, !recurrent, !bias)
    outs(%out : !out) {all_results} -> !out
  %5 = mli.gru_cell
    ins(%row, %state, %weights, %recurrent, %bias
        : !row, !state, !weights, !recurrent, !bias)
    tanh_lut(%tanh : !tanh) sigm_lut(%sigm : !sigm) outs(%out : !out)
    {all_results, tanh_lut_format = #tanh, sigm_lut_format = #sigm} -> !out

  %points = mli.constant dense<[1000, 0, 2048, 512]> : tensor<4xi16> to !in
  %line = mli.constant dense<[0, 16384]> : tensor<2xi16> to !line
  %6 = mli.tanh ins(%points : !in) lut(%line : !line) outs(%unit : !unit)
    {lut_format = #mli.lut_format<in_frac_bits = 0, input_offset = 0>} -> !unit
  %quarter = mli.constant dense<[0, 16384, 32767]> : tensor<3xi16>
    to tensor<3x!mli.fx16<15>>
  %7 = mli.tanh ins(%points : !in) lut(%quarter : tensor<3x!mli.fx16<15>>)
    outs(%unit : !unit)
    {lut_format = #mli.lut_format<in_frac_bits = -2, input_offset = 1>} -> !unit
  return %0, %1, %2, %3, %4, %5, %6, %7
    : !unit, !unit, !unit, !unit, !out, !out, !unit, !unit
}
