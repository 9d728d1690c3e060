// Constants of one element are where they are said to be, wherever constants are.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4x4 1..16
// RUN: %python %S/Inputs/c-package.py %build %t/c %s %t/in.npy | FileCheck %s
// CHECK: 1 runs, 3 packages: the same

!map = tensor<4x4x!mli.fx8<3>>
!one = tensor<!mli.fx8<3>>
func.func @main(%in: !map) -> !map {
  %five = mli.constant dense_resource<five> : tensor<i8> to !one
  %init = tensor.empty() : !map
  %0 = mli.eltwise_add ins(%in, %five : !map, !one) outs(%init : !map) -> !map
  return %0 : !map
}

{-# dialect_resources: { builtin: { five: "0x0100000005" } } #-}
