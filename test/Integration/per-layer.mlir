// What each layer takes: operations, shapes, products and bytes of single operations, as a
// table, JSON and CSV. Times are of the clock, and not looked at.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4x4x1 1..16
// RUN: %python %S/Inputs/make-npy.py %t/row.npy i1 4 1 2 3 4
// RUN: %python %S/Inputs/make-npy.py %t/three.npy i4 1 3

// 3x4 places (rows: (4 - 2) / 1 + 1 and one of padding less, columns with padding), 2 outputs
// of 2x2 products; 16 + 8 + 2 * 4 + 24 bytes.
// RUN: mli-run %s --entry conv --input %t/in.npy --top 1 --benchmark 2 --per-layer | FileCheck %s --check-prefix=TABLE
// TABLE: latency: {{[0-9.]+}} us median, {{[0-9.]+}} us least of 2, on this host
// TABLE: {{^}}layers, times of this host: medians of 2 runs{{$}}
// TABLE-NEXT: {{^}}layer {{ *}}result  kernel  function {{ *}}calls  products  bytes {{ *}}us {{ *}}10^9/s {{ *}}share{{$}}
// TABLE-NEXT: {{^}}first, "quoted" {{ *}}3x4x2   conv2d  mli_krn_{{[a-z0-9_]*}} {{ *}}1        96     56  {{.*}}%{{$}}
// TABLE-NEXT: {{^}}checks of parameters {{[ 0-9.]*}}%{{$}}
// TABLE-NEXT: {{^}}between calls {{[ 0-9.]*}}%{{$}}
// TABLE-NEXT: {{^}}total {{ *}}1        96     56  {{.*}}100.0%{{$}}
// RUN: mli-run %s --entry conv --input %t/in.npy --top 1 --benchmark 2 --per-layer=%t/conv.csv
// RUN: FileCheck %s --check-prefix=CSV < %t/conv.csv
// CSV: {{^}}kind,name,shape,kernel,function,calls,products,bytes,us,products_per_second,share{{$}}
// CSV-NEXT: {{^}}layer,"first, ""quoted""",3x4x2,conv2d,mli_krn_conv2d_hwcn_sa8_sa8_sa32,1,96,56,{{[0-9.]+}},{{[0-9]*}},{{[0-9.]+}}{{$}}
// CSV-NEXT: {{^}}rest,checks of parameters,,,,,,,{{[0-9.]+}},,{{[0-9.]+}}{{$}}
// CSV-NEXT: {{^}}rest,between calls,,,,,,,{{[0-9.]+}},,{{[0-9.]+}}{{$}}
// CSV-NEXT: {{^}}total,total,,,,1,96,56,{{[0-9.]+}},{{[0-9]*}},{{100.0000|0.0000}}{{$}}
// RUN: %python %S/Inputs/read-layers.py %t/conv.csv > %t/conv-csv.txt
// RUN: mli-run %s --entry conv --input %t/in.npy --top 1 --benchmark 2 --per-layer=%t/conv.json
// RUN: %python %S/Inputs/read-layers.py %t/conv.json > %t/conv-json.txt
// RUN: cmp %t/conv-csv.txt %t/conv-json.txt
// RUN: FileCheck %s --check-prefix=CONV < %t/conv-json.txt
// CONV: {{^}}first, "quoted" | conv2d | mli_krn_conv2d_hwcn_sa8_sa8_sa32 | 3x4x2 | 1 | 96 | 56{{$}}
!map = tensor<4x4x1x!mli.sa8<16384:14:0>>
!weights = tensor<2x2x1x2x!mli.sa8<16384:14:0>>
!bias = tensor<2x!mli.sa32<16384:14:0>>
!result = tensor<3x4x2x!mli.sa8<16384:14:0>>
func.func @conv(%input: !map) -> !result {
  %weights = mli.constant dense<1> : tensor<2x2x1x2xi8> to !weights
  %bias = mli.constant dense<0> : tensor<2xi32> to !bias
  %init = tensor.empty() : !result
  %output = mli.conv2d ins(%input, %weights, %bias : !map, !weights, !bias)
              outs(%init : !result) pad [0, 0, 0, 1] -> !result
              loc("first, \"quoted\"")
  return %output : !result
}

