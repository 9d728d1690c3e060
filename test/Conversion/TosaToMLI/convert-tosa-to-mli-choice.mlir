// RUN: mli-opt --convert-tosa-to-mli --split-input-file --verify-diagnostics %s | FileCheck %s

// A mask of a batch: each run of what is chosen is a move for all maps at once.

// CHECK-LABEL: func.func @mask(
// CHECK-SAME:      %[[ARG:[^:]*]]: tensor<4x2x3x!mli.sa8<1:0:0>>)
// CHECK-DAG:     %[[LOW:.*]] = mli.constant dense<-128> : tensor<4x2x3xi8>
// CHECK-DAG:     %[[INTO:.*]] = mli.reshape %[[LOW]] : {{.*}} to tensor<4x6x1x!mli.sa8<1:0:0>>
// CHECK-DAG:     %[[FROM:.*]] = mli.reshape %[[ARG]] : {{.*}} to tensor<4x6x1x!mli.sa8<1:0:0>>
// CHECK:         %[[FIRST:.*]] = mli.mov ins(%[[FROM]] : {{.*}}) outs(%[[INTO]] : {{.*}}) {dst_offsets = array<i64: 0, 0, 0>, offsets = array<i64: 0, 0, 0>, sizes = array<i64: 4, 1, 1>}
// CHECK:         mli.mov ins(%[[FROM]] : {{.*}}) outs(%[[FIRST]] : {{.*}}) {dst_offsets = array<i64: 0, 2, 0>, offsets = array<i64: 0, 2, 0>, sizes = array<i64: 4, 3, 1>}
// CHECK-NOT:     mli.mov
func.func @mask(%arg0: tensor<4x2x3xi8>) -> (tensor<4x2x3xi8>) {
  %condition = "tosa.const"() <{values = dense<[[[true, false, true], [true, true, false]]]> : tensor<1x2x3xi1>}> : () -> tensor<1x2x3xi1>
  %low = "tosa.const"() <{values = dense<-128> : tensor<1x1x1xi8>}> : () -> tensor<1x1x1xi8>
  %select = tosa.select %condition, %arg0, %low : (tensor<1x2x3xi1>, tensor<4x2x3xi8>, tensor<1x1x1xi8>) -> tensor<4x2x3xi8>
  return %select : tensor<4x2x3xi8>
}

// -----

// Nothing is moved where one operand is all.

// CHECK-LABEL: func.func @one(
// CHECK-SAME:      %[[ARG:[^:]*]]: tensor<2x3x!mli.fx16<0>>, %{{.*}}: tensor<2x3xi16>)
// CHECK-NEXT:    return %[[ARG]]
func.func @one(%arg0: tensor<2x3xi16>, %arg1: tensor<2x3xi16>) -> (tensor<2x3xi16>) {
  %condition = "tosa.const"() <{values = dense<true> : tensor<1x1xi1>}> : () -> tensor<1x1xi1>
  %select = tosa.select %condition, %arg0, %arg1 : (tensor<1x1xi1>, tensor<2x3xi16>, tensor<2x3xi16>) -> tensor<2x3xi16>
  return %select : tensor<2x3xi16>
}

// -----

// CHECK-LABEL: func.func @other(
// CHECK-SAME:      %{{[^:]*}}: tensor<2x3xi32>, %[[ARG:.*]]: tensor<2x3x!mli.sa32<1:0:0>>)
// CHECK-NEXT:    return %[[ARG]]
func.func @other(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) -> (tensor<2x3xi32>) {
  %condition = "tosa.const"() <{values = dense<false> : tensor<2x3xi1>}> : () -> tensor<2x3xi1>
  %select = tosa.select %condition, %arg0, %arg1 : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %select : tensor<2x3xi32>
}

// -----

func.func @resource(%arg0: tensor<2x3xi8>, %arg1: tensor<2x3xi8>) -> (tensor<2x3xi8>) {
  %condition = "tosa.const"() <{values = dense_resource<condition> : tensor<1x3xi1>}> : () -> tensor<1x3xi1>
  // expected-remark @below {{'tosa.select' op not raised: expected a condition in the module, but got a resource}}
  %select = tosa.select %condition, %arg0, %arg1 : (tensor<1x3xi1>, tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x3xi8>
  return %select : tensor<2x3xi8>
}

// -----

func.func @repeated(%arg0: tensor<1025x2xi8>, %arg1: tensor<1x2xi8>) -> (tensor<1025x2xi8>) {
  %condition = "tosa.const"() <{values = dense<[[true, false]]> : tensor<1x2xi1>}> : () -> tensor<1x2xi1>
  // expected-remark @below {{'tosa.select' op not raised: expected at most 1024 moves for dimension 0, but got 1025}}
  %select = tosa.select %condition, %arg0, %arg1 : (tensor<1x2xi1>, tensor<1025x2xi8>, tensor<1x2xi8>) -> tensor<1025x2xi8>
  return %select : tensor<1025x2xi8>
}

// -----

// Every second of many numbers is a run of its own.

func.func @many(%arg0: tensor<2050xi8>) -> (tensor<2050xi8>) {
  %condition = "tosa.const"() <{values = dense<"0x5555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555"> : tensor<2050xi1>}> : () -> tensor<2050xi1>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-remark @below {{'tosa.select' op not raised: expected at most 1024 moves of what is chosen, but got 1025}}
  %select = tosa.select %condition, %arg0, %zero : (tensor<2050xi1>, tensor<2050xi8>, tensor<1xi8>) -> tensor<2050xi8>
  return %select : tensor<2050xi8>
}
