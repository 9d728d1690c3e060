// The unit `matrices` of the policy reaches the pass that assigns layouts.
// RUN: mli-opt %s --mli-local-pipeline="target=custom,npus=4,npu-bytes=8192 explain matrices" -o /dev/null 2>&1 | FileCheck %s
// RUN: mli-opt %s --mli-local-pipeline="target=custom,npus=4,npu-bytes=8192 explain" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: remark: its layout as weights of a product is matrix of 1 columns per channel: 1024 bytes per NPU
// NONE: remark: its layout as weights of a product is compact: 8 bytes per NPU

!in = tensor<8x!mli.sa8<1:4:0>>
!weights = tensor<8x4x!mli.sa8<5:10:0>>
!bias = tensor<4x!mli.sa32<5:14:0>>
!out = tensor<4x!mli.sa8<1:4:0>>

func.func @main(%in: !in, %weights: !weights, %bias: !bias) -> !out {
  %init = tensor.empty() : !out
  %result = mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%init : !out) -> !out
  return %result : !out
}
