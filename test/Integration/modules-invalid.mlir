// Modules that would compile to wrong code or to code without end.

// RUN: split-file --leading-lines %s %t
// RUN: not mli-run %t/nested.mlir --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not mli-run %t/wrapper.mlir --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=WRAPPER
// RUN: not mli-run %t/free.mlir --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: not mli-run %t/splat.mlir --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=SPLAT
// RUN: not mli-run %t/dimension.mlir --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=DIMENSION
// RUN: not mli-run %t/none.mlir --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mli-run %t/bytes.mlir --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not mli-run %t/product.mlir --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not mli-run %t/declared.mlir --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: not ls %t/out

//--- nested.mlir
// NESTED: nested.mlir:[[#@LINE+1]]:1: error: expected functions outside of nested modules, but got module 'inner'
module @inner {
  func.func @main(%a: tensor<4xi8>) -> tensor<4xi8> {
    return %a : tensor<4xi8>
  }
}
func.func private @f()

//--- declared.mlir
// One that nobody calls does no harm.
func.func private @unused(tensor<4xi8>)
// DECLARED: declared.mlir:[[#@LINE+1]]:1: error: expected 'other' to have a body, as it is called, but got a declaration
func.func private @other(tensor<4xi8>) -> tensor<4xi8>
func.func @main(%a: tensor<4xi8>) -> tensor<4xi8> {
  %result = call @other(%a) : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

//--- wrapper.mlir
func.func @main(%a: tensor<4xi8>) -> tensor<4xi8> {
  return %a : tensor<4xi8>
}
// WRAPPER: wrapper.mlir:[[#@LINE+1]]:1: error: expected a name that the compiler does not use itself, but got '_mlir_ciface_main'
func.func @_mlir_ciface_main(%a: tensor<4xi8>) -> tensor<4xi8> {
  return %a : tensor<4xi8>
}

//--- free.mlir
func.func @main(%a: tensor<4xi8>) -> tensor<4xi8> {
  %result = call @free(%a) : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}
// FREE: free.mlir:[[#@LINE+1]]:1: error: expected a name that the compiler does not use itself, but got 'free'
func.func private @free(%a: tensor<4xi8>) -> tensor<4xi8> {
  return %a : tensor<4xi8>
}

//--- splat.mlir
!big = tensor<268435457x!mli.sa8<1:0:0>>
!one = tensor<1x!mli.sa8<1:0:0>>
func.func @main() -> !one {
  // SPLAT: splat.mlir:[[#@LINE+1]]:10: error: expected 'value' of 'mli.constant' to be at most 268435456 bytes of one repeated value, but got 268435457
  %big = mli.constant dense<3> : tensor<268435457xi8> to !big
  %one = tensor.extract_slice %big[5][1][1] : !big to !one
  return %one : !one
}

//--- dimension.mlir
// DIMENSION: dimension.mlir:[[#@LINE+1]]:1: error: expected result 0 of 'main' to have dimensions in [1, 2147483647], but got 4294967296
func.func @main() -> tensor<4294967296x4294967296x4xf32> {
  %result = tensor.empty() : tensor<4294967296x4294967296x4xf32>
  return %result : tensor<4294967296x4294967296x4xf32>
}

//--- none.mlir
// NONE: none.mlir:[[#@LINE+1]]:1: error: expected argument 0 of 'main' to have dimensions in [1, 2147483647], but got 0
func.func @main(%a: tensor<4x0xi8>) -> tensor<4x0xi8> {
  return %a : tensor<4x0xi8>
}

//--- bytes.mlir
// BYTES: bytes.mlir:[[#@LINE+1]]:1: error: expected result 0 of 'main' to take at most 2147483647 bytes, but got 2147483648
func.func @main() -> tensor<65536x8192xf32> {
  %result = tensor.empty() : tensor<65536x8192xf32>
  return %result : tensor<65536x8192xf32>
}

//--- product.mlir
// PRODUCT: product.mlir:[[#@LINE+1]]:1: error: expected result 0 of 'main' to take at most 2147483647 bytes, but got 2^64 or more
func.func @main() -> tensor<2147483647x2147483647x4xi32> {
  %result = tensor.empty() : tensor<2147483647x2147483647x4xi32>
  return %result : tensor<2147483647x2147483647x4xi32>
}
