// Copies of slices that the runtime does not make.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4x4 1..16
// RUN: mli-run %s --entry plain --input %t/in.npy --output-dir %t/plain
// RUN: %python %S/Inputs/make-npy.py %t/plain.npy i1 4x2 2 3 6 7 10 11 14 15
// RUN: cmp %t/plain/output_0.npy %t/plain.npy
func.func @plain(%input: tensor<4x4xi8>) -> tensor<4x2xi8> {
  %slice = tensor.extract_slice %input[0, 1] [4, 2] [1, 1]
    : tensor<4x4xi8> to tensor<4x2xi8>
  return %slice : tensor<4x2xi8>
}

// RUN: mli-run %s --entry axis --input %t/in.npy --input %t/in.npy --output-dir %t/axis
// RUN: %python %S/Inputs/make-npy.py %t/axis.npy i1 4x4 1 2 2 3 5 6 6 7 9 10 10 11 13 14 14 15
// RUN: cmp %t/axis/output_0.npy %t/axis.npy
!map = tensor<4x4x!mli.sa8<axis = 0, {1:3:0, 2:3:0, 3:3:5, 1:3:0}>>
!slice = tensor<4x2x!mli.sa8<axis = 0, {1:3:0, 2:3:0, 3:3:5, 1:3:0}>>
func.func @axis(%input: !map, %other: !map) -> !map {
  %slice = tensor.extract_slice %other[0, 1] [4, 2] [1, 1] : !map to !slice
  %result = tensor.insert_slice %slice into %input[0, 2] [4, 2] [1, 1]
    : !slice into !map
  return %result : !map
}
