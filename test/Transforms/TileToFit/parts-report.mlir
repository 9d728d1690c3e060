// Parts and what they move wherever local memory is reported.
// RUN: echo '{"cost": {"call": 0, "code": 0}}' > %t.json
// RUN: mli-opt %s --mli-local-c-pipeline="target=vpx,npu-bytes=512 double-buffer=off overrides=%t.json explain" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: mli-opt %t.mlir --mli-print-memory-map=space=local -o /dev/null | FileCheck %s --check-prefix=TEXT
// RUN: mli-opt %t.mlir --mli-print-memory-map="space=local format=json" -o /dev/null | FileCheck %s --check-prefix=JSON
// RUN: mli-opt %t.mlir --mli-print-memory-map="space=local format=svg" -o /dev/null | FileCheck %s --check-prefix=SVG
// RUN: %python %S/../../Integration/Inputs/make-npy.py %t.npy i1 16x8x4 0
// RUN: mli-run %s --input %t.npy --placement local --target vpx,npu-bytes=512 --double-buffer off --tiles %t.json --stats | FileCheck %s --check-prefixes=STATS,TEXT
// RUN: mli-run %s --input %t.npy --placement local --target vpx,npu-bytes=512 --double-buffer off --tiles %t.json --explain --top 1 | FileCheck %s --check-prefix=TABLE
// RUN: mli-opt %s --mli-attach-target=target=vpx,npu-bytes=512 --mli-tile-to-fit="report decide-only" -o /dev/null 2>&1 | FileCheck %s --check-prefix=COSTS
// RUN: mli-opt %s --mli-attach-target=target=vpx,npu-bytes=512 --mli-tile-to-fit="report decide-only max-stream=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: mli-opt %s --mli-attach-target=target=vpx,npu-bytes=512 --mli-tile-to-fit="report decide-only max-group=1 max-stream=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: echo '{"tiles": {"main:1": {"sizes": [8, 8, 2], "order": [0, 2]}}}' > %t.tiles.json
// RUN: mli-opt %s --mli-attach-target=target=vpx,npu-bytes=512 --mli-tile-to-fit="report decide-only overrides=%t.tiles.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: mli-opt %s --mli-attach-target=target=vpx,npu-bytes=256 --mli-tile-to-fit="report decide-only overrides=%t.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SMALL

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!map = tensor<16x8x4x!q>
!dw = tensor<3x3x1x4x!w>
!filters = tensor<3x3x4x4x!w>
!small = tensor<8x2x4x!q>

