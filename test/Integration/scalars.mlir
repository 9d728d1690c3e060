// A scalar of rank 0 is the same operand as one dimension of one element, whether
// it is known or not, and wherever its kernel runs.

// RUN: mli-run %s | FileCheck %s
// RUN: mli-run %s --placement local --target vpx | FileCheck %s
// RUN: mli-run %s --placement local --target custom,npus=4,npu-bytes=16384 | FileCheck %s

// CHECK:      output 0:
// CHECK-NEXT:   codes: [[ADD:.*]]
// CHECK:      output 1:
// CHECK-NEXT:   codes: [[ADD]]{{$}}
// CHECK:      output 2:
// CHECK-NEXT:   codes: [[ADD]]{{$}}
// CHECK:      output 3:
// CHECK-NEXT:   codes: [[LEAKY:.*]]
// CHECK:      output 4:
// CHECK-NEXT:   codes: [[LEAKY]]{{$}}
// CHECK:      output 5:
// CHECK-NEXT:   codes: [[LEAKY]]{{$}}
// CHECK:      output 6:
// CHECK-NEXT:   codes: [[SUB:.*]]
// CHECK:      output 7:
// CHECK-NEXT:   codes: [[SUB]]{{$}}

!map = tensor<2x3x!mli.sa8<20000:19:-10>>
!one = tensor<1x!mli.sa8<3:6:-5>>
!scalar = tensor<!mli.sa8<3:6:-5>>
!map16 = tensor<2x3x!mli.fx16<11>>
!one16 = tensor<1x!mli.fx16<13>>
!scalar16 = tensor<!mli.fx16<13>>
#still = #mli.copy_reason<still_needed>

func.func @main()
    -> (!map, !map, !map, !map16, !map16, !map16, !map, !map) {
  %codes = mli.constant dense<[[100, -128, 127], [-10, 3, -40]]>
    : tensor<2x3xi8> to !map
  %map_empty = tensor.empty() : !map
  // Nobody knows what a move with a reason has moved.
  %map = mli.mov ins(%codes : !map) outs(%map_empty : !map) {reason = #still}
    -> !map
  %one = mli.constant dense<-77> : tensor<1xi8> to !one
  %known = mli.constant dense<-77> : tensor<i8> to !scalar
  %scalar_empty = tensor.empty() : !scalar
  %scalar = mli.mov ins(%known : !scalar) outs(%scalar_empty : !scalar)
    {reason = #still} -> !scalar
  %0 = mli.eltwise_add ins(%map, %one : !map, !one) outs(%map_empty : !map)
    -> !map
  %1 = mli.eltwise_add ins(%map, %known : !map, !scalar) outs(%map_empty : !map)
    -> !map
  %2 = mli.eltwise_add ins(%scalar, %map : !scalar, !map) outs(%map_empty : !map)
    -> !map

  %codes16 = mli.constant dense<[[1000, -3000, 12], [0, 7123, -257]]>
    : tensor<2x3xi16> to !map16
  %empty16 = tensor.empty() : !map16
  %map16 = mli.mov ins(%codes16 : !map16) outs(%empty16 : !map16)
    {reason = #still} -> !map16
  %one16 = mli.constant dense<-1234> : tensor<1xi16> to !one16
  %known16 = mli.constant dense<-1234> : tensor<i16> to !scalar16
  %scalar_empty16 = tensor.empty() : !scalar16
  %scalar16 = mli.mov ins(%known16 : !scalar16) outs(%scalar_empty16 : !scalar16)
    {reason = #still} -> !scalar16
  %3 = mli.leaky_relu ins(%map16, %one16 : !map16, !one16)
    outs(%empty16 : !map16) -> !map16
  %4 = mli.prelu ins(%map16, %known16 : !map16, !scalar16)
    outs(%empty16 : !map16) -> !map16
  %5 = mli.leaky_relu ins(%map16, %scalar16 : !map16, !scalar16)
    outs(%empty16 : !map16) -> !map16

  %6 = mli.eltwise_sub ins(%one, %map : !one, !map) outs(%map_empty : !map)
    -> !map
  %7 = mli.eltwise_sub ins(%scalar, %map : !scalar, !map)
    outs(%map_empty : !map) -> !map
  return %0, %1, %2, %3, %4, %5, %6, %7
    : !map, !map, !map, !map16, !map16, !map16, !map, !map
}
