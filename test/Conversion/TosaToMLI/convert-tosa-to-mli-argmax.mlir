// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// Slices along the axis, which is put last. The first of equal elements is made
// the only maximum.

// CHECK-LABEL: func.func @rows(
// CHECK-SAME:      -> tensor<2x3x!mli.sa32<1:0:0>>
// CHECK:         mli.permute {{.*}} permutation [0, 2, 1]
// CHECK:         scf.for
// CHECK:         mli.maxpool
// CHECK:         mli.eltwise_sub
// CHECK:         %[[RANKS:.*]] = mli.constant dense<[4, 3, 2, 1, 0]> : tensor<5xi16>
// CHECK:         %[[FIRST:.*]] = mli.eltwise_add ins(%{{.*}}, %[[RANKS]] : {{.*}})
// CHECK:         mli.argmax ins(%[[FIRST]] : tensor<5x!mli.fx16<14>>)
// CHECK:         mli.reshape
func.func @rows(%arg0: tensor<2x5x3xi8>) -> (tensor<2x3xi32>) {
  %argmax = tosa.argmax %arg0 {axis = 1 : i32} : (tensor<2x5x3xi8>) -> tensor<2x3xi32>
  return %argmax : tensor<2x3xi32>
}

// -----

// CHECK-LABEL: func.func @row(
// CHECK-NOT:     mli.maxpool
// CHECK:         mli.argmax
func.func @row(%arg0: tensor<16383xi16>) -> (tensor<i32>) {
  // expected-remark @below {{of equal elements the last is found, not the first}}
  %argmax = tosa.argmax %arg0 {axis = 0 : i32} : (tensor<16383xi16>) -> tensor<i32>
  return %argmax : tensor<i32>
}

// -----

func.func @wide(%arg0: tensor<5x3xi8>) -> (tensor<5xi64>) {
  // expected-remark @below {{'tosa.argmax' op not raised: expected positions of i32, but got i64}}
  %argmax = tosa.argmax %arg0 {axis = 1 : i32} : (tensor<5x3xi8>) -> tensor<5xi64>
  return %argmax : tensor<5xi64>
}
