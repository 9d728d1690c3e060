// What orders and streams do for branches that are concatenated, and for blocks with
// squeeze and excitation: networks of the sizes of Inception and EfficientNet.
// RUN: mli-opt %s --mli-order=explain --mli-form-streams="arena=min report" \
// RUN:   --verify-diagnostics -o /dev/null
// RUN: mli-opt %s --mli-buffer-pipeline=arena=min | FileCheck %s

!in = tensor<28x28x192x!mli.sa8<1:4:-128>>
!c16 = tensor<28x28x16x!mli.sa8<1:4:-128>>
!c32 = tensor<28x28x32x!mli.sa8<1:4:-128>>
!c64 = tensor<28x28x64x!mli.sa8<1:4:-128>>
!c96 = tensor<28x28x96x!mli.sa8<1:4:-128>>
!c128 = tensor<28x28x128x!mli.sa8<1:4:-128>>
!out = tensor<28x28x256x!mli.sa8<1:4:-128>>
!w64 = tensor<1x1x192x64x!mli.sa8<5:10:0>>
!w96 = tensor<1x1x192x96x!mli.sa8<5:10:0>>
!w128 = tensor<3x3x96x128x!mli.sa8<5:10:0>>
!w16 = tensor<1x1x192x16x!mli.sa8<5:10:0>>
!w5 = tensor<5x5x16x32x!mli.sa8<5:10:0>>
!w32 = tensor<1x1x192x32x!mli.sa8<5:10:0>>
!b64 = tensor<64x!mli.sa32<5:14:0>>
!b96 = tensor<96x!mli.sa32<5:14:0>>
!b128 = tensor<128x!mli.sa32<5:14:0>>
!b16 = tensor<16x!mli.sa32<5:14:0>>
!b32 = tensor<32x!mli.sa32<5:14:0>>

