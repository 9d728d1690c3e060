// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=ReturnPart' | FileCheck %s --check-prefix=PART
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=func enable-patterns=ShrinkSize' | FileCheck %s --check-prefix=SIZE
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=extract_slice\|mli.relu\|softmax enable-patterns=ShrinkSize,TrimSliced' | FileCheck %s --check-prefix=TRIM
// RUN: mli-reduce %s --split-input-file --mli-reduce-by-patterns='test=%S/Inputs/has test-arg=return.*tensor<[2-9]\|softmax\|sliced\|as_they_are\|wide_slice enable-patterns=ReturnPart' | FileCheck %s --check-prefix=ROWS

// A window of one element is left of two layers, the batch of the model before them,
// constants and arguments; input channels are not tiled.
// PART: !sa32_axis0 = !mli.sa32<axis = 0, {3:8:0}>
// PART: !sa8_axis3 = !mli.sa8<axis = 3, {3:4:0}>
// PART-LABEL: func.func @network(
// PART-SAME: tensor<1x2x2x2x!mli.sa8<1:4:0>> {mli.unsigned}
// PART-SAME: tensor<3x3x2x1x!sa8_axis3>
// PART-SAME: -> tensor<1x1x1x!mli.sa8<1:4:0>>
// PART: mli.constant dense<7> : tensor<1xi32> to tensor<1x!sa32_axis0>
// PART: mli.conv2d {{.*}} pad [1, 0, 1, 0]
// PART: mli.relu
// Halves and steps of one end where the script does.
// ROWS-LABEL: func.func @network(
// ROWS: return {{.*}} : tensor<2x1x1x
!batch = tensor<1x8x8x2x!mli.sa8<1:4:0>>
!map = tensor<8x8x2x!mli.sa8<1:4:0>>
!weights = tensor<3x3x2x4x!mli.sa8<axis = 3, {3:4:0, 5:4:0, 7:4:0, 9:4:0}>>
!bias = tensor<4x!mli.sa32<axis = 0, {3:8:0, 5:8:0, 7:8:0, 9:8:0}>>
!out = tensor<8x8x4x!mli.sa8<1:4:0>>
func.func @network(%batch: !batch {mli.unsigned}, %weights: !weights) -> !out {
  %bias = mli.constant dense<[7, 8, 9, 10]> : tensor<4xi32> to !bias
  %map = mli.reshape %batch : !batch to !map
  %0 = tensor.empty() : !out
  %1 = mli.conv2d ins(%map, %weights, %bias : !map, !weights, !bias)
         outs(%0 : !out) pad [1, 1, 1, 1] -> !out
  %2 = tensor.empty() : !out
  %3 = mli.relu ins(%1 : !out) outs(%2 : !out) {relu = #mli.relu<gen>} -> !out
  return %3 : !out
}

// -----

// No tile of a softmax is computed, but the softmax of fewer elements; in buffers too.
// PART-LABEL: func.func @softmax(
// PART: -> tensor<10x!mli.sa8<1:8:-128>>
// SIZE-LABEL: func.func @softmax(
// SIZE-SAME: tensor<1x!mli.sa8<5:6:4>>
// SIZE-SAME: memref<1x!mli.sa8<5:6:4>>
// SIZE: mli.softmax {{.*}} -> tensor<1x!mli.sa8<1:8:-128>>
// SIZE: mli.softmax ins(%{{.*}} : memref<1x
// ROWS-LABEL: func.func @softmax(
!in = tensor<10x!mli.sa8<5:6:4>>
!out = tensor<10x!mli.sa8<1:8:-128>>
func.func @softmax(%map: !in, %buffer: memref<10x!mli.sa8<5:6:4>>,
                   %result: memref<10x!mli.sa8<1:8:-128>>) -> !out {
  %0 = tensor.empty() : !out
  %1 = mli.softmax ins(%map : !in) outs(%0 : !out) -> !out
  mli.softmax ins(%buffer : memref<10x!mli.sa8<5:6:4>>)
    outs(%result : memref<10x!mli.sa8<1:8:-128>>)
  return %1 : !out
}

// -----

// A slice that is read stays one of less.
// SIZE-LABEL: func.func @sliced(
// TRIM-LABEL: func.func @sliced(%{{.*}}: tensor<1x1x3x
// TRIM: tensor.extract_slice %{{.*}}[0, 0, 2] [1, 1, 1] [1, 1, 1]
// TRIM: mli.argmax
!map = tensor<8x8x16x!mli.sa8<1:4:0>>
!slice = tensor<8x8x4x!mli.sa8<1:4:0>>
!position = tensor<1x1x!mli.sa32<1:0:0>>
func.func @sliced(%map: !map) -> !position {
  %0 = tensor.extract_slice %map[0, 0, 2] [8, 8, 4] [1, 1, 1] : !map to !slice
  %1 = tensor.empty() : !position
  %2 = mli.argmax ins(%0 : !slice) outs(%1 : !position) -> !position
  return %2 : !position
}

// -----

// Sizes that are not known do not shrink, nor those of a result that others read, of a
// function that is called, or of a buffer with strides.
// PART-LABEL: func.func private @as_they_are(
// PART: -> (tensor<?x4x!mli.sa8<1:4:0>>, tensor<9x!mli.sa8<1:4:0>>)
// SIZE-LABEL: func.func private @as_they_are(
// SIZE: -> (tensor<?x4x!mli.sa8<1:4:0>>, tensor<9x!mli.sa8<1:4:0>>)
// SIZE: mli.relu ins(%{{.*}} : memref<2x9x!mli.sa8<1:4:0>, strided<[16, 1]>>)
!unknown = tensor<?x4x!mli.sa8<1:4:0>>
!known = tensor<9x!mli.sa8<1:4:0>>
!gaps = memref<2x9x!mli.sa8<1:4:0>, strided<[16, 1]>>
func.func private @as_they_are(%map: !unknown, %known: !known) -> (!unknown, !known) {
  %0 = mli.relu ins(%map : !unknown) outs(%map : !unknown) {relu = #mli.relu<gen>} -> !unknown
  %1 = mli.relu ins(%known : !known) outs(%known : !known) {relu = #mli.relu<gen>} -> !known
  return %0, %1 : !unknown, !known
}
func.func @calls(%map: !unknown, %known: !known, %gaps: !gaps) {
  %0:2 = func.call @as_they_are(%map, %known) : (!unknown, !known) -> (!unknown, !known)
  mli.relu ins(%gaps : !gaps) outs(%gaps : !gaps) {relu = #mli.relu<gen>}
  return
}

// -----

// Slices of upstream operations have the parameters of all of their source: no part.
// PART-LABEL: func.func @wide_slice
// PART: -> tensor<1x!sa32_axis0>
// SIZE-LABEL: func.func @wide_slice
!bias = tensor<2x!mli.sa32<axis = 0, {3:8:0, 5:8:0}>>
!wide = tensor<1x!mli.sa32<axis = 0, {3:8:0, 5:8:0}>>
func.func @wide_slice(%bias: !bias) -> !wide {
  %0 = tensor.extract_slice %bias[1] [1] [1] : !bias to !wide
  return %0 : !wide
}