// A window of an average counts its elements; 16 + 4 bytes.
// RUN: mli-run %s --entry pool --input %t/in.npy --top 1 --benchmark 1 --per-layer=%t/pool.csv
// RUN: %python %S/Inputs/read-layers.py %t/pool.csv | FileCheck %s --check-prefix=POOL
// POOL: {{^}}per-layer.mlir:[[#@LINE+4]]:13 | avepool | mli_krn_avepool_hwc_sa8 | 2x2x1 | 1 | 16 | 20{{$}}
!small = tensor<2x2x1x!mli.sa8<16384:14:0>>
func.func @pool(%input: !map) -> !small {
  %init = tensor.empty() : !small
  %output = mli.avepool ins(%input : !map) outs(%init : !small) kernel [2, 2]
              pad [0, 0, 0, 0] {strides = array<i64: 2, 2>} -> !small
  return %output : !small
}

// Each iteration of a loop, and a function that is called twice: calls add up, one layer for
// each place. What is moved has no products.
// RUN: mli-run %s --entry again --input %t/row.npy --top 1 --benchmark 1 --per-layer=%t/again.json
// RUN: %python %S/Inputs/read-layers.py %t/again.json | FileCheck %s --check-prefix=AGAIN
// AGAIN: {{^}}per-layer.mlir:[[#@LINE+8]]:10 | eltwise_add | mli_krn_eltwise_add_fx8 | 4 | 2 | 8 | 24{{$}}
// AGAIN-NEXT: {{^}}per-layer.mlir:[[#@LINE+18]]:13 | eltwise_mul | mli_krn_eltwise_mul_fx8 | 4 | 5 | 20 | 60{{$}}
// AGAIN-NEXT: {{^}}per-layer.mlir:[[#@LINE+21]]:13 | mov | mli_mov_tensor_sync | 2 | 1 | 0 | 6{{$}}
// AGAIN-NEXT: rest: checks of parameters
!row = tensor<4x!mli.fx8<3>>
!half = tensor<2x!mli.fx8<3>>
func.func private @twice(%row: !row) -> !row {
  %empty = tensor.empty() : !row
  %sum = mli.eltwise_add ins(%row, %row : !row, !row) outs(%empty : !row) -> !row
  return %sum : !row
}
func.func @again(%input: !row) -> !half {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %double = call @twice(%input) : (!row) -> !row
  %start = call @twice(%double) : (!row) -> !row
  %row = scf.for %i = %c0 to %c5 step %c1 iter_args(%last = %start) -> !row {
    %empty = tensor.empty() : !row
    %next = mli.eltwise_mul ins(%last, %input : !row, !row) outs(%empty : !row) -> !row
    scf.yield %next : !row
  }
  %init = tensor.empty() : !half
  %output = mli.mov ins(%row : !row) outs(%init : !half) {steps = array<i64: 2>} -> !half
  return %output : !half
}

// How often a loop runs is in the data: no layers, and nothing is written, but a trace.
// RUN: not mli-run %s --entry counted --input %t/row.npy --input %t/three.npy --benchmark 1 --per-layer=%t/counted.csv --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=COUNTED
// COUNTED: error: expected the loops and conditions of 'counted' to be known when it is compiled, to measure its layers, but got calls that depend on data, or more than 1,048,576 iterations{{$}}
// RUN: not ls %t/counted.csv %t/out
// RUN: mli-run %s --entry counted --input %t/row.npy --input %t/three.npy --top 1 --benchmark 1 --profile %t/counted.json
// RUN: %python %S/Inputs/read-trace.py %t/counted.json | FileCheck %s --check-prefix=TRACE
// TRACE: 3 x kernel mli_krn_eltwise_add_fx8
// TRACE-NOT: layer
func.func @counted(%input: !row, %count: tensor<1xi32>) -> !row {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %number = tensor.extract %count[%c0] : tensor<1xi32>
  %end = arith.index_cast %number : i32 to index
  %row = scf.for %i = %c0 to %end step %c1 iter_args(%last = %input) -> !row {
    %empty = tensor.empty() : !row
    %next = mli.eltwise_add ins(%last, %input : !row, !row) outs(%empty : !row) -> !row
    scf.yield %next : !row
  }
  return %row : !row
}
