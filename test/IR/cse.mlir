// RUN: mli-opt %s --cse | FileCheck %s

!map = tensor<4x8x!mli.fx8<3>>

// Equal kernels on equal tensors compute the same.
// CHECK-LABEL: func.func @kernels
// CHECK: %[[FIRST:.*]] = mli.relu ins
// CHECK-NOT: = mli.relu
// CHECK: mli.eltwise_add ins(%[[FIRST]], %[[FIRST]] :
func.func @kernels(%map: !map, %init: !map) -> !map {
  %first = mli.relu ins(%map : !map) outs(%init : !map)
    {relu = #mli.relu<gen>} -> !map
  %second = mli.relu ins(%map : !map) outs(%init : !map)
    {relu = #mli.relu<gen>} -> !map
  %sum = mli.eltwise_add ins(%first, %second : !map, !map) outs(%init : !map)
    -> !map
  return %sum : !map
}

// CHECK-LABEL: func.func @other_configuration
// CHECK-COUNT-2: mli.relu ins
func.func @other_configuration(%map: !map, %init: !map) -> (!map, !map) {
  %first = mli.relu ins(%map : !map) outs(%init : !map)
    {relu = #mli.relu<gen>} -> !map
  %second = mli.relu ins(%map : !map) outs(%init : !map)
    {relu = #mli.relu<relu6>} -> !map
  return %first, %second : !map, !map
}

// CHECK-LABEL: func.func @views_and_queries
// CHECK-COUNT-1: mli.subtensor
// CHECK-NOT: mli.subtensor
// CHECK-COUNT-1: mli.constant
// CHECK-NOT: mli.constant
// CHECK: return
func.func @views_and_queries(%map: memref<4x8x!mli.fx8<3>>)
    -> (index, index, memref<2x!mli.fx8<3>>, memref<2x!mli.fx8<3>>) {
  %0 = mli.subtensor %map[1, 0] [2, 8] : memref<4x8x!mli.fx8<3>>
    to memref<2x8x!mli.fx8<3>, strided<[8, 1], offset: 8>>
  %1 = mli.subtensor %map[1, 0] [2, 8] : memref<4x8x!mli.fx8<3>>
    to memref<2x8x!mli.fx8<3>, strided<[8, 1], offset: 8>>
  %2 = mli.elem_count %0 : memref<2x8x!mli.fx8<3>, strided<[8, 1], offset: 8>>
  %3 = mli.elem_count %1 : memref<2x8x!mli.fx8<3>, strided<[8, 1], offset: 8>>
  %4 = mli.constant dense<1> : tensor<2xi8> to memref<2x!mli.fx8<3>>
  %5 = mli.constant dense<1> : tensor<2xi8> to memref<2x!mli.fx8<3>>
  return %2, %3, %4, %5
    : index, index, memref<2x!mli.fx8<3>>, memref<2x!mli.fx8<3>>
}

// Buffers are written: both calls stay, and so does each allocation.
// CHECK-LABEL: func.func @buffers
// CHECK-COUNT-2: mli.alloc
// CHECK-COUNT-2: mli.relu ins
func.func @buffers(%map: memref<4x8x!mli.fx8<3>>)
    -> (memref<4x8x!mli.fx8<3>>, memref<4x8x!mli.fx8<3>>) {
  %0 = mli.alloc : memref<4x8x!mli.fx8<3>>
  %1 = mli.alloc : memref<4x8x!mli.fx8<3>>
  mli.relu ins(%map : memref<4x8x!mli.fx8<3>>)
    outs(%0 : memref<4x8x!mli.fx8<3>>) {relu = #mli.relu<gen>}
  mli.relu ins(%map : memref<4x8x!mli.fx8<3>>)
    outs(%1 : memref<4x8x!mli.fx8<3>>) {relu = #mli.relu<gen>}
  return %0, %1 : memref<4x8x!mli.fx8<3>>, memref<4x8x!mli.fx8<3>>
}

// A table is made once, and none that nobody reads.
// CHECK-LABEL: func.func @tables
// CHECK-COUNT-1: = mli.lut outs
// CHECK-NOT: = mli.lut outs
// CHECK: return
!table = tensor<344x!mli.fx16<15>>
!unit = tensor<4x!mli.fx16<15>>
func.func @tables(%map: !unit) -> (!unit, !unit) {
  %0 = tensor.empty() : !table
  %1 = mli.lut outs(%0 : !table) {function = #mli.lut_function<tanh>} -> !table
  %2 = mli.tanh ins(%map : !unit) lut(%1 : !table) outs(%map : !unit) -> !unit
  %3 = tensor.empty() : !table
  %4 = mli.lut outs(%3 : !table) {function = #mli.lut_function<tanh>} -> !table
  %5 = mli.tanh ins(%2 : !unit) lut(%4 : !table) outs(%map : !unit) -> !unit
  %6 = mli.lut outs(%3 : !table) {function = #mli.lut_function<tanh>} -> !table
  return %2, %5 : !unit, !unit
}
