// What rounds of a loop hand on, in two places by turns.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4 1 2 3 -4
// RUN: mli-run %s --entry sum --input %t/in.npy --output-dir %t/sum
// RUN: %python %S/Inputs/make-npy.py %t/sum.npy i1 4 6 12 18 -24
// RUN: cmp %t/sum/output_0.npy %t/sum.npy
!map = tensor<4x!mli.fx8<3>>
func.func @sum(%input: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %result = scf.for %i = %c0 to %c5 step %c1 iter_args(%map = %input) -> !map {
    %empty = tensor.empty() : !map
    %sum = mli.eltwise_add ins(%map, %input : !map, !map) outs(%empty : !map)
      -> !map
    scf.yield %sum : !map
  }
  return %result : !map
}

// RUN: mli-run %s --entry fibonacci --input %t/in.npy --output-dir %t/fibonacci
// RUN: %python %S/Inputs/make-npy.py %t/fibonacci.npy i1 4 8 16 24 -32
// RUN: cmp %t/fibonacci/output_0.npy %t/fibonacci.npy
func.func @fibonacci(%input: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %result:2 = scf.for %i = %c0 to %c4 step %c1
      iter_args(%map = %input, %before = %input) -> (!map, !map) {
    %empty = tensor.empty() : !map
    %sum = mli.eltwise_add ins(%map, %before : !map, !map) outs(%empty : !map)
      -> !map
    scf.yield %sum, %map : !map, !map
  }
  return %result#0 : !map
}
