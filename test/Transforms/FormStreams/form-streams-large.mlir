// Sizes near 2^31 and 2^63 neither wrap nor take long.
// RUN: mli-opt %s --split-input-file --verify-diagnostics \
// RUN:   --mli-form-streams="arena=min recompute=100 report" -o /dev/null
// RUN: echo '{"streams": [{"kernels": ["rows:0", "rows:1"], "rows": 2147483647, "room": 2147483647}]}' > %t.json
// RUN: not mli-opt %s --split-input-file --mli-form-streams="overrides=%t.json report" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STEP
// STEP: remark: stream of 2 kernels, rows:0 to rows:1: 1 steps of 2,147,483,647 rows, 2,147,483,648 B with all that is live
// STEP: error: expected 'overrides' to name kernels of functions of the module, as 'main:0', but got 'rows:0'

!map = tensor<2147483647x1x1x!mli.sa8<1:4:-128>>

// ST7
// expected-remark @+1 {{arena: 1 B, 1.000 of the bound 1 B; whole kernels 2,147,483,647 B}}
func.func @rows(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  // expected-note @+1 {{rows:0: 1 of 2,147,483,647 rows within a step}}
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  // expected-note @+2 {{rows:1: all 2,147,483,647 rows}}
  // expected-remark @+1 {{2,147,483,647 steps of 1 row, 16 B with all that is live; 4,294,967,294 calls}}
  %s = mli.relu ins(%r : !map) outs(%f : !map) {relu = #mli.relu<gen>} -> !map
  return %s : !map
}

// -----

!b = !mli.sa32<5:14:0>
!whole = tensor<2147483647x1x1x!mli.sa8<1:4:-128>>
!half = tensor<1073741824x1x1x!mli.sa8<1:4:-128>>
!window = tensor<1073741824x1x1x1x!mli.sa8<5:10:0>>

// All products together are more than 2^63.
// expected-remark @+1 {{arena: 0 B; whole kernels 0 B}}
func.func @products(%a: !whole, %w: !window, %b: tensor<1x!b>) -> (!half, !half, !half, !half, !half, !half, !half, !half, !half) {
  %e0 = tensor.empty() : !half
  %r0 = mli.conv2d ins(%a, %w, %b : !whole, !window, tensor<1x!b>) outs(%e0 : !half) pad [0, 0, 0, 0] -> !half
  %e1 = tensor.empty() : !half
  %r1 = mli.conv2d ins(%a, %w, %b : !whole, !window, tensor<1x!b>) outs(%e1 : !half) pad [0, 0, 0, 0] -> !half
  %e2 = tensor.empty() : !half
  %r2 = mli.conv2d ins(%a, %w, %b : !whole, !window, tensor<1x!b>) outs(%e2 : !half) pad [0, 0, 0, 0] -> !half
  %e3 = tensor.empty() : !half
  %r3 = mli.conv2d ins(%a, %w, %b : !whole, !window, tensor<1x!b>) outs(%e3 : !half) pad [0, 0, 0, 0] -> !half
  %e4 = tensor.empty() : !half
  %r4 = mli.conv2d ins(%a, %w, %b : !whole, !window, tensor<1x!b>) outs(%e4 : !half) pad [0, 0, 0, 0] -> !half
  %e5 = tensor.empty() : !half
  %r5 = mli.conv2d ins(%a, %w, %b : !whole, !window, tensor<1x!b>) outs(%e5 : !half) pad [0, 0, 0, 0] -> !half
  %e6 = tensor.empty() : !half
  %r6 = mli.conv2d ins(%a, %w, %b : !whole, !window, tensor<1x!b>) outs(%e6 : !half) pad [0, 0, 0, 0] -> !half
  %e7 = tensor.empty() : !half
  %r7 = mli.conv2d ins(%a, %w, %b : !whole, !window, tensor<1x!b>) outs(%e7 : !half) pad [0, 0, 0, 0] -> !half
  %e8 = tensor.empty() : !half
  %r8 = mli.conv2d ins(%a, %w, %b : !whole, !window, tensor<1x!b>) outs(%e8 : !half) pad [0, 0, 0, 0] -> !half
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : !half, !half, !half, !half, !half, !half, !half, !half, !half
}

// -----

!large = tensor<9223372036854775807xi8>

func.func @bytes(%a: tensor<4xi8>) -> tensor<4xi8> {
  %e = tensor.empty() : !large
  // expected-error @+1 {{expected tensors of known sizes for an arena, up to 2^40 bytes, but this one has none}}
  %r = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xi8> into !large
  %s = tensor.extract_slice %r[6] [4] [1] : !large to tensor<4xi8>
  return %s : tensor<4xi8>
}
