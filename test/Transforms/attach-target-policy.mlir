// What is asked of layouts, all who size, move or place tensors follow alike.
// RUN: mli-opt %s --mli-attach-target=matrices | FileCheck %s --check-prefix=ATTACH
// RUN: mli-opt %s --mli-attach-target="target=vpx mode=4N" | FileCheck %s --check-prefix=MODE
// RUN: not mli-opt %s --mli-attach-target=mode=2IC 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: mli-opt %s --mli-explain-fit -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIT
// RUN: mli-opt %s --mli-attach-target=matrices --mli-explain-fit -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIT-MATRICES
// RUN: mli-opt %s --mli-insert-moves=explain --mli-bufferize --mli-assign-layouts=explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=MOVES
// RUN: mli-opt %s --mli-attach-target=matrices --mli-insert-moves=explain --mli-bufferize --mli-assign-layouts=explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=MOVES-MATRICES
// RUN: mli-opt %s --mli-attach-target=matrices --mli-tile-to-fit="report reserve=1020" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: mli-opt %s --mli-tile-to-fit="report reserve=1020" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE

// ATTACH: module attributes {mli.layout_policy = {matrices, mode = "none"}, mli.target = #mli.target<custom
// MODE: module attributes {mli.layout_policy = {mode = "4N"}, mli.target = #mli.target<vpx>}
// UNKNOWN: for the --mode option: Cannot find option named '2IC'!{{$}}

// FIT: remark: the largest block that fits 2,048 B is [10] of [10]: 40 B, 2,008 B free
// FIT-MATRICES: remark: the largest block that fits 2,048 B is [10] of [10]: 1,036 B, 1,012 B free
// TILES: remark: main:0: tile [2] of [10], order [0], takes 1,028 B of 1,028 B;
// WHOLE: remark: main:0: whole, takes {{[0-9]+}} B of 1,028 B;
// MOVES: remark: moved in: 6 bytes, 2 of each NPU
// MOVES: remark: moved in: 60 bytes, 18 of each NPU
// MOVES: remark: its layout as row of a product is compact: 2 bytes per NPU
// MOVES: remark: its layout as weights of a product is compact: 18 bytes per NPU
// MOVES-MATRICES: remark: moved in: 6 bytes, 128 of each NPU
// MOVES-MATRICES: remark: moved in: 60 bytes, 768 of each NPU
// MOVES-MATRICES: remark: its layout as row of a product is matrix of 2 columns per channel: 128 bytes per NPU
// MOVES-MATRICES: remark: its layout as weights of a product is matrix of 3 columns per channel: 768 bytes per NPU

!row = tensor<6x!mli.sa8<1:4:0>>
!weights = tensor<6x10x!mli.sa8<1:4:0>>
!bias = tensor<10x!mli.sa32<1:8:0>>
!out = tensor<10x!mli.sa8<1:4:0>>

// S13
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 2048>} {
  func.func @main(%row: !row, %weights: !weights, %bias: !bias) -> !out {
    %init = tensor.empty() : !out
    %out = mli.fully_connected ins(%row, %weights, %bias : !row, !weights, !bias)
      outs(%init : !out) -> !out
    return %out : !out
  }
}
