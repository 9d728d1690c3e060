// Blocks, other shapes and loops of tensors that are in local memory give the
// bytes that they give in system memory.
// RUN: rm -rf %t && mkdir -p %t/system %t/local
// RUN: sed 's/, #mli.space<local>//' %s > %t/system.mlir
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 8x16x6 -128..127 -128..127 -128..127
// RUN: mli-run %t/system.mlir --input %t/in.npy --output-dir %t/system
// RUN: mli-run %s --input %t/in.npy --output-dir %t/local --placement local --target vpx
// RUN: diff -r %t/system %t/local
// RUN: mli-run %s --input %t/in.npy --output-dir %t/local --placement local --target bm1684
// RUN: diff -r %t/system %t/local
// RUN: mli-run %s --input %t/in.npy --output-dir %t/local --placement local --target custom,npus=4,npu-bytes=16384
// RUN: diff -r %t/system %t/local

!in = tensor<8x16x6x!mli.fx8<3>>
!map = tensor<8x16x6x!mli.fx8<3>, #mli.space<local>>
!rows = tensor<4x16x6x!mli.fx8<3>, #mli.space<local>>
!channels = tensor<4x16x3x!mli.fx8<3>, #mli.space<local>>
!flat = tensor<64x3x!mli.fx8<3>, #mli.space<local>>
!odd = tensor<3x5x2x!mli.fx8<3>, #mli.space<local>>
!vector = tensor<768x!mli.fx8<3>, #mli.space<local>>
!out0 = tensor<64x3x!mli.fx8<3>>
!out1 = tensor<3x5x2x!mli.fx8<3>>
!out2 = tensor<768x!mli.fx8<3>>
func.func @main(%in: !in) -> (!out0, !out1, !out2, !in) {
  %map0 = tensor.empty() : !map
  %map = mli.mov ins(%in : !in) outs(%map0 : !map) -> !map

  // Channels of rows, and these in another shape: views.
  %rows = mli.subtensor %map[2, 0, 0] [4, 16, 6] : !map to !rows
  %channels = mli.subtensor %rows[0, 0, 2] [4, 16, 3] : !rows to !channels
  %sum0 = tensor.empty() : !channels
  %sum = mli.eltwise_add ins(%channels, %channels : !channels, !channels) outs(%sum0 : !channels) -> !channels
  %flat = mli.reshape %sum : !channels to !flat
  %relu0 = tensor.empty() : !flat
  %relu = mli.relu ins(%flat : !flat) outs(%relu0 : !flat) {relu = #mli.relu<gen>} -> !flat
  %out0 = tensor.empty() : !out0
  %first = mli.mov ins(%relu : !flat) outs(%out0 : !out0) -> !out0

  // A block that starts between words.
  %odd = mli.subtensor %map[1, 3, 3] [3, 5, 2] : !map to !odd
  %relu1 = tensor.empty() : !odd
  %relu2 = mli.relu ins(%odd : !odd) outs(%relu1 : !odd) {relu = #mli.relu<gen>} -> !odd
  %out1 = tensor.empty() : !out1
  %second = mli.mov ins(%relu2 : !odd) outs(%out1 : !out1) -> !out1

  // A shape that needs other addresses.
  %vector = mli.reshape %map : !map to !vector
  %relu3 = tensor.empty() : !vector
  %relu4 = mli.relu ins(%vector : !vector) outs(%relu3 : !vector) {relu = #mli.relu<gen>} -> !vector
  %out2 = tensor.empty() : !out2
  %third = mli.mov ins(%relu4 : !vector) outs(%out2 : !out2) -> !out2

  // What each round hands to the next.
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%value = %map) -> !map {
    %next0 = tensor.empty() : !map
    %next = mli.eltwise_sub ins(%value, %map : !map, !map) outs(%next0 : !map) -> !map
    scf.yield %next : !map
  }
  %out3 = tensor.empty() : !in
  %fourth = mli.mov ins(%last : !map) outs(%out3 : !in) -> !in
  return %first, %second, %third, %fourth : !out0, !out1, !out2, !in
}