// The first part has rows of three kernels, and all of their weights. What is behind
// it is no map.
// MB8
// REMARK: remark: main:0 to main:2: stream of 3 kernels, 1 row a step, takes 480 B of 512 B; moves 772 B, 0 MACs per NPU computed again, 64 calls, 7 unrolled, estimated cost {{[0-9,]+}}; all weights stay{{$}}
// REMARK: note: moves 772 B: 196 B weights, 512 B inputs, 64 B spills
// REMARK: note: 208 B of weights stay
// REMARK: note: argument 0: 3 of 16 rows, 96 B, for main:0; 2 of them move up each time
// REMARK: note: main:2: 1 of 8 rows within a step, 16 B, for system memory
// REMARK: note: ends before main:3: in tiles, its kernels do not use results of each other as they are; in rows, its result is not a map of rows
// REMARK: remark: main:3: whole, takes 128 B of 512 B; moves 128 B, 64 MACs per NPU, 0 B alignment waste, 0 bank conflicts, 1 calls, 1 unrolled, estimated cost {{[0-9,]+}}{{$}}
// STATS: moved 900 bytes, 772 in and 128 out: 1.166 of the least 772, {{[0-9.]+}} of the bound {{[0-9]+}} for 512 bytes{{$}}
// TEXT: {{^}}2 parts, which move 900 B: 196 B weights, 512 B inputs, 64 B results, 128 B spills; costs are estimates for the target, in bytes moved{{$}}
// TEXT-NEXT: main:0 to main:2: stream of 3 kernels,
// TEXT-NEXT:   moves 772 B: 196 B weights, 512 B inputs, 64 B spills{{$}}
// TEXT-NEXT:   208 B of weights stay{{$}}
// TEXT-NEXT:   argument 0: 3 of 16 rows, 96 B, for main:0; 2 of them move up each time
// TEXT-NEXT:   main:0: 3 of 16 rows, 96 B, for main:1; 2 of them move up each time
// TEXT-NEXT:   main:1: 2 of 16 rows within a step, 64 B, for main:2
// TEXT-NEXT:   main:2: 1 of 8 rows within a step, 16 B, for system memory
// TEXT-NEXT:   ends before main:3: in tiles,
// TEXT-NEXT: main:3: whole, takes 128 B of 512 B;
// TEXT-NEXT:   moves 128 B: 64 B results, 64 B spills
// JSON: "moved":{"weights":196,"inputs":512,"results":64,"spills":128,"halos":0},"parts":[{"kernels":["main:0","main:1","main:2"],"kind":"rows",
// JSON-SAME: "rows":1,"stripes":1,"bytes_per_npu":480,"capacity":512,"weight_bytes":196,"resident_bytes":208,
// JSON-SAME: "runs":1,"moved":{"weights":196,"inputs":512,"results":0,"spills":64,"halos":0},"macs_again":0,
// JSON-SAME: "rings":[{"kernel":"argument 0","kind":"ring","rows":3,"all_rows":16,"bytes":96,"keep":2,"room":1,"readers":["main:0"]}
// JSON-SAME: "next":"main:3: in tiles,
// JSON-SAME: "limit":"no chain","layers":["","",""]
// SVG: <text {{.*}}>2 parts, which move 900 B: 196 B weights, 512 B inputs, 64 B results, 128 B spills; costs are estimates for the target, in bytes moved</text>
//
// As a table. Products are 16 * 8 * 4 * 9 of the first kernel, four times as many of the
// second and 8 * 2 * 4 * 8 of the third.
// TABLE: {{^}}main: 2 parts in 512 bytes of each NPU, which move 900 B:
// TABLE-NEXT: {{^}}kernels  computed        bytes  used  moved  products  wasted  ends by   last layer{{$}}
// TABLE-NEXT: {{^}}    0-2  rows, 1 a step    480   93%    772    23,552       -  no chain  main:2{{$}}
// TABLE-NEXT: {{^}}      3  whole             128   25%    128        64       0  -         main:3{{$}}
// TABLE-NOT: {{.}}
//
// Why parts are no longer.
// COSTS: remark: main:0: tile [16, 8, 1] of [16, 8, 4],
// COSTS: note: ends before main:1: both cost {{[0-9,]+}} with it and {{[0-9,]+}} without{{$}}
// AGAIN: note: ends before main:1: more than 1,179 MACs per NPU would be computed again{{$}}
// ALONE: note: ends before main:1: in tiles, groups have at most 1 kernels; in rows, streams have at most 1 kernels{{$}}
// SMALL: note: ends before main:1: in tiles, the smallest tile would take 384 B, 128 B too many; in rows, it takes 384 B of 256 B{{$}}
// FILE: note: ends before main:1: a file says the parts{{$}}
// FILE: remark: main:1: {{.*}}; as the file says{{$}}
// FILE: note: ends before main:2: a file says the parts{{$}}
func.func @main(%a: !map) -> tensor<64x!q> {
  %w = mli.constant dense<1> : tensor<3x3x1x4xi8> to !dw
  %f = mli.constant dense<1> : tensor<3x3x4x4xi8> to !filters
  %b = mli.constant dense<2> : tensor<4xi32> to tensor<4x!b>
  %e0 = tensor.empty() : !map
  %x = mli.depthwise_conv2d ins(%a, %w, %b : !map, !dw, tensor<4x!b>)
    outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
  %e1 = tensor.empty() : !map
  %y = mli.conv2d ins(%x, %f, %b : !map, !filters, tensor<4x!b>)
    outs(%e1 : !map) pad [1, 1, 1, 1] -> !map
  %e2 = tensor.empty() : !small
  %z = mli.maxpool ins(%y : !map) outs(%e2 : !small)
    kernel [2, 4] pad [0, 0, 0, 0] {strides = array<i64: 2, 4>} -> !small
  %v = mli.reshape %z : !small to tensor<64x!q>
  %e3 = tensor.empty() : tensor<64x!q>
  %s = mli.relu ins(%v : tensor<64x!q>) outs(%e3 : tensor<64x!q>)
    {relu = #mli.relu<relu6>} -> tensor<64x!q>
  return %s : tensor<64x!q>
}
