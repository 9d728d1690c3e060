// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!lhs = tensor<4x4x8x!mli.sa8<1:4:-128>>
!rhs = tensor<4x4x8x!mli.sa8<3:5:7>>
!out = tensor<4x4x8x!mli.sa8<1:3:0>>

// CHECK-LABEL: func.func @eltwise_add_tensor
// CHECK-SAME: %[[LHS:.*]]: tensor<4x4x8x!mli.sa8<1:4:-128>>, %[[RHS:.*]]: tensor<4x4x8x!mli.sa8<3:5:7>>, %[[INIT:.*]]: tensor<4x4x8x!mli.sa8<1:3:0>>)
func.func @eltwise_add_tensor(%lhs: !lhs, %rhs: !rhs, %init: !out) -> !out {
  // CHECK: mli.eltwise_add ins(%[[LHS]], %[[RHS]] : tensor<4x4x8x!mli.sa8<1:4:-128>>, tensor<4x4x8x!mli.sa8<3:5:7>>) outs(%[[INIT]] : tensor<4x4x8x!mli.sa8<1:3:0>>) -> tensor<4x4x8x!mli.sa8<1:3:0>>
  %result = mli.eltwise_add ins(%lhs, %rhs : !lhs, !rhs) outs(%init : !out)
    -> !out
  return %result : !out
}

// One element is a scalar, whatever its rank, and its strides say nothing.
// CHECK-LABEL: func.func @scalar_operands
// CHECK-COUNT-2: mli.eltwise_add
func.func @scalar_operands(
    %map: memref<4x4x8x!mli.fx16<7>>, %zero_rank: memref<!mli.fx16<9>>,
    %one: memref<1x1x!mli.fx16<9>, strided<[64, 8]>>,
    %init: memref<4x4x8x!mli.fx16<7>>) {
  mli.eltwise_add
    ins(%map, %zero_rank : memref<4x4x8x!mli.fx16<7>>, memref<!mli.fx16<9>>)
    outs(%init : memref<4x4x8x!mli.fx16<7>>)
  mli.eltwise_add
    ins(%one, %map : memref<1x1x!mli.fx16<9>, strided<[64, 8]>>,
                     memref<4x4x8x!mli.fx16<7>>)
    outs(%init : memref<4x4x8x!mli.fx16<7>>)
  return
}

// CHECK-LABEL: func.func @scalar_result
// CHECK: mli.eltwise_add
func.func @scalar_result(%lhs: tensor<!mli.fx8<7>>, %rhs: tensor<1x!mli.fx8<6>>,
                         %init: tensor<1x!mli.fx8<5>>) -> tensor<1x!mli.fx8<5>> {
  %result = mli.eltwise_add
    ins(%lhs, %rhs : tensor<!mli.fx8<7>>, tensor<1x!mli.fx8<6>>)
    outs(%init : tensor<1x!mli.fx8<5>>) -> tensor<1x!mli.fx8<5>>
  return %result : tensor<1x!mli.fx8<5>>
}

