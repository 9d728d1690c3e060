// Arguments and results of more dimensions than kernels have are seen with fewer.
// RUN: mli-opt %s --mli-c-pipeline | mli-translate --mli-to-c --c-name dims | FileCheck %s

// CHECK: /* input: int8 [2, 1, 2, 2, 4],
// CHECK: /* output: int8 [2, 1, 4, 2, 2],
// CHECK: mli_krn_permute_sa8(
!in = tensor<2x1x2x2x4x!mli.sa8<1:0:0>>
!out = tensor<2x1x4x2x2x!mli.sa8<1:0:0>>
func.func @main(%input: !in) -> !out {
  %maps = tensor.collapse_shape %input [[0, 1], [2], [3], [4]] : !in into tensor<2x2x2x4x!mli.sa8<1:0:0>>
  %init = tensor.empty() : tensor<2x4x2x2x!mli.sa8<1:0:0>>
  %permuted = mli.permute ins(%maps : tensor<2x2x2x4x!mli.sa8<1:0:0>>) outs(%init : tensor<2x4x2x2x!mli.sa8<1:0:0>>) permutation [0, 3, 1, 2] -> tensor<2x4x2x2x!mli.sa8<1:0:0>>
  %result = tensor.expand_shape %permuted [[0, 1], [2], [3], [4]] output_shape [2, 1, 4, 2, 2] : tensor<2x4x2x2x!mli.sa8<1:0:0>> into !out
  return %result : !out
}