// The order saves a fifth, streams nothing: each branch ends in the channels of
// another tensor.
// CHECK: func.func @inception({{.*}}: memref<376320xi8> {mli.arena})
// expected-remark @+2 {{kernels in a new order: 376320 bytes live at once, 476672 before, the least of all orders}}
// expected-remark @+1 {{arena: 376,320 B, 1.364 of the bound 275,968 B; whole kernels 376,320 B}}
func.func @inception(%x: !in, %w64: !w64, %w96: !w96, %w128: !w128, %w16: !w16,
    %w5: !w5, %w32: !w32, %b64: !b64, %b96: !b96, %b128: !b128, %b16: !b16,
    %b32: !b32) -> !out {
  %e0 = tensor.empty() : !in
  %a = mli.relu ins(%x : !in) outs(%e0 : !in) {relu = #mli.relu<gen>} -> !in
  %e1 = tensor.empty() : !c64
  %one = mli.conv2d ins(%a, %w64, %b64 : !in, !w64, !b64) outs(%e1 : !c64)
    pad [0, 0, 0, 0] -> !c64
  %e2 = tensor.empty() : !c96
  %three0 = mli.conv2d ins(%a, %w96, %b96 : !in, !w96, !b96) outs(%e2 : !c96)
    pad [0, 0, 0, 0] -> !c96
  %e3 = tensor.empty() : !c128
  %three = mli.conv2d ins(%three0, %w128, %b128 : !c96, !w128, !b128)
    outs(%e3 : !c128) pad [1, 1, 1, 1] -> !c128
  %e4 = tensor.empty() : !c16
  %five0 = mli.conv2d ins(%a, %w16, %b16 : !in, !w16, !b16) outs(%e4 : !c16)
    pad [0, 0, 0, 0] -> !c16
  %e5 = tensor.empty() : !c32
  %five = mli.conv2d ins(%five0, %w5, %b32 : !c16, !w5, !b32)
    outs(%e5 : !c32) pad [2, 2, 2, 2] -> !c32
  %e6 = tensor.empty() : !in
  %pool0 = mli.maxpool ins(%a : !in) outs(%e6 : !in) kernel [3, 3]
    pad [1, 1, 1, 1] -> !in
  %e7 = tensor.empty() : !c32
  %pool = mli.conv2d ins(%pool0, %w32, %b32 : !in, !w32, !b32)
    outs(%e7 : !c32) pad [0, 0, 0, 0] -> !c32
  %e8 = tensor.empty() : !out
  // expected-remark @+1 {{not streamed: its result is part of another tensor, along dimension 2}}
  %r0 = tensor.insert_slice %one into %e8[0, 0, 0] [28, 28, 64] [1, 1, 1] : !c64 into !out
  // expected-remark @+1 {{not streamed: its result is part of another tensor, along dimension 2}}
  %r1 = tensor.insert_slice %three into %r0[0, 0, 64] [28, 28, 128] [1, 1, 1] : !c128 into !out
  // expected-remark @+1 {{not streamed: its result is part of another tensor, along dimension 2}}
  %r2 = tensor.insert_slice %five into %r1[0, 0, 192] [28, 28, 32] [1, 1, 1] : !c32 into !out
  // expected-remark @+1 {{not streamed: its result is part of another tensor, along dimension 2}}
  %r3 = tensor.insert_slice %pool into %r2[0, 0, 224] [28, 28, 32] [1, 1, 1] : !c32 into !out
  %e9 = tensor.empty() : !out
  %r = mli.relu ins(%r3 : !out) outs(%e9 : !out) {relu = #mli.relu<gen>} -> !out
  return %r : !out
}

!narrow = tensor<56x56x24x!mli.sa8<1:4:-128>>
!wide = tensor<56x56x144x!mli.sa8<1:4:-128>>
!pooled = tensor<1x1x144x!mli.sa8<1:4:-128>>
!all = tensor<144x!mli.sa8<1:4:-128>>
!few = tensor<6x!mli.sa8<1:4:-128>>
!gate = tensor<144x!mli.sa8<1:8:-128>>
!gates = tensor<1x1x144x!mli.sa8<1:8:-128>>
!expand = tensor<1x1x24x144x!mli.sa8<5:10:0>>
!spread = tensor<3x3x1x144x!mli.sa8<5:10:0>>
!project = tensor<1x1x144x24x!mli.sa8<5:10:0>>
!squeeze = tensor<144x6x!mli.sa8<5:10:0>>
!excite = tensor<6x144x!mli.sa8<5:10:0>>
!b144 = tensor<144x!mli.sa32<5:14:0>>
!b24 = tensor<24x!mli.sa32<5:14:0>>
!b6 = tensor<6x!mli.sa32<5:14:0>>

// Both the map and its scaled copy are there in the loop that scales cells.
// CHECK: func.func @squeeze({{.*}}: memref<978576xi8> {mli.arena})
// expected-remark @+2 {{kernels stay in their order: 978720 bytes live at once, the least of all orders}}
// expected-remark @+1 {{arena: 978,720 B; whole kernels 978,720 B}}
func.func @squeeze(%x: !narrow, %we: !expand, %ws: !spread, %wp: !project,
    %wq: !squeeze, %wx: !excite, %b144: !b144, %b24: !b24, %b6: !b6) -> !narrow {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c56 = arith.constant 56 : index
  %e0 = tensor.empty() : !narrow
  %a = mli.relu ins(%x : !narrow) outs(%e0 : !narrow) {relu = #mli.relu<gen>} -> !narrow
  %e1 = tensor.empty() : !wide
  %b = mli.conv2d ins(%a, %we, %b144 : !narrow, !expand, !b144)
    outs(%e1 : !wide) pad [0, 0, 0, 0] -> !wide
  %e2 = tensor.empty() : !wide
  %c = mli.depthwise_conv2d ins(%b, %ws, %b144 : !wide, !spread, !b144)
    outs(%e2 : !wide) pad [1, 1, 1, 1] -> !wide
  %e3 = tensor.empty() : !pooled
  %d = mli.avepool ins(%c : !wide) outs(%e3 : !pooled) kernel [56, 56]
    pad [0, 0, 0, 0] -> !pooled
  %d1 = mli.reshape %d : !pooled to !all
  %e4 = tensor.empty() : !few
  // expected-remark @+1 {{not streamed: its result is not a map of rows}}
  %f = mli.fully_connected ins(%d1, %wq, %b6 : !all, !squeeze, !b6)
    outs(%e4 : !few) -> !few
  %e5 = tensor.empty() : !all
  // expected-remark @+1 {{not streamed: its result is not a map of rows}}
  %g = mli.fully_connected ins(%f, %wx, %b144 : !few, !excite, !b144)
    outs(%e5 : !all) -> !all
  %e6 = tensor.empty() : !gate
  // expected-remark @+1 {{not streamed: its result is not a map of rows}}
  %h = mli.sigm ins(%g : !all) outs(%e6 : !gate) -> !gate
  %h1 = mli.reshape %h : !gate to !gates
  %e7 = tensor.empty() : !wide
  // expected-remark @+1 {{not streamed: kernels inside of it are in no stream}}
  %i = scf.for %row = %c0 to %c56 step %c1 iter_args(%rows = %e7) -> !wide {
    %j = scf.for %column = %c0 to %c56 step %c1 iter_args(%cells = %rows) -> !wide {
      %cell = tensor.extract_slice %c[%row, %column, 0] [1, 1, 144] [1, 1, 1] : !wide to !pooled
      %e8 = tensor.empty() : !pooled
      %scaled = mli.eltwise_mul ins(%cell, %h1 : !pooled, !gates) outs(%e8 : !pooled) -> !pooled
      %with = tensor.insert_slice %scaled into %cells[%row, %column, 0] [1, 1, 144] [1, 1, 1] : !pooled into !wide
      scf.yield %with : !wide
    }
    scf.yield %j : !wide
  }
  %e9 = tensor.empty() : !narrow
  %k = mli.conv2d ins(%i, %wp, %b24 : !wide, !project, !b24)
    outs(%e9 : !narrow) pad [0, 0, 0, 0] -> !narrow
  %e10 = tensor.empty() : !narrow
  %r = mli.eltwise_add ins(%k, %a : !narrow, !narrow) outs(%e10 : !narrow) -> !narrow
  return %r : !narrow
}