// CHECK-LABEL: func.func @relu_tensor
// CHECK: mli.relu {{.*}} {relu = #mli.relu<relu1>} -> tensor<4x4x8x!mli.sa8<1:4:-128>>
func.func @relu_tensor(%input: !lhs, %init: !lhs) -> !lhs {
  %result = mli.relu ins(%input : !lhs) outs(%init : !lhs)
    {relu = #mli.relu<relu1>} -> !lhs
  return %result : !lhs
}

// CHECK-LABEL: func.func @relu_in_place
// CHECK-SAME: %[[MAP:.*]]: memref<
// CHECK: mli.relu ins(%[[MAP]] : {{.*}}) outs(%[[MAP]] : {{.*}}) {relu = #mli.relu<none>}
// CHECK: mli.relu {{.*}} {relu = #mli.relu<gen>}
// CHECK: mli.relu {{.*}} {relu = #mli.relu<relu6>}
func.func @relu_in_place(%map: memref<?x4x!mli.fx8<6>, strided<[8, 1]>>) {
  mli.relu ins(%map : memref<?x4x!mli.fx8<6>, strided<[8, 1]>>)
    outs(%map : memref<?x4x!mli.fx8<6>, strided<[8, 1]>>)
    {relu = #mli.relu<none>}
  mli.relu ins(%map : memref<?x4x!mli.fx8<6>, strided<[8, 1]>>)
    outs(%map : memref<?x4x!mli.fx8<6>, strided<[8, 1]>>)
    {relu = #mli.relu<gen>}
  mli.relu ins(%map : memref<?x4x!mli.fx8<6>, strided<[8, 1]>>)
    outs(%map : memref<?x4x!mli.fx8<6>, strided<[8, 1]>>)
    {relu = #mli.relu<relu6>}
  return
}

// CHECK-LABEL: func.func @softmax_tensor
// CHECK: mli.softmax ins({{.*}}) outs({{.*}}) -> tensor<10x!mli.sa8<1:8:-128>>
func.func @softmax_tensor(%logits: tensor<10x!mli.sa8<5:6:4>>,
                          %init: tensor<10x!mli.sa8<1:8:-128>>)
    -> tensor<10x!mli.sa8<1:8:-128>> {
  %result = mli.softmax ins(%logits : tensor<10x!mli.sa8<5:6:4>>)
    outs(%init : tensor<10x!mli.sa8<1:8:-128>>) {axis = -1 : i32}
    -> tensor<10x!mli.sa8<1:8:-128>>
  return %result : tensor<10x!mli.sa8<1:8:-128>>
}

// CHECK-LABEL: func.func @softmax_along_axis
// CHECK: mli.softmax {{.*}} {axis = 1 : i32}{{$}}
// CHECK: mli.softmax {{.*}} outs({{.*}} : memref<3x?x!mli.fx8<7>>) {axis = 0 : i32}{{$}}
func.func @softmax_along_axis(
    %fx16: memref<3x?x!mli.fx16<12>>, %fx16_init: memref<3x?x!mli.fx16<15>>,
    %fx8: memref<3x?x!mli.fx8<4>>, %fx8_init: memref<3x?x!mli.fx8<7>>) {
  mli.softmax ins(%fx16 : memref<3x?x!mli.fx16<12>>)
    outs(%fx16_init : memref<3x?x!mli.fx16<15>>) {axis = 1 : i32}
  mli.softmax ins(%fx8 : memref<3x?x!mli.fx8<4>>)
    outs(%fx8_init : memref<3x?x!mli.fx8<7>>) {axis = 0 : i32}
  return
}

// E8
// CHECK-LABEL: func.func @convert_tensor
// CHECK: mli.convert ins({{.*}} : tensor<?x4x!mli.sa8<3:6:-5>>) outs({{.*}}) -> tensor<?x4x!mli.fx16<12>>
func.func @convert_tensor(%input: tensor<?x4x!mli.sa8<3:6:-5>>,
                          %init: tensor<?x4x!mli.fx16<12>>)
    -> tensor<?x4x!mli.fx16<12>> {
  %result = mli.convert ins(%input : tensor<?x4x!mli.sa8<3:6:-5>>)
    outs(%init : tensor<?x4x!mli.fx16<12>>) -> tensor<?x4x!mli.fx16<12>>
  return %result : tensor<?x4x!mli.fx16<12>>
}

!wide = memref<4x2x!mli.sa32<axis = 1, {1:4:500, 3:4:0}>>
!narrow = memref<4x2x!mli.sa8<axis = 1, {1:2:0, 3:2:-300}>>

// Zero points beyond int8 are converted, not computed with.
// CHECK-LABEL: func.func @convert_along_axis
// CHECK-COUNT-3: mli.convert
func.func @convert_along_axis(%wide: !wide, %narrow: !narrow,
                              %real: memref<4x2xf32>) {
  mli.convert ins(%wide : !wide) outs(%narrow : !narrow)
  mli.convert ins(%narrow : !narrow) outs(%real : memref<4x2xf32>)
  mli.convert ins(%real : memref<4x2xf32>) outs(%wide : !wide)
  return
}
