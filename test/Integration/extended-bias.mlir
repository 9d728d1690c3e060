// The zero point of the input, 5, as a part of the bias: beside a packed layer,
// a plain call and in local memory.

// RUN: mli-run %s | FileCheck %s
// RUN: mli-run %s --packed-weights=none | FileCheck %s
// RUN: mli-run %s --placement=local --target=vpx | FileCheck %s
// RUN: mli-run %s --placement=local --target=bm1684x | FileCheck %s
// RUN: mli-run %s --stats | FileCheck %s --check-prefix=PACKED
// PACKED: packed: {{[0-9]+}} bytes in 1 layers{{$}}

// CHECK:      output 0:
// CHECK-NEXT:   codes: -20 22 12
// CHECK:      output 1:
// CHECK-NEXT:   codes: -20 22 12

!in = tensor<4x!mli.sa8<16384:14:5>>
!weights = tensor<4x3x!mli.sa8<16384:14:0>>
!bias = tensor<3x!mli.sa32<16384:14:0>>
!out = tensor<3x!mli.sa8<16384:13:0>>

func.func @main() -> (!out, !out) {
  %in = mli.constant dense<[9, -3, 7, 1]> : tensor<4xi8> to !in
  %weights = mli.constant dense<[[1, 2, 3], [4, -5, 6], [-7, 8, 9], [2, 0, -3]]>
    : tensor<4x3xi8> to !weights
  %bias = mli.constant dense<[10, -20, 30]> : tensor<3xi32> to !bias
  %extended = mli.constant dense<[10, -45, -45]> : tensor<3xi32> to !bias
  %init = tensor.empty() : !out
  %0 = mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) -> !out
  %1 = mli.fully_connected ins(%in, %weights, %extended : !in, !weights, !bias)
    outs(%init : !out) {extended_bias} -> !out
  return %0, %1 : !out, !out
}
