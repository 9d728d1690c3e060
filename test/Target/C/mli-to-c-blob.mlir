// A blob has at most 2 GiB: no tensor reaches behind it.
// RUN: not mli-translate %s --mli-to-c --c-weights blob 2>&1 | FileCheck %s
// CHECK: error: expected constants of at most 2147483647 bytes, but got 2147483664

!t = memref<1073741824x!mli.fx8<3>>
func.func @main(%out: !t) {
  %a = mli.constant dense<1> : tensor<1073741824xi8> to !t
  %b = mli.constant dense<2> : tensor<1073741824xi8> to !t
  mli.eltwise_add ins(%a, %b : !t, !t) outs(%out : !t)
  return
}
