// Kernels of dynamic sizes on tensors and on buffers, with those that are known
// beside them.
// RUN: mli-opt %s --verify-roundtrip | FileCheck %s

!maps = tensor<?x?x?x!mli.sa8<1:4:-128>>
!map = memref<?x?x?x!mli.sa8<1:4:-128>>
!row = memref<?x!mli.sa8<1:4:-128>>
!filters = memref<3x3x?x?x!mli.sa8<5:10:0>>
!single = memref<3x3x1x?x!mli.sa8<5:10:0>>
!matrix = memref<?x?x!mli.sa8<5:10:0>>
!bias = memref<?x!mli.sa32<5:14:0>>

// CHECK-LABEL: func.func @windows_of_buffers
// CHECK: mli.avepool ins(%{{.*}} : memref<?x?x?x!mli.sa8<1:4:-128>>)
// CHECK: mli.depthwise_conv2d
// CHECK: mli.group_conv2d
func.func @windows_of_buffers(%in: !map, %filters: !filters, %single: !single,
                              %bias: !bias, %out: !map, %top: index) {
  mli.avepool ins(%in : !map) outs(%out : !map) kernel [2, 2]
    pad [%top, 0, 0, 1]
  mli.depthwise_conv2d ins(%in, %single, %bias : !map, !single, !bias)
    outs(%out : !map) pad [1, 1, 1, 1]
  mli.group_conv2d ins(%in, %filters, %bias : !map, !filters, !bias)
    outs(%out : !map) pad [1, 1, %top, 1]
  return
}

// CHECK-LABEL: func.func @products_of_buffers
// CHECK: mli.fully_connected ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<?x?x?x!mli.sa8<1:4:-128>>
func.func @products_of_buffers(%in: !map, %matrix: !matrix, %bias: !bias,
                               %out: !row) {
  mli.fully_connected ins(%in, %matrix, %bias : !map, !matrix, !bias)
    outs(%out : !row)
  return
}

// CHECK-LABEL: func.func @elements_of_buffers
// CHECK: mli.convert
// CHECK: mli.eltwise_add
// CHECK: mli.elem_count %{{.*}} : memref<?x?x?x
// CHECK: mli.element_size %{{.*}} : memref<?x?x?x
func.func @elements_of_buffers(%in: !map, %out: !map) -> (index, index) {
  mli.convert ins(%in : !map) outs(%out : !map)
  mli.eltwise_add ins(%in, %out : !map, !map) outs(%out : !map)
  %count = mli.elem_count %in : !map
  %size = mli.element_size %in : !map
  return %count, %size : index, index
}

// CHECK-LABEL: func.func @elements_of_tensors
// CHECK: mli.eltwise_min {{.*}} -> tensor<?x?x?x!mli.sa8<1:4:-128>>
// CHECK: mli.eltwise_mul {{.*}} -> tensor<?x?x?x!mli.sa8<1:4:-128>>
// CHECK: mli.eltwise_sub {{.*}} -> tensor<?x?x?x!mli.sa8<1:4:-128>>
func.func @elements_of_tensors(%a: !maps, %b: !maps, %init: !maps) -> !maps {
  %0 = mli.eltwise_min ins(%a, %b : !maps, !maps) outs(%init : !maps) -> !maps
  %1 = mli.eltwise_mul ins(%0, %b : !maps, !maps) outs(%init : !maps) -> !maps
  %2 = mli.eltwise_sub ins(%1, %b : !maps, !maps) outs(%init : !maps) -> !maps
  return %2 : !maps
}

!steps = memref<?x?x!mli.fx16<12>>
!state = memref<?x!mli.fx16<12>>
!gates = memref<4x?x?x!mli.fx16<13>>
!offsets = memref<4x?x!mli.fx16<13>>

// CHECK-LABEL: func.func @cells_of_buffers
// CHECK: mli.lstm_cell
func.func @cells_of_buffers(%in: !steps, %state: !state, %gates: !gates,
                            %bias: !offsets, %cell: !state, %out: !steps) {
  mli.lstm_cell ins(%in, %state, %gates, %gates, %bias
                    : !steps, !state, !gates, !gates, !offsets)
    outs(%cell, %out : !state, !steps) {all_results}
  return
}

!fixed = memref<4x4x4x!mli.fx16<10>>
!half = memref<3x3x2x4x!mli.fx8<7>>
!vector = memref<4x!mli.fx8<5>>
!inner = memref<2x2x4x!mli.fx16<9>>

// CHECK-LABEL: func.func @groups_of_known_sizes
// CHECK: mli.group_conv2d
func.func @groups_of_known_sizes(%in: !fixed, %half: !half, %bias: !vector,
                                 %out: !inner) {
  mli.group_conv2d ins(%in, %half, %bias : !fixed, !half, !vector)
    outs(%out : !inner) pad [0, 0, 0, 0]
  return
}
