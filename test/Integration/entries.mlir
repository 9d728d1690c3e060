// Which function runs, inputs by name and number, results of several types.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/a.npy i1 4 1..4
// RUN: %python %S/Inputs/make-npy.py %t/b.npy f4 2x2 1.5 -2 0.25 1e9
// RUN: %python %S/Inputs/make-npy.py %t/c.npy i1 3 4

// Files without a name go to the inputs that are left.
// RUN: mli-run %s --entry=two --input b=%t/b.npy --input %t/a.npy \
// RUN:   --input %t/c.npy | FileCheck %s
// RUN: mli-run %s --entry=two --input %t/a.npy --input 2=%t/c.npy \
// RUN:   --input %t/b.npy --output-dir %t/out
// RUN: cmp %t/out/output_0.npy %t/b.npy
// RUN: cmp %t/out/output_1.npy %t/a.npy
// RUN: cmp %t/out/output_2.npy %t/a.npy
// RUN: cmp %t/out/output_3.npy %t/c.npy

// CHECK:      output 0: tensor<2x2xf32>
// CHECK-NEXT:   values: 1.5 -2 0.25 1e+09
// CHECK-NEXT: output 1: tensor<4xi8>
// CHECK-NEXT:   values: 1 2 3 4
// CHECK-NEXT: output 2: tensor<4xi8>
// CHECK-NEXT:   values: 1 2 3 4
// CHECK-NEXT: output 3: tensor<3x!mli.sa8<axis = 0, {1:0:0, 1:1:0, 1:2:-1}>>
// CHECK-NEXT:   codes: 4 4 4
// CHECK-NEXT:   values: 4 2 1.25

// RUN: not mli-run %s 2>&1 | FileCheck %s --check-prefix=NO-MAIN
// NO-MAIN: error: expected a public function 'main', but got 'two', 'dynamic', 'scalar'
// RUN: not mli-run %s --entry=hidden 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: error: expected a public function 'hidden', but got 'two', 'dynamic', 'scalar'
// RUN: not mli-run %s --entry=dynamic 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: expected argument 0 of 'dynamic' to be a tensor of static shape with quantised, i8, i16, i32 or f32 elements, but got 'tensor<?x!mli.fx8<3>>'
// RUN: not mli-run %s --entry=scalar 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: expected argument 1 of 'scalar' to be a tensor of static shape with quantised, i8, i16, i32 or f32 elements, but got 'i32'

// RUN: echo 'func.func private @f()' > %t/none.mlir
// RUN: not mli-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected a public function 'main', but got no public function

!axis = tensor<3x!mli.sa8<axis = 0, {1:0:0, 1:1:0, 1:2:-1}>>
func.func @two(%a: tensor<4xi8>, %b: tensor<2x2xf32>, %c: !axis)
    -> (tensor<2x2xf32>, tensor<4xi8>, tensor<4xi8>, !axis) {
  return %b, %a, %a, %c : tensor<2x2xf32>, tensor<4xi8>, tensor<4xi8>, !axis
}
func.func @dynamic(%a: tensor<?x!mli.fx8<3>>) -> tensor<?x!mli.fx8<3>> {
  return %a : tensor<?x!mli.fx8<3>>
}
func.func @scalar(%a: tensor<4xi8>, %b: i32) {
  return
}
func.func private @hidden() {
  return
}
