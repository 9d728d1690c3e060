// Rows of a stream in local memory that move while its kernels compute, also those of an
// inner loop, in front of a stride: the bytes of system placement, poisoned, on one NPU
// and on four. What moves is the same without, and waited for.
// ST10
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/a.npy i1 16x8x16 -128..127 -128..127 -128..127 -128..127 -128..127 -128..127 -128..127 -128..127
// RUN: %python %S/Inputs/make-npy.py %t/w.npy i1 3x3x16x16 -128..127 -128..127 -128..127 -128..127 -128..127 -128..127 -128..127 -128..127 -128..127
// RUN: %python %S/Inputs/make-npy.py %t/b.npy i4 16 1..16
// RUN: echo '{"streams": [{"kernels": ["main:0", "main:1", "main:2"]}]}' > %t/s.json
// RUN: mli-run %s --input %t/a.npy --input %t/w.npy --input %t/b.npy --output-dir %t
// RUN: mli-run %s --input %t/a.npy --input %t/w.npy --input %t/b.npy --compare %t/output_0.npy --placement local --target vpx,npu-bytes=4608 --tiles %t/s.json --double-buffer auto --stats | FileCheck %s
// RUN: mli-run %s --input %t/a.npy --input %t/w.npy --input %t/b.npy --compare %t/output_0.npy --placement local --target vpx,npu-bytes=4608 --tiles %t/s.json --double-buffer off --stats | FileCheck %s --check-prefix=OFF
// RUN: mli-run %s --input %t/a.npy --input %t/w.npy --input %t/b.npy --compare %t/output_0.npy --placement local --target custom,npus=4,unit=16,npu-bytes=1184 --tiles %t/s.json --double-buffer on --stats | FileCheck %s --check-prefix=FOUR
// RUN: mli-opt %s --mli-local-pipeline="target=vpx,npu-bytes=4608 overrides=%t/s.json double-buffer=auto" --mlir-print-ir-after=mli-double-buffer -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOP

// CHECK: moved 4,928 bytes, 4,416 in and 512 out: 1.000 of the least
// CHECK: {{, 1920 at the same time}}
// OFF: moved 4,928 bytes, 4,416 in and 512 out: 1.000 of the least
// OFF: {{, 0 at the same time}}
// FOUR: moved 4,928 bytes, 4,416 in and 512 out
// FOUR: {{, 1[0-9]+ at the same time}}

// A row moves out beside the inner loop, two move in beside the kernels behind it.
// LOOP-LABEL: func.func @main
// LOOP: scf.for
// LOOP: mli.parallel {
// LOOP: mli.mov {{.*}} outs(%{{.*}} : memref<1x4x16x!mli.sa8<1:4:0>, strided
// LOOP: scf.for
// LOOP: mli.conv2d
// LOOP: mli.parallel {
// LOOP: mli.mov {{.*}} outs(%{{.*}} : memref<2x8x16x
// LOOP: mli.maxpool
// LOOP: mli.conv2d

!q = !mli.sa8<1:4:0>
!map = tensor<16x8x16x!q>
!half = tensor<8x4x16x!q>
!filters = tensor<3x3x16x16x!mli.sa8<1:10:0>>
!bias = tensor<16x!mli.sa32<1:14:0>>

func.func @main(%a: !map, %w: !filters, %b: !bias) -> !half {
  %e0 = tensor.empty() : !map
  %x = mli.conv2d ins(%a, %w, %b : !map, !filters, !bias)
    outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
  %e1 = tensor.empty() : !half
  %y = mli.maxpool ins(%x : !map) outs(%e1 : !half)
    kernel [2, 2] pad [0, 0, 0, 0] {strides = array<i64: 2, 2>} -> !half
  %e2 = tensor.empty() : !half
  %z = mli.conv2d ins(%y, %w, %b : !half, !filters, !bias)
    outs(%e2 : !half) pad [1, 1, 1, 1] -> !half
  return %z : !half
}
