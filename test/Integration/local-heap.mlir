// Buffers that rounds of a loop hand on are on the heap, and freed beside moves
// that run with kernels; a kernel of one number runs beside moves, too. The
// bytes are those of system memory.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/map.npy i1 12x12x4 -128..127 -128..127 -32..31
// RUN: %python %S/Inputs/make-npy.py %t/slope.npy i1 scalar -3

// RUN: mli-run %s --entry carried --input %t/map.npy --output-dir %t/system
// RUN: mli-run %s --entry carried --input %t/map.npy --output-dir %t/local --placement local --target custom,npus=4,npu-bytes=512
// RUN: diff -r %t/system %t/local
// RUN: mli-run %s --entry carried --input %t/map.npy --output-dir %t/local --placement local --target vpx,npu-bytes=1024 --double-buffer on
// RUN: diff -r %t/system %t/local
!map = tensor<12x12x4x!mli.sa8<1:0:0>>
func.func @carried(%in: !map) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %empty = tensor.empty() : !map
  %all:2 = scf.for %i = %c0 to %c5 step %c1
      iter_args(%x = %in, %y = %in) -> (!map, !map) {
    %greatest = mli.maxpool ins(%x : !map) outs(%empty : !map) kernel [3, 3]
      pad [1, 1, 1, 1] -> !map
    %difference = mli.eltwise_sub ins(%greatest, %y : !map, !map)
      outs(%empty : !map) -> !map
    scf.yield %difference, %greatest : !map, !map
  }
  %sum = mli.eltwise_add ins(%all#0, %all#1 : !map, !map) outs(%empty : !map)
    -> !map
  return %sum : !map
}

// RUN: mli-run %s --entry scalar --input %t/map.npy --input %t/slope.npy --output-dir %t/system
// RUN: mli-run %s --entry scalar --input %t/map.npy --input %t/slope.npy --output-dir %t/local --placement local --target bm1684
// RUN: diff -r %t/system %t/local
!one = tensor<!mli.sa8<1:0:0>>
func.func @scalar(%in: !map, %slope: !one) -> !map {
  %none = tensor.empty() : !one
  %steep = mli.relu ins(%slope : !one) outs(%none : !one)
    {relu = #mli.relu<gen>} -> !one
  %empty = tensor.empty() : !map
  %result = mli.leaky_relu ins(%in, %steep : !map, !one) outs(%empty : !map)
    -> !map
  return %result : !map
}
