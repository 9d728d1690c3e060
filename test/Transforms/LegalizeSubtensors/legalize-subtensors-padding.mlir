// Padding that one mov does not make: blocks of it around the source.
// RUN: mli-opt %s --mli-legalize-subtensors | FileCheck %s
// RUN: mli-opt %s --mli-legalize-subtensors --mli-bufferize --mli-legalize-subtensors -o /dev/null

!map = tensor<3x7x!mli.fx8<3>>

// As much as a mov adds.
// CHECK-LABEL: func.func @most_of_a_mov
// CHECK: mli.mov {{.*}} {pad_high = array<i64: 0, 0>, pad_low = array<i64: 255, 0>, reason = #mli.copy_reason<padding>}
func.func @most_of_a_mov(%map: !map) -> tensor<258x7x!mli.fx8<3>> {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  %0 = tensor.pad %map low[255, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to tensor<258x7x!mli.fx8<3>>
  return %0 : tensor<258x7x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @more_than_a_mov
// CHECK: %[[FILLING:.*]] = mli.constant dense<0> : tensor<256x7xi8>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[256, 0] [3, 7] [1, 1]
// CHECK: mli.mov ins(%[[FILLING]] : {{.*}}) {{.*}} {reason = #mli.copy_reason<padding>}
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [256, 7] [1, 1]
func.func @more_than_a_mov(%map: !map) -> tensor<259x7x!mli.fx8<3>> {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  %0 = tensor.pad %map low[256, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to tensor<259x7x!mli.fx8<3>>
  return %0 : tensor<259x7x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @float
// CHECK-DAG: %[[FILLING:.*]] = arith.constant dense<1.500000e+00> : tensor<1x8xf32>
// CHECK-DAG: arith.constant dense<1.500000e+00> : tensor<3x1xf32>
// CHECK: mli.mov ins(%[[FILLING]] : {{.*}}) {{.*}} {reason = #mli.copy_reason<padding>}
func.func @float(%map: tensor<3x7xf32>) -> tensor<4x8xf32> {
  %number = arith.constant 1.5 : f32
  %0 = tensor.pad %map low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %number : f32
  } : tensor<3x7xf32> to tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A mov pads with 0, not -0.
// CHECK-LABEL: func.func @negative_zero
// CHECK: arith.constant dense<-0.000000e+00> : tensor<1x8xf32>
func.func @negative_zero(%map: tensor<3x7xf32>) -> tensor<4x8xf32> {
  %number = arith.constant -0.0 : f32
  %0 = tensor.pad %map low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %number : f32
  } : tensor<3x7xf32> to tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The code is in a resource.
// CHECK-LABEL: func.func @resource
// CHECK: mli.constant dense<-128> : tensor<1x8xi8> to tensor<1x8x!mli.sa8<1:4:-128>>
func.func @resource(%map: tensor<3x7x!mli.sa8<1:4:-128>>)
    -> tensor<4x8x!mli.sa8<1:4:-128>> {
  %constant = mli.constant dense_resource<code> : tensor<i8>
    to tensor<!mli.sa8<1:4:-128>>
  %code = tensor.extract %constant[] : tensor<!mli.sa8<1:4:-128>>
  %0 = tensor.pad %map low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.sa8<1:4:-128>
  } : tensor<3x7x!mli.sa8<1:4:-128>> to tensor<4x8x!mli.sa8<1:4:-128>>
  return %0 : tensor<4x8x!mli.sa8<1:4:-128>>
}

// A source without elements.
// CHECK-LABEL: func.func @only_padding
// CHECK: %[[FILLING:.*]] = mli.constant dense<0> : tensor<3xi8>
// CHECK: %[[FILLED:.*]] = mli.mov ins(%[[FILLING]] : {{.*}})
// CHECK-NEXT: return %[[FILLED]]
func.func @only_padding(%row: tensor<0x!mli.fx8<3>>) -> tensor<3x!mli.fx8<3>> {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  %0 = tensor.pad %row low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %code : !mli.fx8<3>
  } : tensor<0x!mli.fx8<3>> to tensor<3x!mli.fx8<3>>
  return %0 : tensor<3x!mli.fx8<3>>
}

// A kernel computes in the middle of what is padded, whatever the code.
// CHECK-LABEL: func.func @computed
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<5x7x!mli.fx8<3>>
// CHECK-NEXT: %[[MIDDLE:.*]] = mli.subtensor %[[EMPTY]][1, 0] [3, 7]
// CHECK-NEXT: mli.relu ins(%{{.*}} : {{.*}}) outs(%[[MIDDLE]] : {{.*}})
// CHECK-COUNT-2: mli.mov {{.*}} : tensor<1x7x!mli.fx8<3>>) {{.*}} {reason = #mli.copy_reason<padding>}
// CHECK-NOT: mli.mov
// CHECK: return
func.func @computed(%map: !map) -> tensor<5x7x!mli.fx8<3>> {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  %empty = tensor.empty() : !map
  %relu = mli.relu ins(%map : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  %0 = tensor.pad %relu low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to tensor<5x7x!mli.fx8<3>>
  return %0 : tensor<5x7x!mli.fx8<3>>
}

// What is returned is no view.
// CHECK-LABEL: func.func @computed_and_returned
// CHECK: mli.mov {{.*}} {pad_high = array<i64: 1, 0>, pad_low = array<i64: 1, 0>, reason = #mli.copy_reason<padding>}
func.func @computed_and_returned(%map: !map)
    -> (!map, tensor<5x7x!mli.fx8<3>>) {
  %zero = mli.constant dense<0> : tensor<i8> to tensor<!mli.fx8<3>>
  %code = tensor.extract %zero[] : tensor<!mli.fx8<3>>
  %empty = tensor.empty() : !map
  %relu = mli.relu ins(%map : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  %0 = tensor.pad %relu low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %code : !mli.fx8<3>
  } : !map to tensor<5x7x!mli.fx8<3>>
  return %relu, %0 : !map, tensor<5x7x!mli.fx8<3>>
}

// Into the middle of a constant of one code: no constant is copied before.
// CHECK-LABEL: func.func @into_a_constant
// CHECK-NOT: mli.constant
// CHECK: mli.mov {{.*}} {pad_high = array<i64: 1, 0>, pad_low = array<i64: 1, 0>, reason = #mli.copy_reason<padding>}
// CHECK-NEXT: return
func.func @into_a_constant(%map: !map) -> tensor<5x7x!mli.fx8<3>> {
  %zero = mli.constant dense<0> : tensor<5x7xi8> to tensor<5x7x!mli.fx8<3>>
  %0 = mli.mov ins(%map : !map) outs(%zero : tensor<5x7x!mli.fx8<3>>)
    {dst_offsets = array<i64: 1, 0>} -> tensor<5x7x!mli.fx8<3>>
  return %0 : tensor<5x7x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @into_a_constant_of_codes
// CHECK: mli.constant
// CHECK: mli.mov {{.*}} {dst_offsets = array<i64: 1, 0>}
func.func @into_a_constant_of_codes(%row: tensor<1x2x!mli.fx8<3>>)
    -> tensor<2x2x!mli.fx8<3>> {
  %codes = mli.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
    to tensor<2x2x!mli.fx8<3>>
  %0 = mli.mov ins(%row : tensor<1x2x!mli.fx8<3>>)
    outs(%codes : tensor<2x2x!mli.fx8<3>>)
    {dst_offsets = array<i64: 1, 0>} -> tensor<2x2x!mli.fx8<3>>
  return %0 : tensor<2x2x!mli.fx8<3>>
}

{-#
  dialect_resources: { builtin: { code: "0x0100000080" } }
#-}
