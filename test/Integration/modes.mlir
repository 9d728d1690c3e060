// Kernels that run, constants that are folded and C round in the mode of the tool.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4 1 2 3 5
// RUN: mli-run %s --input %t/in.npy --output-dir %t/up
// RUN: mli-run %s --input %t/in.npy --output-dir %t/even --rounding convergent
// RUN: %python -c "import sys; [print(list(open(sys.argv[1] + '/' + n + '/output_' + k + '.npy', 'rb').read()[-4:])) for n in ('up', 'even') for k in '01']" %t | FileCheck %s
// CHECK: [1, 1, 2, 3]
// CHECK-NEXT: [1, 1, 2, 3]
// CHECK-NEXT: [0, 1, 2, 2]
// CHECK-NEXT: [0, 1, 2, 2]

// RUN: mli-compile %s --emit c -o %t/c --name net --rounding convergent --accumulation full-products
// RUN: FileCheck %s --check-prefix=C --input-file=%t/c/net.h
// RUN: not mli-run %s --input %t/in.npy --rounding down 2>&1 | FileCheck %s --check-prefix=DOWN
// C: rounding CONVERGENT,
// C-NEXT: accumulation full for products.
// DOWN: for the --rounding option: Cannot find option named 'down'!

!in = tensor<4x!mli.fx8<1>>
!out = tensor<4x!mli.fx8<0>>
func.func @main(%in: !in) -> (!out, !out) {
  %init = tensor.empty() : !out
  %0 = mli.convert ins(%in : !in) outs(%init : !out) -> !out
  %known = mli.constant dense<[1, 2, 3, 5]> : tensor<4xi8> to !in
  %1 = mli.convert ins(%known : !in) outs(%init : !out) -> !out
  return %0, %1 : !out, !out
}
