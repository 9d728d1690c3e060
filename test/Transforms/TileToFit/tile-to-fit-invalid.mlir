// What does not fit, and what a file asks for in vain.
// RUN: mli-opt %s --mli-tile-to-fit --split-input-file --verify-diagnostics
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=reserve=1024 2>&1 | FileCheck %s --check-prefix=RESERVE
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=max-group=0 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo '{"cost": {"bytes": 1}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: echo '{"cost": {"byte": -1}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=COST
// RUN: echo '{"tiles": {"rows:0": {"sizes": [-4, 8, 8]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=COST
// RUN: echo '{"tiles": 1}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: echo '{"tiles": {"rows:0": {"sizes": [4, 8]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: echo '{"tiles": {"rows:0": {"sizes": [4, 8, 9]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: echo '{"tiles": {"rows:0": {"sizes": [4, 8, 8], "order": [1]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: echo '{"tiles": {"rows:0": {"sizes": [6, 8, 8]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=FITS
// RUN: echo '{"tiles": {"rows:0": {"sizes": [4, 8, 8], "fused": [1]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: echo '{"tiles": {"rows:0": {"sizes": [4, 8, 8], "fused": 1}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: echo '{"costs": {"byte": 1}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: echo '{"tiles": {"rows:0": {"sizes": [4, 8, 8], "foo": 1}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: echo '{"cost": {"overlap": 2}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=PART
// RUN: echo '{"tiles": {"rows:0": {"sizes": [4, 8, 8], "order": [4294967296]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: echo '{"tiles": {"rows:1": {"sizes": [4, 8, 8]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: echo '{"tiles": {"rows:00": {"sizes": [4, 8, 8]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=DIGITS
// RUN: echo '{"tiles": {"lines:0": {"sizes": [4, 8, 8]}}}' > %t.json
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not mli-opt %S/tile-to-fit-overrides.mlir --mli-tile-to-fit=unroll=-3 2>&1 | FileCheck %s --check-prefix=UNROLL

// RESERVE: error: expected 'reserve' to be 0 to 1023, but got 1024
// GROUP: for the --max-group option: expected a number in [1, 4294967295], but got 0
// NONE: error: expected 'overrides' to be a file, but got cannot open input file
// NAME: error: expected 'overrides' to be costs, tiles and streams, but got expected byte, mac, waste, bank, call, code, rows, shift or overlap at overrides.cost.bytes
// COST: error: expected 'overrides' to be costs, tiles and streams, but got expected a number that is not negative at overrides
// OBJECT: error: expected 'overrides' to be costs, tiles and streams, but got expected object at overrides.tiles
// RANK: error: 'mli.eltwise_add' op expected 'sizes' to have 3 numbers, but got 2
// RANGE: error: 'mli.eltwise_add' op expected 'sizes' to be 1 to [20, 8, 8], but got [4, 8, 9]
// ORDER: error: 'mli.eltwise_add' op expected 'order' to be the loops that are cut, [0] in any order, but got [1]
// FITS: error: 'mli.eltwise_add' op expected 'sizes' to be tiles that fit 1024 bytes of each NPU, but got [6, 8, 8] of 1152 bytes
// FUSED: error: 'mli.eltwise_add' op expected 'fused' to be earlier kernels whose results only kernels of this group use, but got [1]
// COUNT: error: expected 'overrides' to be costs, tiles and streams, but got expected array at overrides.tiles.rows:0.fused
// KEY: error: expected 'overrides' to be costs, tiles and streams, but got expected cost, tiles or streams at overrides.costs{{$}}
// FIELD: error: expected 'overrides' to be costs, tiles and streams, but got expected sizes, order or fused at overrides.tiles.rows:0.foo{{$}}
// PART: error: expected 'overrides' to be costs, tiles and streams, but got expected a part, a number from 0 to 1 at overrides.cost.overlap{{$}}
// LOOP: error: expected 'overrides' to be costs, tiles and streams, but got expected a number below 2^32 at overrides.tiles.rows:0.order[0]{{$}}
// KERNEL: error: expected 'overrides' to name one of 1 kernels of 'rows', counted from 0, but got 'rows:1'{{$}}
// DIGITS: error: expected 'overrides' to name one of 1 kernels of 'rows', counted from 0, but got 'rows:00'{{$}}
// FUNCTION: error: expected 'overrides' to name kernels of functions of the module, as 'main:0', but got 'lines:0'{{$}}
// UNROLL: for the --unroll option: expected a number in [0, inf), but got -3{{$}}

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!axis = !mli.sa8<axis = 0, {5:10:0, 7:10:0}>
!p = !mli.sa8<1:8:-128>

// Z2
module attributes {mli.target = #mli.target<vpx, npu_bytes = 512>} {
  // expected-error @+1 {{fits from 544 bytes of each NPU on, but got 512; binding: conv2d (tile-to-fit-invalid.mlir:}}
  func.func @window(%a: tensor<8x8x64x!q>, %w: tensor<2x2x64x64x!w>,
      %b: tensor<64x!b>) -> tensor<7x7x64x!q> {
    %init = tensor.empty() : tensor<7x7x64x!q>
    // expected-error @+3 {{'mli.conv2d' op expected its smallest tile [1, 1, 1] of [7, 7, 64] to fit 512 bytes of each NPU, but got 544, 32 too many}}
    // expected-note @+2 {{operand 0 [2, 2, 64]: 256 bytes, operand 1 [2, 2, 64, 1]: 256 bytes, operand 2 [1]: 16 bytes, operand 3 [1, 1, 1]: 16 bytes, tables and scratch memory: 0 bytes}}
    // expected-note @+1 {{npu-bytes=544 would do}}
    %r = mli.conv2d ins(%a, %w, %b : tensor<8x8x64x!q>, tensor<2x2x64x64x!w>, tensor<64x!b>)
      outs(%init : tensor<7x7x64x!q>) pad [0, 0, 0, 0] -> tensor<7x7x64x!q>
    return %r : tensor<7x7x64x!q>
  }
}

// -----

// One line for all functions, by the kernel that needs most, then one for each:
// two operands and 716 bytes of tables.
!q = !mli.sa8<1:4:-128>
!p = !mli.sa8<1:8:-128>
module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 512, unit = 16, banks = 1, dma_align = 16>} {
  func.func @less(%a: tensor<1x400x!q>) -> tensor<1x400x!p> {
    %init = tensor.empty() : tensor<1x400x!p>
    // expected-error @+3 {{expected its smallest tile [1, 400] of [1, 400] to fit 512 bytes of each NPU, but got 1516, 1004 too many}}
    // expected-note @+2 {{npu-bytes=1520 would do}}
    // expected-note @+1 {{tables and scratch memory}}
    %r = mli.softmax ins(%a : tensor<1x400x!q>) outs(%init : tensor<1x400x!p>)
      {axis = 1 : i32} -> tensor<1x400x!p>
    return %r : tensor<1x400x!p>
  }
  // expected-error @+1 {{fits from 1,744 bytes of each NPU on, but got 512; binding: softmax "scores" (operator 7)}}
  func.func @most(%a: tensor<1x512x!q>) -> tensor<1x512x!p> {
    %init = tensor.empty() : tensor<1x512x!p>
    // expected-error @unknown {{expected its smallest tile [1, 512] of [1, 512] to fit 512 bytes of each NPU, but got 1740, 1228 too many}}
    // expected-note @unknown {{would do}}
    // expected-note @unknown {{tables and scratch memory}}
    %r = mli.softmax ins(%a : tensor<1x512x!q>) outs(%init : tensor<1x512x!p>)
      {axis = 1 : i32} -> tensor<1x512x!p>
      loc(fused<"operator 7 (SOFTMAX)">["scores"])
    return %r : tensor<1x512x!p>
  }
}

