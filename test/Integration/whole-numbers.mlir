// Integers are printed whole, whatever they are; other numbers in 6 digits.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i4 3 2147483647 -2147483648 1234567
// RUN: mli-run %s --input 0=%t/in.npy --input 1=%t/in.npy | FileCheck %s
// RUN: mli-run %s --input 0=%t/in.npy --input 1=%t/in.npy --top 1 \
// RUN:   | FileCheck %s --check-prefix=TOP

// CHECK:      output 0:
// CHECK-NEXT:   codes: 2147483647 -2147483648 1234567
// CHECK-NEXT:   values: 2147483647 -2147483648 1234567
// CHECK-NEXT: output 1:
// CHECK-NEXT:   codes: 2147483647 -2147483648 1234567
// CHECK-NEXT:   values: 1.07374e+09 -1073741824 617284

// TOP: 1. class 0  2147483647.0000 (2147483647)

func.func @main(%a: tensor<3x!mli.sa32<1:0:0>>, %b: tensor<3x!mli.sa32<1:1:0>>)
    -> (tensor<3x!mli.sa32<1:0:0>>, tensor<3x!mli.sa32<1:1:0>>) {
  return %a, %b : tensor<3x!mli.sa32<1:0:0>>, tensor<3x!mli.sa32<1:1:0>>
}
