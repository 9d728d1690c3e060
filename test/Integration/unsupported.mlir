// What the project has no kernel for is told with its name, and nothing runs.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4 1
// RUN: not mli-run %s --input %t/in.npy --output-dir %t/out 2>&1 | FileCheck %s
// RUN: not ls %t/out

// CHECK: unsupported.mlir:[[#@LINE+3]]:{{.*}}error: {{.*}}tosa.reduce_min

func.func @main(%input: tensor<4xi8>) -> tensor<1xi8> {
  %result = tosa.reduce_min %input {axis = 0 : i32} : (tensor<4xi8>) -> tensor<1xi8>
  return %result : tensor<1xi8>
}
