// Moves of tensors that are quantised along an axis: codes and parameters go the
// same way, in any memory.

// RUN: rm -rf %t && mkdir -p %t/expected
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4x3 1..12
// RUN: %python %S/Inputs/make-npy.py %t/expected/output_0.npy i1 2x3 4 5 6 7 8 9
// RUN: %python %S/Inputs/make-npy.py %t/expected/output_1.npy i1 2x3 1 2 3 7 8 9
// RUN: %python %S/Inputs/make-npy.py %t/expected/output_2.npy i1 3x4 1 4 7 10 2 5 8 11 3 6 9 12
// RUN: %python %S/Inputs/make-npy.py %t/expected/output_3.npy i1 5x4 0 0 0 0 1 2 3 0 4 5 6 0 7 8 9 0 10 11 12 0
// RUN: %python %S/Inputs/make-npy.py %t/expected/output_4.npy i1 6x3 1 2 3 4 5 6 7 8 9 10 11 12 4 5 6 7 8 9
// RUN: %python %S/Inputs/make-npy.py %t/expected/output_5.npy i1 3x2 0 4 0 5 0 6
// RUN: %python %S/Inputs/make-npy.py %t/expected/output_6.npy f4 3x2 0 6 0 7.5 0 9

// RUN: mli-run %s --input %t/in.npy --output-dir %t/system
// RUN: diff -r %t/expected %t/system
// RUN: mli-run %s --input %t/in.npy --output-dir %t/one --placement local --target vpx
// RUN: diff -r %t/expected %t/one
// RUN: mli-run %s --input %t/in.npy --output-dir %t/npus --placement local --target custom,npus=4,npu-bytes=16384
// RUN: diff -r %t/expected %t/npus

!in = tensor<4x3x!mli.sa8<axis = 0, {1:0:0, 3:1:0, 5:2:1, 7:3:0}>>
!slice = tensor<2x3x!mli.sa8<axis = 0, {3:1:0, 5:2:1}>>
!steps = tensor<2x3x!mli.sa8<axis = 0, {1:0:0, 5:2:1}>>
!permuted = tensor<3x4x!mli.sa8<axis = 1, {1:0:0, 3:1:0, 5:2:1, 7:3:0}>>
!padded = tensor<5x4x!mli.sa8<axis = 0, {1:0:0, 1:0:0, 3:1:0, 5:2:1, 7:3:0}>>
!joined = tensor<6x3x!mli.sa8<axis = 0, {1:0:0, 3:1:0, 5:2:1, 7:3:0, 3:1:0, 5:2:1}>>
!all = tensor<3x2x!mli.sa8<axis = 1, {1:0:0, 3:1:0}>>
!numbers = tensor<3x2xf32>

func.func @main(%in: !in)
    -> (!slice, !steps, !permuted, !padded, !joined, !all, !numbers) {
  %0 = tensor.empty() : !slice
  %slice = mli.mov ins(%in : !in) outs(%0 : !slice)
    {offsets = array<i64: 1, 0>, sizes = array<i64: 2, 3>} -> !slice
  %1 = tensor.empty() : !steps
  %steps = mli.mov ins(%in : !in) outs(%1 : !steps)
    {steps = array<i64: 2, 1>} -> !steps
  %2 = tensor.empty() : !permuted
  %permuted = mli.mov ins(%in : !in) outs(%2 : !permuted)
    {permutation = array<i64: 1, 0>} -> !permuted
  %3 = tensor.empty() : !padded
  %padded = mli.mov ins(%in : !in) outs(%3 : !padded)
    {pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 1>} -> !padded
  %4 = tensor.empty() : !joined
  %first = mli.mov ins(%in : !in) outs(%4 : !joined)
    {dst_offsets = array<i64: 0, 0>} -> !joined
  %joined = mli.mov ins(%in : !in) outs(%first : !joined)
    {offsets = array<i64: 1, 0>, sizes = array<i64: 2, 3>,
     dst_offsets = array<i64: 4, 0>} -> !joined
  %5 = tensor.empty() : !all
  %all = mli.mov ins(%in : !in) outs(%5 : !all)
    {pad_low = array<i64: 2, 0>, offsets = array<i64: 1, 0>,
     sizes = array<i64: 4, 3>, steps = array<i64: 2, 1>,
     permutation = array<i64: 1, 0>} -> !all
  %6 = tensor.empty() : !numbers
  %numbers = mli.convert ins(%all : !all) outs(%6 : !numbers) -> !numbers
  return %slice, %steps, %permuted, %padded, %joined, %all, %numbers
    : !slice, !steps, !permuted, !padded, !joined, !all, !numbers
}
