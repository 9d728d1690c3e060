// RUN: mli-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --split-input-file | FileCheck %s

// The upstream pass knows these operations by their interfaces alone, with sizes
// that only the program knows.

!in = tensor<?x?x8x!mli.sa8<1:4:-128>>
!weights = tensor<3x3x8x4x!mli.sa8<axis = 3, {5:3:0, 7:3:0, 9:3:0, 2:3:0}>>
!bias = tensor<4x!mli.sa32<axis = 0, {5:7:0, 7:7:0, 9:7:0, 2:7:0}>>
!out = tensor<?x?x4x!mli.sa8<1:4:-128>>

// CHECK-LABEL: func.func @layers
// CHECK-NOT: tensor<
// CHECK: %[[CONV:[^ ]*]] = memref.alloc(%{{.*}}, %{{.*}}) {{.*}}: memref<?x?x4x!mli.sa8<1:4:-128>>
// CHECK: mli.conv2d ins({{.*}}) outs(%[[CONV]] : memref<?x?x4x!mli.sa8<1:4:-128>>)
// CHECK: %[[RELU:[^ ]*]] = memref.alloc(%{{.*}}, %{{.*}})
// CHECK: mli.relu ins(%[[CONV]] : {{.*}}) outs(%[[RELU]] : {{.*}})
// CHECK: mli.eltwise_add ins(%[[RELU]], %[[CONV]] : {{.*}}) outs(%[[RELU]] : {{.*}})
// CHECK-NOT: memref.copy
// CHECK: return %[[RELU]]
func.func @layers(%in: !in, %weights: !weights, %bias: !bias,
                  %height: index, %width: index) -> !out {
  %conv_init = tensor.empty(%height, %width) : !out
  %conv = mli.conv2d ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%conv_init : !out) pad [1, 1, 1, 1] -> !out
  %relu_init = tensor.empty(%height, %width) : !out
  %relu = mli.relu ins(%conv : !out) outs(%relu_init : !out)
    {relu = #mli.relu<gen>} -> !out
  %sum = mli.eltwise_add ins(%relu, %conv : !out, !out) outs(%relu : !out)
    -> !out
  return %sum : !out
}

// -----

!map = tensor<?x8x!mli.fx8<3>>

// Each step writes its row in place; blocks are views.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = mli.subtensor %{{.*}}[%{{.*}}, 0] [1, 8] : memref<?x8x!mli.fx8<3>> to memref<1x8x!mli.fx8<3>, strided<[8, 1], offset: ?>>
// CHECK: %[[INTO:.*]] = memref.subview
// CHECK: mli.mov ins(%[[ROW]] : {{.*}}) outs(%[[INTO]] : {{.*}})
// CHECK-NOT: memref.alloc
// CHECK: scf.yield
func.func @rows(%map: !map, %result: !map {bufferization.writable = true},
                %count: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = scf.for %i = %c0 to %count step %c1 iter_args(%last = %result)
      -> !map {
    %row = mli.subtensor %map[%i, 0] [1, 8] : !map
      to tensor<1x8x!mli.fx8<3>>
    %into = tensor.extract_slice %last[%i, 0] [1, 8] [1, 1]
      : !map to tensor<1x8x!mli.fx8<3>>
    %moved = mli.mov ins(%row : tensor<1x8x!mli.fx8<3>>)
      outs(%into : tensor<1x8x!mli.fx8<3>>) -> tensor<1x8x!mli.fx8<3>>
    %next = tensor.insert_slice %moved into %last[%i, 0] [1, 8] [1, 1]
      : tensor<1x8x!mli.fx8<3>> into !map
    scf.yield %next : !map
  }
  return %all : !map
}

// -----

!map = tensor<4x8x!mli.fx8<3>>
!vector = tensor<32x!mli.fx8<3>>

// Constants, views and queries too.
// CHECK-LABEL: func.func @data
// CHECK: %[[VALUE:.*]] = mli.constant dense<1> : tensor<4x8xi8> to memref<4x8x!mli.fx8<3>>
// CHECK: %[[VIEW:.*]] = mli.reshape %[[VALUE]] : memref<4x8x!mli.fx8<3>> to memref<32x!mli.fx8<3>>
// CHECK: %[[COUNT:.*]] = mli.elem_count %[[VIEW]]
// CHECK: return %[[VIEW]], %[[COUNT]]
func.func @data() -> (!vector, index) {
  %value = mli.constant dense<1> : tensor<4x8xi8> to !map
  %view = mli.reshape %value : !map to !vector
  %count = mli.elem_count %view : !vector
  return %view, %count : !vector, index
}

// -----

!row = tensor<4x!mli.fx16<15>>

// Kernels on slices read each before they write it.
// CHECK-LABEL: func.func @slices_in_place
// CHECK-SAME: %[[ROW:[^:]*]]: memref
// CHECK-NEXT: mli.softmax ins(%[[ROW]] : {{.*}}) outs(%[[ROW]] : {{.*}})
// CHECK-NEXT: return
func.func @slices_in_place(%row: !row) -> !row {
  %0 = mli.softmax ins(%row : !row) outs(%row : !row) -> !row
  return %0 : !row
}

// -----

!one = tensor<1x!mli.fx8<3>>

// A slope is read for every element.
// CHECK-LABEL: func.func @over_the_slope
// CHECK-SAME: %[[IN:[^:]*]]: memref<{{[^,]*}}>, %[[SLOPE:[^:]*]]: memref
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK-NEXT: mli.leaky_relu ins(%[[IN]], %[[SLOPE]] : {{.*}}) outs(%[[COPY]] : {{.*}})
func.func @over_the_slope(%in: !one, %slope: !one) -> !one {
  %0 = mli.leaky_relu ins(%in, %slope : !one, !one) outs(%slope : !one) -> !one
  return %0 : !one
}
