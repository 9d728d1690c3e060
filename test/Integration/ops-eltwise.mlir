// Numbers that were worked out by hand from the rules of docs/spec/kernels.md.

// RUN: mli-run %s | FileCheck %s

// K26: each operand of a sum is rounded; a product is narrowed first.
// CHECK:      output 0: tensor<2x!mli.sa8<30000:13:5>>
// CHECK-NEXT:   codes: 7 22
// CHECK:      output 1:
// CHECK-NEXT:   codes: 37 -54
// CHECK:      output 2:
// CHECK-NEXT:   codes: 5 127
// Codes 1 and 2 stand for 1/4 and 1/2, then for half of that, halves up.
// CHECK:      output 3: tensor<3x!mli.fx8<1>>
// CHECK-NEXT:   codes: -2 1 1
// CHECK:      output 4:
// CHECK-NEXT:   codes: 1 1 4

!lhs = tensor<2x!mli.sa8<20000:15:-3>>
!rhs = tensor<2x!mli.sa8<9000:13:0>>
!out = tensor<2x!mli.sa8<30000:13:5>>
!fx8 = tensor<3x!mli.fx8<2>>
!half = tensor<3x!mli.fx8<1>>

func.func @main() -> (!out, !out, !out, !half, !half) {
  %init = tensor.empty() : !out
  %lhs = mli.constant dense<[100, -128]> : tensor<2xi8> to !lhs
  %rhs = mli.constant dense<[-50, 127]> : tensor<2xi8> to !rhs
  %sum = mli.eltwise_add ins(%lhs, %rhs : !lhs, !rhs) outs(%init : !out) -> !out
  %difference = mli.eltwise_sub ins(%lhs, %rhs : !lhs, !rhs) outs(%init : !out)
    -> !out
  %factor = mli.constant dense<[0, 77]> : tensor<2xi8> to !lhs
  %other = mli.constant dense<[0, 33]> : tensor<2xi8> to !rhs
  %product = mli.eltwise_mul ins(%factor, %other : !lhs, !rhs)
    outs(%init : !out) -> !out

  %fx8 = mli.constant dense<[-4, 1, 7]> : tensor<3xi8> to !fx8
  %two = mli.constant dense<2> : tensor<1xi8> to tensor<1x!mli.fx8<2>>
  %half = tensor.empty() : !half
  %lesser = mli.eltwise_min ins(%fx8, %two : !fx8, tensor<1x!mli.fx8<2>>)
    outs(%half : !half) -> !half
  %greater = mli.eltwise_max ins(%fx8, %two : !fx8, tensor<1x!mli.fx8<2>>)
    outs(%half : !half) -> !half
  return %sum, %difference, %product, %lesser, %greater
    : !out, !out, !out, !half, !half
}
