// The largest block of each kernel, and what keeps it from being larger.
// RUN: mli-opt %s --mli-explain-fit --split-input-file --verify-diagnostics
// RUN: mli-opt %s --mli-explain-fit=capacity=768 --split-input-file 2>&1 -o /dev/null | FileCheck %s
// RUN: mli-opt %s --mli-explain-fit=capacity=64 --split-input-file 2>&1 -o /dev/null | FileCheck %s --check-prefix=SMALL
// RUN: not mli-opt %s --mli-explain-fit=capacity=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// NEGATIVE: for the --capacity option: expected a number in [0, inf), but got -1

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>

module attributes {mli.target = #mli.target<vpx, npu_bytes = 1024>} {

// Three rows of one map are 192 bytes, so five rows of each fit.
// Z1
// CHECK: remark: the largest block that fits 768 B is [4, 8, 8] of [20, 8, 8]: 768 B, 0 B free; H limited by input: +1 needs 192 B, 0 B free
// SMALL: remark: the largest block that fits 64 B is [1, 2, 8] of [20, 8, 8]: 48 B, 16 B free; H limited by input: +1 needs 48 B, 16 B free; W limited by input: +1 needs 48 B, 16 B free; C is whole
func.func @rows(%a: tensor<20x8x8x!q>, %b: tensor<20x8x8x!q>)
    -> tensor<20x8x8x!q> {
  %init = tensor.empty() : tensor<20x8x8x!q>
  // expected-remark @+1 {{the largest block that fits 1,024 B is [5, 8, 8] of [20, 8, 8]: 960 B, 64 B free; H limited by input: +1 needs 192 B, 64 B free; W is whole; C is whole}}
  %r = mli.eltwise_add ins(%a, %b : tensor<20x8x8x!q>, tensor<20x8x8x!q>)
    outs(%init : tensor<20x8x8x!q>) -> tensor<20x8x8x!q>
  return %r : tensor<20x8x8x!q>
}

// A row more is a row of the result and one of the input; a block of 6 rows reads
// 8 of these.
// CHECK: remark: the largest block that fits 768 B is [5, 8, 8] of [16, 8, 8]: 768 B, 0 B free; H limited by halo: +1 needs 128 B, 0 B free
// SMALL: remark: the largest block that fits 64 B is [1, 1, 5] of [16, 8, 8]: 64 B, 0 B free; H limited by halo: +1 needs 16 B, 0 B free; W limited by halo: +1 needs 16 B, 0 B free; C limited by input: +1 needs 16 B, 0 B free
func.func @halo(%a: tensor<16x8x8x!q>) -> tensor<16x8x8x!q> {
  %init = tensor.empty() : tensor<16x8x8x!q>
  // expected-remark @+1 {{the largest block that fits 1,024 B is [7, 8, 8] of [16, 8, 8]: 1,024 B, 0 B free; H limited by halo: +1 needs 128 B, 0 B free; W is whole; C is whole}}
  %r = mli.maxpool ins(%a : tensor<16x8x8x!q>) outs(%init : tensor<16x8x8x!q>)
    kernel [3, 3] pad [1, 1, 1, 1] -> tensor<16x8x8x!q>
  return %r : tensor<16x8x8x!q>
}

// Of 13 filters: 64 bytes of input, 832 of weights, 52 of biases and 13 of the
// result, in units of 16.
// CHECK: remark: the largest block that fits 768 B is [1, 1, 10] of [4, 4, 64]
// SMALL: remark: no block fits 64 B: the smallest, [1, 1, 1] of [4, 4, 64], takes 160 B
func.func @filters(%a: tensor<4x4x64x!q>, %w: tensor<1x1x64x64x!w>,
    %b: tensor<64x!b>) -> tensor<4x4x64x!q> {
  %init = tensor.empty() : tensor<4x4x64x!q>
  // expected-remark @+1 {{the largest block that fits 1,024 B is [1, 1, 13] of [4, 4, 64]: 976 B, 48 B free; H limited by input: +1 needs 80 B, 48 B free; W limited by input: +1 needs 80 B, 48 B free; C limited by weights: +1 needs 64 B, 48 B free}}
  %r = mli.conv2d
    ins(%a, %w, %b : tensor<4x4x64x!q>, tensor<1x1x64x64x!w>, tensor<64x!b>)
    outs(%init : tensor<4x4x64x!q>) pad [0, 0, 0, 0] -> tensor<4x4x64x!q>
  return %r : tensor<4x4x64x!q>
}

// Softmax needs what it sums over at once.
// SMALL: remark: no block fits 64 B: the smallest, [1, 16] of [8, 16], takes 748 B
func.func @softmax(%a: tensor<8x16x!q>) -> tensor<8x16x!mli.sa8<1:8:-128>> {
  %init = tensor.empty() : tensor<8x16x!mli.sa8<1:8:-128>>
  // expected-remark @+1 {{the largest block that fits 1,024 B is [8, 16] of [8, 16]: 972 B, 52 B free; W is whole; C is whole}}
  %r = mli.softmax ins(%a : tensor<8x16x!q>)
    outs(%init : tensor<8x16x!mli.sa8<1:8:-128>>) {axis = 1 : i32}
    -> tensor<8x16x!mli.sa8<1:8:-128>>
  return %r : tensor<8x16x!mli.sa8<1:8:-128>>
}

// Of what is not known no block is.
// Z3
func.func @dynamic(%a: tensor<?x8x!q>, %init: tensor<?x8x!q>) -> tensor<?x8x!q> {
  // expected-remark @+1 {{no block is known: expected operand 0 to be a tensor that local memory can hold, of a static shape of at most 4 dimensions, but got 'tensor<?x8x!mli.sa8<1:4:-128>>'}}
  %r = mli.relu ins(%a : tensor<?x8x!q>) outs(%init : tensor<?x8x!q>)
    {relu = #mli.relu<gen>} -> tensor<?x8x!q>
  return %r : tensor<?x8x!q>
}

func.func @padding(%a: tensor<8x8x4x!q>, %top: index) -> tensor<8x8x4x!q> {
  %init = tensor.empty() : tensor<8x8x4x!q>
  // expected-remark @+1 {{no block is known: expected its padding to be static, as tiles in local memory are, but got indices}}
  %r = mli.maxpool ins(%a : tensor<8x8x4x!q>) outs(%init : tensor<8x8x4x!q>)
    kernel [3, 3] pad [%top, 1, 1, 1] -> tensor<8x8x4x!q>
  return %r : tensor<8x8x4x!q>
}

}

// -----

!q = !mli.sa8<1:4:-128>

// One more channel is a block row more of all NPUs.
// SMALL: remark: the largest block that fits 64 B is [1, 1, 128] of [1, 4, 200]: 64 B, 0 B free; H is whole; W limited by input: +1 needs 64 B, 0 B free; C limited by NPUs: +1 needs 8 B, 0 B free
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 1024, unit = 64, banks = 1, dma_align = 4>} {
func.func @npus(%a: tensor<1x4x200x!q>) -> tensor<1x4x200x!q> {
  %init = tensor.empty() : tensor<1x4x200x!q>
  // expected-remark @+1 {{the largest block that fits 1,024 B is [1, 4, 200] of [1, 4, 200]: }}
  %r = mli.relu ins(%a : tensor<1x4x200x!q>) outs(%init : tensor<1x4x200x!q>)
    {relu = #mli.relu<gen>} -> tensor<1x4x200x!q>
  return %r : tensor<1x4x200x!q>
}
}
