// What can be said of local placement reaches all of its passes.
// RUN: mli-opt %s --mli-local-pipeline="target=vpx,npu-bytes=2048 double-buffer=off" | FileCheck %s --check-prefix=OFF
// RUN: mli-opt %s --mli-local-pipeline="target=vpx,npu-bytes=2048 double-buffer=on" | FileCheck %s --check-prefix=ON
// RUN: mli-opt %s --mli-local-pipeline="target=vpx,npu-bytes=2048 double-buffer=on explain" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: mli-opt %s --mli-local-pipeline="target=vpx,npu-bytes=2048 explain overrides=%S/Inputs/tiles.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: mli-opt %s --mli-local-pipeline="target=custom,npus=4,npu-bytes=8192 explain mode=4N" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not mli-opt %s --mli-local-pipeline="target=vpx double-buffer=yes" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not mli-opt %s --mli-local-pipeline="target=vpx mode=8N" 2>&1 | FileCheck %s --check-prefix=MODES
// RUN: mli-opt %s --mli-local-pipeline="target=vpx,npu-bytes=2048 double-buffer=on budget=0" | FileCheck %s --check-prefix=ON

// OFF-LABEL: llvm.func @main(
// OFF-NOT: okk_parallel_start
// OFF: llvm.call @mli_krn_conv2d_hwcn_sa8_sa8_sa32
// OFF-NOT: okk_parallel_start
// ON-LABEL: llvm.func @main(
// ON: llvm.call @okk_parallel_start
// ON: llvm.call @mli_krn_conv2d_hwcn_sa8_sa8_sa32
// ON: llvm.call @okk_parallel_end
// EXPLAIN: remark: main:0: tile [{{.*}}] of [32, 16, 8], {{.*}}; double buffering
// EXPLAIN: remark: moved in: 32 bytes, 32 of each NPU
// EXPLAIN: remark: its layout as filters is continuous: 576 bytes per NPU
// EXPLAIN: remark: exposed transfer: 576 bytes, as there is no kernel before it
// EXPLAIN: remark: moves {{.*}} B, cost {{.*}}; kernels cost 36,864; {{.*}} at the same time: {{[0-9,]+}} instead of {{[0-9,]+}}
// FILE: remark: main:0: tile [2, 16, 8] of [32, 16, 8], {{.*}}; as the file says
// FILE: remark: transfers do not overlap, as 'overlap' is 0
// Tiles are sized, and moved, as they lie: with dummies of the storage mode.
// MODE: remark: main:0: tile [11, 16, 8] of [32, 16, 8], order [0], takes 6,808 B of 8,192 B
// MODE: remark: moved in: 1536 bytes, 1536 of each NPU
// MODE: remark: its layout as feature map is aligned 4N: 1536 bytes per NPU, 512 if aligned, 384 if compact
// WORD: for the --double-buffer option: Cannot find option named 'yes'!
// MODES: for the --mode option: Cannot find option named '8N'!

!map = tensor<32x16x8x!mli.sa8<16384:14:-128>>
!weights = tensor<3x3x8x8x!mli.sa8<20480:24:0>>
!bias = tensor<8x!mli.sa32<20480:24:0>>

func.func @main(%input: !map, %weights: !weights, %bias: !bias) -> !map {
  %init = tensor.empty() : !map
  %output = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
    outs(%init : !map) pad [1, 1, 1, 1] -> !map
  return %output : !map
}
