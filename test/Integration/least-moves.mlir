// What the bytes moved are compared with: each argument that is used, each
// constant and each result once.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/map.npy i1 2x2x8 -16..15
// RUN: mli-run %s --entry unused --input %t/map.npy --input %t/map.npy --output-dir %t/system
// RUN: mli-run %s --entry unused --input %t/map.npy --input %t/map.npy --compare %t/system/output_0.npy --placement local --target vpx --stats | FileCheck %s --check-prefix=UNUSED
// UNUSED: moved 64 bytes, 32 in and 32 out: 1.000 of the least 64, 1.000 of the bound 64 for 262,144 bytes{{$}}
// UNUSED: output 0: 0 of 32 elements differ
!map = tensor<2x2x8x!mli.sa8<1:0:0>>
func.func @unused(%in: !map, %other: !map) -> !map {
  %empty = tensor.empty() : !map
  %r = mli.relu ins(%in : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  return %r : !map
}

// RUN: mli-run %s --entry used --input %t/map.npy --input %t/map.npy --output-dir %t/system
// RUN: mli-run %s --entry used --input %t/map.npy --input %t/map.npy --compare %t/system/output_0.npy --placement local --target vpx --stats | FileCheck %s --check-prefix=USED
// USED: moved 96 bytes, 64 in and 32 out: 1.000 of the least 96
// USED: output 0: 0 of 32 elements differ
func.func @used(%in: !map, %other: !map) -> !map {
  %empty = tensor.empty() : !map
  %r = mli.eltwise_max ins(%in, %other : !map, !map) outs(%empty : !map) -> !map
  return %r : !map
}
