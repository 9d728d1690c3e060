// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Slices along the axis, which is put last.

// CHECK-LABEL: func.func @rows(
// CHECK-SAME:      -> tensor<2x3x!mli.sa32<1:0:0>>
// CHECK:         mli.permute {{.*}} permutation [0, 2, 1]
// CHECK:         scf.for
// CHECK:         mli.argmax ins({{.*}} : tensor<5x!mli.sa8<1:0:0>>)
// CHECK:         mli.reshape
func.func @rows(%arg0: tensor<2x5x3xi8>) -> (tensor<2x3xi32>) {
  // expected-remark @below {{of equal elements the last is found, not the first}}
  %argmax = tosa.argmax %arg0 {axis = 1 : i32} : (tensor<2x5x3xi8>) -> tensor<2x3xi32>
  return %argmax : tensor<2x3xi32>
}

// -----

func.func @wide(%arg0: tensor<5x3xi8>) -> (tensor<5xi64>) {
  // expected-remark @below {{'tosa.argmax' op not raised: expected positions of i32, but got i64}}
  %argmax = tosa.argmax %arg0 {axis = 1 : i32} : (tensor<5x3xi8>) -> tensor<5xi64>
  return %argmax : tensor<5xi64>
}