// -----

// Slices that are summed over are not cut.
!q = !mli.sa8<1:4:-128>
!p = !mli.sa8<1:8:-128>
module attributes {mli.target = #mli.target<custom, npus = 2, npu_bytes = 1024, unit = 16, banks = 1, dma_align = 4>} {
  // expected-error @+1 {{fits from 1,728 bytes of each NPU on, but got 1,024; binding: softmax (tile-to-fit-invalid.mlir:}}
  func.func @slice(%a: tensor<4x1001x!q>) -> tensor<4x1001x!p> {
    %init = tensor.empty() : tensor<4x1001x!p>
    // expected-error @+3 {{'mli.softmax' op expected its smallest tile [1, 1001] of [4, 1001] to fit 1024 bytes of each NPU, but got 1724, 700 too many}}
    // expected-note @+2 {{npu-bytes=1728 would do}}
    // expected-note @+1 {{tables and scratch memory}}
    %r = mli.softmax ins(%a : tensor<4x1001x!q>) outs(%init : tensor<4x1001x!p>)
      {axis = 1 : i32} -> tensor<4x1001x!p>
    return %r : tensor<4x1001x!p>
  }
}

// -----

!q = !mli.sa8<1:4:-128>
module attributes {mli.target = #mli.target<vpx>} {
  // Z3
  func.func @dynamic(%a: tensor<?x8x!q>, %init: tensor<?x8x!q>) -> tensor<?x8x!q> {
    // expected-error @+1 {{'mli.relu' op expected operand 0 to be a tensor that local memory can hold, of a static shape of at most 4 dimensions, but got 'tensor<?x8x!mli.sa8<1:4:-128>>'}}
    %r = mli.relu ins(%a : tensor<?x8x!q>) outs(%init : tensor<?x8x!q>)
      {relu = #mli.relu<gen>} -> tensor<?x8x!q>
    return %r : tensor<?x8x!q>
  }

  // Z3
  func.func @padding(%a: tensor<8x8x4x!q>, %top: index) -> tensor<8x8x4x!q> {
    %init = tensor.empty() : tensor<8x8x4x!q>
    // expected-error @+1 {{'mli.maxpool' op expected its padding to be static, as tiles in local memory are, but got indices}}
    %r = mli.maxpool ins(%a : tensor<8x8x4x!q>) outs(%init : tensor<8x8x4x!q>)
      kernel [3, 3] pad [%top, 1, 1, 1] -> tensor<8x8x4x!q>
    return %r : tensor<8x8x4x!q>
  }
}

// -----

!q = !mli.sa8<1:4:-128>
module attributes {mli.target = #mli.target<vpx>} {
  // Z4
  func.func @attribute(%a: tensor<8x8x4x!q>) -> tensor<8x8x4x!q> {
    %init = tensor.empty() : tensor<8x8x4x!q>
    // expected-error @+1 {{'mli.relu' op expected 'mli.tile' to have arrays 'sizes' and 'order', but got {sizes = array<i64: 1, 8, 4>}}}
    %r = mli.relu ins(%a : tensor<8x8x4x!q>) outs(%init : tensor<8x8x4x!q>)
      {relu = #mli.relu<gen>, mli.tile = {sizes = array<i64: 1, 8, 4>}} -> tensor<8x8x4x!q>
    return %r : tensor<8x8x4x!q>
  }
}

// -----

!q = !mli.sa8<1:4:-128>
module attributes {mli.target = #mli.target<vpx>} {
  // Z4
  func.func @loops(%a: tensor<8x8x4x!q>) -> tensor<8x8x4x!q> {
    %init = tensor.empty() : tensor<8x8x4x!q>
    // expected-error @+1 {{'mli.relu' op expected 'order' of 'mli.tile' to be numbers of 'sizes', from 0 to below 3, but got [4294967296]}}
    %r = mli.relu ins(%a : tensor<8x8x4x!q>) outs(%init : tensor<8x8x4x!q>)
      {relu = #mli.relu<gen>, mli.tile = {sizes = array<i64: 1, 8, 4>, order = array<i64: 4294967296>}} -> tensor<8x8x4x!q>
    return %r : tensor<8x8x4x!q>
  }
}

// -----

!q = !mli.sa8<1:4:-128>
module attributes {mli.target = #mli.target<vpx>} {
  // Z4
  func.func @before(%a: tensor<8x8x4x!q>) -> tensor<8x8x4x!q> {
    %init = tensor.empty() : tensor<8x8x4x!q>
    // expected-error @+1 {{'mli.relu' op expected 'order' of 'mli.tile' to be numbers of 'sizes', from 0 to below 3, but got [-1]}}
    %r = mli.relu ins(%a : tensor<8x8x4x!q>) outs(%init : tensor<8x8x4x!q>)
      {relu = #mli.relu<gen>, mli.tile = {sizes = array<i64: 1, 8, 4>, order = array<i64: -1>}} -> tensor<8x8x4x!q>
    return %r : tensor<8x8x4x!q>
  }
}

// -----

// All that is fused is fused into something.
!q = !mli.sa8<1:4:-128>
module attributes {mli.target = #mli.target<vpx>} {
  // Z4
  func.func @alone(%a: tensor<8x8x4x!q>) -> tensor<8x8x4x!q> {
    %init = tensor.empty() : tensor<8x8x4x!q>
    // expected-error @+1 {{'mli.relu' op expected 'mli.tile_fused' on a kernel whose result one with 'mli.tile' or 'mli.tile_fused' uses, but got no such user}}
    %r = mli.relu ins(%a : tensor<8x8x4x!q>) outs(%init : tensor<8x8x4x!q>)
      {relu = #mli.relu<gen>, mli.tile_fused} -> tensor<8x8x4x!q>
    return %r : tensor<8x8x4x!q>
  }
}

// -----

// The slices of softmax are its own.
!q = !mli.sa8<1:4:-128>
!p = !mli.sa8<1:8:-128>
module attributes {mli.target = #mli.target<vpx>} {
  // Z8
  func.func @uncomputed(%a: tensor<4x8x!q>) -> tensor<4x8x!p> {
    %init = tensor.empty() : tensor<4x8x!p>
    // expected-error @+1 {{'mli.softmax' op expected 'sizes' to be tiles that the kernel computes, but got [4, 2]}}
    %r = mli.softmax ins(%a : tensor<4x8x!q>) outs(%init : tensor<4x8x!p>)
      {axis = 1 : i32, mli.tile = {sizes = array<i64: 4, 2>, order = array<i64: 1>}} -> tensor<4x8x!p>
    return %r : tensor<4x8x!p>
  }
}

// -----

// The pool asks for a halo that the sum does not ask for.
!q = !mli.sa8<1:4:-128>
module attributes {mli.target = #mli.target<vpx>} {
  // Z15
  func.func @disputed(%a: tensor<8x8x4x!q>) -> tensor<8x8x4x!q> {
    %e = tensor.empty() : tensor<8x8x4x!q>
    %x = mli.relu ins(%a : tensor<8x8x4x!q>) outs(%e : tensor<8x8x4x!q>)
      {relu = #mli.relu<gen>, mli.tile_fused} -> tensor<8x8x4x!q>
    %p = mli.maxpool ins(%x : tensor<8x8x4x!q>) outs(%e : tensor<8x8x4x!q>)
      kernel [3, 3] pad [1, 1, 1, 1] {mli.tile_fused} -> tensor<8x8x4x!q>
    // expected-error @+1 {{'mli.eltwise_add' op expected 'sizes' to be tiles for which all users of 'mli.relu' ask for the same tile of it, but got [4, 8, 4]}}
    %r = mli.eltwise_add ins(%x, %p : tensor<8x8x4x!q>, tensor<8x8x4x!q>)
      outs(%e : tensor<8x8x4x!q>) {mli.tile = {sizes = array<i64: 4, 8, 4>, order = array<i64: 0>}} -> tensor<8x8x4x!q>
    return %r : tensor<8x8x4x!q>
  }
}

// -----

!q = !mli.sa8<1:4:-128>
module attributes {mli.target = #mli.target<vpx>} {
  // Z3
  func.func @decided(%a: tensor<?x8x!q>, %init: tensor<?x8x!q>) -> tensor<?x8x!q> {
    // expected-error @+1 {{'mli.relu' op expected operand 0 to be a tensor that local memory can hold, of a static shape of at most 4 dimensions, but got 'tensor<?x8x!mli.sa8<1:4:-128>>'}}
    %r = mli.relu ins(%a : tensor<?x8x!q>) outs(%init : tensor<?x8x!q>)
      {relu = #mli.relu<gen>, mli.tile = {sizes = array<i64: 4, 8>, order = array<i64: 0>}} -> tensor<?x8x!q>
    return %r : tensor<?x8x!q>
  }
}

// -----

// expected-error @+1 {{expected 'mli.target' to be on a module around, but got none}}
module {
}
