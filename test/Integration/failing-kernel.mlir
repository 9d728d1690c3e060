// A kernel that refuses its parameters at run time ends the run: the error says
// which, the status and the reason.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 2x2x1 1..4
// RUN: not mli-run %s --input %t/in.npy --output-dir %t/out 2>&1 | FileCheck %s
// RUN: not ls %t/out

// CHECK: error: mli.conv2d at loc("{{.*}}failing-kernel.mlir":[[#@LINE+11]]:{{.*}}): MLI_STATUS_BAD_FUNC_CFG: mli_krn_conv2d_hwcn_sa8_sa8_sa32: expected 'padding_top' to be less than the effective kernel of 1, but got 200
// CHECK-NOT: error

!map = tensor<2x2x1x!mli.sa8<1:0:0>>
!weights = tensor<1x1x1x2x!mli.sa8<1:0:0>>
!bias = tensor<2x!mli.sa32<1:0:0>>
!out = tensor<2x2x2x!mli.sa8<1:0:0>>
func.func private @layer(%input: !map, %pad: index) -> !out {
  %weights = mli.constant dense<[[[[3, -2]]]]> : tensor<1x1x1x2xi8> to !weights
  %bias = mli.constant dense<[10, 20]> : tensor<2xi32> to !bias
  %init = tensor.empty() : !out
  %result = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
              outs(%init : !out) pad [%pad, 0, 0, 0] -> !out
  return %result : !out
}
func.func @main(%input: !map) -> !out {
  %pad = arith.constant 200 : index
  %result = call @layer(%input, %pad) : (!map, index) -> !out
  return %result : !out
}
