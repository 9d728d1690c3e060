// Numbers that were worked out by hand from the rules of docs/spec/kernels.md.

// RUN: mli-run %s | FileCheck %s

// K37, K27: with and without interpolation between entries of the table.
// CHECK:      output 0: tensor<1x!mli.fx16<15>>
// CHECK-NEXT:   codes: 20306
// CHECK:      output 1:
// CHECK-NEXT:   codes: 21344
// CHECK:      output 2:
// CHECK-NEXT:   codes: 14837
// CHECK:      output 3: tensor<1x!mli.sa8<1:8:-128>>
// CHECK-NEXT:   codes: 124
// CHECK:      output 4: tensor<1x!mli.sa8<1:7:0>>
// CHECK-NEXT:   codes: 127
// K39
// CHECK:      output 5:
// CHECK-NEXT:   codes: 7562 10083 0 -30249
// K41
// CHECK:      output 6: tensor<6x!mli.sa8<30000:13:5>>
// CHECK-NEXT:   codes: 127 127 11 5 5 27

!row = tensor<1x!mli.fx16<11>>
!unit = tensor<1x!mli.fx16<15>>
!sa8 = tensor<1x!mli.sa8<20000:19:-10>>
!positive = tensor<1x!mli.sa8<1:8:-128>>
!signed = tensor<1x!mli.sa8<1:7:0>>
!vector = tensor<4x!mli.fx16<11>>
!direction = tensor<4x!mli.fx16<15>>
!in = tensor<6x!mli.sa8<20000:15:-3>>
!slope = tensor<1x!mli.sa8<12000:15:3>>
!out = tensor<6x!mli.sa8<30000:13:5>>

func.func @main() -> (!unit, !unit, !unit, !positive, !signed, !direction, !out) {
  %unit = tensor.empty() : !unit
  %row = mli.constant dense<1000> : tensor<1xi16> to !row
  %sigm = mli.sigm ins(%row : !row) outs(%unit : !unit) -> !unit
  %coarse = mli.constant dense<5> : tensor<1xi16> to tensor<1x!mli.fx16<3>>
  %entry = mli.sigm ins(%coarse : tensor<1x!mli.fx16<3>>) outs(%unit : !unit)
    -> !unit
  %tanh = mli.tanh ins(%row : !row) outs(%unit : !unit) -> !unit

  %sa8 = mli.constant dense<100> : tensor<1xi8> to !sa8
  %positive = tensor.empty() : !positive
  %sigm_sa8 = mli.sigm ins(%sa8 : !sa8) outs(%positive : !positive) -> !positive
  %signed = tensor.empty() : !signed
  %tanh_sa8 = mli.tanh ins(%sa8 : !sa8) outs(%signed : !signed) -> !signed

  %vector = mli.constant dense<[3, 4, 0, -12]> : tensor<4xi16> to !vector
  %four = tensor.empty() : !direction
  %direction = mli.l2_normalize ins(%vector : !vector) outs(%four : !direction)
    -> !direction

  %in = mli.constant dense<[-128, -50, -4, -3, 0, 127]> : tensor<6xi8> to !in
  %slope = mli.constant dense<-100> : tensor<1xi8> to !slope
  %six = tensor.empty() : !out
  %leaky = mli.leaky_relu ins(%in, %slope : !in, !slope) outs(%six : !out)
    -> !out
  return %sigm, %entry, %tanh, %sigm_sa8, %tanh_sa8, %direction, %leaky
    : !unit, !unit, !unit, !positive, !signed, !direction, !out
}
